import type { Cue, PlayCue } from '@floorcast/playback/cue-types.ts'
import type { PlayOutcome } from '@floorcast/playback/event-rules.ts'
import { JOIN_FADE_MS } from '@floorcast/playback/iterate-cues.ts'
import type { SilentReason } from '@floorcast/contract/devices.ts'
import { endsAtOnce, isSamePlay, nextStepOf } from '@floorcast/playback/next-step.ts'
import type { Clock, Steady } from '@floorcast/device-client/clock.ts'
import type { MediaStore } from '../store/media-store.ts'
import type { PlayLog } from '@floorcast/device-client/play-log.ts'
import { type Ending, isOutputFailure } from './playback.ts'
import { type CrossfadePlayer, START_LATENCY_MS } from './crossfade-player.ts'
import type { PlayInstance } from './play-recorder.ts'
import { type ChangeNotifier, firstOf } from '@floorcast/device-client/wait.ts'

export interface SequencerParts {
  clock: Clock
  media: MediaStore
  log: PlayLog
  player: CrossfadePlayer
  changes: ChangeNotifier
  cueAt: (at: number) => Cue
  isStopping: () => boolean
  /** mpv could not open the audio output. */
  onOutputFailed: () => void
  /** The sound of a play has started. */
  onStarted: (instance: PlayInstance) => void
  /** A play has failed, and nothing sounds before the next one. */
  onSilent: (because: SilentReason) => void
}

/** The event that ends the current play, if it is not its own end. */
type NextStep =
  | { kind: 'cut'; at: Steady; reason: string }
  | { kind: 'crossfade'; at: Steady; next: PlayCue }
  | { kind: 'gapless'; next: PlayCue }
  | { kind: 'end' }

const OUTPUT_RETRY_MS = 5000
/** mpv hangs if a track has not started this long after its command, or not ended this long after its end. */
const STUCK_TIMEOUT_MS = 15_000
const RESTART_DELAYS_MS = [0, 500, 2000, 10_000]
/** An mpv that has played for so long after a restart dies for the first time again. */
const GOOD_RUN_MS = 60_000

function stuckAt({ playback, cue, offsetSeconds }: PlayInstance): Steady {
  if (playback.startedAt === null || playback.ending) return Infinity
  return playback.startedAt + (cue.file.durationSeconds - offsetSeconds) * 1000 + STUCK_TIMEOUT_MS
}

/**
 * Plays track after track from one start of sound until silence, an alert, a cut or a failure.
 *
 * - A gapless track has no start offset: mpv would seek, and a seek drops the end of the previous track.
 * - If the player is late by over 2 s, it ends the next song, never an ad, by the schedule.
 * - If the player is early by over 2 s, after a file that ended too early, it waits for the schedule, 1.5 s before each track.
 * - If the player is off by over 30 s, it joins the schedule again.
 * - A crossfade starts by the schedule, so that loading times do not add up.
 */
export class PlaybackSequencer {
  readonly #parts: SequencerParts
  #deathsInARow = 0
  #lastDeathAt: Steady = -Infinity
  /** Hashes of files that are whole, but shorter than their stated length. */
  readonly #shortFiles = new Set<string>()

  constructor(parts: SequencerParts) {
    this.#parts = parts
  }

