import type { Steady } from '../clock/clock.ts'

export interface DeckTrack {
  path: string
  gainDb: number
  /** Where in the file to begin; only the first of a chain may begin inside. */
  offsetSeconds: number
  durationSeconds: number
}

/** How a track ended: heard to its end, stopped when asked, not playable, or lost with its mpv. Times are audible. */
export type Ending =
  | { how: 'end'; at: Steady }
  | { how: 'stopped'; at: Steady }
  | { how: 'failed'; at: Steady; why: string }
  | { how: 'died'; at: Steady; why: string }

/** One track given to a deck. */
export class Playing {
  readonly track: DeckTrack
  /** Given to follow another without a gap. */
  readonly isFollower: boolean
  /** Settles when its sound begins; never when it fails before. */
  readonly started: Promise<Steady>
  readonly ended: Promise<Ending>
  startedAt: Steady | null = null
  /** Loaded ahead, and silent until it is let go. */
  isHeld = false
  isLoaded = false
  /** When mpv told that it plays. */
  toldAt: Steady | null = null
  /** Its beginning as measured, which may be some milliseconds off the former's end. */
  heardFrom: Steady | null = null
  ending: Ending | null = null
  #start: (at: Steady) => void = () => undefined
  #end: (ending: Ending) => void = () => undefined

  constructor(track: DeckTrack, isFollower: boolean) {
    this.track = track
    this.isFollower = isFollower
    this.started = new Promise(resolve => (this.#start = resolve))
    this.ended = new Promise(resolve => (this.#end = resolve))
  }

  /** How long it sounds from where it was begun, in ms. */
  get length(): number {
    return (this.track.durationSeconds - this.track.offsetSeconds) * 1000
  }
  start(at: Steady, heardFrom: Steady): void {
    if (this.startedAt !== null) return
    this.startedAt = at
    this.heardFrom = heardFrom
    this.#start(at)
  }
  end(ending: Ending): void {
    this.ending ??= ending
    this.#end(this.ending)
  }
}
