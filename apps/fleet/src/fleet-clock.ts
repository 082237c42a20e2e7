import type { firstOf } from '@floorcast/device-client/wait.ts'
import type { PlayerClock } from '@floorcast/device-player/ports.ts'

/** The limit of the devices' clock ahead of wall time; the server distrusts a clock that is a day ahead. */
const MAX_AHEAD_MS = 20 * 3_600_000

/** The longest delay of setTimeout is slightly more. */
const MAX_TIMER_MS = 2_000_000_000

/** The part of the clock that a device reads. */
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

/**
 * The time of one device's player, from event to event. A wait ends at its own instant, however late its timer rings, so that a play is as long
 * as its file at any speed. It is the steady time too.
 */
export class EventClock implements PlayerClock {
  readonly #clock: DeviceClock
  #at: number

  constructor(clock: DeviceClock) {
    this.#clock = clock
    this.#at = clock.now()
  }

  now(): number {
    return this.#at
  }
  steady(): number {
    return this.#at
  }
  instantOf(steady: number): number {
    return steady
  }
  steadyOf(instant: number): number {
    return instant
  }
  /** It is never corrected. */
  onMove(): void {}

  /** Something has happened now. */
  noteEvent(): void {
    this.#at = Math.max(this.#at, this.#clock.now())
  }

  /** Does `work` at an instant. @returns cancels it */
  callAt(instant: number, work: () => void): () => void {
    const waitMs = this.#clock.wallMsUntil(instant)
    const ring = () => {
      this.#at = Math.max(this.#at, waitMs > MAX_TIMER_MS ? this.#clock.now() : instant)
      work()
    }
    const timer = setTimeout(ring, Math.min(waitMs, MAX_TIMER_MS))
    return () => clearTimeout(timer)
  }

  /** Waits like `firstOf`, in milliseconds of this clock. */
  readonly firstOf: typeof firstOf = async (promises, ms) => {
    if (ms === null) return Promise.race(promises)
    const time = Promise.withResolvers<'time'>()
    const cancel = this.callAt(this.#at + Math.max(0, ms), () => time.resolve('time'))
    try {
      return await Promise.race([...promises, time.promise])
    } finally {
      cancel()
    }
  }
}
