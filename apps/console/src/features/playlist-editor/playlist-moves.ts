import type { MoveDirection } from '@floorcast/contract/playlist-parts.ts'
import type { PlaylistItem } from '@floorcast/contract/playlists.ts'

type Placed = Pick<PlaylistItem, 'uid' | 'position'>

/** The six moves of docs/specification.md#9-business-constants-and-limits in their order on the screen. */
export const moveDirections: readonly MoveDirection[] = ['start', 'up10', 'up', 'down', 'down10', 'end']

/** The position after a move, from 1; a move past an end stops there. */
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

/** Moves an item to a position, or removes it. Applied twice, it changes nothing the second time. */
export interface ItemChange {
  uid: string
  /** From 1; null removes the item. */
  to: number | null
}

/** The list after a change, positions dense from 1. A change of a missing item has no effect. */
export function applyChange<Item extends Placed>(items: readonly Item[], { uid, to }: ItemChange): Item[] {
  const moved = items.find(item => item.uid === uid)
  if (!moved) return [...items]
  const rest = items.filter(item => item !== moved)
  const next = to === null ? rest : rest.toSpliced(Math.max(0, Math.min(rest.length, to - 1)), 0, moved)
  return next.map((item, index) => (item.position === index + 1 ? item : { ...item, position: index + 1 }))
}

/**
 * The fewest of the six moves from one position to another; a drag is sent as these. A step of ten is used only where it
 * does not stop at an end.
 */
export function planMoves(from: number, to: number, count: number): MoveDirection[] {
  const reachedBy = new Map<number, { direction: MoveDirection; before: number } | null>([[from, null]])
  for (const position of reachedBy.keys()) {
    if (position === to) break
    for (const direction of moveDirections) {
      const next = moveTarget(position, direction, count)
      if (isExactMove(direction, Math.abs(next - position)) && !reachedBy.has(next))
        reachedBy.set(next, { direction, before: position })
    }
  }
  const path: MoveDirection[] = []
  for (let step = reachedBy.get(to); step; step = reachedBy.get(step.before)) path.unshift(step.direction)
  return path
}

const isExactMove = (direction: MoveDirection, distance: number) =>
  direction === 'up10' || direction === 'down10' ? distance === 10 : distance > 0

const keys: Readonly<Record<string, MoveDirection>> = {
  Home: 'start',
  PageUp: 'up10',
  ArrowUp: 'up',
  ArrowDown: 'down',
  PageDown: 'down10',
  End: 'end',
}

/** The move of a key pressed with Alt; null for other keys. */
export const directionOfKey = (event: { key: string; altKey: boolean }): MoveDirection | null =>
  event.altKey ? (keys[event.key] ?? null) : null
