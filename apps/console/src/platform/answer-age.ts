import { useQueryClient, type Query, type QueryCache } from '@tanstack/react-query'
import { useCallback, useMemo, useSyncExternalStore } from 'react'

/** The first two parts of the keys of the main reads, `*` for any second one. Logs, searches, secrets and tickets are none. */
const mainReads: ReadonlySet<unknown> = new Set([
  'dashboard/*',
  'charts/*',
  'views/*',
  'device-day/*',
  'devices/list',
  'devices/card',
  'devices/first',
  'plays/last',
  'groups/list',
  'groups/card',
  'groups/options',
  'media/list',
  'media/card',
  'media/playlists',
  'media/groups',
  'playlists/list',
  'playlists/card',
  'playlists/with-tracks',
  'playlists/count',
  'publications/list',
  'publications/card',
  'publications/devices',
  'publications/of-playlist',
  'alerts/open',
  'alerts/list',
  'alerts/card',
  'alerts/devices',
  'tags/list',
  'tags/effective',
  'tags/owner',
  'profiles/list',
  'profiles/card',
  'profile-types/*',
  'users/list',
  'account/plans',
  'media-bin/list',
  'device-bin/list',
  'group-bin/list',
  'playlist-bin/list',
  'publication-bin/list',
  'updates/list',
  'updates/package',
  'update-devices/*',
])

/** Whether a query is one of those whose last answer this browser keeps. */
export function isMainRead({ queryKey: [family, kind] }: Pick<Query, 'queryKey'>): boolean {
  return mainReads.has(`${family}/*`) || mainReads.has(`${family}/${kind}`)
}

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
        isMainRead(query) &&
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
  /** As of when the answer of a query is. */
  ageOf({ queryHash, state }: Query): number {
    return Math.max(state.dataUpdatedAt, this.#current.has(queryHash) ? this.#at : 0)
  }
}

/**
 * As of when the page shows what it shows, in ms since the epoch, by its oldest answer; null while all of it is current or
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
