/** The devices' clock may be so far ahead of the wall's; the server doubts one that is a day ahead. */
const MOST_AHEAD = 20 * 3_600_000

/** The clock that the fleet's devices live by: begins at the wall's time and runs faster, until it is 20 hours ahead. */
export class FleetClock {
  readonly #speed: number
  readonly #startedAt: number
  readonly #wall: () => number

  constructor(speed: number, wall: () => number = Date.now) {
    this.#speed = speed
    this.#wall = wall
    this.#startedAt = wall()
  }

  /** Milliseconds since 1970. */
  now(): number {
    const passed = this.#wall() - this.#startedAt
    return this.#startedAt + Math.min(passed * this.#speed, passed + MOST_AHEAD)
  }

  /** Milliseconds of the wall from now until this clock shows `instant`; 0 when it has passed. */
  waitUntil(instant: number): number {
    const passed = this.#wall() - this.#startedAt
    const wanted = instant - this.#startedAt
    return Math.max(0, Math.max(wanted / this.#speed, wanted - MOST_AHEAD) - passed)
  }
}
