import { describe, expect, test } from 'vitest'
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
  plan(input).blocks.flatMap(block => (block.kind === kind ? [block.items.map(({ uid }) => uid)] : []))

describe('Block sizes', () => {
  test('a short automatic list is heard whole in each block', () => {
    const blocks = uidsOf(shop, 'ad').slice(0, -1)
    expect(blocks.length).toBeGreaterThan(50)
    for (const uids of blocks) expect(uids.toSorted()).toEqual(['a0', 'a1', 'a2', 'a3', 'a4'])
  })

  test('a manual size repeats the list', () => {
    const { blocks } = plan({ ...shop, adsMode: 'manual' })
    for (const { kind, duration } of blocks.slice(0, -2))
      if (kind === 'ad') expect(Math.abs(duration - 900)).toBeLessThan(5)
  })

  test('a short automatic list with weights is as long as the list, by weight', () => {
    const adsList = shop.adsList.map((track, n) => ({ ...track, weight: n === 0 ? 4 : 1 }))
    const { summary } = plan({ ...shop, adsList })
    expect(summary.ad.targetSeconds).toBe(120.75)
    const [first, ...others] = summary.tracks.filter(({ kind }) => kind === 'ad').map(({ plays }) => plays)
    for (const plays of others) expect((first ?? 0) / plays).toBeCloseTo(4, 0)
  })

  test('many tracks meet their target to a tenth of a second, and the window to half', () => {
    const spread = (count: number, least: number, most: number) =>
      Array.from({ length: count }, (_, n) => least + ((most - least) * ((n * 7919) % count)) / count)
    const melList = tracks('m', spread(1000, 120, 300))
    const adsList = tracks('a', spread(200, 10, 60))
    const { summary } = plan({ ...shop, startDay: '00:00', endDay: '23:59', melList, adsList })
    expect(summary.windowSeconds).toBe(86_400)
    expect(summary.meanDeviationSeconds).toBeLessThan(0.1)
    expect(summary.idleSeconds).toBeLessThan(0.5)
  })
})

describe('Order', () => {
  test('another seed, another order', () => {
    expect(uidsOf({ ...shop, seed: 8 }, 'melody')).not.toEqual(uidsOf(shop, 'melody'))
  })

  test('crossfade shortens background and never an ad', () => {
    const { blocks } = plan({ ...shop, crossfade: 4 })
    for (const { kind, items } of blocks)
      for (const [n, { start, duration }] of items.entries()) {
        const next = items[n + 1]
        if (next) expect(start + duration - next.start).toBeCloseTo(kind === 'melody' ? 4 : 0, 6)
      }
  })

  test('a crossfade longer than half the shortest background is that half', () => {
    const [block] = plan({ ...shop, melList: tracks('m', [6, 300, 300]), melTime: 600, crossfade: 10 }).blocks
    const overlaps = block?.items.slice(1).map(({ start }, n) => {
      const before = block.items[n]
      return before ? before.start + before.duration - start : Number.NaN
    })
    expect(overlaps).toContain(3)
  })
})

describe('Windows', () => {
  test.each([
    ['22:00', '02:30', 16_200],
    ['18:00', '00:00', 21_600],
    ['18:00', '23:59', 21_600],
    ['23:59', '00:00', 60],
    ['00:00', '00:01', 60],
  ])('from %s to %s', (startDay, endDay, seconds) => {
    expect(plan({ ...shop, startDay, endDay }).summary.windowSeconds).toBe(seconds)
  })

  test('no window, no background, or nothing that fits: no blocks', () => {
    expect(plan({ ...shop, endDay: shop.startDay }).blocks).toEqual([])
    expect(plan({ ...shop, melList: [] }).blocks).toEqual([])
    expect(plan({ ...shop, startDay: '00:00', endDay: '00:01' }).blocks).toEqual([])
  })

  test('without ads the whole window is background', () => {
    const { blocks, summary } = plan({ ...shop, adsList: [] })
    expect(blocks).toHaveLength(1)
    expect(summary.idleSeconds).toBeLessThan(140)
    expect(check({ blocks }, { ...shop, adsList: [] })).toEqual([])
  })
})
