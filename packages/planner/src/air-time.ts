import { aimOf, KINDS, listOf, type KindList } from './list.ts'
import type { PlanInput, PlanKind } from './plan-types.ts'
import { windowSeconds } from './plan-window.ts'

/** What blocks of the kind aim at; a list without tracks says nothing about their size. */
const targetOf = (list: KindList) => (list.tracks.length > 0 ? aimOf(list).target : list.target)

/** The seconds that each kind gets of the window when every block is as long as its target. */
export function airTimes(input: PlanInput): Record<PlanKind, number> {
  const window = windowSeconds(input)
  const [melody, ad] = [targetOf(listOf(input, KINDS[0])), targetOf(listOf(input, KINDS[1]))]
  if (!(input.melTime > 0 && input.adsTime > 0 && melody > 0 && ad > 0)) return { melody: 0, ad: 0 }
  const rounds = Math.floor(window / (melody + ad))
  const rest = window - rounds * (melody + ad)
  const melodyRest = Math.min(rest, melody)
  return { melody: rounds * melody + melodyRest, ad: rounds * ad + rest - melodyRest }
}
