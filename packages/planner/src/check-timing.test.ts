import { blockOf, broken, codes, itemOf, recalculateTimes } from '@floorcast/testing/plan-breaches.ts'
import { expect, test } from 'vitest'

test('Rule 1: a gap, from there on', () => {
  const found = broken(blocks => {
    itemOf(blocks, 2, 1).start += 0.02
  })
  expect(found).toEqual([expect.objectContaining({ rule: 1, code: 'start-differs', block: 2, item: 1 })])
})

test('Rule 1: a hundredth of a second is no gap', () => {
  expect(
    broken(blocks => {
      itemOf(blocks, 2, 1).start += 0.009
    }),
  ).toEqual([])
})

test('Rule 1: moments that are no numbers', () => {
  const found = broken(blocks => {
    itemOf(blocks, 0, 0).start = Number.NaN
    blockOf(blocks, 1).duration = Number.NaN
  })
  expect(codes(found)).toEqual(['1 start-differs', '1 block-differs'])
})

test('Rule 1: a crossfade over an ad, or none between background', () => {
  const crossfaded = broken(blocks => {
    itemOf(blocks, 1, 1).start -= 2
  })
  expect(crossfaded).toEqual([expect.objectContaining({ rule: 1, code: 'start-differs', block: 1, item: 1 })])
  expect(codes(broken(blocks => recalculateTimes(blocks, 0)))).toContain('1 start-differs')
})

test('Rule 1: two blocks of a kind in a row, or ads first', () => {
  expect(codes(broken(blocks => recalculateTimes(blocks.toSpliced(1, 1))))).toContain('1 not-alternating')
  expect(codes(broken(blocks => recalculateTimes(blocks.slice(1))))).toContain('1 not-alternating')
})

test('Rule 1: an empty block', () => {
  const found = broken(blocks =>
    recalculateTimes(blocks.with(-1, { ...blockOf(blocks, blocks.length - 1), items: [] })),
  )
  expect(codes(found)).toContain('1 empty-block')
})

test('Rule 1: an end after the window', () => {
  expect(codes(broken(blocks => recalculateTimes([...blocks, ...blocks.slice(0, 2)])))).toContain(
    '1 outside-window',
  )
})

test('Rule 1: a track of no list or of the other one, or of another length', () => {
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
