import { get, promisifyRequest, type UseStore } from 'idb-keyval'
import { openLargeStore } from './browser-data.ts'

let opened: UseStore | undefined

/** Opened at the first use, because opening throws in a browser without IndexedDB. */
const store = () => (opened ??= openLargeStore())

/**
 * Reads a value that local storage has no room for (5 million characters for the whole console) from IndexedDB. Null when
 * there is none; never throws. Not for small values: a write while the page closes may be lost.
 */
export async function readLarge(key: string): Promise<unknown> {
  try {
    return (await get(key, store())) ?? null
  } catch {
    return null
  }
}

/** Stores a value, or removes it when it is null. Resolves with false when that failed. */
export async function writeLarge(key: string, value: unknown): Promise<boolean> {
  try {
    await store()('readwrite', objectStore => {
      if (value === null) objectStore.delete(key)
      else objectStore.put(value, key)
      // Commits at once: a closing page has no next turn of the event loop.
      objectStore.transaction.commit()
      return promisifyRequest(objectStore.transaction)
    })
    return true
  } catch {
    return false
  }
}
