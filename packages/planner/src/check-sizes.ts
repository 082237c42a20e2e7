import { TOLERANCE, type BrokenRule } from './check-types.ts'
import { aimOf, listOf } from './list.ts'
import type { PlanBlock, PlanInput, PlanKind } from './plan-types.ts'

/** Rules 2 and 3: each block but the window's last of the kind is the whole list, or near to the target. */
export function checkSizes(blocks: readonly PlanBlock[], input: PlanInput, kind: PlanKind): BrokenRule[] {
  const list = listOf(input, kind)
  const { target, isWholeList } = aimOf(list)
  const last = blocks.findLastIndex(block => block.kind === kind)
  return blocks.flatMap(({ kind: own, duration, items }, block): BrokenRule[] => {
    if (own !== kind || block === last) return []
    if (isWholeList) {
      const isWhole =
        items.length === list.tracks.length && new Set(items.map(({ uid }) => uid)).size === items.length
      const plays = items.length
      return isWhole
        ? []
        : [{ rule: 2, code: 'not-whole-list', kind, block, plays, tracks: list.tracks.length }]
    }
    const off = Math.max(duration - target, target - duration)
    if (items.length === 1 || off <= list.longest / 2 + TOLERANCE) return []
    return [{ rule: 3, code: 'far-from-target', kind, block, duration, target }]
  })
}
