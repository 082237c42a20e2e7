import { blockOf, broken, itemOf, recalculateTimes, shop } from '@floorcast/testing/plan-breaches.ts'
import { planned } from '@floorcast/testing/planned.ts'
import { expect, test } from 'vitest'
import { check } from './check.ts'
import type { PlanBlock, PlanInput } from './plan-types.ts'

/** Exchanges two plays of background of the same block. */
const exchange = (blocks: PlanBlock[], block: number, [one, two]: [number, number]) => {
  const { items } = blockOf(blocks, block)
  const [first, second] = [itemOf(blocks, block, one), itemOf(blocks, block, two)]
  items[one] = second
  items[two] = first
}

test('Rules 4 and 5: a track heard twice before another is heard once', () => {
  const found = broken(blocks => {
    itemOf(blocks, 1, 3).uid = itemOf(blocks, 1, 1).uid
  })
  expect(found).toContainEqual(
    expect.objectContaining({
      rule: 4,
      code: 'uneven-plays',
      kind: 'ad',
      plays: 2,
      fewest: 0,
      block: 1,
      item: 3,
    }),
  )
})

test('Rules 4 and 5: a track heard again too soon, though all plays are even', () => {
  const found = broken(blocks => {
    const last = itemOf(blocks, 1, 4).uid
    const again = blockOf(blocks, 3).items.findIndex(({ uid }) => uid === last)
    exchange(blocks, 3, [0, again])
    return recalculateTimes(blocks)
  })
  expect(found).toEqual([
    expect.objectContaining({
      rule: 5,
      code: 'too-soon',
      kind: 'ad',
      others: 0,
      least: 2,
      block: 3,
      item: 0,
    }),
  ])
})

const weighted: PlanInput = {
  ...shop,
  adsList: [
    ...shop.adsList.slice(0, 3),
    { uid: 'a3', duration: 12, weight: 6 },
    { uid: 'a4', duration: 12, weight: 3 },
  ],
}

test('Rules 4 and 5: an ad twice in a row, in a block or over one, unless it exceeds half of the weights', () => {
  const three: PlanInput = {
    ...shop,
    adsList: [1, 1, 2].map((weight, n) => ({ uid: `a${n}`, duration: 12, weight })),
  }
  const soon = { rule: 5, code: 'too-soon', kind: 'ad', others: 0, least: 1 }
  const over = broken(blocks => {
    const [before, after] = [blockOf(blocks, 1).items, blockOf(blocks, 3).items]
    const last = before.at(-1)
    if (last) after.unshift({ ...last })
    return recalculateTimes(blocks)
  }, three)
  expect(over).toContainEqual(expect.objectContaining({ ...soon, block: 3, item: 0 }))
  const within = broken(blocks => {
    itemOf(blocks, 1, 1).uid = itemOf(blocks, 1, 0).uid
  }, three)
  expect(within).toContainEqual(expect.objectContaining({ ...soon, block: 1, item: 1 }))
  const heavy = {
    ...three,
    adsList: three.adsList.map(ad => (ad.uid === 'a2' ? { ...ad, weight: 3 } : ad)),
  }
  const plays = planned(heavy).blocks.flatMap(({ kind, items }) => (kind === 'ad' ? items : []))
  expect(plays.some(({ uid }, n) => uid === plays[n - 1]?.uid)).toBe(true)
  expect(check(planned(heavy), heavy)).toEqual([])
})

test('Rules 4 and 5: an ad again within the minimum separation', () => {
  const input: PlanInput = { ...shop, minAdGap: 300 }
  expect(broken(() => undefined, input)).toEqual([])
  const found = broken(blocks => {
    blockOf(blocks, 2).items.splice(1)
    return recalculateTimes(blocks)
  }, input)
  expect(found).toContainEqual(expect.objectContaining({ rule: 5, code: 'ad-gap', minAdGap: 300, block: 3 }))
})

test('Rules 4 and 5: a track ahead of its share', () => {
  expect(broken(() => undefined, weighted)).toEqual([])
  const found = broken(blocks => {
    for (const item of blockOf(blocks, 1).items) item.uid = 'a4'
  }, weighted)
  expect(found).toContainEqual(expect.objectContaining({ rule: 4, code: 'off-share', kind: 'ad', uid: 'a4' }))
})

test('Rules 4 and 5: a track behind its share, by the day’s end', () => {
  const names = ['a0', 'a1', 'a2', 'a4']
  const blocks = recalculateTimes([
    { kind: 'melody', start: 0, duration: 0, items: [{ uid: 'm0', start: 0, duration: 60 }] },
    { kind: 'ad', start: 0, duration: 0, items: names.map(uid => ({ uid, start: 0, duration: 12 })) },
  ])
  expect(check({ blocks }, weighted)).toContainEqual(
    expect.objectContaining({ rule: 4, code: 'off-share', kind: 'ad', uid: 'a3', plays: 0, share: 2 }),
  )
})
