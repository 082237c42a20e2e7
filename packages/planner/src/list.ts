import type { BlockMode, PlanInput, PlanKind, PlanTrack } from './plan-types.ts'
import type { Shelf } from './shelf.ts'

/** Both kinds, in the order in which they begin. */
export const KINDS = ['melody', 'ad'] as const satisfies readonly PlanKind[]

/** What the input says of one kind, with the defaults filled in. */
export interface KindList {
  kind: PlanKind
  tracks: readonly PlanTrack[]
  target: number
  mode: BlockMode
  /** Seconds that a track begins before the end of the one before it, within a block. */
  overlap: number
  longest: number
  isEven: boolean
}

const isPositive = (value: number) => value > 0 && Number.isFinite(value)

export const weightOf = ({ weight }: PlanTrack): number =>
  weight !== undefined && isPositive(weight) ? weight : 1

/** Never more than half the shortest track, so that no three sound at once. */
function overlapOf(crossfade: number | undefined, tracks: readonly PlanTrack[]): number {
  if (crossfade === undefined || !isPositive(crossfade)) return 0
  return tracks.reduce((least, { duration }) => Math.min(least, duration / 2), crossfade)
}

/** The kind's list without tracks that have no duration: those cannot be played (`validate` refuses them by name). */
export function listOf(input: PlanInput, kind: PlanKind): KindList {
  const isMelody = kind === 'melody'
  const tracks = (isMelody ? input.melList : input.adsList).filter(({ duration }) => isPositive(duration))
  const [first] = tracks
  return {
    kind,
    tracks,
    target: isMelody ? input.melTime : input.adsTime,
    mode: isMelody ? input.melMode : input.adsMode,
    overlap: isMelody ? overlapOf(input.crossfade, tracks) : 0,
    longest: tracks.reduce((longest, { duration }) => Math.max(longest, duration), 0),
    isEven: !first || tracks.every(track => weightOf(track) === weightOf(first)),
  }
}

/** Seconds of the list heard once, as one block. */
export function wholeSeconds({ tracks, overlap }: KindList): number {
  return tracks.reduce((sum, { duration }) => sum + (duration - overlap), tracks.length > 0 ? overlap : 0)
}

/** The size that blocks of the kind aim at, and whether each is the whole list once. */
export function aimOf(list: KindList): { target: number; isWholeList: boolean } {
  const whole = wholeSeconds(list)
  const target = isPositive(list.target) ? list.target : whole
  const isShort = list.mode === 'auto' && whole <= target
  return { target: isShort ? whole : target, isWholeList: isShort && list.isEven }
}

export function shelfOf({ tracks, overlap }: KindList): Shelf {
  return {
    air: Float64Array.from(tracks, ({ duration }) => duration - overlap),
    weights: Float64Array.from(tracks, weightOf),
    overlap,
  }
}
