import { clear, entries, promisifyRequest, type UseStore } from 'idb-keyval'
import type { StateStore } from '@floorcast/device-client/state-store.ts'
import { openPlayerStore } from '../../platform/browser-data.ts'

const RETRY_MS = 5000
const DEVICE = 'device'
const STATE = 'state/'

/**
 * The player's data in IndexedDB: manifests, plays in progress, unsent events. All of it is in memory too, since players
 * read it at once. The writes of one turn of the event loop are one transaction. What the disk does not take waits in memory.
 */
export class PlayerDatabase {
  readonly #store: UseStore
  readonly #values: Map<string, unknown>
  /** The newest values that are not on the disk; undefined: removed. */
  readonly #waiting = new Map<string, unknown>()
  #writing: Promise<void> | null = null
  #hasFailed = false
  #isClosed = false

  private constructor(store: UseStore, values: Map<string, unknown>) {
    this.#store = store
    this.#values = values
  }

  /** Opens the database of a device. What another device has left in this browser is removed. */
  static async open(deviceUid: string): Promise<PlayerDatabase> {
    const store = openPlayerStore()
    const values = new Map(await entries<string, unknown>(store))
    if (values.has(DEVICE) && values.get(DEVICE) !== deviceUid) {
      await clear(store)
      values.clear()
    }
    const database = new PlayerDatabase(store, values)
    database.put(DEVICE, deviceUid)
    return database
  }

  get(key: string): unknown {
    return this.#values.get(key)
  }
  /** In the order of their characters. */
  keys(beginning: string): string[] {
    return [...this.#values.keys()].filter(key => key.startsWith(beginning)).toSorted()
  }
  put(key: string, value: unknown): void {
    this.#values.set(key, value)
    this.#write(key, value)
  }
  remove(key: string): void {
    if (this.#values.delete(key)) this.#write(key, undefined)
  }
  /** Whether a value is on the disk, or the disk takes nothing. */
  isStored(key: string): boolean {
    return this.#hasFailed || !this.#waiting.has(key)
  }
  /** Resolves when all that was written before is on the disk, or the disk takes nothing. */
  async written(): Promise<void> {
    await this.#writing
  }

  /** Writes nothing from now on: the user signs out. */
  close(): void {
    this.#isClosed = true
    this.#waiting.clear()
  }

  #write(key: string, value: unknown): void {
    if (this.#isClosed) return
    this.#waiting.set(key, value)
    this.#startWriting()
  }
  #startWriting(): void {
    this.#writing ??= this.#flush().finally(() => (this.#writing = null))
  }

  async #flush(): Promise<void> {
    await Promise.resolve()
    while (this.#waiting.size > 0) {
      const batch = new Map(this.#waiting)
      try {
        await this.#commit(batch)
      } catch {
        this.#hasFailed = true
        setTimeout(() => this.#startWriting(), RETRY_MS)
        return
      }
      this.#hasFailed = false
      for (const [key, value] of batch) if (this.#waiting.get(key) === value) this.#waiting.delete(key)
    }
  }

  #commit(batch: ReadonlyMap<string, unknown>): Promise<unknown> {
    return this.#store('readwrite', store => {
      for (const [key, value] of batch)
        if (value === undefined) store.delete(key)
        else store.put(value, key)
      return promisifyRequest(store.transaction)
    })
  }
}

/** Small values by name in the database. */
export function makeStateStore(database: PlayerDatabase): StateStore {
  return {
    atomically: work => work(),
    read: name => database.get(STATE + name) ?? null,
    write(name, value) {
      database.put(STATE + name, value)
      return true
    },
    remove: name => database.remove(STATE + name),
    names: beginning => database.keys(STATE + beginning).map(key => key.slice(STATE.length)),
  }
}
