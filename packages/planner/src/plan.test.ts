import { planned } from '@floorcast/testing/planned.ts'
import { expect, test } from 'vitest'
import { check } from './check.ts'
import { plan } from './plan.ts'
import type { PlanInput, PlanKind, PlanTrack } from './plan-types.ts'

const tracks = (prefix: string, durations: readonly number[]): PlanTrack[] =>
  durations.map((duration, n) => ({ uid: `${prefix}${n}`, duration }))

const shop: PlanInput = {
  type: 'audio-smart',
  startDay: '09:00',
  endDay: '18:00',
  melTime: 360,
  adsTime: 900,
  melMode: 'auto',
  adsMode: 'auto',
  melList: tracks('m', [181.5, 200.25, 179.125, 160, 222.75, 140.5, 195, 210, 170.3, 150.7]),
  adsList: tracks('a', [15, 20.5, 30, 45.25, 10]),
  seed: 7,
}

const uidsOf = (input: PlanInput, kind: PlanKind) =>
  planned(input).blocks.flatMap(block => (block.kind === kind ? [block.items.map(({ uid }) => uid)] : []))

test('Block sizes: a short automatic list is heard whole in each block', () => {
  const blocks = uidsOf(shop, 'ad').slice(0, -1)
  expect(blocks.length).toBeGreaterThan(50)
  for (const uids of blocks) expect(uids.toSorted()).toEqual(['a0', 'a1', 'a2', 'a3', 'a4'])
})

test('Block sizes: a manual size repeats the list', () => {
  const { blocks } = planned({ ...shop, adsMode: 'manual' })
  for (const { kind, duration } of blocks.slice(0, -2))
    if (kind === 'ad') expect(Math.abs(duration - 900)).toBeLessThan(5)
})

test('Block sizes: a short automatic list with weights is as long as the list, by weight', () => {
  const adsList = shop.adsList.map((track, n) => ({ ...track, weight: n === 0 ? 4 : 1 }))
  const { summary } = planned({ ...shop, adsList })
  expect(summary.ad.targetSeconds).toBe(120.75)
  const [first, ...others] = summary.tracks.filter(({ kind }) => kind === 'ad').map(({ plays }) => plays)
  for (const plays of others) expect((first ?? 0) / plays).toBeCloseTo(4, 0)
})

test('Block sizes: many tracks meet their target to a tenth of a second, and the window to half', () => {
  const spread = (count: number, least: number, most: number) =>
    Array.from({ length: count }, (_, n) => least + ((most - least) * ((n * 7919) % count)) / count)
  const melList = tracks('m', spread(1000, 120, 300))
  const adsList = tracks('a', spread(200, 10, 60))
  const { summary } = planned({ ...shop, startDay: '00:00', endDay: '23:59', melList, adsList })
  expect(summary.windowSeconds).toBe(86_400)
  expect(summary.meanDeviationSeconds).toBeLessThan(0.1)
  expect(summary.idleSeconds).toBeLessThan(0.5)
})

test('Order: another seed, another order', () => {
  expect(uidsOf({ ...shop, seed: 8 }, 'melody')).not.toEqual(uidsOf(shop, 'melody'))
})

test('Order: crossfade shortens background and never an ad', () => {
  const { blocks } = planned({ ...shop, crossfade: 4 })
  for (const { kind, items } of blocks)
    for (const [n, { start, duration }] of items.entries()) {
      const next = items[n + 1]
      if (next) expect(start + duration - next.start).toBeCloseTo(kind === 'melody' ? 4 : 0, 6)
    }
})

test('Order: a crossfade longer than half the shortest background is that half', () => {
  const [block] = planned({
    ...shop,
    melList: tracks('m', [6, 300, 300]),
    melTime: 600,
    crossfade: 10,
  }).blocks
  const overlaps = block?.items.slice(1).map(({ start }, n) => {
    const before = block.items[n]
    return before ? before.start + before.duration - start : Number.NaN
  })
  expect(overlaps).toContain(3)
})

test.each([
  ['22:00', '02:30', 16_200],
  ['18:00', '00:00', 21_600],
  ['18:00', '23:59', 21_600],
  ['23:59', '00:00', 60],
  ['00:00', '00:01', 60],
])('Windows: from %s to %s', (startDay, endDay, seconds) => {
  expect(planned({ ...shop, startDay, endDay }).summary.windowSeconds).toBe(seconds)
})

test('Windows: no window, no background, or nothing that fits: no blocks', () => {
  expect(planned({ ...shop, endDay: shop.startDay }).blocks).toEqual([])
  expect(planned({ ...shop, melList: [] }).blocks).toEqual([])
  expect(planned({ ...shop, startDay: '00:00', endDay: '00:01' }).blocks).toEqual([])
})

test('Windows: without ads the whole window is background', () => {
  const { blocks, summary } = planned({ ...shop, adsList: [] })
  expect(blocks).toHaveLength(1)
  expect(summary.idleSeconds).toBeLessThan(140)
  expect(check({ blocks }, { ...shop, adsList: [] })).toEqual([])
})

