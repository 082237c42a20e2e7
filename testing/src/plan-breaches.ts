import type { BrokenRule } from '@floorcast/planner/broken-rule.ts'
import { check } from '@floorcast/planner/check.ts'
import type { PlanBlock, PlanInput } from '@floorcast/planner/plan-types.ts'
import { planned } from './planned.ts'

/** A day of three hours, which tests change to break rules. */
export const shop: PlanInput = {
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

/** Computes the starts of all blocks and items from their order. */
export function recalculateTimes(blocks: PlanBlock[], overlap = 2): PlanBlock[] {
  let end = 0
  return blocks.map(({ kind, items }) => {
    const start = end
    const timed = items.map((item, n) => {
      const startsAt = n > 0 && kind === 'melody' ? end - overlap : end
      end = startsAt + item.duration
      return { ...item, start: startsAt }
    })
    return { kind, start, duration: end - start, items: timed }
  })
}

/** An item that must be there. */
export function itemOf(blocks: PlanBlock[], block: number, item: number) {
  const found = blocks[block]?.items[item]
  if (!found) throw new Error(`No item ${item} in block ${block}`)
  return found
}

/** A block that must be there. */
export const blockOf = (blocks: PlanBlock[], at: number) => {
  const block = blocks[at]
  if (!block) throw new Error(`No block ${at}`)
  return block
}

/** The broken rules after a change to a good plan. */
export function broken(change: (blocks: PlanBlock[]) => PlanBlock[] | void, input = shop): BrokenRule[] {
  const blocks = structuredClone(planned(input).blocks)
  return check({ blocks: change(blocks) ?? blocks }, input)
}

/** Each rule and code once. */
export const codes = (found: readonly BrokenRule[]) => [
  ...new Set(found.map(({ rule, code }) => `${rule} ${code}`)),
]
