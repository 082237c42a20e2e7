import { LRUCache } from 'lru-cache'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import { FigureCache } from '../../platform/lib/figure-cache.ts'
import type { Log } from '../../platform/log/log.ts'
import { findShortAds, type ShortAd } from '../delivery-report/delivery-report.ts'

/** Late plays arrive all day. Counting takes at most a tenth of the time (FigureCache). */
const MIN_AGE_MS = 600_000
/** A count ends after so long; each of its statements has the deadline of users' calls (database.ts). */
const DEADLINE_MS = 60_000
const CLIENTS_KEPT = 1000

/** Counts the ads that fell short while somebody looks at the dashboard. No call waits for it: each shows what was counted last. */
export class ShortAds {
  readonly #counting = new FigureCache<void>(CLIENTS_KEPT)
  readonly #last = new LRUCache<string, ShortAd[]>({ max: CLIENTS_KEPT })
  readonly #log: Log

  constructor(log: Log) {
    this.#log = log
  }

  /** The last count; empty before the first one ended. */
  read({ scope, now }: RequestContext): readonly ShortAd[] {
    const { clientId } = scope
    const asked = { now, minAgeMs: MIN_AGE_MS }
    void this.#counting.read(clientId, asked, async () => {
      try {
        this.#last.set(clientId, await findShortAds(scope.reads, now, AbortSignal.timeout(DEADLINE_MS)))
      } catch (error) {
        // What is too large to be counted is not counted again at each look at the dashboard.
        this.#log.error({ err: error, clientId }, 'count of the ads that fell short')
      }
    })
    return this.#last.get(clientId) ?? []
  }
}
