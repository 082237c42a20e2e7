import type { Cue, PlayCue } from '@floorcast/playback/cue-types.ts'
import { isAd } from '@floorcast/playback/media.ts'
import { JOIN_FADE_MS, REJOIN_AFTER_MS, SLIP_TOLERANCE_MS } from '@floorcast/playback/iterate-cues.ts'
import type { Clock, Steady } from '../clock/clock.ts'
import type { MediaStore } from '../store/media-store.ts'
import type { PlayLog } from '../report/play-log.ts'
import type { Ending } from './playback.ts'
import type { Turn, Turntable } from './crossfade-player.ts'
import { type ChangeNotifier, firstOf } from '@floorcast/device-client/wait.ts'

export interface ChainParts {
  clock: Clock
  media: MediaStore
  log: PlayLog
  table: Turntable
  changed: ChangeNotifier
  ask: (at: number) => Cue
  isStopping: () => boolean
  /** A turn is heard. */
  onTurn: (turn: Turn) => void
}

/** What is to happen to the turn that is on, besides its own end. */
type Plan =
  | { does: 'cut'; at: Steady; why: string }
  | { does: 'cross'; at: Steady; next: PlayCue }
  | { does: 'follow'; next: PlayCue }
  | { does: 'end' }

/** Changes that end what plays at once; any other waits for the track's end. */
const endsAtOnce = (cue: Cue): boolean =>
  cue.kind === 'alert' ||
  (cue.kind === 'silent' && cue.because !== 'not-downloaded' && cue.because !== 'empty')

/** An output that does not open is the box's fault, not the file's. */
const isOutputFailure = (why: string): boolean => why.includes('output')
const OUTPUT_PAUSE = 5000
/** A track that has not begun this long after its command, or not ended this long after its end, hangs. */
const STUCK = 15_000
/** From the command to the sound on a deck that is ready. */
const LOADING = 40
const REVIVAL_PAUSES = [0, 500, 2000, 10_000]

function stuckAt({ playing, cue, offsetSeconds }: Turn): Steady {
  if (playing.startedAt === null || playing.ending) return Infinity
  return playing.startedAt + (cue.file.durationSeconds - offsetSeconds) * 1000 + STUCK
}

/**
 * Plays track after track from one start of sound until silence, an alert, a cut or a failure.
 *
 * A track that follows gaplessly has no start offset: mpv would seek, and a seek drops the end of the previous track. A
 * player that is late by over 2 s ends the next song, never an ad, by the schedule; 30 s off, either way, it joins again.
 * A player that is early by over 2 s, which a fast sound card reaches in half a day, waits in silence for the schedule.
 * A crossfade begins by the schedule, so that loading times do not add up.
 */
export class Chain {
  readonly #parts: ChainParts
  #deaths = 0

  constructor(parts: ChainParts) {
    this.#parts = parts
  }

  /** `looked` counts the changes that the first turn was chosen after. Returns the instant at which to ask for the next cue. */
  async run(first: Turn, looked: number): Promise<number> {
    const { clock, table, changed } = this.#parts
    let turn = first
    let seen = looked
    for (;;) {
      const begun = await firstOf<unknown>([turn.playing.started, turn.playing.ended], STUCK)
      if (begun === 'time') await this.#unstick(turn)
      if (turn.playing.startedAt !== null) this.#hear(turn)
      const news = changed.after(seen)
      const plan = this.#planFor(turn)
      if (plan.does === 'cross') table.prepare(plan.next)
      const follower = plan.does === 'follow' ? await table.follow(plan.next) : null
      const wait = (plan.does === 'cut' || plan.does === 'cross' ? plan.at : stuckAt(turn)) - clock.steady()
      const ended = turn.playing.ended.then(() => 'ended' as const)
      const happened = await firstOf([ended, news.then(() => 'changed' as const)], wait)
      if (happened === 'changed') {
        seen = changed.count
        const interruption = this.#interruptionOf(turn)
        // Noted first: an mpv that hangs is ended before it has answered.
        if (interruption !== null) turn.cutBy ??= interruption
        const goOn = async () => {
          if (follower && !(await table.takeBack(follower))) turn = follower
          return interruption === null ? null : this.#leave(turn, interruption)
        }
        const at = await (interruption === 'alert' ? table.makeWay(goOn) : goOn())
        if (at !== null) return at
      } else if (happened === 'time' && plan.does === 'cut' && clock.steady() >= plan.at - 50) {
        await table.cut(turn, plan.why, JOIN_FADE_MS)
        return plan.why === 'clock' ? clock.now() : turn.cue.until
      } else if (happened === 'time' && plan.does === 'cross' && clock.steady() >= plan.at - 50) {
        turn = await table.crossInto(plan.next, plan.at + LOADING, turn)
      } else if (happened === 'time' && clock.steady() >= stuckAt(turn)) {
        await this.#unstick(turn)
      } else if (happened === 'ended') {
        if (turn.playing.ending?.how !== 'end' || !follower) return this.#after(turn)
        turn = follower
      }
    }
  }

