import type { DeviceManifest } from '@floorcast/contract/device-manifest.ts'
import { cueAt } from './cue.ts'
import type { Cue, PlayCue } from './cue-types.ts'
import type { Ms } from './instant.ts'
import { isAd } from './media.ts'

/** What follows a cue. Never ask for now: a player's `end` comes early, and now could still be the same track. */
export const nextCue = (manifest: DeviceManifest, cue: Cue, held: ReadonlySet<string>): Cue =>
  cueAt(manifest, cue.until, held)

/** A start this late still counts as one from the beginning. */
export const JOIN_TOLERANCE_MS: Ms = 300
/** The fade of a start inside a track. */
export const JOIN_FADE_MS: Ms = 300
/** With less than this left, a track is not begun: mpv reports 'no audio or video data' for a good file 20 ms before its end. */
export const MIN_JOIN_MS: Ms = 500
/** A player off its schedule by more than this shortens background at a block's boundary. */
export const SLIP_TOLERANCE_MS: Ms = 2000
/** A player off its schedule by more than this joins anew. */
export const REJOIN_AFTER_MS: Ms = 30_000

/** How a player begins a cue: from the file's beginning, inside it with a fade, or (inside an ad, or just before the end) not at all. */
export type Entry = 'start' | 'join' | 'wait'

/**
 * How to begin `cue` at `at`, an instant of it. An ad that has begun is never joined, nor is the last half second of
 * anything: the next boundary is waited for.
 */
export function entryOf(cue: PlayCue, at: Ms): Entry {
  if (at - cue.startsAt <= JOIN_TOLERANCE_MS) return 'start'
  return isAd(cue.file) || cue.until - at < MIN_JOIN_MS ? 'wait' : 'join'
}

/** How many cues a walk may hold before it gives up: a day of one-second tracks. */
const MAX_CUES = 90_000

/** Every cue from `from` on to `until`; the first may have begun before `from`, the last may end after `until`. */
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