  /** `seenChanges` counts the changes that the choice of `first` included. Returns the time at which to ask for the next cue. */
  async run(first: PlayInstance, seenChanges: number): Promise<number> {
    const { clock, player, changes } = this.#parts
    let instance = first
    let seen = seenChanges
    for (;;) {
      const started = await firstOf<unknown>(
        [instance.playback.started, instance.playback.ended, changes.after(seen)],
        STUCK_TIMEOUT_MS,
      )
      if (started === 'time') await this.#killStuckPlayer(instance)
      if (instance.playback.startedAt !== null) this.#noteStarted(instance)
      const change = changes.after(seen)
      const step = this.#nextStep(instance)
      if (step.kind === 'crossfade') player.preload(step.next, instance)
      const next =
        step.kind === 'gapless' ? await this.#during(seen, instance, player.enqueue(step.next)) : null
      const waitMs =
        (step.kind === 'cut' || step.kind === 'crossfade' ? step.at : stuckAt(instance)) - clock.steady()
      const ended = instance.playback.ended.then(() => 'ended' as const)
      const outcome = await firstOf([ended, change.then(() => 'changed' as const)], waitMs)
      if (outcome === 'changed') {
        seen = changes.count
        const interruption = this.#interruptionOf(instance)
        // Set before the cut: an mpv that hangs is killed before it answers.
        player.noteCut(instance, interruption)
        if (interruption === 'alert') return this.#leaveToAlert(next)
        if (next && !(await this.#during(seen, instance, player.dequeue(next)))) instance = next
        if (interruption !== null) return this.#cut(instance, interruption)
      } else if (outcome === 'time' && step.kind === 'cut' && clock.steady() >= step.at - 50) {
        await player.cut(instance, step.reason, JOIN_FADE_MS)
        return step.reason === 'clock' ? Math.min(clock.now(), instance.cue.until) : instance.cue.until
      } else if (outcome === 'time' && step.kind === 'crossfade' && clock.steady() >= step.at - 50) {
        const crossfade = player.crossfadeTo(step.next, step.at + START_LATENCY_MS, instance)
        instance = await this.#during(seen, instance, crossfade)
      } else if (outcome === 'time' && clock.steady() >= stuckAt(instance)) {
        await this.#killStuckPlayer(instance)
      } else if (outcome === 'ended') {
        if (instance.playback.ending?.kind !== 'end' || !next) return this.#resumeAfter(instance)
        instance = next
      }
    }
  }

  /** Takes what a logged play says of mpv and of its file. */
  async recordOutcome({ file }: PlayCue, { result, why }: PlayOutcome): Promise<void> {
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

  /** Waits for an mpv, which may hang and be killed by what ends the play meanwhile: that is noted at once. */
  async #during<T>(seen: number, instance: PlayInstance, work: Promise<T>): Promise<T> {
    const { changes, player } = this.#parts
    // The next change may be weeks away: until then nothing may keep this play in memory.
    const over = Promise.withResolvers<'over'>()
    const watch = async () => {
      for (let count = seen; ; count = changes.count) {
        if ((await Promise.race([over.promise, changes.after(count)])) === 'over') return
        const interruption = this.#interruptionOf(instance)
        if (interruption !== null) player.noteCut(instance, interruption)
      }
    }
    void watch()
    try {
      return await work
    } finally {
      over.resolve('over')
    }
  }

  /** Kills an mpv that hangs, which ends its play as died. */
  async #killStuckPlayer(instance: PlayInstance): Promise<void> {
    this.#parts.log.debug(
      'error',
      'player-stuck',
      `mpv gave no sign for ${STUCK_TIMEOUT_MS / 1000} s and is ended`,
    )
    this.#parts.player.kill()
    await firstOf([instance.playback.ended], STUCK_TIMEOUT_MS)
  }

