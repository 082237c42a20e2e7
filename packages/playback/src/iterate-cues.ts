import type { DeviceManifest } from '@floorcast/contract/device-manifest.ts'
import { cueAt, filesOf } from './cue.ts'
import type { Cue, PlayCue } from './cue-types.ts'
import type { Ms } from './instant.ts'
import { isAd } from './media.ts'

/** The cue after a cue. Never use the current time instead: a player's end event is early, so it may return the same track. */
export const nextCue = (manifest: DeviceManifest, cue: Cue, held: ReadonlySet<string>): Cue =>
  cueAt(manifest, cue.until, held)

/** A start this late still counts as a start from the beginning. */
export const JOIN_TOLERANCE_MS: Ms = 300
/** The fade-in of a start inside a track. */
export const JOIN_FADE_MS: Ms = 300
/** A track with less than this left is not joined: 20 ms before a good file's end, mpv reports 'no audio or video data'. */
export const MIN_JOIN_MS: Ms = 500
/** A player that is late by more than this cuts the next song at its boundary. */
export const SLIP_TOLERANCE_MS: Ms = 2000
/** A player that is off its schedule by more than this joins it again. */
export const REJOIN_AFTER_MS: Ms = 30_000

/** How a player enters a cue: from the file's beginning, inside it with a fade-in, or not at all. */
export type Entry = 'start' | 'join' | 'wait'

/**
 * How to enter `cue` at `at`. The player never joins an ad, nor the last half second of any track: it waits for the next boundary instead.
 * An ad is heard whole: it may begin late by 2 s, and by 30 s if it is the next (`isNext`) of a player that is late.
 */
export function entryOf(cue: PlayCue, at: Ms, isNext = false): Entry {
  const lateMs = at - cue.startsAt
  if (lateMs <= JOIN_TOLERANCE_MS) return 'start'
  if (isAd(cue.file)) return lateMs <= (isNext ? REJOIN_AFTER_MS : SLIP_TOLERANCE_MS) ? 'start' : 'wait'
  return cue.until - at < MIN_JOIN_MS ? 'wait' : 'join'
}

/** How long a player that is early is silent before a cue. A damaged file may have ended much too early, and no silence lasts 2 s. */
const MAX_EARLY_WAIT_MS: Ms = 1500

/** The waits of a player that is early, one before each cue, however often something changes meanwhile. */
export class EarlyWait {
  #startsAt: Ms = -Infinity
  #until: Ms = -Infinity

  /** The instant at which a cue may begin; not after `now` if it may begin at once. */
  untilOf({ startsAt }: PlayCue, now: Ms): Ms {
    if (startsAt - now <= SLIP_TOLERANCE_MS) return now
    if (startsAt !== this.#startsAt) this.#until = Math.min(startsAt, now + MAX_EARLY_WAIT_MS)
    this.#startsAt = startsAt
    return this.#until
  }
}

const WEEK_MS: Ms = 7 * 86_400_000
const MAX_CUES_AHEAD = 500

/** The next play after an instant, within a week, as if all files were held and no alert open; null without one. */
export function nextPlayOf(manifest: DeviceManifest, after: Ms): PlayCue | null {
  const quiet = { ...manifest, alerts: [] }
  const held = filesOf(manifest)
  let at = after
  for (let count = 0; count < MAX_CUES_AHEAD && at < after + WEEK_MS; count += 1) {
    const cue = cueAt(quiet, at, held)
    if (cue.kind === 'play') return cue
    at = cue.until
  }
  return null
}

/** The limit of cues in one iteration: a day of one-second tracks. */
const MAX_CUES = 90_000

/** Iterates over the cues from `from` to `until`. The first may start before `from`, and the last may end after `until`. */
export function* iterateCues(
  manifest: DeviceManifest,
  span: { from: Ms; until: Ms },
  held: ReadonlySet<string>,
): Generator<Cue> {
  let at = span.from
  for (let count = 0; at < span.until && count < MAX_CUES; count += 1) {
    const cue = cueAt(manifest, at, held)
    yield cue
    at = cue.until
  }
}
