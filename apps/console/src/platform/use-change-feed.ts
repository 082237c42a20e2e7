import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { listenToChangeFeed } from './change-feed.ts'
import { markStale, type ChangedEntity } from './query-keys.ts'

const coalesceMs = 250

/**
 * Keeps the page current while the shell is open: queries that show what the change feed names are fetched again, at most
 * four times a second (docs/decisions/0055).
 */
export function useChangeFeed(): void {
  const queries = useQueryClient()
  useEffect(() => {
    const stop = new AbortController()
    const changed = new Set<ChangedEntity>()
    let timer: ReturnType<typeof setTimeout> | undefined
    const refresh = () => {
      timer = undefined
      void markStale(queries, changed)
      changed.clear()
    }
    const onChange = (entity: ChangedEntity) => {
      changed.add(entity)
      timer ??= setTimeout(refresh, coalesceMs)
    }
    void listenToChangeFeed(stop.signal, onChange, () => void queries.invalidateQueries())
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [queries])
}
