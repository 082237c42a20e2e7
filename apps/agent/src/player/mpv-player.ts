import type { Steady } from '../clock/clock.ts'
import { audibleEnd, joinedAt, measureBeginning } from './audible-times.ts'
import { type MpvEvent, type MpvOptions, MpvProcess } from './mpv-process.ts'
import { type DeckTrack, type Ending, Playing } from './playback.ts'

function failureOf(event: MpvEvent): string {
  const error = event['file_error']
  return typeof error === 'string' ? error : 'no sound in it'
}

/** What mpv says of a file that opened and gave nothing from where it was begun. */
const NOTHING_PLAYED = /^no (sound|audio or video data)/

const FADE_STEP = 20
/** The next one's beginning is waited for this long to say when a track ended. */
const LATEST_BEGINNING = 1000
const sleep = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))

/** A player of one sound at a time: tracks given one after the other follow without a gap. Restarts its mpv when it dies. */
export class Deck {
  readonly #options: MpvOptions
  readonly #steady: () => Steady
  readonly #entries = new Map<number, Playing>()
  #mpv: MpvProcess | null = null
  #current: Playing | null = null
  /** The audible end of the track before, where the next one's sound begins. */
  #boundary: Steady | null = null
  #volume = 100
  #level = 1
  #isPaused = false
  #early: MpvEvent[] | null = null
  /** A track whose end is best told by the beginning of the next. */
  #ending: { playing: Playing; at: Steady; timer: NodeJS.Timeout } | null = null

  constructor(options: MpvOptions, steady: () => Steady) {
    this.#options = options
    this.#steady = steady
  }

  get pid(): number | undefined {
    return this.#mpv?.pid
  }

  /** Begins a track after silence, or in place of what is on. `level` 0 to 1 is where a fade begins. */
  async play(track: DeckTrack, level = 1): Promise<Playing> {
    await this.#prepare(level, false)
    return this.#load(new Playing(track, false), 'replace')
  }

  /** Loads a track ahead, to be begun at its moment by `letGo`; nothing else may be on. */
  async load(track: DeckTrack): Promise<Playing> {
    await this.#prepare(0, true)
    const playing = new Playing(track, false)
    playing.isHeld = true
    return this.#load(playing, 'replace')
  }

  /** Begins what `load` holds, within a millisecond or two once it is loaded. */
  async letGo(playing: Playing): Promise<void> {
    playing.isHeld = false
    await this.#pause(false)
    if (playing.isLoaded) void this.#begin(playing)
  }

  /** Gives the track that follows without a gap; it begins at its file's beginning. */
  follow(track: DeckTrack): Promise<Playing> {
    return this.#load(new Playing(track, true), 'append-play')
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
    const { toldAt, ending } = follower
    const isOn = toldAt !== null || (ending !== null && ending.how !== 'died')
    if (isOn || this.#entries.get(Number(entry)) === follower) return false
    for (const [id, playing] of this.#entries) if (playing === follower) this.#entries.delete(id)
    follower.end({ how: 'stopped', at: this.#steady() })
    return true
  }

  /** Starts its mpv, so that the first sound does not wait for it. */
  warm(): void {
    this.#process()
  }

  /** Resolves once its mpv answers, which a busy box's may do seconds after its start. */
  async ready(): Promise<void> {
    this.warm()
    await this.#mpv?.send(['get_property', 'idle-active']).catch(() => undefined)
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

  async #prepare(level: number, isPaused: boolean): Promise<void> {
    this.#level = level
    this.#boundary = null
    this.warm()
    await this.#applyVolume()
    await this.#pause(isPaused)
  }

  async #pause(isPaused: boolean): Promise<void> {
    if (isPaused === this.#isPaused) return
    this.#isPaused = isPaused
    await this.#mpv?.send(['set_property', 'pause', isPaused]).catch(() => undefined)
  }

  #process(): MpvProcess {
    if (this.#mpv?.isAlive) return this.#mpv
    const mpv = new MpvProcess(this.#options, event => this.#hear(event))
    this.#mpv = mpv
    this.#isPaused = false
    void mpv.ended.then(why => {
      if (this.#mpv !== mpv) return
      const at = this.#steady()
      this.#settleEnding()
      for (const playing of this.#entries.values()) playing.end({ how: 'died', at, why })
      this.#entries.clear()
      this.#current = null
    })
    return mpv
  }

  async #load(playing: Playing, flags: 'replace' | 'append-play'): Promise<Playing> {
    const { track } = playing
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
    else if (event.event === 'playback-restart' && playing) {
      playing.isLoaded = true
      if (!playing.isHeld) void this.#begin(playing)
    } else if (event.event === 'end-file' && playing) {
      this.#entries.delete(Number(id))
      if (this.#current === playing) this.#current = null
      this.#finish(playing, event)
    }
  }

  /** mpv plays it: where it is in it says when it was begun. */
  async #begin(playing: Playing): Promise<void> {
    const mpv = this.#mpv
    if (playing.toldAt !== null || !mpv) return
    playing.toldAt = this.#steady()
    const [id = -1] = [...this.#entries].find(([, entry]) => entry === playing) ?? []
    const ask = (property: string) => mpv.send(['get_property', property])
    const beginning = await measureBeginning(id, ask, this.#steady)
    this.#start(playing, beginning === null ? null : beginning + playing.track.offsetSeconds * 1000)
  }

  #start(playing: Playing, measured: Steady | null): void {
    const toldAt = playing.toldAt ?? this.#steady()
    if (playing.isFollower && measured !== null) this.#settleEnding(measured)
    const boundary = playing.isFollower ? this.#boundary : null
    const at = boundary === null ? (measured ?? toldAt) : joinedAt(boundary, measured, toldAt)
    playing.start(at, measured ?? at)
  }

  /** The track whose end was open ended when the next one began; without that, when mpv said so. */
  #settleEnding(beginning?: Steady): void {
    if (!this.#ending) return
    const { playing, at, timer } = this.#ending
    clearTimeout(timer)
    this.#ending = null
    this.#boundary = Math.max(beginning ?? at, playing.startedAt ?? at)
    playing.end({ how: 'end', at: this.#boundary })
  }

  #finish(playing: Playing, event: MpvEvent): void {
    this.#settleEnding()
    const now = this.#steady()
    const isEof = event['reason'] === 'eof'
    // Both news came at once: there was no time to measure.
    if (playing.startedAt === null && playing.toldAt !== null)
      this.#start(
        playing,
        isEof && !playing.isFollower ? Math.min(playing.toldAt, now - playing.length) : null,
      )
    const { startedAt, heardFrom } = playing
    if (!isEof || startedAt === null || heardFrom === null)
      return playing.end(this.#failureOf(playing, event))
    const { at, isCertain } = audibleEnd(heardFrom + playing.length, now)
    this.#boundary = Math.max(at, startedAt)
    if (isCertain || this.#entries.size === 0) return playing.end({ how: 'end', at: this.#boundary })
    this.#ending = { playing, at, timer: setTimeout(() => this.#settleEnding(), LATEST_BEGINNING) }
  }

  /** The ending of one that was not heard to its end. */
  #failureOf({ track }: Playing, event: MpvEvent): Ending {
    const at = this.#steady()
    if (event['reason'] !== 'error' && event['reason'] !== 'eof') return { how: 'stopped', at }
    const why = failureOf(event)
    // Begun behind the last sound in it: over, but no fault of the file's.
    if (track.offsetSeconds > 0 && NOTHING_PLAYED.test(why)) return { how: 'end', at: (this.#boundary = at) }
    return { how: 'failed', at, why }
  }
}
