import { clear, createStore, type UseStore } from 'idb-keyval'

/** The caches of the player page: its media, and the files of the console that it needs without a network. */
export const mediaCacheName = 'floorcast-player-media'
export const shellCacheName = 'floorcast-player-shell'

/** The player's values in IndexedDB. */
export const openPlayerStore = (): UseStore => createStore('floorcast-player', 'values')

/** Called before a user signs out, while the session still is valid. */
const leaving = new Set<() => Promise<void>>()
/** The longest wait for the last reports of a player. */
const maxWaitMs = 4000

/** Runs `work` before the user signs out. @returns the function that takes it back */
export function beforeSignOut(work: () => Promise<void>): () => void {
  leaving.add(work)
  return () => void leaving.delete(work)
}

/** Lets a player of this page send its last reports. */
export async function endPlayers(): Promise<void> {
  const ended = Promise.allSettled([...leaving].map(work => work()))
  await Promise.race([ended, new Promise(resolve => setTimeout(resolve, maxWaitMs))])
}

/** Removes all that a player has stored in this browser. Never throws. */
export async function removePlayerData(): Promise<void> {
  try {
    await Promise.all([mediaCacheName, shellCacheName].map(name => caches.delete(name)))
    for (const registration of await navigator.serviceWorker.getRegistrations())
      await registration.unregister()
    await clear(openPlayerStore())
  } catch {
    // Without a secure origin, or in a private window, there is nothing to remove.
  }
}
