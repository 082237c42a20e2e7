import { LRUCache } from 'lru-cache'
import { ProblemError } from '../../platform/lib/errors.ts'

/** How many reports of a kind a device may deliver at once, and then in a second. */
interface ReportLimit {
  name: 'events' | 'heartbeats'
  max: number
  perSecond: number
}

/**
 * Four weeks of plays of a minute each at once. Then one event a second, while a shop that plays a spot of ten seconds after the
 * other makes one in ten.
 */
export const EVENT_LIMIT: ReportLimit = { name: 'events', max: 50_000, perSecond: 1 }
/** Each is a row of history. A device sends one a minute, one more for each track, and none later. */
export const HEARTBEAT_LIMIT: ReportLimit = { name: 'heartbeats', max: 2000, perSecond: 1 }

/** A device that is forgotten has its whole budget again. An entry takes some 200 bytes. */
const MAX_DEVICES = 100_000

interface Budget {
  reports: number
  /** Milliseconds since 1970. */
  at: number
}

/** A token bucket of reports for each device. Each server counts alone; a device talks to one at a time. */
export class ReportBudget {
  readonly #limit: ReportLimit
  /** By device. `max` would reserve 3 MB. */
  readonly #budgets = new LRUCache<string, Budget>({ maxSize: MAX_DEVICES, sizeCalculation: () => 1 })

  constructor(limit: ReportLimit) {
    this.#limit = limit
  }

  /** @throws ProblemError 429 with the time until the device may deliver so many reports */
  take(deviceUid: string, reports: number, now: Date): void {
    const { name, max, perSecond } = this.#limit
    const at = now.getTime()
    const left = this.#left(deviceUid, at)
    if (reports > left)
      throw new ProblemError(`too-many-${name}`, {
        detail: `A device delivers at most ${max} ${name} at once and ${perSecond} a second. Keep them and send them later.`,
        retryAfterSeconds: Math.ceil((reports - left) / perSecond),
      })
    this.#budgets.set(deviceUid, { reports: left - reports, at })
  }

  /** For reports that could not be stored: the device sends them again. */
  giveBack(deviceUid: string, reports: number): void {
    const budget = this.#budgets.get(deviceUid)
    if (budget) budget.reports += reports
  }

  #left(deviceUid: string, at: number): number {
    const { max, perSecond } = this.#limit
    const budget = this.#budgets.get(deviceUid)
    if (!budget) return max
    // The clock may be set back.
    const seconds = Math.max(0, at - budget.at) / 1000
    return Math.min(max, budget.reports + seconds * perSecond)
  }
}
