import type { LiveLine } from '@floorcast/contract/change-feed.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { listenToChangeFeed } from './change-feed.ts'

export type ChangedEntity = NonNullable<LiveLine['thing']>

/** Which lists show a thing besides its own: what changes in one of them is read again in the others. */
const shownIn: Record<ChangedEntity, readonly string[]> = {
  device: ['device', 'group', 'dashboard'],
  group: ['group', 'device', 'publication'],
  media: ['media', 'playlist', 'dashboard'],
  playlist: ['playlist', 'media', 'publication'],
  publication: ['publication', 'group', 'playlist', 'device', 'dashboard'],
  play: ['play', 'dashboard'],
}

const gatherMs = 250

/**
 * Keeps the page current while the shell is open: every query key begins with its noun (`['device', …]`), and queries
 * that the change stream names are fetched again, at most four times a second (docs/decisions/0055).
 */
export function useChangeFeed(): void {
  const queries = useQueryClient()
  useEffect(() => {
    const stop = new AbortController()
    const changed = new Set<string>()
    let timer: ReturnType<typeof setTimeout> | undefined
    const refresh = () => {
      timer = undefined
      const nouns = [...changed]
      changed.clear()
      void queries.invalidateQueries({ predicate: query => nouns.includes(String(query.queryKey[0])) })
    }
    const note = (line: LiveLine) => {
      if (!line.thing) return
      for (const noun of shownIn[line.thing]) changed.add(noun)
      timer ??= setTimeout(refresh, gatherMs)
    }
    void listenToChangeFeed(stop.signal, note, () => void queries.invalidateQueries())
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [queries])
}
