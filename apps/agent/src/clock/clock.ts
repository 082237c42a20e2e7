/** Milliseconds of the process's steady clock: it neither jumps nor stops while the machine is awake. */
export type Steady = number

export interface ClockSources {
  /** The machine's wall clock in milliseconds since 1970; it may jump, or be years off after a power cut. */
  system: () => number
  steady: () => Steady
}

export const machineClock: ClockSources = { system: () => Date.now(), steady: () => performance.now() }

export interface SavedClock {
  /** Server's time minus the machine's. */
  offset: number
  /** The latest corrected instant that was written down. */
  lastKnown: number
}

/** Off by more than this counts as a jump, which players re-read their schedule for. */
const JUMP = 2000

/**
 * The agent's time: the steady clock plus an anchor. The anchor is the machine's clock with the server's offset of the
 * last start, then the time in each heartbeat's answer; an offset within half the round trip moves nothing. A jump of the
 * machine's clock changes nothing after the server's first answer; before that, a jump over 2 s to a plausible time is
 * followed. A clock before the release date or before the last known time is not believed, because machines without a
 * battery start in 1970: time continues from the later of these until the server answers.
 */
export class Clock {
  readonly #sources: ClockSources
  readonly #listeners: ((movedBy: number) => void)[] = []
  readonly #builtAt: number
  /** Instant minus steady. */
  #anchor: number
  #offset: number
  #spoken = false
  /** False until the machine's clock was found believable or the server spoke. */
  isBelieved: boolean

  constructor(sources: ClockSources, builtAt: number, saved: SavedClock | null) {
    this.#sources = sources
    this.#builtAt = builtAt
    this.#offset = saved?.offset ?? 0
    const floor = Math.max(builtAt, saved?.lastKnown ?? 0)
    const told = sources.system() + this.#offset
    this.isBelieved = told >= floor
    this.#anchor = (this.isBelieved ? told : floor) - sources.steady()
  }

  /** Milliseconds since 1970 in UTC, as well as known. */
  now(): number {
    return this.instantOf(this.#sources.steady())
  }
  steady(): Steady {
    return this.#sources.steady()
  }
  /** Instant minus steady, as well as known. */
  get anchor(): number {
    return this.#anchor
  }
  instantOf(steady: Steady): number {
    return Math.round(steady + this.#anchor)
  }
  steadyOf(instant: number): Steady {
    return instant - this.#anchor
  }

  /** The server's time came in an answer; both ends of the call by the steady clock. */
  applyServerTime(serverTime: number, asked: Steady, answered: Steady): void {
    const middle = (asked + answered) / 2
    this.#offset = Math.round(serverTime + (answered - middle) - this.#sources.system())
    this.#spoken = true
    this.isBelieved = true
    this.#move(serverTime - middle, (answered - asked) / 2)
  }

  /** Follows the machine's clock when it was set while no server could say the time. To be called now and then. */
  watchSystem(): void {
    if (this.#spoken) return
    const told = this.#sources.system() + this.#offset
    const drift = told - this.now()
    if (told < this.#builtAt || Math.abs(drift) < JUMP) return
    if (!this.isBelieved && drift < 0) return
    this.isBelieved = true
    this.#move(told - this.#sources.steady(), 0)
  }

  saved(): SavedClock {
    return { offset: this.#offset, lastKnown: this.now() }
  }
  onMove(listener: (movedBy: number) => void): void {
    this.#listeners.push(listener)
  }

  /** Differences inside the measurement's own doubt are left alone. */
  #move(anchor: number, doubt: number): void {
    const movedBy = anchor - this.#anchor
    if (Math.abs(movedBy) <= Math.max(20, doubt)) return
    this.#anchor = anchor
    for (const listener of this.#listeners) listener(movedBy)
  }
}
