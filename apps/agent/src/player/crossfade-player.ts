import { isDeepStrictEqual } from 'node:util'
import type { DeviceManifest } from '@floorcast/contract/device-manifest.ts'
import { kindOfMedia } from '@floorcast/contract/media.ts'
import type { PlayCue } from '@floorcast/playback/cue-types.ts'
import { gainOf } from '@floorcast/playback/gain.ts'
import { JOIN_FADE_MS } from '@floorcast/playback/iterate-cues.ts'
import type { Steady } from '@floorcast/device-client/clock.ts'
import { MpvPlayer } from './mpv-player.ts'
import { displayOf, hasDesktop } from './display.ts'
import type { MpvOptions } from './mpv-process.ts'
import type { ReportingClock } from '@floorcast/device-client/reporting-clock.ts'
import { makePlay, type PlayInstance, PlayRecorder, type PlayRecorderParts } from './play-recorder.ts'
import type { Track, Playback } from './playback.ts'
import { sleep } from '@floorcast/device-client/wait.ts'
import { XPointer } from './x-pointer.ts'

/** A track that is loaded before its start; its playback is null if it was canceled before. */
interface Preload {
  track: Track
  playback: Promise<Playback | null>
}

/** The longest time that an alert waits for music players that hang. They restart after the alert. */
const PREEMPT_TIMEOUT_MS = 300

/** The time from mpv's command to the first sample of a loaded track, until it was measured. */
const USUAL_UNPAUSE_MS = 8
/** The median of this number of measurements counts: one of a busy moment says nothing of the next. */
const UNPAUSES = 5
/** A track that is joined is loaded within this time. */
const JOIN_LEAD_MS = 250
/** The position of an output is exact this long after its start. */
const EXACT_AFTER_MS = 300
/** A sound that is off its schedule by less is followed exactly by the next one, and both are corrected. */
const EXACT_MS = 25

/** A window of mpv that is to open shows a picture after this time. */
const WINDOW_OPENS_MS = 500

/** The time in which a player that is ready begins a sound. */
export const START_LATENCY_MS = 100

interface CrossfadePlayerParts extends PlayRecorderParts {
  options: MpvOptions
  pathOf: (sha256: string) => string
}

/**
 * Plays tracks on two mpv players and logs each play. Tracks without a crossfade follow each other on the same player
 * without a gap. For a crossfade, the next track is preloaded on the other player, which then becomes the active one.
 */
export class CrossfadePlayer {
  readonly #parts: CrossfadePlayerParts
  readonly #players: readonly [MpvPlayer, MpvPlayer]
  /** The last times from mpv's command to the first sample of a loaded track, in milliseconds. */
  #unpauses: readonly number[] = []
  readonly #recorder: PlayRecorder
  readonly #pointer = new XPointer()
  #activeIndex: 0 | 1 = 0
  #preloaded: Preload | null = null
  /** The track that the last crossfade fades out. */
  #fadingOut: PlayInstance | null = null
  /** LUFS; null: files play as they are. */
  loudnessTargetLufs: number | null = null

  constructor(parts: CrossfadePlayerParts) {
    this.#parts = parts
    this.#recorder = new PlayRecorder(parts)
    const makeDeck = (hasScreen: boolean) =>
      new MpvPlayer(parts.options, () => parts.clock.steady(), hasScreen)
    this.#players = [makeDeck(true), makeDeck(false)]
  }

