import { release } from '@floorcast/contract/release.ts'
import { z } from 'zod'
import type { StateStore } from './state-store.ts'
import { ServerTime } from './server-time.ts'

/** Milliseconds of the process's monotonic clock. It never jumps, and it stops only while the machine sleeps. */
export type Steady = number

export interface ClockSources {
  /** The machine's wall clock in milliseconds since 1970. It may jump, or be years off after a power cut. */
  system: () => number
  steady: () => Steady
}

export const SavedClock = z.object({
  /** The server's time minus the machine's, in milliseconds. */
  offset: z.number(),
  /** The corrected time of the last save, in milliseconds since 1970. */
  lastKnown: z.number(),
  /** The last time that a server has told; former releases have none. */
  confirmedAt: z.number().optional(),
})
export type SavedClock = z.infer<typeof SavedClock>

const WATCH_INTERVAL_MS = 30_000
/** A clock that runs in step with the saved time is saved this often. */
const SAVE_INTERVAL_MS = 300_000
/** A time that differs by more from the saved one is saved at once. */
const MAX_SAVED_ERROR_MS = 1000
/** A machine's clock that shows an earlier time is wrong. */
const RELEASED_AT = Date.parse(release.date)
/** Before the server's first answer, a difference under this is driftMs and not a jump. */
const JUMP_MS = 2000
/** A clock without the server's confirmation is not believed if it shows a time this long after the last good one. */
const MAX_AWAY_MS = 31 * 86_400_000

/**
 * The agent's time: the steady clock plus an anchor.
 *
 * - At the start, the anchor is the machine's clock plus the saved offset to the server's time. If their sum is not plausible,
 *   because the machine's clock was 1970 and has been set since, it is the machine's clock alone.
 * - The server's time comes with the answers to heartbeats: see `ServerTime`.
 * - Before the first answer, the clock follows a jump of the machine's clock by over 2 s to a plausible time. After the
 *   first answer, it ignores such jumps.
 * - Machines without a battery start in 1970, and a bad one may start in any year. The agent therefore does not trust a clock
 *   that shows a time before the release date, before the last good time, or over 31 days after it. Time continues from the
 *   last good time until the server answers.
 * - Until the server's time is known to 0.2 s, each move is a correction: earlier dates were wrong by as much. They are
 *   not reported before.
 */
export class Clock {
  readonly #sources: ClockSources
  readonly #listeners: ((movedBy: number, isCorrection: boolean) => void)[] = []
  readonly #confirmedListeners: (() => void)[] = []
  readonly #builtAt: number
  readonly #startedAt: Steady
  /** Milliseconds since 1970 minus the steady clock. */
  #anchorMs: number
  #offsetMs: number
  readonly #saved: SavedClock | null
  readonly #serverTime = new ServerTime()
  /** Whether the server has told the time since the start. */
  hasServerTime = false
  /** Whether dates may be reported: the server's time is known to 0.2 s, or as well as the line allows. */
  isReportable = false
  /** Whether the machine's clock was plausible or the server has answered. */
  isTrusted: boolean

  constructor(sources: ClockSources, builtAt: number, saved: SavedClock | null) {
    this.#sources = sources
    this.#builtAt = builtAt
    this.#startedAt = sources.steady()
    this.#saved = saved
    this.#offsetMs = saved?.offset ?? 0
    const earliest = Math.max(builtAt, saved?.lastKnown ?? 0)
    const systemMs = this.#readSystem(earliest)
    this.isTrusted = systemMs !== null
    this.#anchorMs = (systemMs ?? earliest) - sources.steady()
  }

