import { listOf, wholeSeconds } from './list.ts'
import type { PlanInput, PlanKind, PlanTrack } from './plan-types.ts'
import type { PlanFindings, PlanRefusal, PlanStep } from './validate-types.ts'

/** Content of a kind that is shorter than this (seconds) fills nothing. */
const SHORTEST_CONTENT = 1

/** The step where the kind is chosen. */
export const stepOf = (kind: PlanKind): PlanStep => (kind === 'melody' ? 'background' : 'ads')

const isPositive = (value: number) => value > 0 && Number.isFinite(value)

function validateTrack(track: PlanTrack, kind: PlanKind, window: number): PlanRefusal[] {
  const { uid, duration, weight } = track
  const at = { step: stepOf(kind), kind, uid }
  const refusals: PlanRefusal[] = []
  if (!isPositive(duration)) refusals.push({ code: 'duration-invalid', duration, ...at })
  else if (window > 0 && duration > window)
    refusals.push({ code: 'longer-than-window', duration, window, ...at })
  if (weight !== undefined && !isPositive(weight)) refusals.push({ code: 'weight-invalid', weight, ...at })
  return refusals
}

/** What can be said of one kind's tracks without a plan. A window of 0 is not known yet. */
export function validateTracks(input: PlanInput, kind: PlanKind, window: number): PlanFindings {
  const list = kind === 'melody' ? input.melList : input.adsList
  const step = stepOf(kind)
  if (list.length === 0) return { refusals: [{ step, code: 'list-empty', kind }], warnings: [] }
  const refusals: PlanRefusal[] = []
  const seen = new Set<string>()
  for (const track of list) {
    refusals.push(...validateTrack(track, kind, window))
    if (seen.has(track.uid)) refusals.push({ step, code: 'track-twice', kind, uid: track.uid })
    seen.add(track.uid)
  }
  if (refusals.length > 0) return { refusals, warnings: [] }
  const known = listOf(input, kind)
  const content = wholeSeconds(known)
  if (content < SHORTEST_CONTENT)
    return { refusals: [{ step, code: 'too-short', kind, content }], warnings: [] }
  const { target, mode } = known
  if (content >= target) return { refusals, warnings: [] }
  return { refusals, warnings: [{ step, code: 'less-than-one-block', kind, mode, content, target }] }
}
