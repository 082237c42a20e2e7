import type { Steady } from '@floorcast/device-client/clock.ts'
import { audibleEnd, type ComputedEnd, endBefore, measureFileStart, startOfNext } from './audible-times.ts'
import type { DisplaySettings } from './display.ts'
import { PlaySpeed } from './drift.ts'
import { type MpvEvent, type MpvOptions, MpvProcess } from './mpv-process.ts'
import { OutputGain, soundFilters } from './mpv-sound.ts'
import { endingWithoutPlay, Playback, type Track, urlOf } from './playback.ts'
import { PlayerScreen } from './player-screen.ts'

/** The longest wait for the start of the next track, which determines the end of the previous one. */
const NEXT_START_TIMEOUT_MS = 1000
/** The pause before mpv is started again for a picture alone. */
const PICTURE_RESTART_MS = 1000

/**
 * Plays one sound at a time through its own mpv. Enqueued tracks follow without a gap. It restarts an mpv that has died.
 *
 * mpv's events carry a playlist entry id, which the answer to `loadfile` assigns. Events that arrive before that answer
 * are buffered. The audible start and end of each track are computed in audible-times.ts.
 */
export class MpvPlayer {
  readonly #options: MpvOptions
  readonly #steady: () => Steady
  readonly #gain = new OutputGain(volume => this.#setProperty('volume', volume))
  readonly #speed = new PlaySpeed(speed => this.#setProperty('speed', speed))
  readonly screen: PlayerScreen
  readonly #playlistEntries = new Map<number, Playback>()
  #mpv: MpvProcess | null = null
  #current: Playback | null = null
  /** The audible end of the previous track, which is the start of an enqueued one. */
  #previousEndAt: Steady | null = null
  #isClosed = false
  #isPaused = false
  #bufferedEvents: MpvEvent[] | null = null
  /** A track whose end is known once the next track's start has been measured. */
  #pendingEnd: { playback: Playback; end: ComputedEnd; timer: NodeJS.Timeout } | null = null