  /** An mpv that hangs is ended, which ends its turn as died. */
  async #unstick(turn: Turn): Promise<void> {
    this.#parts.log.debug('error', 'player-stuck', `mpv gave no sign for ${STUCK / 1000} s and is ended`)
    this.#parts.table.kill()
    await firstOf([turn.playing.ended], STUCK)
  }

  #hear(turn: Turn): void {
    const { clock, log, table, onTurn } = this.#parts
    log.playsFrom(turn.cue, table.proof.tell(turn.playing.startedAt ?? clock.steady()))
    onTurn(turn)
  }

  #planFor(turn: Turn): Plan {
    const { clock, ask } = this.#parts
    const { cue, offsetSeconds } = turn
    const { startedAt } = turn.playing
    if (startedAt === null || turn.playing.ending) return { does: 'end' }
    const slip = clock.instantOf(startedAt) - (cue.startsAt + offsetSeconds * 1000)
    if (Math.abs(slip) > REJOIN_AFTER_MS) return { does: 'cut', at: clock.steady(), why: 'clock' }
    const boundary = clock.steadyOf(cue.until) - JOIN_FADE_MS
    if (cue.cutBy !== null) return { does: 'cut', at: boundary, why: cue.cutBy }
    if (slip > SLIP_TOLERANCE_MS && !isAd(cue.file)) return { does: 'cut', at: boundary, why: 'schedule' }
    const next = ask(cue.until)
    if (next.kind !== 'play' || next.startsAt !== cue.until || slip < -SLIP_TOLERANCE_MS)
      return { does: 'end' }
    if (cue.overlap === 0) return { does: 'follow', next }
    // By the schedule, not by the sound: the moments that loading takes must not add up from track to track.
    return { does: 'cross', at: clock.steadyOf(cue.until) - LOADING, next }
  }

  /** What a change means for the turn that is on: null when it may go on. */
  #interruptionOf(turn: Turn): string | null {
    const { clock, ask, isStopping } = this.#parts
    if (isStopping()) return 'agent-stopped'
    const cue = ask(clock.now())
    if (endsAtOnce(cue)) return cue.because
    const isSame =
      cue.kind === 'play' && cue.file.sha256 === turn.cue.file.sha256 && cue.startsAt === turn.cue.startsAt
    if (isSame) Object.assign(turn, { cue })
    return null
  }

  async #leave(turn: Turn, why: string): Promise<number> {
    await this.#parts.table.cut(turn, why, why === 'alert' ? 0 : JOIN_FADE_MS)
    return this.#parts.clock.now()
  }

  /** The turn ended and nothing was given to follow it. */
  async #after(turn: Turn): Promise<number> {
    const { clock } = this.#parts
    const judgement = await turn.logged
    const { ending } = turn.playing
    if (judgement?.result === 'complete' || judgement?.result === 'joined') this.#deaths = 0
    if (ending?.how === 'failed') await this.#fail(turn, ending)
    else if (ending?.how === 'died') await this.#revive(ending)
    else return turn.cue.until
    return clock.now()
  }

  async #fail({ cue }: Turn, { why }: Extract<Ending, { how: 'failed' }>): Promise<void> {
    const { media, log, changed } = this.#parts
    if (isOutputFailure(why)) {
      log.debug('error', 'output-failed', `mpv: ${why}; trying again in ${OUTPUT_PAUSE / 1000} s`)
      await firstOf([changed.after(changed.count)], OUTPUT_PAUSE)
      return
    }
    const { failures } = media.quarantine(cue.file, why)
    const then = failures === 1 ? 'it is fetched again once' : 'it is not fetched again'
    log.debug('error', 'file-quarantined', `${cue.file.name} cannot be played (${why}); ${then}`)
  }

  async #revive({ why }: Extract<Ending, { how: 'died' }>): Promise<void> {
    const { log, clock, changed, isStopping } = this.#parts
    const pause = REVIVAL_PAUSES[Math.min(this.#deaths, REVIVAL_PAUSES.length - 1)] ?? 0
    this.#deaths += 1
    log.debug('error', 'player-died', `mpv ${why}; started again after ${pause} ms`)
    const until = clock.steady() + pause
    while (clock.steady() < until && !isStopping())
      await firstOf([changed.after(changed.count)], until - clock.steady())
  }
}
