/** The limit of the devices' clock ahead of wall time; the server distrusts a clock that is a day ahead. */
const MAX_AHEAD_MS = 20 * 3_600_000

/** What a device reads of its clock. */
export type DeviceClock = Pick<FleetClock, 'now' | 'wallMsUntil'>

/** A clock that is wrong by some milliseconds. */
export const shiftedClock = (clock: FleetClock, aheadMs: number): DeviceClock => ({
  now: () => clock.now() + aheadMs,
  wallMsUntil: instant => clock.wallMsUntil(instant - aheadMs),
})

/** The clock of all devices: it starts at or before wall time and runs faster until it is 20 hours ahead. */
export class FleetClock {
  readonly #speed: number
  readonly #wallStartAt: number
  readonly #clockStartAt: number
  /** The limit of its gain on wall time. */
  readonly #maxGainMs: number
  readonly #wall: () => number

  constructor(
    speed: number,
    { behindMs = 0, wall = Date.now }: { behindMs?: number; wall?: () => number } = {},
  ) {
    this.#speed = speed
    this.#wall = wall
    this.#wallStartAt = wall()
    this.#clockStartAt = this.#wallStartAt - behindMs
    this.#maxGainMs = behindMs + MAX_AHEAD_MS
  }

  /** Milliseconds since 1970. */
  now(): number {
    const passed = this.#wall() - this.#wallStartAt
    return this.#clockStartAt + Math.min(passed * this.#speed, passed + this.#maxGainMs)
  }

  /** Wall time until this clock shows `instant`; 0 if it has passed. */
  wallMsUntil(instant: number): number {
    const passed = this.#wall() - this.#wallStartAt
    const wanted = instant - this.#clockStartAt
    return Math.max(0, Math.max(wanted / this.#speed, wanted - this.#maxGainMs) - passed)
  }
}
