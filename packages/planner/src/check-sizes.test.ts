import { blockOf, broken, recalculateTimes } from '@floorcast/testing/plan-breaches.ts'
import { expect, test } from 'vitest'

test('Rules 2 and 3: a block that is not the whole list', () => {
  const found = broken(blocks => {
    blockOf(blocks, 1).items.pop()
    return recalculateTimes(blocks)
  })
  expect(found).toContainEqual({
    rule: 2,
    code: 'not-whole-list',
    kind: 'ad',
    block: 1,
    plays: 4,
    tracks: 5,
  })
})

test('Rules 2 and 3: a block far from its target', () => {
  const found = broken(blocks => {
    const [moved] = blockOf(blocks, 2).items.splice(0, 1)
    if (moved) blockOf(blocks, 0).items.push(moved)
    return recalculateTimes(blocks)
  })
  expect(found).toEqual([
    expect.objectContaining({ rule: 3, code: 'far-from-target', kind: 'melody', block: 0, target: 360 }),
    expect.objectContaining({ rule: 3, code: 'far-from-target', kind: 'melody', block: 2, target: 360 }),
  ])
})

test('Rules 2 and 3: the last block of each kind is excepted', () => {
  const found = broken(blocks => {
    const [melodies, ads] = [
      blocks.findLastIndex(b => b.kind === 'melody'),
      blocks.findLastIndex(b => b.kind === 'ad'),
    ]
    blockOf(blocks, melodies).items.splice(1)
    blockOf(blocks, ads).items.splice(1)
    return recalculateTimes(blocks)
  })
  expect(found.filter(({ rule }) => rule === 2 || rule === 3)).toEqual([])
})
