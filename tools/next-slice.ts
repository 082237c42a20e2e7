import { SLICES, turnSlice } from './slices.ts'

/** `npm run next-slice`: the next run of `.ci/run` runs the slice after the one that the last run had. */
console.log(`.ci/slice: ${turnSlice()} of ${SLICES}`)
