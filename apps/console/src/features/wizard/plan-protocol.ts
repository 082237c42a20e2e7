import type { SmartImport } from '@floorcast/contract/smart-playlists.ts'
import type { PlanInput, PlanKind } from '@floorcast/planner/plan-types.ts'
import type { DaySummary, PackedDay } from '@floorcast/planner/smart-day.ts'
import type { PlanFindings } from '@floorcast/planner/validate.ts'

export type PlanSettings = Omit<PlanInput, 'melList' | 'adsList'>

/** A list of tracks in flat arrays, one entry a track; durations in seconds. */
export interface PackedList {
  uids: string[]
  durations: Float64Array
  weights: Float64Array
}

/** Fields of the import that are neither the plan nor its input. */
export type ImportFields = Pick<
  SmartImport,
  'smartPlUid' | 'smartPlName' | 'smartPlDescr' | 'version' | 'editOf'
>

/** Sent by the page. The worker drops a request when a newer one arrives. */
export interface PlanRequest {
  id: number
  settings: PlanSettings
  /** Absent when they are those of the request before. */
  lists?: Record<PlanKind, PackedList>
  /** False: the input is validated, and no day is planned. */
  wantsDay: boolean
  /** Present: the body of the import is made too. */
  importFields?: ImportFields
}

export interface Validation {
  findings: PlanFindings
  /** Air time of the window, in seconds. */
  air: Record<PlanKind, number>
}

export interface PackedPlan {
  day: PackedDay
  summary: DaySummary
}

/** Sent by the worker; `id` is the request's. */
export type PlanResponse = { id: number } & (
  | { kind: 'day'; plan: PackedPlan | null }
  | { kind: 'validation'; validation: Validation }
  | { kind: 'body'; body: Blob }
)