/** The ads' order and the shortest gap between two plays of one. */
const gapOf = (input: PlanInput) => planned(input).summary.ad.shortestGapSeconds ?? Infinity

test('Minimum ad separation: 0 changes nothing', () => {
  expect(plan({ ...shop, minAdGap: 0 })).toEqual(plan(shop))
})

test('Minimum ad separation: is kept where the rules alone do not keep it', () => {
  const manual: PlanInput = { ...shop, adsMode: 'manual' }
  expect(gapOf(manual)).toBeLessThan(75)
  expect(gapOf({ ...manual, minAdGap: 75 })).toBeGreaterThanOrEqual(75 - 0.01)
  expect(check(planned({ ...manual, minAdGap: 75 }), { ...manual, minAdGap: 75 })).toEqual([])
})

test('Minimum ad separation: of a list that is heard once in each block is a background block and more', () => {
  expect(gapOf({ ...shop, minAdGap: 360 })).toBeGreaterThanOrEqual(360 - 0.01)
  const refusal = { step: 'ads', code: 'ad-gap-too-long', minAdGap: 3600 }
  expect(plan({ ...shop, minAdGap: 3600 })).toMatchObject({ refusal })
})

test('Minimum ad separation: of an ad that is heard again and again in a block is none', () => {
  const one: PlanInput = { ...shop, adsMode: 'manual', adsList: tracks('a', [15]) }
  const refusal = { step: 'ads', code: 'ad-gap-too-long', minAdGap: 1, largest: 0 }
  expect(plan({ ...one, minAdGap: 1 })).toEqual({ refusal })
})

test.each([-1, Number.NaN, Infinity])('Minimum ad separation %d is none', minAdGap => {
  expect(plan({ ...shop, minAdGap })).toEqual({
    refusal: { step: 'ads', code: 'ad-gap-invalid', minAdGap },
  })
})

test('Minimum ad separation: of ads that are heard once at most is any', () => {
  const short: PlanInput = { ...shop, endDay: '09:20', adsMode: 'manual' }
  expect(gapOf({ ...short, minAdGap: 10_000 })).toBe(Infinity)
})

const inRow = (uids: string[]) => uids.filter((uid, n) => uid === uids[n - 1])

test('Repeats: no ad is heard twice in a row, in a block or over one, unless its weight exceeds half of the sum', () => {
  const weighted = (...weights: number[]): PlanInput => ({
    ...shop,
    endDay: '11:00',
    adsList: weights.map((weight, n) => ({ uid: `a${n}`, duration: 7 + n, weight })),
  })
  for (const weights of [
    [2, 1, 1],
    [3, 1, 1, 1],
    [5, 3, 1, 1],
    [4, 3, 2],
  ])
    for (let seed = 0; seed < 5; seed++)
      expect(inRow(uidsOf({ ...weighted(...weights), seed }, 'ad').flat())).toEqual([])
  expect(new Set(inRow(uidsOf(weighted(3, 1, 1), 'ad').flat()))).toEqual(new Set(['a0']))
})

test('Repeats: two tracks of equal weight take turns', () => {
  for (let seed = 0; seed < 5; seed++) {
    const melList = tracks('m', [100, 130])
    expect(inRow(uidsOf({ ...shop, melList, seed, melMode: 'manual' }, 'melody').flat())).toEqual([])
  }
})

test('The end of the day is no long block of ads', () => {
  // After the last whole blocks, 80 s are left: too short for a song.
  const day: PlanInput = {
    ...shop,
    startDay: '09:00',
    endDay: '10:00',
    melTime: 300,
    adsTime: 60,
    melList: tracks('m', [149, 150, 151, 152, 300]),
    adsList: tracks('a', [12, 12.5, 13, 11, 10]),
  }
  for (let seed = 0; seed < 20; seed++)
    for (const minute of ['02', '06', '07', '08']) {
      const { blocks } = planned({ ...day, endDay: `10:${minute}`, seed })
      const last = blocks.findLast(({ kind }) => kind === 'ad')
      expect(last?.duration).toBeLessThanOrEqual(58.5 + 6.5 + 0.01)
    }
})

test('The end of the day: a share that is due by a rounded fraction keeps no other ad out of the idle rest', () => {
  const ads = [
    [22.804011341052227, 1.4419886328259293],
    [30, 6.059209888736313],
    [134, 2.9107185798271127],
    [3.6869777104865666, 4.426687702117315],
    [13.939839460020695, 0.39213744169210246],
    [30, 7.761089310573216],
    [1.6151961650199085, 0.49536058608795663],
    [30, 5.811749675984227],
    [98.26483858488845, 8.641184200200811],
    [169, 3.5214855805134886],
    [361, 0.3],
    // After the last ad it would be due by a billionth of a play, and is longer than the rest.
    [4000, 1.4991347754437938],
  ] as const
  const input: PlanInput = {
    ...shop,
    startDay: '00:00',
    endDay: '23:59',
    melList: tracks('m', [146.37049696156953]),
    adsList: ads.map(([duration, weight], n) => ({ uid: `a${n}`, duration, weight })),
    seed: 0,
  }
  expect(check(planned(input), input)).toEqual([])
})
