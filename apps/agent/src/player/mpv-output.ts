import type { Clock, Steady } from '@floorcast/device-client/clock.ts'
import type { PlayLog } from '@floorcast/device-client/play-log.ts'
import type { ReportingClock } from '@floorcast/device-client/reporting-clock.ts'
import { type ChangeNotifier, firstOf } from '@floorcast/device-client/wait.ts'
import type { NextPlay, Scene, TrackOutput } from '@floorcast/device-player/ports.ts'
import type { PlayCue } from '@floorcast/playback/cue-types.ts'
import type { PlayOutcome } from '@floorcast/playback/event-rules.ts'
import { JOIN_FADE_MS } from '@floorcast/playback/iterate-cues.ts'
import type { MediaStore } from '../store/media-store.ts'
import { CrossfadePlayer, START_LATENCY_MS } from './crossfade-player.ts'
import type { MpvOptions } from './mpv-process.ts'
import type { PlayInstance } from './play-recorder.ts'
import { type Ending, isOutputFailure } from './playback.ts'

interface MpvOutputParts {
  clock: Clock
  media: MediaStore
  log: PlayLog
  options: MpvOptions
  changes: ChangeNotifier
  isStopping: () => boolean
  /** mpv could not open the audio output. */
  onOutputFailed: () => void
  /** A play has failed, and nothing is heard before the next one. */
  show: (scene: Scene<PlayInstance>) => void
}

const OUTPUT_RETRY_MS = 5000
const RESTART_DELAYS_MS = [0, 500, 2000, 10_000]
/** The failures of an mpv are counted from zero after it has played this long. */
const GOOD_RUN_MS = 60_000
/** An mpv that was killed has ended its play within this time. */
const KILL_MS = 15_000

/**
 * Plays tracks by mpv.
 *
 * - A gapless track has no start offset: mpv would seek, and a seek drops the end of the previous track.
 * - A crossfade starts by the schedule, so that loading times do not add up.
 */
export class MpvOutput implements TrackOutput<PlayInstance> {
  readonly player: CrossfadePlayer
  readonly #parts: MpvOutputParts
  #deathsInARow = 0
  #lastDeathAt: Steady = -Infinity
  /** Hashes of files that are whole, but shorter than their stated length. */
  readonly #shortFiles = new Set<string>()

  constructor(parts: MpvOutputParts) {
    this.#parts = parts
    this.player = new CrossfadePlayer({
      ...parts,
      pathOf: parts.media.pathOf,
      onLogged: (cue, outcome) => void this.#recordOutcome(cue, outcome),
    })
  }

  get reportingClock(): ReportingClock {
    return this.player.reportingClock
  }
  ready(): Promise<void> {
    return this.player.ready()
  }
  start(cue: PlayCue, entry: PlayInstance['entry']): Promise<PlayInstance> {
    return this.player.start(cue, entry)
  }

  async prepareNext(play: PlayInstance, cue: PlayCue): Promise<NextPlay<PlayInstance>> {
    return play.cue.overlapMs === 0 ? this.#enqueue(cue) : this.#preload(play, cue)
  }

