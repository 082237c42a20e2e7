import { clear, createStore, type UseStore } from 'idb-keyval'
import { forgetRecent } from './recent.ts'

/** The cache of what the player page plays. */
export const mediaCacheName = 'floorcast-player-media'
/** The caches of the console's own files, one for each build. `sw.js` has the same. */
export const shellCachePrefix = 'floorcast-shell '

/** The player's values in IndexedDB. */
export const openPlayerStore = (): UseStore => createStore('floorcast-player', 'values')

/** The names of the caches of the console's own files, the newest last. */
export async function findShellCaches(): Promise<string[]> {
  return (await caches.keys()).filter(name => name.startsWith(shellCachePrefix))
}

/** Called before a user signs out, while the session still is valid. */
const leaving = new Set<() => Promise<void>>()
/** The longest wait for the last reports of a player. */
const maxWaitMs = 4000

/** Runs `work` before the user signs out. @returns the function that takes it back */
export function beforeSignOut(work: () => Promise<void>): () => void {
  leaving.add(work)
  return () => void leaving.delete(work)
}

/** Lets a player of this page send its last reports, and ends what is being stored. */
export async function prepareSignOut(): Promise<void> {
  const ended = Promise.allSettled([...leaving].map(work => work()))
  await Promise.race([ended, new Promise(resolve => setTimeout(resolve, maxWaitMs))])
}

/**
 * Removes the console's files, all that a player has stored in this browser, and the names of what was opened lately: for a logout,
 * another user and a session that ended. Never throws.
 */
export async function removeBrowserData(): Promise<void> {
  forgetRecent()
  try {
    // The caches of the former names, too.
    const names = (await caches.keys()).filter(name => name.startsWith('floorcast-'))
    await Promise.all(names.map(name => caches.delete(name)))
    for (const registration of await navigator.serviceWorker.getRegistrations())
      await registration.unregister()
    await clear(openPlayerStore())
  } catch {
    // Without a secure origin, or in a private window, there is nothing to remove.
  }
}
