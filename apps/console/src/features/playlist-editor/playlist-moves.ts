import type { MoveDirection, PlaylistItem } from '@floorcast/contract/playlists.ts'

type Placed = Pick<PlaylistItem, 'uid' | 'position'>

/** The six moves of docs/specification.md#9-business-constants-and-limits in their order on the screen. */
export const moveDirections: readonly MoveDirection[] = ['start', 'up10', 'up', 'down', 'down10', 'end']

/** Where a move leads. Positions are from 1; a step past an end stops at it. */
export function moveTarget(position: number, direction: MoveDirection, count: number): number {
  const wanted = {
    start: 1,
    up10: position - 10,
    up: position - 1,
    down: position + 1,
    down10: position + 10,
    end: count,
  }[direction]
  return Math.max(1, Math.min(count, wanted))
}

/** An item put at a position, or taken out. Told by where it ends: seen twice, it changes nothing the second time. */
export interface ItemChange {
  uid: string
  /** From 1; null takes the item out. */
  to: number | null
}

/** The list after a change, positions dense from 1; an item that is gone changes nothing. */
export function previewChange<Item extends Placed>(items: readonly Item[], { uid, to }: ItemChange): Item[] {
  const moved = items.find(item => item.uid === uid)
  if (!moved) return [...items]
  const rest = items.filter(item => item !== moved)
  const next = to === null ? rest : rest.toSpliced(Math.max(0, Math.min(rest.length, to - 1)), 0, moved)
  return next.map((item, index) => (item.position === index + 1 ? item : { ...item, position: index + 1 }))
}

/**
 * The fewest of the six moves that lead from one position to another: a drag is sent as these, one after the other.
 * None of them relies on a step being stopped at an end.
 */
export function planMoves(from: number, to: number, count: number): MoveDirection[] {
  const cameBy = new Map<number, { direction: MoveDirection; before: number } | null>([[from, null]])
  for (const position of cameBy.keys()) {
    if (position === to) break
    for (const direction of moveDirections) {
      const next = moveTarget(position, direction, count)
      if (isWhole(direction, Math.abs(next - position)) && !cameBy.has(next))
        cameBy.set(next, { direction, before: position })
    }
  }
  const way: MoveDirection[] = []
  for (let step = cameBy.get(to); step; step = cameBy.get(step.before)) way.unshift(step.direction)
  return way
}

const isWhole = (direction: MoveDirection, distance: number) =>
  direction === 'up10' || direction === 'down10' ? distance === 10 : distance > 0

const keys: Readonly<Record<string, MoveDirection>> = {
  Home: 'start',
  PageUp: 'up10',
  ArrowUp: 'up',
  ArrowDown: 'down',
  PageDown: 'down10',
  End: 'end',
}

/** The move that a key asks for, held with Alt; null for other keys. */
export const directionOfKey = (event: { key: string; altKey: boolean }): MoveDirection | null =>
  event.altKey ? (keys[event.key] ?? null) : null
