import { useQueryClient, type Query, type QueryCache } from '@tanstack/react-query'
import { useCallback, useMemo, useSyncExternalStore } from 'react'
import { isMainRead } from './query-keys.ts'

/** Whether the query shows an answer to a page that was loaded earlier. */
export const isRestored = ({ state }: { state: Pick<Query['state'], 'data' | 'dataUpdatedAt'> }): boolean =>
  state.data !== undefined && state.dataUpdatedAt < performance.timeOrigin

/** Those that a page shows. The open alerts are on every page, and only what they name makes them stale. */
const shownBy = (cache: QueryCache) =>
  cache
    .getAll()
    .filter(
      query =>
        query.isActive() &&
        query.state.data !== undefined &&
        isMainRead(query.queryKey) &&
        query.queryKey[1] !== 'open',
    )

/** The queries that were current when the server went away, by the change feed. */
class Outage {
  #current: ReadonlySet<string> = new Set()
  #at = 0

  begin(cache: QueryCache): void {
    const current = shownBy(cache).filter(query => !isRestored(query))
    this.#current = new Set(current.map(({ queryHash }) => queryHash))
    this.#at = Date.now()
  }
  end(): void {
    this.#current = new Set()
  }
  /** The time of a query's answer. */
  ageOf({ queryHash, state }: Query): number {
    return Math.max(state.dataUpdatedAt, this.#current.has(queryHash) ? this.#at : 0)
  }
}

/**
 * The time of the oldest answer that the page shows, in ms since the epoch; null while all of it is current or
 * nothing of it is known.
 * @param isAway the server is known to be away
 */
export function useAnswersAsOf(isAway: boolean): number | null {
  const cache = useQueryClient().getQueryCache()
  const outage = useMemo(() => new Outage(), [])
  const follow = useCallback(
    (notify: () => void) => {
      if (isAway) outage.begin(cache)
      else outage.end()
      return cache.subscribe(notify)
    },
    [cache, isAway, outage],
  )
  return useSyncExternalStore(follow, () => {
    const shown = shownBy(cache)
    const isCurrent = !isAway && !shown.some(isRestored)
    return isCurrent || shown.length === 0 ? null : Math.min(...shown.map(query => outage.ageOf(query)))
  })
}