  #noteStarted(instance: PlayInstance): void {
    const { clock, log, player, onStarted } = this.#parts
    log.recordSource(
      instance.cue,
      player.reportingClock.toReported(instance.playback.startedAt ?? clock.steady()),
    )
    onStarted(instance)
  }

  #nextStep(instance: PlayInstance): NextStep {
    const { clock, cueAt } = this.#parts
    const { cue, offsetSeconds } = instance
    const { startedAt } = instance.playback
    if (startedAt === null || instance.playback.ending) return { kind: 'end' }
    const step = nextStepOf({ cue, offsetSeconds, startedAt: clock.instantOf(startedAt) }, cueAt)
    if (step.kind === 'rejoin') return { kind: 'cut', at: clock.steady(), reason: 'clock' }
    if (step.kind === 'cut') return { ...step, at: clock.steadyOf(step.at) }
    if (step.kind === 'end') return step
    if (cue.overlapMs === 0) return { kind: 'gapless', next: step.next }
    // By the schedule, not by the sound: loading times must not add up from track to track.
    return { kind: 'crossfade', at: clock.steadyOf(cue.until) - START_LATENCY_MS, next: step.next }
  }

  /** The reason for which a change ends the current play; null if it continues. */
  #interruptionOf(instance: PlayInstance): string | null {
    const { clock, cueAt, isStopping } = this.#parts
    if (isStopping()) return 'agent-stopped'
    const cue = cueAt(clock.now())
    if (endsAtOnce(cue)) return cue.because
    if (isSamePlay(cue, instance.cue)) Object.assign(instance, { cue })
    return null
  }

  async #cut(instance: PlayInstance, reason: string): Promise<number> {
    await this.#parts.player.cut(instance, reason, JOIN_FADE_MS)
    return this.#parts.clock.now()
  }

  /** The current track sounds until the alert does, which stops it. */
  #leaveToAlert(next: PlayInstance | null): number {
    const { clock, player } = this.#parts
    const dequeue = async () => {
      if (next && !(await player.dequeue(next))) next.cutBy ??= 'alert'
    }
    void player.preemptFor(dequeue)
    return clock.now()
  }

  /** Follows up on a play that ended without an enqueued successor. */
  async #resumeAfter(instance: PlayInstance): Promise<number> {
    const { clock } = this.#parts
    await instance.logged
    const { ending } = instance.playback
    if (ending?.kind === 'failed') await this.#recordFailure(instance, ending)
    else if (ending?.kind === 'died') await this.#waitBeforeRestart(ending)
    // An alert that has already ended may have stopped it.
    else if (ending?.kind !== 'stopped') return instance.cue.until
    return clock.now()
  }

  async #recordFailure(
    { cue }: PlayInstance,
    { reason }: Extract<Ending, { kind: 'failed' }>,
  ): Promise<void> {
    const { media, log, clock, changes, onOutputFailed, onSilent } = this.#parts
    if (isOutputFailure(reason)) {
      onOutputFailed()
      onSilent('player-broken')
      log.debug('error', 'output-failed', `mpv: ${reason}; trying again in ${OUTPUT_RETRY_MS / 1000} s`)
      await firstOf([changes.after(changes.count)], OUTPUT_RETRY_MS)
      return
    }
    onSilent('starting')
    const { name } = cue.file
    const discarded = await media.discard(cue.file, { why: reason, at: clock.now() })
    if (discarded.kind === 'quarantined') {
      const then = discarded.failures < 2 ? 'it is fetched again' : 'it is fetched again in a day'
      log.debug('error', 'file-quarantined', `${name} cannot be played (${reason}); ${then}`)
    } else if (discarded.kind === 'damaged')
      log.debug('error', 'file-damaged', `${name} is damaged on the disk (${reason}), and fetched again`)
  }

  async #waitBeforeRestart({ reason }: Extract<Ending, { kind: 'died' }>): Promise<void> {
    const { log, clock, changes, isStopping, onSilent } = this.#parts
    if (clock.steady() - this.#lastDeathAt > GOOD_RUN_MS) this.#deathsInARow = 0
    // The first restart takes no time.
    onSilent(this.#deathsInARow > 0 ? 'player-broken' : 'starting')
    this.#lastDeathAt = clock.steady()
    const delayMs = RESTART_DELAYS_MS[Math.min(this.#deathsInARow, RESTART_DELAYS_MS.length - 1)] ?? 0
    this.#deathsInARow += 1
    log.debug('error', 'player-died', `mpv ${reason}; started again after ${delayMs} ms`)
    const until = clock.steady() + delayMs
    while (clock.steady() < until && !isStopping())
      await firstOf([changes.after(changes.count)], until - clock.steady())
  }
}
