import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { check } from './check.ts'
import type { BrokenRule } from './check-types.ts'
import { plan } from './plan.ts'
import type { PlanBlock, PlanInput } from './plan-types.ts'

const shop: PlanInput = {
  type: 'audio-smart',
  startDay: '09:00',
  endDay: '12:00',
  melTime: 360,
  adsTime: 120,
  melMode: 'manual',
  adsMode: 'auto',
  melList: Array.from({ length: 9 }, (_, n) => ({ uid: `m${n}`, duration: 60 + n })),
  adsList: Array.from({ length: 5 }, (_, n) => ({ uid: `a${n}`, duration: 12 })),
  crossfade: 2,
  seed: 1,
}

/** Gives all blocks and items the moments that follow from their order. */
function settle(blocks: PlanBlock[], overlap = 2): PlanBlock[] {
  let end = 0
  return blocks.map(({ kind, items }) => {
    const start = end
    const settled = items.map((item, n) => {
      const startsAt = n > 0 && kind === 'melody' ? end - overlap : end
      end = startsAt + item.duration
      return { ...item, start: startsAt }
    })
    return { kind, start, duration: end - start, items: settled }
  })
}

function itemOf(blocks: PlanBlock[], block: number, item: number) {
  const found = blocks[block]?.items[item]
  if (!found) throw new Error(`No item ${item} in block ${block}`)
  return found
}

const blockOf = (blocks: PlanBlock[], at: number) => {
  const block = blocks[at]
  if (!block) throw new Error(`No block ${at}`)
  return block
}

/** What is broken after a change to a good plan. */
function broken(change: (blocks: PlanBlock[]) => PlanBlock[] | void, input = shop): BrokenRule[] {
  const blocks = structuredClone(plan(input).blocks)
  return check({ blocks: change(blocks) ?? blocks }, input)
}

const codes = (found: readonly BrokenRule[]) => [...new Set(found.map(({ rule, code }) => `${rule} ${code}`))]

test('The plan that the breaches are planted in is good', () => {
  expect(broken(() => undefined)).toEqual([])
})

describe('Rule 1', () => {
  test('a gap, from there on', () => {
    const found = broken(blocks => {
      itemOf(blocks, 2, 1).start += 0.02
    })
    expect(found).toEqual([expect.objectContaining({ rule: 1, code: 'start-differs', block: 2, item: 1 })])
  })

  test('a hundredth of a second is no gap', () => {
    expect(
      broken(blocks => {
        itemOf(blocks, 2, 1).start += 0.009
      }),
    ).toEqual([])
  })

  test('moments that are no numbers', () => {
    const found = broken(blocks => {
      itemOf(blocks, 0, 0).start = Number.NaN
      blockOf(blocks, 1).duration = Number.NaN
    })
    expect(codes(found)).toEqual(['1 start-differs', '1 block-differs'])
  })

  test('a crossfade over an ad, or none between background', () => {
    const crossfaded = broken(blocks => {
      itemOf(blocks, 1, 1).start -= 2
    })
    expect(crossfaded).toEqual([
      expect.objectContaining({ rule: 1, code: 'start-differs', block: 1, item: 1 }),
    ])
    expect(codes(broken(blocks => settle(blocks, 0)))).toContain('1 start-differs')
  })

  test('two blocks of a kind in a row, or ads first', () => {
    expect(codes(broken(blocks => settle(blocks.toSpliced(1, 1))))).toContain('1 not-alternating')
    expect(codes(broken(blocks => settle(blocks.slice(1))))).toContain('1 not-alternating')
  })

  test('an empty block', () => {
    const found = broken(blocks =>
      settle(blocks.with(-1, { ...blockOf(blocks, blocks.length - 1), items: [] })),
    )
    expect(codes(found)).toContain('1 empty-block')
  })

  test('an end after the window', () => {
    expect(codes(broken(blocks => settle([...blocks, ...blocks.slice(0, 2)])))).toContain('1 outside-window')
  })

  test('a track of no list or of the other one, or of another length', () => {
    const unknown = broken(blocks => {
      itemOf(blocks, 0, 0).uid = 'm99'
    })
    expect(unknown).toEqual([{ rule: 1, code: 'unknown-track', block: 0, item: 0, uid: 'm99' }])
    const wrongKind = broken(blocks => {
      itemOf(blocks, 0, 0).uid = 'a0'
    })
    expect(codes(wrongKind)).toEqual(['1 unknown-track'])
    const longer = broken(blocks => {
      itemOf(blocks, 1, 0).duration += 1
    })
    expect(codes(longer)).toEqual(['1 duration-differs'])
  })
})