  constructor(options: MpvOptions, steady: () => Steady, hasScreen = false) {
    this.#options = options
    this.#steady = steady
    this.screen = new PlayerScreen(command => this.#send(command), hasScreen)
  }

  get pid(): number | undefined {
    return this.#mpv?.pid
  }

  /** Plays a track after silence or in place of the current one. */
  async play(track: Track): Promise<Playback> {
    await this.#reset(false)
    return this.#loadFile(new Playback(track, false), 'replace')
  }

  /** Loads a track and pauses it until `unpause`; nothing else may play. */
  async preload(track: Track): Promise<Playback> {
    await this.#reset(true)
    const playback = new Playback(track, false)
    playback.isPaused = true
    return this.#loadFile(playback, 'replace')
  }

  /** Starts a preloaded track. */
  async unpause(playback: Playback): Promise<void> {
    playback.isPaused = false
    await this.#setPaused(false)
    if (playback.isLoaded) void this.#measureStart(playback)
  }

  /** Enqueues a track that follows without a gap, from its file's beginning. mpv keeps no list of the former ones. */
  async enqueue(track: Track): Promise<Playback> {
    if (this.#playlistEntries.size === 1) await this.#mpv?.clearPlaylist()
    return this.#loadFile(new Playback(track, true), 'append-play')
  }

  /** Removes an enqueued track, which then ends as stopped. Returns false if mpv has already started it. */
  async dequeue(next: Playback): Promise<boolean> {
    const entry = await this.#mpv?.clearPlaylist()
    const { startEventAt, ending } = next
    const hasStarted = startEventAt !== null || (ending !== null && ending.kind !== 'died')
    if (hasStarted || this.#playlistEntries.get(Number(entry)) === next) return false
    for (const [id, playback] of this.#playlistEntries)
      if (playback === next) this.#playlistEntries.delete(id)
    next.end({ kind: 'stopped', at: this.#steady() })
    return true
  }

  /** Starts mpv, so that the first sound does not wait for it. */
  startProcess(): void {
    if (!this.#isClosed) this.#ensureProcess()
  }

  /** Resolves when mpv answers, which may take seconds on a busy machine. One that hangs is replaced. */
  async ready(): Promise<void> {
    this.startProcess()
    if ((await this.#mpv?.answers()) === false) await this.ready()
  }

  /** Stops after a fade. */
  async stop(fadeMs: number): Promise<void> {
    if (fadeMs > 0) await this.fade(0, fadeMs)
    if (this.screen.isPictureLoaded) return
    const stopped = this.#send(['stop'])
    this.screen.loadPicture()
    await stopped.catch(() => undefined)
  }

  /** 0 to 100; each half of it is half as loud. */
  setVolume(volume: number): Promise<void> {
    return this.#gain.setVolume(volume)
  }

  setDisplay(display: DisplaySettings): void {
    if (this.screen.setDisplay(display) && this.#isIdle) this.screen.loadPicture()
  }

  /** Fades the gain to `target` (0 to 1). */
  fade(target: number, durationMs: number): Promise<void> {
    return this.#gain.fade(target, durationMs)
  }

  /** Plays a track that is late or, negative, early a little faster or slower; with `isExact` also where nobody would hear it. */
  correctDrift(lateMs: number, isExact: boolean): Promise<void> {
    return this.#speed.correct(lateMs, isExact)
  }

  /** The seconds of the file that sound now; null if mpv does not say. */
  async position(): Promise<number | null> {
    const position = await this.#send(['get_property', 'audio-pts']).catch(() => null)
    return typeof position === 'number' ? position : null
  }

  /** Measures a sounding track's start again. Returns when its file began or would have begun; null if mpv does not say. */
  async measureAgain(playback: Playback): Promise<Steady | null> {
    const fileStartAt = await this.#fileStartOf(playback)
    if (fileStartAt !== null && playback.startedAt !== null)
      playback.measuredStartAt = fileStartAt + playback.track.offsetSeconds * 1000
    return fileStartAt
  }

  close(): void {
    this.#isClosed = true
    this.#mpv?.stop()
  }
  /** Kills an mpv that no longer answers; its track ends as died. */
  kill(): void {
    this.#mpv?.kill()
  }

  async #reset(isPaused: boolean): Promise<void> {
    this.#previousEndAt = null
    this.startProcess()
    await Promise.all([this.#gain.setLevel(1), this.#speed.reset(), this.#setPaused(isPaused)])
  }

  async #setPaused(isPaused: boolean): Promise<void> {
    if (isPaused === this.#isPaused) return
    this.#isPaused = isPaused
    await this.#setProperty('pause', isPaused)
  }

  async #setProperty(name: string, value: unknown): Promise<void> {
    await this.#send(['set_property', name, value]).catch(() => undefined)
  }

  #send(command: readonly unknown[]): Promise<unknown> {
    return this.#mpv?.send(command) ?? Promise.reject(new Error('mpv has not been started'))
  }

  /** Whether it has nothing to play, and loads nothing. */
  get #isIdle(): boolean {
    return this.#mpv?.isAlive === true && this.#playlistEntries.size === 0 && this.#bufferedEvents === null
  }

  #ensureProcess(): MpvProcess {
    if (this.#mpv?.isAlive) return this.#mpv
    if (this.#isClosed) throw new Error('the player is closed')
    const options = { ...this.#options, display: this.screen.display }
    const mpv = new MpvProcess(options, event => this.#onEvent(event))
    this.#mpv = mpv
    this.#isPaused = false
    this.#speed.forget()
    if (!this.#options.audioOnly) this.screen.prepare()
    void mpv.ended.then(reason => {
      if (this.#mpv !== mpv) return
      const at = this.#steady()
      this.#resolvePendingEnd()
      for (const playback of this.#playlistEntries.values()) playback.end({ kind: 'died', at, reason })
      this.#playlistEntries.clear()
      this.#current = null
      if (this.screen.hasPicture) setTimeout(() => this.startProcess(), PICTURE_RESTART_MS)
    })
    return mpv
  }

  async #loadFile(playback: Playback, flags: 'replace' | 'append-play'): Promise<Playback> {
    const { track } = playback
    const options: Record<string, string> = { af: soundFilters(track), ...this.screen.optionsOf(track) }
    if (track.offsetSeconds > 0) options['start'] = track.offsetSeconds.toFixed(3)
    this.#bufferedEvents ??= []
    try {
      const mpv = this.#ensureProcess()
      this.screen.onTrack()
      const reply = await mpv.send({ name: 'loadfile', url: urlOf(track), flags, options })
      this.#playlistEntries.set(Number((reply as { playlist_entry_id?: number }).playlist_entry_id), playback)
    } catch (error) {
      playback.end({ kind: 'died', at: this.#steady(), reason: String(error) })
    }
    const buffered = this.#bufferedEvents ?? []
    this.#bufferedEvents = null
    for (const event of buffered) this.#onEvent(event)
    return playback
  }

  /** Buffers events that overtake the answer with their entry's id. */
  #onEvent(event: MpvEvent): void {
    const id = event['playlist_entry_id']
    const playback = typeof id === 'number' ? this.#playlistEntries.get(id) : this.#current
    const isUnknown = typeof id === 'number' && !playback
    if (this.#bufferedEvents && (isUnknown || this.#bufferedEvents.length > 0))
      this.#bufferedEvents.push(event)
    else if (event.event === 'start-file') this.#current = playback ?? null
    else if (event.event === 'playback-restart' && playback) {
      playback.load()
      if (!playback.isPaused) void this.#measureStart(playback)
    } else if (event.event === 'end-file' && playback) {
      this.#playlistEntries.delete(Number(id))
      if (this.#current === playback) this.#current = null
      this.#recordEnd(playback, event)
      if (this.#isIdle) this.screen.loadPicture()
    }
  }

  /** mpv plays the entry: computes its start from mpv's position. */
  async #measureStart(playback: Playback): Promise<void> {
    const mpv = this.#mpv
    if (playback.startEventAt !== null || !mpv) return
    playback.startEventAt = this.#steady()
    const fileStartAt = await this.#fileStartOf(playback)
    this.#recordStart(
      playback,
      fileStartAt === null ? null : fileStartAt + playback.track.offsetSeconds * 1000,
    )
  }

  async #fileStartOf(playback: Playback): Promise<Steady | null> {
    const mpv = this.#mpv
    const [id] = [...this.#playlistEntries].find(([, entry]) => entry === playback) ?? []
    if (!mpv || id === undefined) return null
    return measureFileStart(id, property => mpv.send(['get_property', property]), this.#steady)
  }

  #recordStart(playback: Playback, measuredAt: Steady | null): void {
    const eventAt = playback.startEventAt ?? this.#steady()
    if (playback.isGapless && measuredAt !== null) this.#resolvePendingEnd(measuredAt)
    const previousEndAt = playback.isGapless ? this.#previousEndAt : null
    const at =
      previousEndAt === null ? (measuredAt ?? eventAt) : startOfNext(previousEndAt, measuredAt, eventAt)
    playback.start(at, measuredAt ?? at)
  }

  /** Ends the pending track by the next one's measured start, or else at the computed end. */
  #resolvePendingEnd(nextStartAt?: Steady): void {
    if (!this.#pendingEnd) return
    const { playback, end, timer } = this.#pendingEnd
    clearTimeout(timer)
    this.#pendingEnd = null
    const at = nextStartAt === undefined ? end.at : endBefore(end, nextStartAt)
    this.#previousEndAt = Math.max(at, playback.startedAt ?? at)
    playback.end({ kind: 'end', at: this.#previousEndAt })
  }

  #recordEnd(playback: Playback, event: MpvEvent): void {
    this.#resolvePendingEnd()
    const now = this.#steady()
    const isEof = event['reason'] === 'eof'
    // Start and end events came together, so there was no time to measure.
    if (playback.startedAt === null && playback.startEventAt !== null)
      this.#recordStart(
        playback,
        isEof && !playback.isGapless ? Math.min(playback.startEventAt, now - playback.lengthMs) : null,
      )
    const { startedAt, measuredStartAt } = playback
    if (!isEof || startedAt === null || measuredStartAt === null) {
      // An enqueued track that fails does so when the sound before it has ended.
      const at = Math.max(now, (playback.isGapless ? this.#previousEndAt : null) ?? now)
      const ending = endingWithoutPlay(playback.track, event, at)
      if (ending.kind === 'end') this.#previousEndAt = now
      return playback.end(ending)
    }
    const end = audibleEnd(measuredStartAt + playback.lengthMs, now)
    this.#previousEndAt = Math.max(end.at, startedAt)
    if (this.#playlistEntries.size === 0) return playback.end({ kind: 'end', at: this.#previousEndAt })
    this.#pendingEnd = {
      playback,
      end,
      timer: setTimeout(() => this.#resolvePendingEnd(), NEXT_START_TIMEOUT_MS),
    }
  }
}
