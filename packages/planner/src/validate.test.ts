import { anyPlanInput, anySeparatedInput } from '@floorcast/testing/plan-arbitrary.ts'
import { planned } from '@floorcast/testing/planned.ts'
import { runs } from '@floorcast/testing/runs.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PlanTrack } from './plan-types.ts'
import { validate, type PlanDraft } from './validate.ts'

const tracks = (prefix: string, count: number, duration: number): PlanTrack[] =>
  Array.from({ length: count }, (_, n) => ({ uid: `${prefix}${n}`, duration }))

const shop: PlanDraft = {
  type: 'audio-smart',
  startDay: '09:00',
  endDay: '18:00',
  melTime: 360,
  adsTime: 900,
  melMode: 'auto',
  adsMode: 'auto',
  melList: tracks('m', 20, 180),
  adsList: tracks('a', 40, 30),
  seed: 1,
  name: 'Spring',
}

const refusals = (change: Partial<PlanDraft>) => validate({ ...shop, ...change }).refusals
const warnings = (change: Partial<PlanDraft>) => validate({ ...shop, ...change }).warnings

test('A shop’s day is neither refused nor warned of', () => {
  expect(validate(shop)).toEqual({ refusals: [], warnings: [] })
})

/** Refused separations take several plans. */
const mostlyFree = fc.oneof(
  { weight: 4, arbitrary: anyPlanInput },
  { weight: 1, arbitrary: anySeparatedInput },
)

test('Without a refusal every ad is heard', () => {
  fc.assert(
    fc.property(mostlyFree, input => {
      fc.pre(validate(input).refusals.length === 0)
      const { tracks: heard } = planned(input).summary
      expect(heard.filter(({ kind, plays }) => kind === 'ad' && plays === 0)).toEqual([])
    }),
    { numRuns: runs(25, 200) },
  )
})

test('Refused: hours', () => {
  expect(refusals({ endDay: '09:00' })).toEqual([{ step: 'hours', code: 'times-equal', value: '09:00' }])
  expect(refusals({ endDay: '24:00' })).toEqual([
    { step: 'hours', code: 'time-invalid', field: 'endDay', value: '24:00' },
  ])
  expect(refusals({ startDay: '25:00' })).toEqual([
    { step: 'hours', code: 'time-invalid', field: 'startDay', value: '25:00' },
  ])
})

test('Refused: targets and crossfade', () => {
  expect(refusals({ adsTime: 0, melTime: Number.NaN, crossfade: -1 })).toEqual([
    { step: 'ads', code: 'target-invalid', kind: 'ad', target: 0 },
    { step: 'background', code: 'target-invalid', kind: 'melody', target: Number.NaN },
    { step: 'background', code: 'crossfade-invalid', crossfade: -1 },
  ])
})

test('Refused: a minimum ad separation that no plan keeps, with the largest possible', () => {
  const adsList = tracks('a', 5, 30)
  const refusal = { step: 'ads', code: 'ad-gap-too-long', minAdGap: 900, largest: 480 }
  expect(refusals({ adsList, minAdGap: 900 })).toEqual([refusal])
  expect(refusals({ adsList, minAdGap: refusal.largest })).toEqual([])
  expect(refusals({ minAdGap: -1 })).toEqual([{ step: 'ads', code: 'ad-gap-invalid', minAdGap: -1 }])
})

test('Refused: empty lists', () => {
  expect(refusals({ adsList: [], melList: [] })).toEqual([
    { step: 'ads', code: 'list-empty', kind: 'ad' },
    { step: 'background', code: 'list-empty', kind: 'melody' },
  ])
})

test('Refused: tracks, by their uid', () => {
  const adsList = [
    { uid: 'a', duration: 0 },
    { uid: 'b', duration: Infinity },
    { uid: 'c', duration: 30, weight: -1 },
    { uid: 'c', duration: 30 },
    { uid: 'd', duration: 32_401 },
  ]
  expect(refusals({ adsList })).toEqual([
    { step: 'ads', code: 'duration-invalid', kind: 'ad', uid: 'a', duration: 0 },
    { step: 'ads', code: 'duration-invalid', kind: 'ad', uid: 'b', duration: Infinity },
    { step: 'ads', code: 'weight-invalid', kind: 'ad', uid: 'c', weight: -1 },
    { step: 'ads', code: 'track-twice', kind: 'ad', uid: 'c' },
    { step: 'ads', code: 'longer-than-window', kind: 'ad', uid: 'd', duration: 32_401, window: 32_400 },
  ])
})

test('Refused: a track, and nothing else of its list', () => {
  expect(refusals({ adsList: [{ uid: 'a', duration: 0 }] })).toEqual([
    { step: 'ads', code: 'duration-invalid', kind: 'ad', uid: 'a', duration: 0 },
  ])
  const whole = refusals({ melList: [{ uid: 'm', duration: 32_400 }] })
  expect(whole.map(({ code }) => code)).not.toContain('longer-than-window')
})

test('Refused: content under a second', () => {
  expect(refusals({ melList: tracks('m', 3, 0.25) })).toEqual([
    { step: 'background', code: 'too-short', kind: 'melody', content: 0.75 },
  ])
  for (const duration of [1, 1.5]) expect(refusals({ melList: tracks('m', 1, duration) })).toEqual([])
})

