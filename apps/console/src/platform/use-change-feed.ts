import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { listenToChangeFeed } from './change-feed.ts'
import { findNewVersion } from './new-version.ts'
import { sessionBegan, useSession } from './session.ts'
import { markStale, type ChangedEntity, type ChangeLane } from './query-keys.ts'

const coalesceMs = 250
/** While ten thousand devices report, each second has changes. */
const minIntervalMs: Readonly<Record<ChangeLane, number>> = { lists: 1_000, summaries: 5_000 }

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

/**
 * Fetches the queries of one lane again that changes make stale: at most once in its interval, and not before the former
 * answers have come: a new fetch would cancel them (docs/decisions/0164).
 */
function openLane(queries: QueryClient, lane: ChangeLane, signal: AbortSignal) {
  const changed = new Set<ChangedEntity>()
  let isRefreshing = false
  const refresh = async () => {
    isRefreshing = true
    await pause(coalesceMs)
    while (changed.size > 0 && !signal.aborted) {
      const entities = [...changed]
      changed.clear()
      await Promise.all([markStale(queries, entities, { lane }), pause(minIntervalMs[lane])])
    }
    isRefreshing = false
  }
  return (entity: ChangedEntity) => {
    changed.add(entity)
    if (!isRefreshing) void refresh()
  }
}

/** Keeps the page current while the shell is open: queries that show what the change feed names are fetched again. */
export function useChangeFeed(): void {
  const queries = useQueryClient()
  const { user, token } = useSession()
  const isFollowing = token !== null && user?.role !== 'streamer'
  useEffect(() => {
    // The feed is for the lists, which a streamer does not see.
    if (!isFollowing) return
    const stop = new AbortController()
    const lanes = (['lists', 'summaries'] as const).map(lane => openLane(queries, lane, stop.signal))
    const onChange = (entity: ChangedEntity) => lanes.forEach(add => add(entity))
    // A server that was away may have been upgraded.
    const onMissed = () => void Promise.all([queries.invalidateQueries(), findNewVersion()])
    void listenToChangeFeed(stop.signal, { readingSince: sessionBegan(), onChange, onMissed })
    return () => stop.abort()
  }, [queries, isFollowing])
}
