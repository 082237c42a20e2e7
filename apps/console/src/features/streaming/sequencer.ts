import type { Clock } from '@floorcast/device-client/clock.ts'
import type { PlayLog } from '@floorcast/device-client/play-log.ts'
import { type ChangeNotifier, firstOf } from '@floorcast/device-client/wait.ts'
import type { Cue, PlayCue } from '@floorcast/playback/cue-types.ts'
import type { PlayOutcome } from '@floorcast/playback/event-rules.ts'
import { JOIN_FADE_MS } from '@floorcast/playback/iterate-cues.ts'
import { endsAtOnce, isSamePlay, type NextStep, nextStepOf } from '@floorcast/playback/next-step.ts'
import type { PlayerMedia } from './media-cache.ts'
import type { Play, Prepared, TrackPlayer } from './track-player.ts'

/** From the command to the sound of a loaded element: 0.6 to 5.4 ms in Chromium. */
const START_LATENCY_MS = 5
/** A track without gap data has up to so much more silence at its end; the next one begins by the schedule then. */
const MAX_PADDING_MS = 60

/** A timer may ring so much too early; one that rings earlier was bounded. */
const EARLY_MS = 50
/** So long before the next track begins, the media clock is read again: on a busy machine it has stood still meanwhile. */
const CHECK_MS = 250

const untilCheck = (waitMs: number) => (waitMs > CHECK_MS + EARLY_MS ? waitMs - CHECK_MS : waitMs)

/** A device that is heard so much too early or too late is not joined again. */
const FOLLOW_TOLERANCE_MS = 400

const isAlmostSamePlay = (cue: Cue, play: PlayCue): cue is PlayCue =>
  cue.kind === 'play' &&
  cue.file.sha256 === play.file.sha256 &&
  Math.abs(cue.startsAt - play.startsAt) <= FOLLOW_TOLERANCE_MS

interface SequencerParts {
  clock: Clock
  log: PlayLog
  media: PlayerMedia
  player: TrackPlayer
  changes: ChangeNotifier
  cueAt: (at: number) => Cue
  /** Whether it follows a device, and so ends at once what the device does not play. */
  isFollowing: boolean
  isStopping: () => boolean
  /** The sound of a play has begun. */
  onStarted: (play: Play) => void
}

/** Plays track after track from one start of sound until silence, an alert, a cut or a failure, as the agent does. */
export class Sequencer {
  readonly #parts: SequencerParts

  constructor(parts: SequencerParts) {
    this.#parts = parts
  }

  /** `seenChanges` counts the changes that the choice of the cue included. Returns the time at which to ask for the next cue. */
  async run(first: Play, seenChanges: number): Promise<number> {
    const { clock, changes, player } = this.#parts
    let play = first
    let seen = seenChanges
    for (;;) {
      void this.#recordOutcome(play)
      if (play.startedAt === null) {
        await play.logged
        return clock.now()
      }
      this.#noteStarted(play)
      let next: Prepared | null = null
      for (;;) {
        const step = this.#nextStep(play)
        if (step.kind === 'rejoin') return this.#cut(play, 'clock', JOIN_FADE_MS)
        if (step.kind === 'follow' && (!next || !isSamePlay(step.next, next.cue)))
          next = player.prepare(step.next)
        const ended = play.deck.ended.then(() => 'ended' as const)
        const changed = changes.after(seen).then(() => 'changed' as const)
        const dueAt = this.#dueAt(play, step)
        const outcome = await firstOf([ended, changed], untilCheck(dueAt - clock.steady()))
        if (outcome === 'changed') {
          seen = changes.count
          const reason = this.#interruptionOf(play)
          if (reason !== null) return this.#cut(play, reason, reason === 'alert' ? 0 : JOIN_FADE_MS)
          continue
        }
        if (outcome === 'time' && clock.steady() < dueAt - EARLY_MS) continue
        if (outcome === 'time' && step.kind === 'cut') {
          await player.cut(play, step.reason, JOIN_FADE_MS)
          return play.cue.until
        }
        if (outcome === 'ended' && (step.kind !== 'follow' || (await this.#hasFailed(play))))
          return this.#resumeAfter(play)
        break
      }
      if (!next) return this.#resumeAfter(play)
      play = await this.#follow(play, next)
    }
  }

  async #follow(play: Play, next: Prepared): Promise<Play> {
    const { overlapMs } = play.cue
    if (overlapMs > 0) void play.deck.fade(0, overlapMs)
    return this.#parts.player.start(next, 'start', overlapMs)
  }

  #nextStep({ cue, offsetSeconds, startedAt }: Play): NextStep {
    const { clock, cueAt } = this.#parts
    return nextStepOf({ cue, offsetSeconds, startedAt: clock.instantOf(startedAt ?? 0) }, cueAt)
  }

  /** When the step is due, on the steady clock. */
  #dueAt({ cue, deck }: Play, step: NextStep): number {
    const { clock } = this.#parts
    if (step.kind === 'cut') return clock.steadyOf(step.at)
    if (step.kind !== 'follow') return Infinity
    const scheduledAt = clock.steadyOf(cue.until)
    if (cue.overlapMs > 0) return scheduledAt - START_LATENCY_MS
    const endsAt = clock.steady() + (deck.lengthSeconds - deck.position) * 1000
    const isNear = Math.abs(endsAt - scheduledAt) <= MAX_PADDING_MS
    return (isNear ? scheduledAt : endsAt) - START_LATENCY_MS
  }

  #noteStarted(play: Play): void {
    const { log, onStarted } = this.#parts
    log.recordSource(play.cue, play.reportedStartAt)
    onStarted(play)
  }

  /** Why a change ends the current play; null if it goes on. */
  #interruptionOf(play: Play): string | null {
    const { clock, cueAt, isFollowing, isStopping } = this.#parts
    if (isStopping()) return 'agent-stopped'
    const cue = cueAt(clock.now())
    if (endsAtOnce(cue)) return cue.because
    const isSame = isFollowing ? isAlmostSamePlay(cue, play.cue) : isSamePlay(cue, play.cue)
    if (isSame) play.cue = cue as PlayCue
    return isSame || !isFollowing ? null : 'device'
  }

  async #cut(play: Play, reason: string, fadeMs: number): Promise<number> {
    await this.#parts.player.cut(play, reason, fadeMs)
    return this.#parts.clock.now()
  }

  async #hasFailed(play: Play): Promise<boolean> {
    return (await play.logged).result === 'failed'
  }

  async #resumeAfter(play: Play): Promise<number> {
    return (await this.#hasFailed(play)) ? this.#parts.clock.now() : play.cue.until
  }

  /** Takes what a logged play says of its file. */
  async #recordOutcome({ cue, logged }: { cue: PlayCue; logged: Promise<PlayOutcome> }): Promise<void> {
    const { media, log, clock } = this.#parts
    const { result, why } = await logged
    if (result === 'complete') media.forgive(cue.file.sha256)
    if (result !== 'failed') return
    media.discard(cue.file, clock.now())
    log.debug('error', 'file-quarantined', `${cue.file.name} cannot be played (${why ?? ''})`)
  }
}