  /** The best known time, in milliseconds since 1970. */
  now(): number {
    return this.instantOf(this.#sources.steady())
  }
  steady(): Steady {
    return this.#sources.steady()
  }
  machineNow(): number {
    return this.#sources.system()
  }
  /** Milliseconds since 1970 minus the steady clock. */
  get anchorMs(): number {
    return this.#anchorMs
  }
  instantOf(steady: Steady): number {
    return Math.round(steady + this.#anchorMs)
  }
  steadyOf(instant: number): Steady {
    return instant - this.#anchorMs
  }

  /** A bound of the time: it is no earlier, whatever the machine's clock says. */
  earliest(): number {
    if (this.hasServerTime) return this.now()
    return Math.max(this.#builtAt, this.#saved?.confirmedAt ?? 0) + this.#sources.steady() - this.#startedAt
  }

  /** Applies the server's time from an answer; `askedAt` and `answeredAt` are the steady clock at both ends of the call. */
  applyServerTime(serverTime: number, askedAt: Steady, answeredAt: Steady): void {
    const anchorMs = this.#serverTime.apply({ serverTime, askedAt, answeredAt }, this.#anchorMs)
    this.hasServerTime = true
    this.isTrusted = true
    if (anchorMs !== null) this.#move(anchorMs)
    this.#offsetMs = this.now() - this.#sources.system()
    if (this.isReportable || !this.#serverTime.isPrecise) return
    this.isReportable = true
    for (const listener of this.#confirmedListeners) listener()
  }

  /** Follows a correction of the machine's clock as long as no server has answered. Call it periodically. */
  watchSystem(): void {
    if (this.hasServerTime) return
    const systemMs = this.#readSystem(this.#builtAt)
    if (systemMs === null) return
    const driftMs = systemMs - this.now()
    if (Math.abs(driftMs) < JUMP_MS || (!this.isTrusted && driftMs < 0)) return
    this.isTrusted = true
    this.#move(systemMs - this.#sources.steady())
  }

  saved(): SavedClock {
    return { offset: this.#offsetMs, lastKnown: this.now(), confirmedAt: Math.round(this.earliest()) }
  }
  /** `isCorrection`: the dates since the start were wrong by as much. */
  onMove(listener: (movedBy: number, isCorrection: boolean) => void): void {
    this.#listeners.push(listener)
  }
  /** Called once, when dates may be reported. */
  onConfirmed(listener: () => void): void {
    this.#confirmedListeners.push(listener)
  }

  /**
   * The machine's clock, with the saved offset or, if only that is plausible, without it; null if neither is plausible: before
   * `earliest`, or long after the last good time.
   */
  #readSystem(earliest: number): number | null {
    const latest = this.#saved === null ? Infinity : this.#saved.lastKnown + MAX_AWAY_MS
    const isPlausible = (at: number) => at >= earliest && at <= latest
    const system = this.#sources.system()
    if (isPlausible(system + this.#offsetMs)) return system + this.#offsetMs
    if (!isPlausible(system)) return null
    this.#offsetMs = 0
    return system
  }

  #move(anchorMs: number): void {
    const movedBy = anchorMs - this.#anchorMs
    this.#anchorMs = anchorMs
    for (const listener of this.#listeners) listener(movedBy, !this.isReportable)
  }
}

/** The difference between a saved clock that has run for `sinceMs` and the present one. */
const errorOf = (saved: SavedClock, now: SavedClock, sinceMs: number): number =>
  Math.max(
    Math.abs(now.offset - saved.offset),
    Math.abs(now.lastKnown - saved.lastKnown - sinceMs),
    Math.abs((now.confirmedAt ?? 0) - (saved.confirmedAt ?? 0) - sinceMs),
  )

/**
 * Opens the clock with its saved offset, and saves it every five minutes, and within half a minute after a correction. `save` saves
 * it at once, and `stop` a last time. `heardAt` is a later time that is known from elsewhere.
 */
export function openClock(
  state: StateStore,
  sources: ClockSources,
  heardAt: number | null = null,
): { clock: Clock; save: () => void; stop: () => void } {
  const saved = SavedClock.safeParse(state.read('clock')).data ?? null
  // A later one that is far off is of a clock that was wrong.
  const laterMs = saved === null || heardAt === null ? 0 : heardAt - saved.lastKnown
  const isLater = laterMs > 0 && laterMs <= SAVE_INTERVAL_MS + WATCH_INTERVAL_MS
  const known = saved && isLater ? { ...saved, lastKnown: saved.lastKnown + laterMs } : saved
  const clock = new Clock(sources, RELEASED_AT, known)
  let last: { saved: SavedClock; at: Steady } | null = null
  const save = () => {
    if (!clock.isTrusted) return
    last = { saved: clock.saved(), at: sources.steady() }
    state.write('clock', last.saved)
  }
  const watch = () => {
    clock.watchSystem()
    const sinceMs = last === null ? Infinity : sources.steady() - last.at
    if (
      sinceMs >= SAVE_INTERVAL_MS ||
      (last && errorOf(last.saved, clock.saved(), sinceMs) > MAX_SAVED_ERROR_MS)
    )
      save()
  }
  const timer = setInterval(watch, WATCH_INTERVAL_MS)
  return {
    clock,
    save,
    stop() {
      clearInterval(timer)
      clock.watchSystem()
      save()
    },
  }
}
