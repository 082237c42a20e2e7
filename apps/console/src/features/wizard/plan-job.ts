import type { SmartImport } from '@floorcast/contract/smart-playlists.ts'
import { airTimes } from '@floorcast/planner/track-list.ts'
import type { PlanInput, PlanKind } from '@floorcast/planner/plan-types.ts'
import { windowSeconds } from '@floorcast/planner/plan-window.ts'
import { plan } from '@floorcast/planner/plan.ts'
import { packDay, type DaySummary, type PackedDay } from '@floorcast/planner/smart-day.ts'
import { validate, type PlanFindings, type PlanRefusal } from '@floorcast/planner/validate.ts'
import { limits } from './limits.ts'

/** A list on its way to the worker. */
export interface PackedList {
  uids: string[]
  durations: Float64Array
  weights: Float64Array
}

export type PlanLists = Record<PlanKind, PackedList>
export type PlanSettings = Omit<PlanInput, 'melList' | 'adsList'>

export interface Checked {
  findings: PlanFindings
  /** What the window has room for, in seconds. */
  air: Record<PlanKind, number>
}

export interface Planned {
  day: PackedDay
  summary: DaySummary
}

const unpack = ({ uids, durations, weights }: PackedList): PlanInput['melList'] =>
  uids.map((uid, place) => ({ uid, duration: durations[place] ?? 0, weight: weights[place] ?? 1 }))

/** The planner's input. */
export const inputOf = (settings: PlanSettings, lists: PlanLists): PlanInput => ({
  ...settings,
  melList: unpack(lists.melody),
  adsList: unpack(lists.ad),
})

/** A day of both kinds; null while one of them, or the window, is empty. */
export function planDay(input: PlanInput): Planned | null {
  if (input.melList.length === 0 || input.adsList.length === 0 || windowSeconds(input) === 0) return null
  const { blocks, summary } = plan(input)
  const { tracks: _, ...figures } = summary
  return { day: packDay(blocks, input), summary: figures }
}

const isBeyond = (value: number, { min, max }: { min: number; max: number }) =>
  value > 0 && (value < min || value > max)

/** What the planner would take, and the wizard's own fields do not. */
function findBeyondLimits({ adsList, crossfade = 0 }: PlanInput): PlanRefusal[] {
  const weights = adsList.flatMap(({ uid, weight = 1 }): PlanRefusal[] =>
    isBeyond(weight, limits.weight) ? [{ step: 'ads', code: 'weight-invalid', kind: 'ad', uid, weight }] : [],
  )
  return isBeyond(crossfade, limits.crossfade)
    ? [...weights, { step: 'background', code: 'crossfade-invalid', crossfade }]
    : weights
}

/** What stands in the way of a plan, and how much the day has room for. */
export function checkInput(input: PlanInput): Checked {
  const { refusals, warnings } = validate(input)
  const findings = { refusals: [...findBeyondLimits(input), ...refusals], warnings }
  return { findings, air: airTimes(input) }
}

/** What the import takes beside the plan and what it was made of. */
export type BodyFields = Pick<
  SmartImport,
  'smartPlUid' | 'smartPlName' | 'smartPlDescr' | 'version' | 'editOf'
>

/** The body of the import: the draft with its plan, as JSON. */
export function makeBody(input: PlanInput, fields: BodyFields): Blob {
  const { type, melList, adsList, crossfade = 0, ...settings } = input
  const draft: SmartImport = {
    ...fields,
    ...settings,
    playlistType: type,
    workTime: windowSeconds(input),
    crossfade,
    melList: [...melList],
    adsList: [...adsList],
    finishList: plan(input).blocks,
    colour: '',
    uploadingProgress: 0,
    deviceFilter: null,
    playlistFilter: null,
  }
  return new Blob([JSON.stringify(draft)], { type: 'application/json' })
}
