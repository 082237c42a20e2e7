import type { BlockMode, PlanInput, PlanKind, PlanTrack } from './plan-types.ts'
import { windowSeconds } from './plan-window.ts'

/** The tracks of one kind as flat arrays, from which a `TrackPool` takes its plays. */
export interface TrackList {
  /** Seconds by which a play of each track lengthens its block: its duration without the crossfade. */
  airSeconds: Float64Array
  weights: Float64Array
  /** For each track, whether it may be heard twice in a row. */
  mayRepeat: readonly boolean[]
  /** Seconds that every block has beyond its tracks' air: the crossfade. */
  overlapSeconds: number
}

/** The tracks that may come next, shortest first; the array may be longer than `size`. */
export interface EligibleTracks {
  tracks: Int32Array
  size: number
}

/** The first of the candidates that is longer than `seconds`. */
export function indexAbove(air: Float64Array, { tracks, size }: EligibleTracks, seconds: number): number {
  let low = 0
  let high = size
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((air[tracks[middle] ?? 0] ?? 0) <= seconds) low = middle + 1
    else high = middle
  }
  return low
}

/** The target of the kind's blocks. A list without tracks does not affect it. */
const targetOf = (list: KindList) => (list.tracks.length > 0 ? aimOf(list).target : list.target)

/** The seconds of each kind in the window if every block is as long as its target. */
export function airTimes(input: PlanInput): Record<PlanKind, number> {
  const window = windowSeconds(input)
  const [melody, ad] = [targetOf(readKindList(input, KINDS[0])), targetOf(readKindList(input, KINDS[1]))]
  if (!(input.melTime > 0 && input.adsTime > 0 && melody > 0 && ad > 0)) return { melody: 0, ad: 0 }
  const rounds = Math.floor(window / (melody + ad))
  const rest = window - rounds * (melody + ad)
  const melodyRest = Math.min(rest, melody)
  return { melody: rounds * melody + melodyRest, ad: rounds * ad + rest - melodyRest }
}

/** Both kinds, in the order in which they begin. */
export const KINDS = ['melody', 'ad'] as const satisfies readonly PlanKind[]

/** The input of one kind with its defaults. */
export interface KindList {
  kind: PlanKind
  tracks: readonly PlanTrack[]
  target: number
  mode: BlockMode
  /** Seconds that a track begins before the end of the one before it, within a block. */
  overlap: number
  maxDuration: number
  isEven: boolean
}

const isPositive = (value: number) => value > 0 && Number.isFinite(value)

export const weightOf = ({ weight }: PlanTrack): number =>
  weight !== undefined && isPositive(weight) ? weight : 1

/** Every caller sums in the list's order, so that all round alike. */
export const sumOfWeights = (tracks: readonly PlanTrack[]): number =>
  tracks.reduce((sum, track) => sum + weightOf(track), 0)

/** Whether a track of that weight may be heard twice in a row: its weight exceeds half the sum. */
export const mayRepeat = (weight: number, total: number): boolean => 2 * weight > total

/**
 * How many different others are heard between two plays of one of `count` tracks of equal weight: by the rules at least half
 * of them and one, or `part` of them if that is more.
 */
export const othersBetween = (count: number, part = 0): number =>
  Math.max(Math.min(1, count - 1), Math.floor((count - 1) / 2), Math.floor((count - 1) * part))

/** Never more than half the shortest track, so that no three play at once. */
function overlapOf(crossfade: number | undefined, tracks: readonly PlanTrack[]): number {
  if (crossfade === undefined || !isPositive(crossfade)) return 0
  return tracks.reduce((least, { duration }) => Math.min(least, duration / 2), crossfade)
}

/** The kind's list without tracks that have no duration: those cannot be played (`validate` refuses them by name). */
export function readKindList(input: PlanInput, kind: PlanKind): KindList {
  const isMelody = kind === 'melody'
  const tracks = (isMelody ? input.melList : input.adsList).filter(({ duration }) => isPositive(duration))
  const [first] = tracks
  return {
    kind,
    tracks,
    target: isMelody ? input.melTime : input.adsTime,
    mode: isMelody ? input.melMode : input.adsMode,
    overlap: isMelody ? overlapOf(input.crossfade, tracks) : 0,
    maxDuration: tracks.reduce((longest, { duration }) => Math.max(longest, duration), 0),
    isEven: !first || tracks.every(track => weightOf(track) === weightOf(first)),
  }
}

/** Seconds of the list heard once, as one block. */
export function wholeSeconds({ tracks, overlap }: KindList): number {
  return tracks.reduce((sum, { duration }) => sum + (duration - overlap), tracks.length > 0 ? overlap : 0)
}

/** Rule 5: how many different others are heard at least between two plays of a track. */
export function leastOthersOf({ isEven, tracks }: KindList): (track: PlanTrack) => number {
  const total = sumOfWeights(tracks)
  const least = othersBetween(tracks.length)
  return track => (isEven ? least : mayRepeat(weightOf(track), total) ? 0 : 1)
}

/** The target size of the kind's blocks, and whether each is the whole list once. */
export function aimOf(list: KindList): { target: number; isWholeList: boolean } {
  const whole = wholeSeconds(list)
  const target = isPositive(list.target) ? list.target : whole
  const isShort = list.mode === 'auto' && whole <= target
  return { target: isShort ? whole : target, isWholeList: isShort && list.isEven }
}

/** The maximum seconds of the window's last ad block, unless it is a single ad. */
export const maxLastAdSeconds = (list: KindList): number => aimOf(list).target + list.maxDuration / 2

/** Whether a block may be followed by another of its kind. */
export type SizeRule = (
  block: { seconds: number; tracks: readonly (string | number)[] },
  tolerance: number,
) => boolean

/** Rules 2 and 3: a block is the whole list, or near to its target. */
export function sizeRuleOf(list: KindList): SizeRule {
  const { target, isWholeList } = aimOf(list)
  return ({ seconds, tracks }, tolerance) => {
    if (isWholeList) return tracks.length === list.tracks.length && new Set(tracks).size === tracks.length
    const off = Math.max(seconds - target, target - seconds)
    return tracks.length === 1 || off <= list.maxDuration / 2 + tolerance
  }
}

export function toTrackList({ tracks, overlap }: KindList): TrackList {
  const total = sumOfWeights(tracks)
  return {
    airSeconds: Float64Array.from(tracks, ({ duration }) => duration - overlap),
    weights: Float64Array.from(tracks, weightOf),
    mayRepeat: tracks.map(track => mayRepeat(weightOf(track), total)),
    overlapSeconds: overlap,
  }
}
