import type { Cue, PlayCue } from './cue-types.ts'
import { type Ms, SECOND } from './instant.ts'
import { JOIN_FADE_MS, REJOIN_AFTER_MS, SLIP_TOLERANCE_MS } from './iterate-cues.ts'
import { isAd } from './media.ts'

/** A play that is audible. */
export interface SoundingPlay {
  cue: PlayCue
  /** The position in the file at which it began. */
  offsetSeconds: number
  /** When its sound began. */
  startedAt: Ms
}

/** The event that ends a play, if nothing changes meanwhile. */
export type NextStep =
  /** It fades out before this instant. */
  | { kind: 'cut'; at: Ms; reason: string }
  /** It is far off its schedule, and the player joins it again. */
  | { kind: 'rejoin' }
  /** The next track follows it, with the cue's overlap. */
  | { kind: 'follow'; next: PlayCue }
  /** It plays to its end. */
  | { kind: 'end' }

/**
 * Finds the event that ends a play. A player that is late by over 2 s ends the next song, never an ad, by the schedule. One that is early by
 * over 2 s waits for the schedule, 1.5 s at a time (`EarlyWait`). One that is off by over 30 s joins it again.
 */
export function nextStepOf(
  { cue, offsetSeconds, startedAt }: SoundingPlay,
  cueAt: (at: Ms) => Cue,
): NextStep {
  const slipMs = startedAt - (cue.startsAt + offsetSeconds * SECOND)
  if (Math.abs(slipMs) > REJOIN_AFTER_MS) return { kind: 'rejoin' }
  const boundaryAt = cue.until - JOIN_FADE_MS
  if (cue.cutBy !== null) return { kind: 'cut', at: boundaryAt, reason: cue.cutBy }
  if (slipMs > SLIP_TOLERANCE_MS && !isAd(cue.file))
    return { kind: 'cut', at: boundaryAt, reason: 'schedule' }
  const next = cueAt(cue.until)
  const follows = next.kind === 'play' && next.startsAt === cue.until && slipMs >= -SLIP_TOLERANCE_MS
  return follows ? { kind: 'follow', next } : { kind: 'end' }
}

/** Whether a changed cue ends the current track at once. Any other change takes effect at the track's end. */
export const endsAtOnce = (cue: Cue): boolean =>
  cue.kind === 'alert' ||
  (cue.kind === 'silent' && cue.because !== 'not-downloaded' && cue.because !== 'empty')

/** Whether a cue is that of a play: another manifest may have another end or other names of it. */
export const isSamePlay = (cue: Cue, play: PlayCue): cue is PlayCue =>
  cue.kind === 'play' && cue.file.sha256 === play.file.sha256 && cue.startsAt === play.startsAt
