import fc from 'fast-check'
import { expect, it } from 'vitest'
import { moveTarget, planMoves, applyChange } from './playlist-moves.ts'

const list = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ uid: `t${index + 1}`, position: index + 1 }))
const names = (items: readonly { uid: string }[]) => items.map(({ uid }) => uid).join(' ')

it.each([
  ['start', 1],
  ['up10', 2],
  ['up', 11],
  ['down', 13],
  ['down10', 22],
  ['end', 25],
] as const)('a move %s leads from 12 of 25 to %d', (direction, to) => {
  expect(moveTarget(12, direction, 25)).toBe(to)
})

it('a move stops at the ends', () => {
  expect(moveTarget(4, 'up10', 25)).toBe(1)
  expect(moveTarget(20, 'down10', 25)).toBe(25)
})

it('a move keeps positions dense', () => {
  const moved = applyChange(list(4), { uid: 't1', to: 3 })
  expect(names(moved)).toBe('t2 t3 t1 t4')
  expect(moved.map(({ position }) => position)).toEqual([1, 2, 3, 4])
  const dropped = applyChange(list(3), { uid: 't2', to: null })
  expect(names(dropped)).toBe('t1 t3')
  expect(dropped.map(({ position }) => position)).toEqual([1, 2])
})

it('a move shows the same when the server has done it already', () => {
  for (const change of [
    { uid: 't4', to: 2 },
    { uid: 't2', to: null },
    { uid: 't1', to: 99 },
    { uid: 'gone', to: 1 },
  ]) {
    const once = applyChange(list(5), change)
    expect(applyChange(once, change)).toEqual(once)
  }
})

it('a drag is sent as few moves', () => {
  expect(planMoves(12, 3, 40)).toEqual(['up10', 'down'])
  expect(planMoves(30, 2, 40)).toEqual(['start', 'down'])
  expect(planMoves(3, 39, 40)).toEqual(['end', 'up'])
  expect(planMoves(7, 7, 40)).toEqual([])
})

it('a drag ends where it was dropped, whatever the list', () => {
  const place = fc
    .integer({ min: 1, max: 300 })
    .chain(count =>
      fc.tuple(fc.constant(count), fc.integer({ min: 1, max: count }), fc.integer({ min: 1, max: count })),
    )
  fc.assert(
    fc.property(place, ([count, from, to]) => {
      const moves = planMoves(from, to, count)
      expect(moves.reduce((at, direction) => moveTarget(at, direction, count), from)).toBe(to)
      expect(moves.length).toBeLessThanOrEqual(Math.ceil(count / 20) + 6)
    }),
  )
})
