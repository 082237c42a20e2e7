import { clear, createStore, type UseStore } from 'idb-keyval'
import { sessionStore } from './session.ts'

/** The cache of what the player page plays. */
export const mediaCacheName = 'floorcast-player-media'
/** The caches of the console's own files, one for each build. `sw.js` has the same. */
export const shellCachePrefix = 'floorcast-shell '

/** The player's values in IndexedDB. */
export const openPlayerStore = (): UseStore => createStore('floorcast-player', 'values')
/** The last answers of the main reads. */
export const openAnswerStore = (): UseStore => createStore('floorcast-answers', 'answers')
/** Values that local storage has no room for. */
export const openLargeStore = (): UseStore => createStore('floorcast', 'large')

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

/** The keys that belong to a user: names, paths, drafts, files. The look, columns and the language belong to the browser. */
const USER_KEYS = /^floorcast\.(?:recent$|uploads$|wizard\.|report\.|import)/

function removeKeys(storage: Storage): void {
  for (const key of Object.keys(storage)) if (USER_KEYS.test(key)) storage.removeItem(key)
}

/**
 * Removes all that users have stored in this browser, and the console's files: for a logout, another user and a session that ended.
 * Never throws.
 */
export async function removeBrowserData(): Promise<void> {
  try {
    removeKeys(localStorage)
    removeKeys(sessionStorage)
  } catch {
    // The storage is blocked, so nothing was stored.
  }
  try {
    await Promise.all([openLargeStore, openPlayerStore, openAnswerStore].map(open => clear(open())))
  } catch {
    // In a private window there may be nothing to remove.
  }
  try {
    // The caches of the former names, too.
    const names = (await caches.keys()).filter(name => name.startsWith('floorcast-'))
    await Promise.all(names.map(name => caches.delete(name)))
    for (const registration of await navigator.serviceWorker.getRegistrations())
      await registration.unregister()
  } catch {
    // Without a secure origin there is nothing to remove.
  }
}

/**
 * Removes what a user has stored when another one signs in and when the session ends, also in another tab. A locked screen waits for
 * its user. Returns a function that ends it.
 */
export function watchUser(): () => void {
  let known = sessionStore.get().user?.uid
  return sessionStore.subscribe(() => {
    const uid = sessionStore.get().user?.uid
    if (known !== undefined && uid !== known) void removeBrowserData()
    known = uid
  })
}
