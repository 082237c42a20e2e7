import type { PlanInput, PlanTrack } from '@floorcast/planner/plan-types.ts'
import fc from 'fast-check'

/** Round the clock, a minute, over midnight, to midnight, and what shops keep. */
const windows = [
  ['00:00', '23:59'],
  ['10:00', '10:01'],
  ['09:00', '18:30'],
  ['22:00', '02:15'],
  ['18:00', '00:00'],
  ['23:59', '00:09'],
  ['00:00', '01:00'],
] as const

const anyDuration = fc.oneof(
  { weight: 3, arbitrary: fc.double({ min: 5, max: 600, noNaN: true }) },
  { weight: 1, arbitrary: fc.double({ min: 1, max: 5, noNaN: true }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 400 }) },
  { weight: 1, arbitrary: fc.constantFrom(2, 30) },
)

/** One, two or many tracks; equal lengths; one giant among others. */
const anyDurations = fc.oneof(
  fc.array(anyDuration, { minLength: 1, maxLength: 2 }),
  fc.array(anyDuration, { minLength: 3, maxLength: 40 }),
  fc
    .tuple(fc.integer({ min: 1, max: 40 }), anyDuration)
    .map(([count, one]) => Array<number>(count).fill(one)),
  fc.array(anyDuration, { minLength: 1, maxLength: 20 }).map(durations => [...durations, 4000]),
)

/** Equal weights, whole ones from 1 to 10, and broken ones. */
const weightsOf = (count: number) =>
  fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    fc.array(fc.integer({ min: 1, max: 10 }), { minLength: count, maxLength: count }),
    fc.array(fc.double({ min: 0.3, max: 9, noNaN: true }), { minLength: count, maxLength: count }),
  )

const anyList = (prefix: string): fc.Arbitrary<PlanTrack[]> =>
  anyDurations.chain(durations =>
    weightsOf(durations.length).map(weights =>
      durations.map((duration, n) => {
        const weight = weights[n]
        return { uid: `${prefix}${n}`, duration, ...(weight === undefined ? {} : { weight }) }
      }),
    ),
  )

const anyMode = fc.constantFrom('auto' as const, 'manual' as const)

/** Any input of a plan; every track has a length, not every one fits. */
export const anyPlanInput: fc.Arbitrary<PlanInput> = fc
  .record({
    type: fc.constantFrom('audio-smart' as const, 'video-smart' as const),
    window: fc.constantFrom(...windows),
    melTime: fc.constantFrom(360, 60, 1, 1800, 217.3),
    adsTime: fc.constantFrom(900, 30, 5, 120, 61.7),
    melMode: anyMode,
    adsMode: anyMode,
    melList: anyList('melody'),
    adsList: anyList('ad'),
    crossfade: fc.constantFrom(0, 0, 3, 10),
    seed: fc.nat(),
  })
  .map(({ window: [startDay, endDay], ...input }) => ({ ...input, startDay, endDay }))

/** With a minimum ad separation, some of which no plan keeps. */
export const anySeparatedInput: fc.Arbitrary<PlanInput & { minAdGap: number }> = fc
  .tuple(
    anyPlanInput,
    fc.oneof(fc.integer({ min: 1, max: 120 }), fc.double({ min: 0.1, max: 1500, noNaN: true })),
  )
  .map(([input, minAdGap]) => ({ ...input, minAdGap }))
