import type { PlanKind } from './plan-types.ts'

/** The tolerance of the rules in seconds. */
export const TOLERANCE = 0.01

/** The tolerance for rounding of seconds and shares. */
export const ROUNDING = 1e-6

interface AtItem {
  /** Places in the plan, from 0. */
  block: number
  item: number
  uid: string
}

interface AtBlock {
  block: number
}

/** A broken rule of a plan with its position and figures (seconds and plays). */
export type BrokenRule =
  | ({ rule: 1; code: 'unknown-track' } & AtItem)
  | ({ rule: 1; code: 'duration-differs'; duration: number; expected: number } & AtItem)
  | ({ rule: 1; code: 'start-differs'; start: number; expected: number } & AtItem)
  | ({ rule: 1; code: 'block-differs'; start: number; duration: number; expected: number } & AtBlock)
  | ({ rule: 1; code: 'empty-block' } & AtBlock)
  | ({ rule: 1; code: 'not-alternating'; kind: PlanKind } & AtBlock)
  | { rule: 1; code: 'outside-window'; end: number; window: number }
  | ({ rule: 2; code: 'not-whole-list'; kind: PlanKind; plays: number; tracks: number } & AtBlock)
  | ({ rule: 3; code: 'far-from-target'; kind: PlanKind; duration: number; target: number } & AtBlock)
  | ({ rule: 4; code: 'uneven-plays'; kind: PlanKind; plays: number; fewest: number } & AtItem)
  | ({ rule: 4; code: 'off-share'; kind: PlanKind; plays: number; share: number } & AtItem)
  | ({ rule: 5; code: 'too-soon'; kind: PlanKind; others: number; least: number } & AtItem)
  /** `gap`: from the end of the ad's former play. */
  | ({ rule: 5; code: 'ad-gap'; gap: number; minAdGap: number } & AtItem)
  /** `most`: of the window's last ad block, if it has several ads. */
  | ({ rule: 6; code: 'last-ads-too-long'; duration: number; most: number } & AtBlock)
  | { rule: 6; code: 'long-tail'; kind: PlanKind; uid: string; idle: number; duration: number }
