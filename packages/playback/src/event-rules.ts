import type { DeviceEvent, PlayResult } from '@floorcast/contract/events.ts'
import { type Ms, SECOND } from './instant.ts'
import type { Entry } from './iterate-cues.ts'

type Head = 'id' | 'bootId' | 'sequence'
type WithoutHead<E> = E extends { alertKind: string }
  ? Omit<E, Head | 'alertKind'> & { alertKind: string }
  : Omit<E, Head>
/** An event without what the log gives it: id, boot and number. An alert's kind is what the server called it. */
export type EventDraft = WithoutHead<DeviceEvent>

/** A file heard to within this of its end was heard whole: decoders and clocks differ by some tens of milliseconds. */
const END_TOLERANCE_SECONDS = 0.5

export interface Heard {
  entry: Exclude<Entry, 'wait'>
  /** Where in the file it was begun, in seconds. */
  offsetSeconds: number
  /** Audible seconds. */
  secondsPlayed: number
  durationSeconds: number
  /** The player could not play it, and why. */
  failure: string | null
  /** What ended it early; null when nothing asked it to end. */
  cutBy: string | null
}

export interface PlayOutcome {
  result: PlayResult
  why: string | null
}

/**
 * The proof of play's result. `complete`: heard to within half a second of the end, even if something asked it to end
 * then. `joined`: begun inside the file and heard to its end. `cut`: ended early; `why` names the cause, `short-file`
 * when the file was shorter than its stated length. `failed`: could not be played.
 */
export function validatePlay(heard: Heard): PlayOutcome {
  if (heard.failure !== null) return { result: 'failed', why: heard.failure }
  const reached = heard.offsetSeconds + heard.secondsPlayed
  if (reached < heard.durationSeconds - END_TOLERANCE_SECONDS)
    return { result: 'cut', why: heard.cutBy ?? 'short-file' }
  return { result: heard.entry === 'join' ? 'joined' : 'complete', why: null }
}

/** Events in one call: under the server's 500, and under a megabyte of JSON. */
export const MAX_EVENTS_PER_BATCH = 300
/** Days that events are kept, offline or sent. */
export const EVENT_DAYS = 90

const FIRST_BACKOFF_MS: Ms = SECOND
const MAX_BACKOFF_MS: Ms = 300 * SECOND

/**
 * How long to wait after the `failures`-th failure in a row (from 1): doubling from one second to five minutes, of
 * which `jitter` (0 to 1) takes up to half away, so that a thousand devices do not return as one.
 */
export function backoffOf(failures: number, jitter: number): Ms {
  const full = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** Math.max(0, failures - 1))
  return Math.round(full * (1 - jitter / 2))
}

/** An interval of `seconds` ± 10 %, by `jitter` (0 to 1). */
export const jitteredInterval = (seconds: number, jitter: number): Ms =>
  Math.round(seconds * SECOND * (0.9 + jitter * 0.2))
