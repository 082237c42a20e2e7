import { isTrimmed } from './edit-list.ts'
import type { Steady } from '@floorcast/device-client/clock.ts'
import { type MpvEvent, readFileError } from './mpv-process.ts'

export interface Track {
  path: string
  isVideo: boolean
  gainDb: number
  /** The start offset in the file; 0 for an enqueued track. */
  offsetSeconds: number
  durationSeconds: number
  /** How long it fades in at its beginning and out before its end, along a quarter of a sine; none by default. */
  fadeInMs?: number
  fadeOutMs?: number
}

/** The last picture is shown this long after its time, which the length of a film includes or not. */
const LAST_PICTURE_SECONDS = 0.02

/**
 * The track as mpv takes it. mpv plays a film's file from its first picture to its last, also what the film's edit list leaves out: a list
 * of mpv (EDL) limits it to the part that the server has stated the length of, which begins at 0.
 */
export function urlOf({ path, isVideo, durationSeconds }: Track): string {
  if (!isVideo || !isTrimmed(path)) return path
  return `edl://%${Buffer.byteLength(path)}%${path},0,${(durationSeconds + LAST_PICTURE_SECONDS).toFixed(3)}`
}

/** How a track ended: at its end, stopped on request, not playable, or lost with its mpv. Times are audible. */
export type Ending =
  | { kind: 'end'; at: Steady }
  | { kind: 'stopped'; at: Steady }
  | { kind: 'failed'; at: Steady; reason: string }
  | { kind: 'died'; at: Steady; reason: string }

/** The machine, not the file, is at fault if the audio output does not open. */
export const isOutputFailure = (reason: string): boolean => reason.includes('output')

/** mpv's errors for a file that opened but has no data after the start offset. */
const NO_DATA_ERROR = /^no (sound|audio or video data)/

/** The ending of a track that was not played to its end, by mpv's `end-file`. */
export function endingWithoutPlay({ offsetSeconds }: Track, event: MpvEvent, at: Steady): Ending {
  if (event['reason'] !== 'error' && event['reason'] !== 'eof') return { kind: 'stopped', at }
  const reason = readFileError(event)
  // The offset lies behind the last sound: the track is over, and the file is not at fault.
  if (offsetSeconds > 0 && NO_DATA_ERROR.test(reason)) return { kind: 'end', at }
  return { kind: 'failed', at, reason }
}

/** One track in an mpv player, from its command to its end. */
export class Playback {
  readonly track: Track
  /** Whether it follows another track without a gap. */
  readonly isGapless: boolean
  /** Resolves when its first samples are decoded; never if it fails before. */
  readonly loaded: Promise<void>
  /** Resolves when its sound starts; never if it fails before. */
  readonly started: Promise<Steady>
  readonly ended: Promise<Ending>
  startedAt: Steady | null = null
  /** Whether it is preloaded and waits for `unpause`. */
  isPaused = false
  /** The arrival of mpv's event that it plays. */
  startEventAt: Steady | null = null
  /** Its start by the last measurement, which may differ from the previous track's end by some milliseconds, and moves while its speed is corrected. */
  measuredStartAt: Steady | null = null
  ending: Ending | null = null
  #isLoaded = false
  #load: () => void = () => undefined
  #start: (at: Steady) => void = () => undefined
  #end: (ending: Ending) => void = () => undefined

  constructor(track: Track, isGapless: boolean) {
    this.track = track
    this.isGapless = isGapless
    this.loaded = new Promise(resolve => (this.#load = resolve))
    this.started = new Promise(resolve => (this.#start = resolve))
    this.ended = new Promise(resolve => (this.#end = resolve))
  }

  /** Milliseconds from its start offset to its end. */
  get lengthMs(): number {
    return (this.track.durationSeconds - this.track.offsetSeconds) * 1000
  }
  get isLoaded(): boolean {
    return this.#isLoaded
  }
  load(): void {
    this.#isLoaded = true
    this.#load()
  }
  start(at: Steady, measuredAt: Steady): void {
    if (this.startedAt !== null) return
    this.startedAt = at
    this.measuredStartAt = measuredAt
    this.#start(at)
  }
  end(ending: Ending): void {
    this.ending ??= ending
    this.#end(this.ending)
  }
}
