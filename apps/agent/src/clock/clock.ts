import { release } from '@floorcast/contract/release.ts'
import { z } from 'zod'
import type { StateStore } from '../store/state-store.ts'

/** Milliseconds of the process's monotonic clock. It never jumps, and it stops only while the machine sleeps. */
export type Steady = number

export interface ClockSources {
  /** The machine's wall clock in milliseconds since 1970. It may jump, or be years off after a power cut. */
  system: () => number
  steady: () => Steady
}

const machineClock: ClockSources = { system: () => Date.now(), steady: () => performance.now() }

const SavedClock = z.object({
  /** The server's time minus the machine's, in milliseconds. */
  offset: z.number(),
  /** The corrected time of the last save, in milliseconds since 1970. */
  lastKnown: z.number(),
})
export type SavedClock = z.infer<typeof SavedClock>

const SAVE_INTERVAL_MS = 30_000
/** A machine's clock that shows an earlier time is wrong. */
const RELEASED_AT = Date.parse(release.date)
/** Before the server's first answer, a difference under this is driftMs and not a jump. */
const JUMP_MS = 2000

/**
 * The agent's time: the steady clock plus an anchor.
 *
 * - At the start, the anchor is the machine's clock plus the saved offset to the server's time.
 * - Each heartbeat's answer sets the anchor, unless the difference lies within half the round trip.
 * - Before the first answer, the clock follows a jump of the machine's clock by over 2 s to a plausible time. After the
 *   first answer, it ignores such jumps.
 * - Machines without a battery start in 1970. The agent therefore does not trust a clock that shows a time before the
 *   release date or before the last saved time. Time continues from the later of these until the server answers.
 */
export class Clock {
  readonly #sources: ClockSources
  readonly #listeners: ((movedBy: number) => void)[] = []
  readonly #builtAt: number
  /** Milliseconds since 1970 minus the steady clock. */
  #anchorMs: number
  #offsetMs: number
  #hasServerTime = false
  /** Whether the machine's clock was plausible or the server has answered. */
  isTrusted: boolean

  constructor(sources: ClockSources, builtAt: number, saved: SavedClock | null) {
    this.#sources = sources
    this.#builtAt = builtAt
    this.#offsetMs = saved?.offset ?? 0
    const earliest = Math.max(builtAt, saved?.lastKnown ?? 0)
    const systemMs = sources.system() + this.#offsetMs
    this.isTrusted = systemMs >= earliest
    this.#anchorMs = (this.isTrusted ? systemMs : earliest) - sources.steady()
  }

  /** The best known time, in milliseconds since 1970. */
  now(): number {
    return this.instantOf(this.#sources.steady())
  }
  steady(): Steady {
    return this.#sources.steady()
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

  /** Applies the server's time from an answer; `askedAt` and `answeredAt` are the steady clock at both ends of the call. */
  applyServerTime(serverTime: number, askedAt: Steady, answeredAt: Steady): void {
    const middleAt = (askedAt + answeredAt) / 2
    this.#offsetMs = Math.round(serverTime + (answeredAt - middleAt) - this.#sources.system())
    this.#hasServerTime = true
    this.isTrusted = true
    this.#move(serverTime - middleAt, (answeredAt - askedAt) / 2)
  }

  /** Follows a correction of the machine's clock as long as no server has answered. Call it periodically. */
  watchSystem(): void {
    if (this.#hasServerTime) return
    const systemMs = this.#sources.system() + this.#offsetMs
    const driftMs = systemMs - this.now()
    if (systemMs < this.#builtAt || Math.abs(driftMs) < JUMP_MS) return
    if (!this.isTrusted && driftMs < 0) return
    this.isTrusted = true
    this.#move(systemMs - this.#sources.steady(), 0)
  }

  saved(): SavedClock {
    return { offset: this.#offsetMs, lastKnown: this.now() }
  }
  onMove(listener: (movedBy: number) => void): void {
    this.#listeners.push(listener)
  }

  /** Ignores differences within the measurement's uncertainty. */
  #move(anchor: number, uncertaintyMs: number): void {
    const movedBy = anchor - this.#anchorMs
    if (Math.abs(movedBy) <= Math.max(20, uncertaintyMs)) return
    this.#anchorMs = anchor
    for (const listener of this.#listeners) listener(movedBy)
  }
}

/** Opens the clock with its saved offset, and saves it every 30 s. `stop` saves it a last time. */
export function openClock(state: StateStore): { clock: Clock; stop: () => void } {
  const clock = new Clock(machineClock, RELEASED_AT, SavedClock.safeParse(state.read('clock')).data ?? null)
  const save = () => {
    clock.watchSystem()
    if (clock.isTrusted) state.write('clock', clock.saved())
  }
  const timer = setInterval(save, SAVE_INTERVAL_MS)
  return {
    clock,
    stop() {
      clearInterval(timer)
      save()
    },
  }
}