  async #enqueue(cue: PlayCue): Promise<NextPlay<PlayInstance>> {
    const { player } = this
    const instance = await player.enqueue(cue)
    const dequeue = () => player.dequeue(instance)
    return {
      cue,
      dueAt: () => null,
      begin: () => Promise.resolve(instance),
      drop: async reason => {
        // An alert does not wait for an mpv that hangs.
        const isDropped = await (reason === 'alert' ? player.preemptFor(dequeue) : dequeue())
        if (!isDropped && reason === 'alert') instance.cutBy ??= reason
        return isDropped
      },
    }
  }

  #preload(play: PlayInstance, cue: PlayCue): NextPlay<PlayInstance> {
    this.player.preload(cue, play)
    // The schedule decides, not the sound: loading times must not add up from track to track.
    const dueAt = this.#parts.clock.steadyOf(play.cue.until) - START_LATENCY_MS
    return {
      cue,
      dueAt: () => dueAt,
      begin: () => this.player.crossfadeTo(cue, dueAt + START_LATENCY_MS, play),
      drop: () => Promise.resolve(true),
    }
  }

  noteCut(play: PlayInstance, reason: string | null): void {
    this.player.noteCut(play, reason)
  }
  cut(play: PlayInstance, reason: string): Promise<void> {
    return this.player.cut(play, reason, JOIN_FADE_MS)
  }
  stop(): Promise<void> {
    return this.player.stop()
  }
  stopForAlert(): Promise<void> {
    return this.player.preemptFor(() => this.player.stop())
  }
  close(): void {
    this.player.close()
  }

  /** Kills an mpv that hangs, which ends its play as died. */
  async endStuck(play: PlayInstance): Promise<void> {
    this.#parts.log.debug('error', 'player-stuck', `mpv gave no sign for ${KILL_MS / 1000} s and is ended`)
    this.player.kill()
    await firstOf([play.playback.ended], KILL_MS)
  }

  async settle({ cue, playback: { ending } }: PlayInstance): Promise<boolean> {
    if (ending?.kind === 'failed') await this.#recordFailure(cue, ending)
    else if (ending?.kind === 'died') await this.#waitBeforeRestart(ending)
    // An alert that has already ended may have stopped it.
    else return ending?.kind !== 'stopped'
    return false
  }

  /** Takes what a logged play says of mpv and of its file. */
  async #recordOutcome({ file }: PlayCue, { result, why }: PlayOutcome): Promise<void> {
    const { media, log, clock } = this.#parts
    if (result === 'complete' || result === 'joined') this.#deathsInARow = 0
    if (result === 'complete') media.forgive(file.sha256)
    if (result !== 'cut' || why !== 'short-file' || this.#shortFiles.has(file.sha256)) return
    if (await media.isDamaged(file)) {
      media.dropDamaged(file.sha256, clock.now())
      log.debug(
        'error',
        'file-damaged',
        `${file.name} ended early: it is damaged on the disk, and fetched again`,
      )
    } else {
      this.#shortFiles.add(file.sha256)
      log.debug('warning', 'file-short', `${file.name} is shorter than its stated length`)
    }
  }

  async #recordFailure({ file }: PlayCue, { reason }: Extract<Ending, { kind: 'failed' }>): Promise<void> {
    const { media, log, clock, changes, onOutputFailed, show } = this.#parts
    if (isOutputFailure(reason)) {
      onOutputFailed()
      show({ kind: 'broken' })
      log.debug('error', 'output-failed', `mpv: ${reason}; trying again in ${OUTPUT_RETRY_MS / 1000} s`)
      await firstOf([changes.after(changes.count)], OUTPUT_RETRY_MS)
      return
    }
    show({ kind: 'recovering' })
    const discarded = await media.discard(file, { why: reason, at: clock.now() })
    if (discarded.kind === 'quarantined') {
      const then = discarded.failures < 2 ? 'it is fetched again' : 'it is fetched again in a day'
      log.debug('error', 'file-quarantined', `${file.name} cannot be played (${reason}); ${then}`)
    } else if (discarded.kind === 'damaged')
      log.debug('error', 'file-damaged', `${file.name} is damaged on the disk (${reason}), and fetched again`)
  }

  async #waitBeforeRestart({ reason }: Extract<Ending, { kind: 'died' }>): Promise<void> {
    const { log, clock, changes, isStopping, show } = this.#parts
    if (clock.steady() - this.#lastDeathAt > GOOD_RUN_MS) this.#deathsInARow = 0
    // The first restart takes no time.
    show({ kind: this.#deathsInARow > 0 ? 'broken' : 'recovering' })
    this.#lastDeathAt = clock.steady()
    const delayMs = RESTART_DELAYS_MS[Math.min(this.#deathsInARow, RESTART_DELAYS_MS.length - 1)] ?? 0
    this.#deathsInARow += 1
    log.debug('error', 'player-died', `mpv ${reason}; started again after ${delayMs} ms`)
    const until = clock.steady() + delayMs
    while (clock.steady() < until && !isStopping())
      await firstOf([changes.after(changes.count)], until - clock.steady())
  }
}
