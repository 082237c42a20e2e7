import type { BodyFields, Checked, Planned, PlanLists, PlanSettings } from './plan-job.ts'

/** What the page asks its worker; the newest number counts. */
export interface PlanAsk {
  nr: number
  settings: PlanSettings
  /** Left out while they are what they were. */
  lists?: PlanLists
  /** Without a day only the lists and times are judged. */
  wantsDay: boolean
  /** The import's body is wanted. */
  body?: BodyFields
}

export type PlanAnswer =
  | { nr: number; kind: 'day'; planned: Planned | null }
  | { nr: number; kind: 'checked'; checked: Checked }
  | { nr: number; kind: 'body'; body: Blob }
