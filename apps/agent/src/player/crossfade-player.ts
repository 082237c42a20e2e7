import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { kindOfMedia } from '@floorcast/contract/media.ts'
import type { PlayCue } from '@floorcast/playback/cue-types.ts'
import type { PlayOutcome } from '@floorcast/playback/event-rules.ts'
import { gainOf } from '@floorcast/playback/gain.ts'
import type { Clock, Steady } from '@floorcast/device-client/clock.ts'
import { MpvPlayer } from './mpv-player.ts'
import type { DisplaySettings } from './display.ts'
import type { MpvOptions } from './mpv-process.ts'
import type { PlayInProgress, PlaySlot, PlayLog } from '@floorcast/device-client/play-log.ts'
import type { Track, Ending, Playback } from './playback.ts'
import { ReportingClock } from '@floorcast/device-client/reporting-clock.ts'
import { sleep } from '@floorcast/device-client/wait.ts'

/** One play of a cue, from its command to its entry in the log. */
export interface PlayInstance {
  /** The id of its event in the log. */
  eventId: string
  cue: PlayCue
  entry: 'start' | 'join'
  offsetSeconds: number
  playback: Playback
  /** When the agent chose its cue. */
  commandedAt: Steady
  /** The reported time of its start; null before its sound starts. */
  reportedStartAt: number | null
  /** The reason for which it was ended early. */
  cutBy: string | null
  /** Resolves when its sound has ended and its play is logged; null if it never sounded. */
  logged: Promise<PlayOutcome | null>
}

/** A track that is loaded before its start; its playback is null if it was canceled before. */
interface Preload {
  track: Track
  playback: Promise<Playback | null>
}

/** The longest time that an alert waits for music players that hang. They restart after the alert. */
const PREEMPT_TIMEOUT_MS = 300

/** A power cut loses at most this much of a play's known duration. */
const PROGRESS_INTERVAL_MS = 5000

interface CrossfadePlayerParts {
  clock: Clock
  log: PlayLog
  options: MpvOptions
  pathOf: (sha256: string) => string
  /** A play was logged. */
  onLogged: (cue: PlayCue, outcome: PlayOutcome) => void
}

/**
 * Plays tracks on two mpv players and logs each play. Tracks without a crossfade follow each other on the same player
 * without a gap. For a crossfade, the next track is preloaded on the other player, which then becomes the active one.
 */
export class CrossfadePlayer {
  readonly #parts: CrossfadePlayerParts
  readonly #players: readonly [MpvPlayer, MpvPlayer]
  /** The time of reports. The schedule follows the agent's clock. */
  readonly reportingClock: ReportingClock
  #activeIndex: 0 | 1 = 0
  #preloaded: Preload | null = null
  /** The track that the last crossfade fades out. */
  #fadingOut: Playback | null = null
  /** LUFS; null: files play as they are. */
  loudnessTargetLufs: number | null = null

  constructor(parts: CrossfadePlayerParts) {
    this.#parts = parts
    this.reportingClock = new ReportingClock(parts.clock)
    const makeDeck = () => new MpvPlayer(parts.options, () => parts.clock.steady())
    this.#players = [makeDeck(), makeDeck()]
  }

