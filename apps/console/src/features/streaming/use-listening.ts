import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { queryKeys } from '../../platform/query-keys.ts'
import { createStore, useStore } from '../../platform/store.ts'
import { Listening } from './listening.ts'

const REFRESH_MS = 5000

const current = createStore<Listening | null>(null)

/** Listens in on a device while the page is open. Null before it has begun. */
export function useListening(deviceUid: string): Listening | null {
  const listening = useStore(current)
  useEffect(() => {
    const begun = new Listening(deviceUid)
    begun.start()
    current.set(begun)
    return () => {
      begun.stop()
      current.set(null)
    }
  }, [deviceUid])
  useQuery({
    // The change feed makes it stale when the device reports, or what it plays is changed.
    queryKey: queryKeys.devices.listening(deviceUid),
    queryFn: async () => {
      await listening?.refresh()
      return null
    },
    enabled: listening !== null,
    staleTime: 0,
    gcTime: 0,
    refetchInterval: REFRESH_MS,
    refetchIntervalInBackground: true,
    // Without a network the page says so.
    networkMode: 'always',
  })
  return listening
}
