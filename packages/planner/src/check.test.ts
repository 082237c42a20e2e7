import { broken, recalculateTimes, shop } from '@floorcast/testing/plan-breaches.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { check } from './check.ts'

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
