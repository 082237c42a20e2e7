/** The devices' clock may be so far ahead of the wall's; the server doubts one that is a day ahead. */
const MOST_AHEAD = 20 * 3_600_000

/**
 * The clock that the fleet's devices live by: begins at the wall's time, or so much before it, and runs faster, until it is
 * 20 hours ahead.
 */
export class FleetClock {
  readonly #speed: number
  readonly #begun: number
  readonly #beganAt: number
  /** How far the clock may gain on the wall. */
  readonly #mostGain: number
  readonly #wall: () => number

  constructor(speed: number, { behind = 0, wall = Date.now }: { behind?: number; wall?: () => number } = {}) {
    this.#speed = speed
    this.#wall = wall
    this.#begun = wall()
    this.#beganAt = this.#begun - behind
    this.#mostGain = behind + MOST_AHEAD
  }

  /** Milliseconds since 1970. */
  now(): number {
    const passed = this.#wall() - this.#begun
    return this.#beganAt + Math.min(passed * this.#speed, passed + this.#mostGain)
  }

  /** Milliseconds of the wall from now until this clock shows `instant`; 0 when it has passed. */
  waitUntil(instant: number): number {
    const passed = this.#wall() - this.#begun
    const wanted = instant - this.#beganAt
    return Math.max(0, Math.max(wanted / this.#speed, wanted - this.#mostGain) - passed)
  }
}
