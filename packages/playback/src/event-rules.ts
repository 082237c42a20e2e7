import type { DeviceEvent, PlayResult } from '@floorcast/contract/events.ts'
import { type Ms, SECOND } from './instant.ts'
import type { Entry } from './iterate-cues.ts'

type Head = 'id' | 'bootId' | 'sequence'
type WithoutHead<E> = E extends { alertKind: string }
  ? Omit<E, Head | 'alertKind'> & { alertKind: string }
  : Omit<E, Head>
/** An event without id, boot and sequence number, which the log assigns. An alert's kind is any text of the server. */
export type EventDraft = WithoutHead<DeviceEvent>

/** A play that ends this close to the file's end is complete: decoders and clocks differ by some tens of milliseconds. */
const END_TOLERANCE_SECONDS = 0.5

export interface PlayMeasurement {
  entry: Exclude<Entry, 'wait'>
  /** The start offset in the file. */
  offsetSeconds: number
  /** Audible seconds. */
  secondsPlayed: number
  durationSeconds: number
  /** The reason for which the player could not play it. */
  failure: string | null
  /** The reason for an early end; null without a request to end. */
  cutBy: string | null
}

export interface PlayOutcome {
  result: PlayResult
  why: string | null
}

/**
 * The result of a proof of play:
 *
 * - `complete`: played to within half a second of its end, even if it was asked to end then
 * - `joined`: started inside the file and played to its end
 * - `cut`: ended early; `why` is the cause, or `short-file` if the file was shorter than its stated length
 * - `failed`: not playable
 */
export function validatePlay(play: PlayMeasurement): PlayOutcome {
  if (play.failure !== null) return { result: 'failed', why: play.failure }
  const reached = play.offsetSeconds + play.secondsPlayed
  if (reached < play.durationSeconds - END_TOLERANCE_SECONDS)
    return { result: 'cut', why: play.cutBy ?? 'short-file' }
  return { result: play.entry === 'join' ? 'joined' : 'complete', why: null }
}

/** Events in one call: less than the server's 500, and less than a megabyte of JSON. */
export const MAX_EVENTS_PER_BATCH = 300
/** The days for which a device keeps events, sent or not. */
export const EVENT_DAYS = 90

const FIRST_BACKOFF_MS: Ms = SECOND
const MAX_BACKOFF_MS: Ms = 300 * SECOND

/**
 * The wait after the `failures`-th failure in a row (from 1): it doubles from one second to five minutes. `jitter` (0 to 1)
 * takes up to half of it away, so that a thousand devices do not return at once.
 */
export function backoffOf(failures: number, jitter: number): Ms {
  const full = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** Math.max(0, failures - 1))
  return Math.round(full * (1 - jitter / 2))
}

/** An interval of `seconds` ± 10 %, by `jitter` (0 to 1). */
export const jitteredInterval = (seconds: number, jitter: number): Ms =>
  Math.round(seconds * SECOND * (0.9 + jitter * 0.2))
