import type { AdTimes } from './ad-times.ts'
import { ROUNDING } from './broken-rule.ts'
import type { Random } from './random.ts'
import { maxLastAdSeconds, sizeRuleOf, type KindList, type SizeRule } from './track-list.ts'
import type { TrackPool } from './track-pool.ts'

/** One of the kinds of the window's last blocks. */
export interface TailKind {
  list: KindList
  pool: TrackPool
  reserve: number
  /** The maximum seconds of the window's last block of the kind, unless it has one track. */
  cap: number
  isComplete: SizeRule
}

/** A block of the tail: the index of its kind, and its tracks. */
export interface TailBlock {
  kind: 0 | 1
  tracks: number[]
}

/** Ads are kept this far apart, also from those before the tail. */
export interface AdSeparation {
  gap: number
  times: AdTimes
}

export interface TailGoal {
  /** Where the tail starts in the window. */
  start: number
  /** The seconds for all its blocks. */
  room: number
  /** The desired seconds of the first block. */
  first: number
  /** A first block that is known to keep the rules, if there is one. */
  known: number[]
  /** Null if the ads may be at any distance. */
  separation: AdSeparation | null
  random: Random
}

/** The seconds of a block with these tracks. */
export function secondsOf({ pool }: TailKind, tracks: readonly number[]): number {
  const { airSeconds, overlapSeconds } = pool.trackList
  return tracks.reduce((sum, track) => sum + (airSeconds[track] ?? 0), tracks.length > 0 ? overlapSeconds : 0)
}

export function openTailKind(list: KindList, pool: TrackPool, reserve: number): TailKind {
  const cap = list.kind === 'ad' ? maxLastAdSeconds(list) + 1e-9 : Infinity
  return { list, pool, reserve, cap, isComplete: sizeRuleOf(list) }
}

/** Whether a block of the tail may be followed by another of its kind. */
export const mayBeFollowed = (kind: TailKind, tracks: readonly number[]): boolean =>
  kind.isComplete({ tracks, seconds: secondsOf(kind, tracks) }, ROUNDING)