describe('Rules 2 and 3', () => {
  test('a block that is not the whole list', () => {
    const found = broken(blocks => {
      blockOf(blocks, 1).items.pop()
      return settle(blocks)
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

  test('a block far from its target', () => {
    const found = broken(blocks => {
      const [moved] = blockOf(blocks, 2).items.splice(0, 1)
      if (moved) blockOf(blocks, 0).items.push(moved)
      return settle(blocks)
    })
    expect(found).toEqual([
      expect.objectContaining({ rule: 3, code: 'far-from-target', kind: 'melody', block: 0, target: 360 }),
      expect.objectContaining({ rule: 3, code: 'far-from-target', kind: 'melody', block: 2, target: 360 }),
    ])
  })

  test('the last block of each kind is excepted', () => {
    const found = broken(blocks => {
      const [melodies, ads] = [
        blocks.findLastIndex(b => b.kind === 'melody'),
        blocks.findLastIndex(b => b.kind === 'ad'),
      ]
      blockOf(blocks, melodies).items.splice(1)
      blockOf(blocks, ads).items.splice(1)
      return settle(blocks)
    })
    expect(found.filter(({ rule }) => rule === 2 || rule === 3)).toEqual([])
  })
})

/** Exchanges two plays of background of the same block. */
const exchange = (blocks: PlanBlock[], block: number, [one, two]: [number, number]) => {
  const { items } = blockOf(blocks, block)
  const [first, second] = [itemOf(blocks, block, one), itemOf(blocks, block, two)]
  items[one] = second
  items[two] = first
}

describe('Rules 4 and 5', () => {
  test('a track heard twice before another is heard once', () => {
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

  test('a track heard again too soon, though all plays are even', () => {
    const found = broken(blocks => {
      const last = itemOf(blocks, 1, 4).uid
      const again = blockOf(blocks, 3).items.findIndex(({ uid }) => uid === last)
      exchange(blocks, 3, [0, again])
      return settle(blocks)
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

  test('a track ahead of its share', () => {
    expect(broken(() => undefined, weighted)).toEqual([])
    const found = broken(blocks => {
      for (const item of blockOf(blocks, 1).items) item.uid = 'a4'
    }, weighted)
    expect(found).toContainEqual(
      expect.objectContaining({ rule: 4, code: 'off-share', kind: 'ad', uid: 'a4' }),
    )
  })

  test('a track behind its share, by the day’s end', () => {
    const names = ['a0', 'a1', 'a2', 'a4']
    const blocks = settle([
      { kind: 'melody', start: 0, duration: 0, items: [{ uid: 'm0', start: 0, duration: 60 }] },
      { kind: 'ad', start: 0, duration: 0, items: names.map(uid => ({ uid, start: 0, duration: 12 })) },
    ])
    expect(check({ blocks }, weighted)).toContainEqual(
      expect.objectContaining({ rule: 4, code: 'off-share', kind: 'ad', uid: 'a3', plays: 0, share: 2 }),
    )
  })
})

test('Rule 6: an idle tail where something still fits', () => {
  const found = broken(blocks => {
    blocks.pop()
    blocks.at(-1)?.items.pop()
    return settle(blocks)
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