test('Refused: more ads than are heard', () => {
  expect(refusals({ adsList: tracks('a', 800, 30) })).toEqual([
    expect.objectContaining({ step: 'ads', code: 'ads-beyond-air-time', content: 24_000, air: 23_040 }),
  ])
  // Just under the nominal air time, and still one is not heard: a plan tells.
  const long = [...tracks('a', 767, 30), { uid: 'long', duration: 30 }]
  const found = refusals({ adsList: long, melList: [{ uid: 'm', duration: 400 }] })
  expect(found).toEqual([expect.objectContaining({ code: 'ads-beyond-air-time' })])
})

test('Refused: ads that get no time at all, at the step of the background that takes it', () => {
  const [first, ...others] = tracks('a', 3, 30)
  for (const adsList of [tracks('a', 3, 30), [{ uid: 'a0', ...first, duration: 30, weight: 9 }, ...others]])
    expect(refusals({ endDay: '09:06', adsList })).toEqual([
      {
        step: 'background',
        code: 'ads-beyond-air-time',
        content: 90,
        air: 0,
        unheard: ['a0', 'a1', 'a2'],
      },
    ])
})

const weighted = (uids: string, weight: number) => Array.from(uids, uid => ({ uid, duration: 300, weight }))

test('Refused: an ad whose weight is too small to be heard', () => {
  // Shares count, not weights.
  for (const least of [1, 2]) {
    const adsList = [...weighted('abcdefghi', 20 * least), ...weighted('z', least)]
    expect(refusals({ adsList })).toEqual([
      {
        step: 'ads',
        code: 'ad-share-under-one',
        uid: 'z',
        plays: expect.closeTo(23_040 / 300 / 181, 6) as number,
      },
    ])
  }
})

test('Refused: of ads with small weights those alone that are not heard once', () => {
  // Among 76.8 plays y has 1.5 and z 0.3.
  const adsList = [...weighted('abcdefghi', 8), ...weighted('y', 1.5), ...weighted('z', 0.3)]
  expect(refusals({ adsList }).map(found => 'uid' in found && found.uid)).toEqual(['z'])
  expect(refusals({ adsList: adsList.slice(0, -1) })).toEqual([])
})

test('Refused: background far beyond', () => {
  expect(refusals({ melList: tracks('m', 600, 180) })).toEqual([
    { step: 'background', code: 'background-far-beyond', content: 108_000, air: 9360 },
  ])
  expect(refusals({ melList: tracks('m', 540, 180) }).map(({ code }) => code)).toEqual([
    'background-far-beyond',
  ])
  expect(refusals({ melList: tracks('m', 520, 180) })).toEqual([])
})

test('Refused: a short name, last', () => {
  expect(refusals({ name: ' A ', endDay: '09:00' })).toEqual([
    expect.objectContaining({ code: 'times-equal' }),
    { step: 'finish', code: 'name-too-short', length: 1 },
  ])
  expect(refusals({ name: 'AB' })).toEqual([{ step: 'finish', code: 'name-too-short', length: 2 }])
  expect(refusals({ name: '日本語' })).toEqual([])
  expect(refusals({ name: undefined })).toEqual([])
})

test('Warned of: less than one block', () => {
  expect(warnings({ adsList: tracks('a', 5, 30) })).toEqual([
    { step: 'ads', code: 'less-than-one-block', kind: 'ad', mode: 'auto', content: 150, target: 900 },
  ])
  expect(warnings({ adsMode: 'manual', adsList: tracks('a', 5, 30) })).toMatchObject([{ mode: 'manual' }])
  expect(warnings({ adsTime: 150, adsList: tracks('a', 5, 30) })).toEqual([])
})

test('Warned of: but not of what the window is full with', () => {
  // A minute: the background once, and what is left of it.
  const minute = { endDay: '09:01', melList: tracks('m', 2, 26), adsList: tracks('a', 1, 8) }
  expect(validate({ ...shop, ...minute })).toEqual({ refusals: [], warnings: [] })
  expect(warnings({ ...minute, melList: tracks('m', 2, 8) }).map(({ code }) => code)).toEqual([
    'less-than-one-block',
    'less-than-one-block',
  ])
})

test('Warned of: ads that are heard directly after themselves', () => {
  const adsList = tracks('a', 3, 30).map((ad, n) => ({ ...ad, weight: n === 0 ? 3 : 1 }))
  expect(warnings({ adsList })).toContainEqual({ step: 'ads', code: 'ads-back-to-back', uids: ['a0'] })
  expect(warnings({ adsList: tracks('a', 3, 30) }).map(({ code }) => code)).not.toContain('ads-back-to-back')
  // There is no plan in which they would be.
  expect(warnings({ adsList, minAdGap: 900 }).map(({ code }) => code)).not.toContain('ads-back-to-back')
})

test('Warned of: background that is not heard, and how many', () => {
  const melList = tracks('m', 100, 180)
  const [warning, ...others] = warnings({ melList })
  const unheard = planned({ ...shop, melList }).summary.melody.unheard
  expect(others).toEqual([])
  expect(unheard).toBeGreaterThan(40)
  expect(warning).toEqual(
    expect.objectContaining({ code: 'background-not-all-heard', unheard, content: 18_000 }),
  )
  // Ads that are not heard do not count.
  const many = { melList, adsList: tracks('a', 800, 30) }
  const unheardBeside = planned({ ...shop, ...many }).summary.melody.unheard
  expect(warnings(many)).toContainEqual(expect.objectContaining({ unheard: unheardBeside }))
})