  get #activePlayer(): MpvPlayer {
    return this.#players[this.#activeIndex]
  }
  get #otherPlayer(): MpvPlayer {
    return this.#players[this.#activeIndex === 0 ? 1 : 0]
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

  setDisplay(display: DisplaySettings): void {
    for (const player of this.#players) player.setDisplay(display)
  }
  takePicture(path: string): Promise<boolean> {
    return this.#activePlayer.takePicture(path)
  }

  /** Starts a track after silence, `offsetSeconds` into the file. */
  async start(cue: PlayCue, entry: PlayInstance['entry'], offsetSeconds: number): Promise<PlayInstance> {
    this.reportingClock.resume(this.#parts.log.reportedUntil)
    const playback = await this.#activePlayer.play(
      this.#toTrack(cue, offsetSeconds),
      entry === 'join' ? 0 : 1,
    )
    return this.#register(cue, playback, { entry, offsetSeconds })
  }

  fadeIn(durationMs: number): Promise<void> {
    return this.#activePlayer.fade(1, durationMs)
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

  /** Preloads a track on the other player, after that player has faded out. Loading takes long on a busy machine. */
  preload(cue: PlayCue): void {
    const track = this.#toTrack(cue, 0)
    if (this.#preloaded && isDeepStrictEqual(this.#preloaded.track, track)) return
    const preload: Preload = { track, playback: Promise.resolve(null) }
    this.#preloaded = preload
    const player = this.#otherPlayer
    preload.playback = (async () => {
      await this.#fadingOut?.ended
      return this.#preloaded === preload ? player.preload(track) : null
    })()
  }

  /** Starts a track on the other player at `at` while `previous` fades out; at once if it was not preloaded in time. */
  async crossfadeTo(cue: PlayCue, at: Steady, previous: PlayInstance): Promise<PlayInstance> {
    // A player that still fades out an earlier track has nothing preloaded.
    const preload = this.#fadingOut?.ending === null ? null : this.#preloaded
    this.#preloaded = null
    const track = this.#toTrack(cue, 0)
    const outgoing = this.#activePlayer
    this.#activeIndex = this.#activeIndex === 0 ? 1 : 0
    const preloaded = preload && isDeepStrictEqual(preload.track, track) ? await preload.playback : null
    const playback = preloaded && !preloaded.ending ? preloaded : await this.#activePlayer.play(track, 0)
    if (playback === preloaded) {
      await sleep(at - this.#parts.clock.steady())
      await this.#activePlayer.unpause(playback)
    }
    this.#fadingOut = previous.playback
    void outgoing.fade(0, previous.cue.overlapMs)
    void this.#activePlayer.fade(1, previous.cue.overlapMs)
    return this.#register(cue, playback, { entry: 'start', offsetSeconds: 0 })
  }

  /** Ends a play early. Resolves when it is logged. */
  async cut(instance: PlayInstance, reason: string, fadeMs: number): Promise<void> {
    instance.cutBy ??= reason
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

  #toTrack({ file }: PlayCue, offsetSeconds: number): Track {
    return {
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
    const instance: PlayInstance = {
      eventId: randomUUID(),
      cue,
      playback,
      ...entry,
      commandedAt: this.#parts.clock.steady(),
      reportedStartAt: null,
      cutBy: null,
      logged: Promise.resolve(null),
    }
    instance.logged = this.#logWhenEnded(instance, `playing-${this.#activeIndex}`)
    return instance
  }

  async #logWhenEnded(instance: PlayInstance, slot: PlaySlot): Promise<PlayOutcome | null> {
    const { clock, log } = this.#parts
    let timer: NodeJS.Timeout | undefined
    const recordProgress = (startedAt: number) => {
      instance.reportedStartAt ??= this.reportingClock.toReported(startedAt)
      log.recordProgress(
        slot,
        this.#toDated(instance, startedAt),
        this.reportingClock.toReported(clock.steady()),
      )
    }
    void instance.playback.started.then(async startedAt => {
      await sleep(startedAt - clock.steady())
      if (instance.playback.ending && instance.playback.ending.at <= clock.steady()) return
      recordProgress(startedAt)
      timer = setInterval(() => recordProgress(startedAt), PROGRESS_INTERVAL_MS)
    })
    const ending = await instance.playback.ended
    await sleep(ending.at - clock.steady())
    clearInterval(timer)
    if (instance.playback.startedAt === null && ending.kind !== 'failed') return null
    const outcome = this.#log(instance, ending, slot)
    this.#parts.onLogged(instance.cue, outcome)
    return outcome
  }

  /** The play with its reported dates. A correction of the clock since makes its earlier dates right. */
  #toDated(instance: PlayInstance, startedAt: Steady): PlayInProgress {
    const { cue, commandedAt } = instance
    const { reportingClock } = this
    const reportedStartAt = instance.reportedStartAt ?? reportingClock.toReported(startedAt)
    return {
      ...instance,
      cue: { ...cue, startsAt: cue.startsAt + reportingClock.correctionOf(commandedAt) },
      startedAt: reportedStartAt + reportingClock.correctionOf(startedAt),
    }
  }

  #log(instance: PlayInstance, ending: Ending, slot: PlaySlot): PlayOutcome {
    const startedAt = instance.playback.startedAt ?? ending.at
    const died = ending.kind === 'died' ? 'player-died' : null
    const { reportingClock } = this
    return this.#parts.log.recordEnd(slot, this.#toDated(instance, startedAt), {
      endedAt: reportingClock.toReported(ending.at) + reportingClock.correctionOf(ending.at),
      secondsHeard: (ending.at - startedAt) / 1000,
      failure: ending.kind === 'failed' ? ending.reason : null,
      cutBy: instance.cutBy ?? died ?? (ending.kind === 'stopped' ? 'stopped' : null),
    })
  }
}
