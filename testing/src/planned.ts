import type { Plan, PlanInput } from '@floorcast/planner/plan-types.ts'
import { plan } from '@floorcast/planner/plan.ts'

/** The plan of an input whose ads can keep their separation. */
export function planned(input: PlanInput): Plan {
  const made = plan(input)
  if ('refusal' in made) throw new Error(`Refused: ${JSON.stringify(made.refusal)}`)
  return made
}
