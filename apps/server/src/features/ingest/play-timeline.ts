import { isAd } from '@floorcast/contract/media.ts'
import type { LeftOut, PlayEvent } from '@floorcast/contract/events.ts'
import { heardMsOf } from './play-plausibility.ts'

/*
 * Which plays of one device count. A player plays one track after another, so counted plays lie side by side: a song may run into the
 * next one by the longest crossfade, an ad by what clocks and slow machines need.
 *
 * A play that counts stays counted, whatever comes later: a figure that was signed never shrinks. Of the plays of one call the
 * earlier start counts, then the lower number. docs/decisions/0254.
 */

export type TimedPlay = Pick<
  PlayEvent,
  'contentType' | 'startedAt' | 'endedAt' | 'secondsPlayed' | 'durationSeconds'
>

/** The longest crossfade of a playlist. */
const MAX_CROSSFADE_MS = 10_000
/** Nothing fades into an ad, and a player that is 2 s late cuts the next song. */
const AD_TOLERANCE_MS = 2000
/** A play that was not heard at all takes this long, so that a thousand of them are not one. */
const MIN_CORE_MS = 20
const SHORT_MS = 1000
/** Plays that were hardly heard fit into a minute: alerts and new publications end plays just begun. */
export const MAX_SHORT_PLAYS_A_MINUTE = 10
const MINUTE_MS = 60_000

/** The time that a play has for itself, in milliseconds since 1970. */
export interface PlayCore {
  from: number
  until: number
  /** It was hardly heard. */
  isShort: boolean
}

/** @param durationSeconds the length of the file; the play's own by default */
export function coreOf(play: TimedPlay, durationSeconds: number = play.durationSeconds): PlayCore {
  const from = Date.parse(play.startedAt)
  const half = (durationSeconds * 1000) / 2
  const shared = Math.min(isAd(play.contentType) ? AD_TOLERANCE_MS : MAX_CROSSFADE_MS, half)
  const length = Math.max(MIN_CORE_MS, heardMsOf(play) - shared)
  return { from, until: from + length, isShort: length < Math.min(SHORT_MS, half) }
}

export const minuteOf = (at: number): number => Math.floor(at / MINUTE_MS) * MINUTE_MS

/** The counted plays of a device around those of some calls. */
export class PlayTimeline {
  /** By their begin. */
  readonly #cores: PlayCore[] = []
  readonly #shortPlays = new Map<number, number>()

  constructor(stored: readonly PlayCore[]) {
    // One play may be found twice, as that before a part and in the part before.
    for (const core of stored) if (this.#cores[this.#placeOf(core.from)]?.from !== core.from) this.#keep(core)
  }

  /** Counts a play, or says why not. */
  add(core: PlayCore): LeftOut | null {
    const at = this.#placeOf(core.from)
    const [before, after] = [this.#cores[at - 1], this.#cores[at]]
    if ((before && before.until > core.from) || (after && after.from < core.until)) return 'overlap'
    if (core.isShort && (this.#shortPlays.get(minuteOf(core.from)) ?? 0) >= MAX_SHORT_PLAYS_A_MINUTE)
      return 'too-many'
    this.#keep(core)
    return null
  }

  #keep(core: PlayCore): void {
    this.#cores.splice(this.#placeOf(core.from), 0, core)
    if (!core.isShort) return
    const minute = minuteOf(core.from)
    this.#shortPlays.set(minute, (this.#shortPlays.get(minute) ?? 0) + 1)
  }

  /** The place of the first core that begins at or after an instant. */
  #placeOf(from: number): number {
    let [low, high] = [0, this.#cores.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#cores[middle]?.from ?? 0) < from) low = middle + 1
      else high = middle
    }
    return low
  }
}
