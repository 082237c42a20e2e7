import { createStore, get, promisifyRequest, type UseStore } from 'idb-keyval'

let opened: UseStore | undefined

/** Made when it is first asked for: where a browser has no IndexedDB, that alone throws. */
const store = () => (opened ??= createStore('floorcast', 'large'))

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

/** Keeps a value, or removes it when it is null. Answers whether it did. */
export async function writeLarge(key: string, value: unknown): Promise<boolean> {
  try {
    await store()('readwrite', objectStore => {
      if (value === null) objectStore.delete(key)
      else objectStore.put(value, key)
      // At once: a page that is going has no next turn in which it would end by itself.
      objectStore.transaction.commit()
      return promisifyRequest(objectStore.transaction)
    })
    return true
  } catch {
    return false
  }
}
