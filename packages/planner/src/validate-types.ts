import type { BlockMode, PlanInput, PlanKind } from './plan-types.ts'

/** The wizard's step where a finding belongs. */
export type PlanStep = 'hours' | 'ads' | 'background' | 'finish'

/** What `validate` looks at: the input of the plan and, once there is one, the playlist's name. */
export interface PlanDraft extends PlanInput {
  /** Judged only where it is given. */
  name?: string | undefined
}

interface OfTrack {
  kind: PlanKind
  uid: string
}

/** What stands in the way of a plan, with its figures (seconds and plays). */
export type PlanRefusal = { step: PlanStep } & (
  | { code: 'time-invalid'; field: 'startDay' | 'endDay'; value: string }
  | { code: 'times-equal'; value: string }
  | { code: 'target-invalid'; kind: PlanKind; target: number }
  | { code: 'crossfade-invalid'; crossfade: number }
  | { code: 'list-empty'; kind: PlanKind }
  | ({ code: 'duration-invalid'; duration: number } & OfTrack)
  | ({ code: 'weight-invalid'; weight: number } & OfTrack)
  | ({ code: 'track-twice' } & OfTrack)
  | ({ code: 'longer-than-window'; duration: number; window: number } & OfTrack)
  | { code: 'too-short'; kind: PlanKind; content: number }
  | { code: 'background-far-beyond'; content: number; air: number }
  | { code: 'ads-beyond-air-time'; content: number; air: number; unheard: string[] }
  | { code: 'ad-share-under-one'; uid: string; plays: number }
  | { code: 'name-too-short'; length: number }
)

/** What the user should know before going on. */
export type PlanWarning = { step: PlanStep } & (
  | { code: 'less-than-one-block'; kind: PlanKind; mode: BlockMode; content: number; target: number }
  | { code: 'background-not-all-heard'; unheard: number; content: number; air: number }
)

/** In the order of the wizard's steps. */
export interface PlanFindings {
  refusals: PlanRefusal[]
  warnings: PlanWarning[]
}