  get #activePlayer(): MpvPlayer {
    return this.#players[this.#activeIndex]
  }
  get #otherPlayer(): MpvPlayer {
    return this.#players[this.#activeIndex === 0 ? 1 : 0]
  }
  /** The time of reports. The schedule follows the agent's clock. */
  get reportingClock(): ReportingClock {
    return this.#recorder.reportingClock
  }
  /** The process id of the active player's mpv. */
  get pid(): number | undefined {
    return this.#activePlayer.pid
  }
  /** Resolves when the active player's mpv answers. */
  ready(): Promise<void> {
    return this.#activePlayer.ready()
  }
  async setVolume(volume: number): Promise<void> {
    for (const player of this.#players) await player.setVolume(volume)
  }

  setDisplay(manifest: DeviceManifest): void {
    const display = displayOf(manifest, this.#parts.options.picture)
    for (const player of this.#players) player.setDisplay(display)
    this.#pointer.setHidden(display.picture !== null && this.#parts.options.hasScreen !== false)
  }
  takePicture(path: string): Promise<boolean> {
    return this.#activePlayer.screen.write(path)
  }

  /** Starts a track after silence: at its beginning, or inside it with a fade, where the schedule is when it becomes audible. */
  async start(cue: PlayCue, entry: PlayInstance['entry']): Promise<PlayInstance> {
    this.reportingClock.resume(this.#parts.log.reportedUntil)
    if (entry === 'join') return this.#join(cue)
    const playback = await this.#activePlayer.play(this.#toTrack(cue, 0))
    return this.#register(cue, playback, { entry, offsetSeconds: 0 })
  }

  async #join(cue: PlayCue): Promise<PlayInstance> {
    const { clock } = this.#parts
    const at = clock.steady() + JOIN_LEAD_MS
    const offsetSeconds = (clock.instantOf(at) - cue.startsAt) / 1000
    const playback = await this.#activePlayer.preload(this.#toTrack(cue, offsetSeconds, JOIN_FADE_MS))
    // A change, such as an alert, does not wait for it.
    void this.#unpauseAt(playback, at)
    return this.#register(cue, playback, { entry: 'join', offsetSeconds })
  }

  /** Enqueues the track that follows the current one without a gap. */
  async enqueue(cue: PlayCue): Promise<PlayInstance> {
    return this.#register(cue, await this.#activePlayer.enqueue(this.#toTrack(cue, 0)), {
      entry: 'start',
      offsetSeconds: 0,
    })
  }
  /** Removes an enqueued track. Returns false if it has already started. */
  dequeue({ playback }: PlayInstance): Promise<boolean> {
    return this.#activePlayer.dequeue(playback)
  }

  /** Preloads the track that is to follow on the other player, after that player has faded out. Loading takes long on a busy machine. */
  preload(cue: PlayCue, previous: PlayInstance): void {
    const track = this.#toTrack(cue, 0, previous.cue.overlapMs)
    if (this.#preloaded && isDeepStrictEqual(this.#preloaded.track, track)) return
    const preload: Preload = { track, playback: Promise.resolve(null) }
    this.#preloaded = preload
    const player = this.#otherPlayer
    preload.playback = (async () => {
      await this.#fadingOut?.playback.ended
      return this.#preloaded === preload ? player.preload(track) : null
    })()
  }

  /**
   * Starts a track on the other player at `at` while `previous` fades out; at once if it was not preloaded in time. The fades are in the
   * tracks' own filters, exact to a sample, unless `previous` got its crossfade while it played.
   */
  async crossfadeTo(cue: PlayCue, at: Steady, previous: PlayInstance): Promise<PlayInstance> {
    // A player that still fades out an earlier track has nothing preloaded.
    const preload = this.#fadingOut?.playback.ending === null ? null : this.#preloaded
    this.#preloaded = null
    const { overlapMs } = previous.cue
    const track = this.#toTrack(cue, 0, overlapMs)
    const outgoing = this.#activePlayer
    this.#activeIndex = this.#activeIndex === 0 ? 1 : 0
    const preloaded = preload && isDeepStrictEqual(preload.track, track) ? await preload.playback : null
    let playback = preloaded && !preloaded.ending ? preloaded : null
    if (playback) {
      await this.#unpauseAt(playback, this.#exactly(at, previous))
      void this.#moveScreen(outgoing)
    } else {
      await this.#moveScreen(outgoing)
      playback = await this.#activePlayer.play(track)
    }
    this.#fadingOut = previous
    if (previous.playback.track.fadeOutMs !== overlapMs) void outgoing.fade(0, overlapMs)
    return this.#register(cue, playback, { entry: 'start', offsetSeconds: 0 })
  }

  /**
   * Gives the active player the screen. On a desktop its window covers that of `from`, which then closes; without one, mpv can
   * take the screen when the other has left it.
   */
  async #moveScreen({ screen: former }: MpvPlayer): Promise<void> {
    const { screen } = this.#activePlayer
    if (!hasDesktop()) await former.take(false)
    await screen.take(true)
    if (hasDesktop())
      void sleep(WINDOW_OPENS_MS).then(() =>
        this.#activePlayer.screen === screen ? former.take(false) : null,
      )
  }

  /** Notes what ends a play, and with it the one that still fades out; null: it goes on. */
  noteCut(instance: PlayInstance, reason: string | null): void {
    for (const play of [instance, this.#fadingOut]) if (play) play.cutBy = reason
  }

  /** Ends a play early. Resolves when it is logged. */
  async cut(instance: PlayInstance, reason: string, fadeMs: number): Promise<void> {
    this.noteCut(instance, reason)
    await this.stop(fadeMs)
    await instance.logged
  }

  async stop(fadeMs = 0): Promise<void> {
    this.#preloaded = null
    await Promise.all(this.#players.map(player => player.stop(fadeMs)))
  }

  /** Kills players that hang. */
  kill(): void {
    for (const player of this.#players) player.kill()
  }
  /** Does work that an alert waits for. After 300 ms, players that hang are killed. */
  async preemptFor<T>(work: () => Promise<T>): Promise<T> {
    const timer = setTimeout(() => this.kill(), PREEMPT_TIMEOUT_MS)
    try {
      return await work()
    } finally {
      clearTimeout(timer)
    }
  }

  close(): void {
    for (const player of this.#players) player.close()
  }

  /** The instant at which the fade of `previous` begins, if it is on its schedule but for some milliseconds; else that of the schedule. */
  #exactly(at: Steady, { cue, playback }: PlayInstance): Steady {
    if (playback.measuredStartAt === null) return at
    const fadesAt = playback.measuredStartAt + playback.lengthMs - cue.overlapMs
    return Math.abs(fadesAt - at) < EXACT_MS ? fadesAt : at
  }

  /** Makes the first sample of a loaded track audible at `at`. */
  async #unpauseAt(playback: Playback, at: Steady): Promise<void> {
    const { clock } = this.#parts
    const player = this.#activePlayer
    await Promise.race([playback.loaded, playback.ended])
    const unpauseMs = this.#unpauses.toSorted((a, b) => a - b)[Math.floor(this.#unpauses.length / 2)]
    const unpauseAt = at - (unpauseMs ?? USUAL_UNPAUSE_MS)
    const isInTime = clock.steady() < unpauseAt
    await sleep(unpauseAt - clock.steady())
    if (playback.ending) return
    await player.unpause(playback)
    if (isInTime) void this.#learnUnpause(playback, player, unpauseAt)
  }

  /** Measures the time until a track is audible. While an output starts, its position is not exact. */
  async #learnUnpause(playback: Playback, player: MpvPlayer, unpauseAt: Steady): Promise<void> {
    await playback.started
    await sleep(EXACT_AFTER_MS)
    const startedAt = await player.measureAgain(playback)
    const tookMs = (startedAt ?? Infinity) - unpauseAt
    if (tookMs > 0 && tookMs < START_LATENCY_MS)
      this.#unpauses = [tookMs, ...this.#unpauses].slice(0, UNPAUSES)
  }

  /** Corrects a track's drift, when its position is exact and it no longer fades in. */
  async #correctDrift({ cue, playback }: PlayInstance, player: MpvPlayer): Promise<void> {
    const { clock } = this.#parts
    const exactAt = (await playback.started) + Math.max(EXACT_AFTER_MS, playback.track.fadeInMs ?? 0)
    await sleep(exactAt - clock.steady())
    const fileStartAt = await player.measureAgain(playback)
    if (fileStartAt === null || playback.ending) return
    await player.correctDrift(fileStartAt - clock.steadyOf(cue.startsAt), cue.overlapMs > 0)
  }

  #toTrack({ file, overlapMs }: PlayCue, offsetSeconds: number, fadeInMs = 0): Track {
    return {
      fadeInMs,
      fadeOutMs: overlapMs,
      path: this.#parts.pathOf(file.sha256),
      isVideo: kindOfMedia(file.contentType) === 'video',
      gainDb: gainOf(file.loudness, this.loudnessTargetLufs),
      offsetSeconds,
      durationSeconds: file.durationSeconds,
    }
  }

  #register(
    cue: PlayCue,
    playback: Playback,
    entry: Pick<PlayInstance, 'entry' | 'offsetSeconds'>,
  ): PlayInstance {
    const instance = makePlay({ cue, playback, ...entry, commandedAt: this.#parts.clock.steady() })
    const player = this.#activePlayer
    instance.logged = this.#recorder.recordWhenEnded(instance, () => this.#correctDrift(instance, player))
    return instance
  }
}
