import { checkSizes } from './check-sizes.ts'
import { checkTail } from './check-tail.ts'
import { checkTiming } from './check-timing.ts'
import { checkTurns } from './check-turns.ts'
import type { BrokenRule } from './check-types.ts'
import { KINDS } from './list.ts'
import type { Plan, PlanInput } from './plan-types.ts'

/**
 * Which of the rules 1 to 6 a plan breaks, and where; empty for a good plan. Any blocks may be asked about, also such as
 * no planner made. (Rule 7, the same plan for the same input, is a promise of `plan` and no property of one plan.)
 */
export function check({ blocks }: Pick<Plan, 'blocks'>, input: PlanInput): BrokenRule[] {
  const timing = checkTiming(blocks, input)
  // What is not of the lists at all has no rotation that could be judged.
  if (timing.some(({ code }) => code === 'unknown-track')) return timing
  return [
    ...timing,
    ...KINDS.flatMap(kind => [...checkSizes(blocks, input, kind), ...checkTurns(blocks, input, kind)]),
    ...checkTail(blocks, input),
  ]
}
