import type { PlayLog } from '@floorcast/device-client/play-log.ts'
import type { Steady } from '@floorcast/device-client/clock.ts'
import type { ChangeNotifier } from '@floorcast/device-client/wait.ts'
import type { Cue, PlayCue } from '@floorcast/playback/cue-types.ts'
import { endsAtOnce, isSamePlay, type NextStep, nextStepOf } from '@floorcast/playback/next-step.ts'
import type { NextPlay, Play, PlayerClock, TrackOutput } from './ports.ts'

export interface SequencerParts<P extends Play> {
  clock: PlayerClock
  log: PlayLog
  output: TrackOutput<P>
  changes: ChangeNotifier
  cueAt: (at: number) => Cue
  /** Whether it follows a device, and so ends at once what the device does not play. */
  isFollowing: boolean
  isStopping: () => boolean
  /** A play is heard. */
  onStarted: (play: P) => void
}

/** An output is stuck if a track has not started this long after its command, or not ended this long after its end. */
const STUCK_TIMEOUT_MS = 15_000
/** A timer may fire this much too early; one that fires earlier was bounded. */
const EARLY_MS = 50
/** A step is checked again this long before it is due: on a busy machine the output's clock may have stood still meanwhile. */
const CHECK_MS = 250
/** A device that is heard more than this too early or too late is not joined again. */
const FOLLOW_TOLERANCE_MS = 400

function stuckAt({ startedAt, cue, offsetSeconds }: Play): Steady {
  if (startedAt === null) return Infinity
  return startedAt + (cue.file.durationSeconds - offsetSeconds) * 1000 + STUCK_TIMEOUT_MS
}

const isAlmostSamePlay = (cue: Cue, play: PlayCue): cue is PlayCue =>
  cue.kind === 'play' &&
  cue.file.sha256 === play.file.sha256 &&
  Math.abs(cue.startsAt - play.startsAt) <= FOLLOW_TOLERANCE_MS

/** Plays track after track from one start of sound until silence, an alert, a cut or a failure. `nextStepOf` says what ends each play. */
export class Sequencer<P extends Play> {
  readonly #parts: SequencerParts<P>
  /** The newest play. */
  #play: P | null = null

  constructor(parts: SequencerParts<P>) {
    this.#parts = parts
  }

  /** An alert ends the current play. It may be heard before the change that it is. */
  noteAlert(): void {
    if (this.#play) this.#parts.output.noteCut(this.#play, 'alert')
  }

  /** `seenChanges` counts the changes that the choice of `first` included. Returns the time at which to ask for the next cue. */
  async run(first: P, seenChanges: number): Promise<number> {
    const { clock, output, changes } = this.#parts
    let play = first
    let seen = seenChanges
    let next: NextPlay<P> | null = null
    for (;;) {
      this.#play = play
      await this.#untilStarted(play, seen)
      const step = this.#nextStep(play)
      if (step.kind === 'follow' && next === null)
        next = await this.#during(seen, play, output.prepareNext(play, step.next))
      const dueAt = this.#dueAt(step, next)
      const ended = play.ended.then(() => 'ended' as const)
      const leftMs = Math.min(dueAt, stuckAt(play)) - clock.steady()
      const waitMs = leftMs > CHECK_MS + EARLY_MS ? leftMs - CHECK_MS : leftMs
      const outcome = await changes.first(seen, [ended], waitMs)
      if (outcome === 'changed') {
        seen = changes.count
        const interruption = this.#interruptionOf(play)
        // Noted before the cut: an output that hangs ends before it answers.
        output.noteCut(play, interruption)
        if (interruption === 'alert') {
          // The current track is heard until the alert is, which stops it.
          void next?.drop(interruption)
          return clock.now()
        }
        if (next && !(await this.#during(seen, play, next.drop(interruption)))) play = await next.begin()
        next = null
        if (interruption !== null) return this.#cut(play, interruption)
      } else if (outcome === 'ended') {
        if (play.ending?.kind !== 'end' || !next || !this.#isDue(next)) return this.#resumeAfter(play)
        play = await next.begin()
        next = null
      } else if (clock.steady() >= dueAt - EARLY_MS) {
        if (step.kind === 'rejoin') return Math.min(await this.#cut(play, 'clock'), play.cue.until)
        if (step.kind === 'cut') return this.#cut(play, step.reason).then(() => play.cue.until)
        if (next) play = await this.#during(seen, play, next.begin())
        next = null
      } else if (clock.steady() >= stuckAt(play)) await output.endStuck(play)
    }
  }

  async #untilStarted(play: P, seen: number): Promise<void> {
    const { log, output, changes, onStarted } = this.#parts
    const signs = [play.started, play.ended]
    const isWaiting = play.startedAt === null && !play.ending
    if (isWaiting && (await changes.first(seen, signs, STUCK_TIMEOUT_MS)) === 'time')
      await output.endStuck(play)
    if (play.startedAt === null) return
    log.recordSource(play.cue, output.reportingClock.toReported(play.startedAt))
    onStarted(play)
  }

  /** Waits for an output, which may hang and be ended by what ends the play meanwhile: that is noted at once. */
  async #during<T>(seen: number, play: P, work: Promise<T>): Promise<T> {
    const { changes, output } = this.#parts
    const over = Promise.withResolvers<'over'>()
    const watch = async () => {
      for (let count = seen; ; count = changes.count) {
        if ((await changes.first(count, [over.promise], null)) === 'over') return
        const interruption = this.#interruptionOf(play)
        if (interruption !== null) output.noteCut(play, interruption)
      }
    }
    void watch()
    try {
      return await work
    } finally {
      over.resolve('over')
    }
  }

  #nextStep({ cue, offsetSeconds, startedAt, ending }: P): NextStep {
    const { clock, cueAt } = this.#parts
    if (startedAt === null || ending) return { kind: 'end' }
    return nextStepOf({ cue, offsetSeconds, startedAt: clock.instantOf(startedAt) }, cueAt)
  }

  #dueAt(step: NextStep, next: NextPlay<P> | null): Steady {
    const { clock } = this.#parts
    if (step.kind === 'rejoin') return clock.steady()
    if (step.kind === 'cut') return clock.steadyOf(step.at)
    return (step.kind === 'follow' ? next?.dueAt() : null) ?? Infinity
  }

  /** A play that ended long before its time is not followed yet. */
  #isDue(next: NextPlay<P>): boolean {
    const dueAt = next.dueAt()
    return dueAt === null || this.#parts.clock.steady() >= dueAt - EARLY_MS
  }

  /** Why a change ends the current play; null if it goes on. */
  #interruptionOf(play: P): string | null {
    const { clock, cueAt, isFollowing, isStopping } = this.#parts
    if (isStopping()) return 'agent-stopped'
    const cue = cueAt(clock.now())
    if (endsAtOnce(cue)) return cue.because
    const isSame = isFollowing ? isAlmostSamePlay(cue, play.cue) : isSamePlay(cue, play.cue)
    if (isSame) play.cue = cue as PlayCue
    return isSame || !isFollowing ? null : 'device'
  }

  async #cut(play: P, reason: string): Promise<number> {
    await this.#parts.output.cut(play, reason)
    return this.#parts.clock.now()
  }

  /** Follows up on a play that ended with no other after it. */
  async #resumeAfter(play: P): Promise<number> {
    await play.logged
    return (await this.#parts.output.settle(play)) ? play.cue.until : this.#parts.clock.now()
  }
}
