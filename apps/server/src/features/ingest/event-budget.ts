import { ProblemError } from '../../platform/lib/errors.ts'

/**
 * What a device may deliver at once: four weeks of plays of a minute each. Then one event a second, while a shop that plays a
 * spot of ten seconds after the other makes one in ten.
 */
const MAX_EVENTS = 50_000
const EVENTS_PER_SECOND = 1
/** A device that is forgotten has its whole budget again. An entry takes some 200 bytes. */
const MAX_DEVICES = 100_000

interface Budget {
  events: number
  /** Milliseconds since 1970. */
  at: number
}

/** A token bucket of events for each device. Each server counts alone; a device talks to one at a time. */
export class EventBudget {
  /** The device that delivered longest ago first. */
  readonly #budgets = new Map<string, Budget>()

  /** @throws ProblemError 429 with the time until the device may deliver so many events */
  take(deviceUid: string, events: number, now: Date): void {
    const at = now.getTime()
    const left = this.#left(deviceUid, at)
    if (events > left)
      throw new ProblemError(429, 'too-many-events', {
        detail: `A device delivers at most ${MAX_EVENTS} events at once and ${EVENTS_PER_SECOND} a second. Keep the events and send them later.`,
        retryAfterSeconds: Math.ceil((events - left) / EVENTS_PER_SECOND),
      })
    this.#budgets.delete(deviceUid)
    for (const oldest of this.#budgets.keys())
      if (this.#budgets.size >= MAX_DEVICES) this.#budgets.delete(oldest)
      else break
    this.#budgets.set(deviceUid, { events: left - events, at })
  }

  /** For events that could not be stored: the device sends them again. */
  giveBack(deviceUid: string, events: number): void {
    const budget = this.#budgets.get(deviceUid)
    if (budget) budget.events += events
  }

  #left(deviceUid: string, at: number): number {
    const budget = this.#budgets.get(deviceUid)
    if (!budget) return MAX_EVENTS
    // The clock may be set back.
    const seconds = Math.max(0, at - budget.at) / 1000
    return Math.min(MAX_EVENTS, budget.events + seconds * EVENTS_PER_SECOND)
  }
}
