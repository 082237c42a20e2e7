import type { Steady } from '../health/clock.ts'
import { AudibleChain } from './audible.ts'
import { type MpvEvent, type MpvOptions, MpvProcess } from './mpv-process.ts'

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
  ending: Ending | null = null
  #start: (at: Steady) => void = () => undefined
  #end: (ending: Ending) => void = () => undefined

  constructor(track: DeckTrack, isFollower: boolean) {
    this.track = track
    this.isFollower = isFollower
    this.started = new Promise(resolve => (this.#start = resolve))
    this.ended = new Promise(resolve => (this.#end = resolve))
  }
  start(at: Steady): void {
    this.startedAt ??= at
    this.#start(this.startedAt)
  }
  end(ending: Ending): void {
    this.ending ??= ending
    this.#end(this.ending)
  }
}

function failureOf(event: MpvEvent): string {
  const error = event['file_error']
  return typeof error === 'string' ? error : 'no sound in it'
}

/** What mpv says of a file that opened and gave nothing from where it was begun. */
const NOTHING_PLAYED = /^no (sound|audio or video data)/

const FADE_STEP = 20
/** mpv's news may reach a busy agent this late. */
const LATEST_NEWS = 500
const sleep = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))

/** A player of one sound at a time: tracks given one after the other follow without a gap. Restarts its mpv when it dies. */
export class Deck {
  readonly #options: MpvOptions
  readonly #steady: () => Steady
  readonly #chain = new AudibleChain()
  readonly #entries = new Map<number, Playing>()
  #mpv: MpvProcess | null = null
  #current: Playing | null = null
  /** The audible end of the track before, where the next one's sound begins. */
  #boundary: Steady | null = null
  #volume = 100
  #level = 1
  #early: MpvEvent[] | null = null

  constructor(options: MpvOptions, steady: () => Steady) {
    this.#options = options
    this.#steady = steady
  }

  get pid(): number | undefined {
    return this.#mpv?.pid
  }

  /** Begins a track after silence, or in place of what is on. `level` 0 to 1 is where a fade begins. */
  async play(track: DeckTrack, level = 1): Promise<Playing> {
    this.#level = level
    this.#boundary = null
    this.#chain.reset()
    this.warm()
    await this.#applyVolume()
    return this.#load(track, 'replace')
  }

  /** Gives the track that follows without a gap; it begins at its file's beginning. */
  follow(track: DeckTrack): Promise<Playing> {
    return this.#load(track, 'append-play')
  }

  /**
   * Takes back a track that was given to follow: it ends as stopped. False when mpv has turned to it already; it then
   * plays, or fails, like any other.
   */
  async takeBack(follower: Playing): Promise<boolean> {
    const mpv = this.#mpv
    const entry = await mpv
      ?.send(['playlist-clear'])
      // What is on stays in mpv's playlist.
      .then(() => mpv.send(['get_property', 'playlist/0/id']))
      .catch(() => null)
    const { startedAt, ending } = follower
    const isOn = startedAt !== null || (ending !== null && ending.how !== 'died')
    if (isOn || this.#entries.get(Number(entry)) === follower) return false
    for (const [id, playing] of this.#entries) if (playing === follower) this.#entries.delete(id)
    follower.end({ how: 'stopped', at: this.#steady() })
    return true
  }

  /** Starts its mpv, so that the first sound does not wait for it. */
  warm(): void {
    this.#process()
  }

  /** Silence, after a fade of `fade` ms. */
  async stop(fade: number): Promise<void> {
    if (fade > 0) await this.fade(0, fade)
    await this.#mpv?.send(['stop']).catch(() => undefined)
  }

  /** 0 to 100, as mpv takes it. */
  async setVolume(volume: number): Promise<void> {
    this.#volume = volume
    await this.#applyVolume()
  }

  /** Brings the gain to `to` (0 to 1) in `duration` ms along a quarter of a sine: two decks that cross keep their power. */
  async fade(to: number, duration: number): Promise<void> {
    const from = this.#level
    const steps = Math.max(1, Math.round(duration / FADE_STEP))
    for (let step = 1; step <= steps && this.#level !== to; step += 1) {
      await sleep(duration / steps)
      const share = step / steps
      const curve = to > from ? Math.sin((share * Math.PI) / 2) : 1 - Math.cos((share * Math.PI) / 2)
      this.#level = step === steps ? to : from + (to - from) * curve
      await this.#applyVolume()
    }
  }

  close(): void {
    this.#mpv?.stop()
  }
  /** For an mpv that no longer answers; what was on ends as died. */
  kill(): void {
    this.#mpv?.kill()
  }

  /** mpv's volume is cubic in gain. */
  async #applyVolume(): Promise<void> {
    const volume = Math.round(this.#volume * Math.cbrt(this.#level) * 100) / 100
    await this.#mpv?.send(['set_property', 'volume', volume]).catch(() => undefined)
  }

  #process(): MpvProcess {
    if (this.#mpv?.isAlive) return this.#mpv
    const mpv = new MpvProcess(this.#options, event => this.#hear(event))
    this.#mpv = mpv
    void mpv.ended.then(why => {
      if (this.#mpv !== mpv) return
      const at = this.#steady()
      for (const playing of this.#entries.values()) playing.end({ how: 'died', at, why })
      this.#entries.clear()
      this.#current = null
    })
    return mpv
  }

  async #load(track: DeckTrack, flags: 'replace' | 'append-play'): Promise<Playing> {
    const playing = new Playing(track, flags === 'append-play')
    const options: Record<string, string> = {}
    if (track.gainDb !== 0) options['af'] = `lavfi=[volume=${track.gainDb}dB]`
    if (track.offsetSeconds > 0) options['start'] = track.offsetSeconds.toFixed(3)
    this.#early ??= []
    try {
      const reply = await this.#process().send({ name: 'loadfile', url: track.path, flags, options })
      this.#entries.set(Number((reply as { playlist_entry_id?: number }).playlist_entry_id), playing)
    } catch (error) {
      playing.end({ how: 'died', at: this.#steady(), why: String(error) })
    }
    const early = this.#early ?? []
    this.#early = null
    for (const event of early) this.#hear(event)
    return playing
  }

  /** Events that overtake the answer which says whose they are wait for it. */
  #hear(event: MpvEvent): void {
    const id = event['playlist_entry_id']
    const playing = typeof id === 'number' ? this.#entries.get(id) : this.#current
    const isUnknown = typeof id === 'number' && !playing
    if (this.#early && (isUnknown || this.#early.length > 0)) this.#early.push(event)
    else if (event.event === 'start-file') this.#current = playing ?? null
    else if (event.event === 'playback-restart') playing?.start(this.#startOf(playing))
    else if (event.event === 'end-file' && playing) {
      this.#entries.delete(Number(id))
      if (this.#current === playing) this.#current = null
      playing.end(this.#endingOf(playing, event))
    }
  }

  /** A follower's sound begins where the former's ends, unless it came too late for that. */
  #startOf(playing: Playing): Steady {
    const now = this.#steady()
    const boundary = playing.isFollower ? this.#boundary : null
    return boundary !== null && now - boundary < LATEST_NEWS ? boundary : now
  }

  #endingOf(playing: Playing, event: MpvEvent): Ending {
    const now = this.#steady()
    const { startedAt, track } = playing
    if (event['reason'] === 'eof' && startedAt !== null) {
      const length = (track.durationSeconds - track.offsetSeconds) * 1000
      this.#boundary = this.#chain.endOf(startedAt, length, now)
      return { how: 'end', at: this.#boundary }
    }
    const isFailure = event['reason'] === 'error' || event['reason'] === 'eof'
    if (!isFailure) return { how: 'stopped', at: now }
    const why = failureOf(event)
    // Begun behind the last sound in it: over, but no fault of the file's.
    if (track.offsetSeconds > 0 && NOTHING_PLAYED.test(why)) return { how: 'end', at: (this.#boundary = now) }
    return { how: 'failed', at: now, why }
  }
}
