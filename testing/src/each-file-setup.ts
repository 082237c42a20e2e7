import { afterAll, expect } from 'vitest'
import { prepareEndings, runEndings } from './at-the-end.ts'

// Test files of one worker share their modules: Vitest runs this one again for each file.
/** Components run in a browser, which has no files to write to. */
const times = 'document' in globalThis ? null : await import('./test-times.ts')
times?.beginTimes()
prepareEndings()
afterAll(async () => {
  await runEndings()
  times?.keepTimes(expect.getState().testPath ?? '')
})
