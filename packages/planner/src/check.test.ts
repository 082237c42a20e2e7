import { blockOf, broken, recalculateTimes, shop } from '@floorcast/testing/plan-breaches.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { check } from './check.ts'
import type { PlanInput } from './plan-types.ts'

test('The plan that the breaches are planted in is good', () => {
  expect(broken(() => undefined)).toEqual([])
})

test('Rule 6: an idle tail where something still fits', () => {
  const found = broken(blocks => {
    blocks.pop()
    blocks.at(-1)?.items.pop()
    return recalculateTimes(blocks)
  })
  expect(found).toContainEqual(expect.objectContaining({ rule: 6, code: 'long-tail' }))
  expect(check({ blocks: [] }, shop)).toEqual([
    { rule: 6, code: 'long-tail', kind: 'melody', uid: 'm0', idle: 10_800, duration: 60 },
  ])
})

test('Rule 6: a last ad block of more than its target and half the longest ad, unless it is a single ad', () => {
  const found = broken(blocks => {
    const last = blockOf(
      blocks,
      blocks.findLastIndex(({ kind }) => kind === 'ad'),
    )
    last.items = [...last.items, ...blockOf(blocks, 1).items].slice(0, 6)
    return recalculateTimes(blocks)
  })
  expect(found).toContainEqual(
    expect.objectContaining({ rule: 6, code: 'last-ads-too-long', duration: 72, most: 66 }),
  )
  const single = { ...shop, adsTime: 5, adsList: shop.adsList.slice(0, 1) }
  expect(broken(() => undefined, single)).toEqual([])
})

test('Rule 6: nothing more has to follow if the ads would be too long or too near', () => {
  const day: PlanInput = {
    ...shop,
    endDay: '09:07',
    melTime: 300,
    melList: [{ uid: 'm0', duration: 300 }],
    crossfade: 0,
  }
  const itemsOf = (kind: 'melody' | 'ad', uids: string[], duration: number) => ({
    kind,
    start: 0,
    duration: 0,
    items: uids.map(uid => ({ uid, start: 0, duration })),
  })
  const blocks = recalculateTimes([
    itemsOf('melody', ['m0'], 300),
    itemsOf('ad', ['a0', 'a1', 'a2', 'a3', 'a4'], 12),
  ])
  expect(check({ blocks }, day)).toEqual([])
  const longer: PlanInput = { ...day, adsMode: 'manual', adsTime: 120 }
  expect(check({ blocks }, longer)).toEqual([
    { rule: 6, code: 'long-tail', kind: 'ad', uid: 'a0', idle: 60, duration: 12 },
  ])
  expect(check({ blocks }, { ...longer, minAdGap: 50 })).toEqual([])
})

test('Any blocks at all get an answer', () => {
  const anyNumber = fc.oneof(fc.double(), fc.integer({ min: 0, max: 400 }))
  const anyItem = fc.record({
    uid: fc.constantFrom('m0', 'm1', 'a0', 'x'),
    start: anyNumber,
    duration: anyNumber,
  })
  const anyBlock = fc.record({
    kind: fc.constantFrom('melody' as const, 'ad' as const),
    start: anyNumber,
    duration: anyNumber,
    items: fc.array(anyItem, { maxLength: 5 }),
  })
  fc.assert(
    fc.property(fc.array(anyBlock, { maxLength: 6 }), blocks => {
      expect(check({ blocks }, shop)).not.toEqual([])
    }),
    { numRuns: 500 },
  )
})
