import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { listenToChangeFeed } from './change-feed.ts'
import { markStale, type ChangedEntity } from './query-keys.ts'

const coalesceMs = 250
/** While ten thousand devices report, each second has changes. */
const minIntervalMs = 1_000

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

/**
 * Keeps the page current while the shell is open: queries that show what the change feed names are fetched again, at most
 * once a second, and not before the former answers have come: a new fetch would cancel them (docs/decisions/0164).
 */
export function useChangeFeed(): void {
  const queries = useQueryClient()
  useEffect(() => {
    const stop = new AbortController()
    const changed = new Set<ChangedEntity>()
    let isRefreshing = false
    const refresh = async () => {
      isRefreshing = true
      await pause(coalesceMs)
      while (changed.size > 0 && !stop.signal.aborted) {
        const entities = [...changed]
        changed.clear()
        await Promise.all([markStale(queries, entities), pause(minIntervalMs)])
      }
      isRefreshing = false
    }
    const onChange = (entity: ChangedEntity) => {
      changed.add(entity)
      if (!isRefreshing) void refresh()
    }
    void listenToChangeFeed(stop.signal, onChange, () => void queries.invalidateQueries())
    return () => stop.abort()
  }, [queries])
}
