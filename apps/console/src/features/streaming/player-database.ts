import { clear, promisifyRequest, type UseStore } from 'idb-keyval'
import type { StateStore } from '@floorcast/device-client/state-store.ts'
import { openPlayerStore } from '../../platform/browser-data.ts'

const RETRY_MS = 5000
const DEVICE = 'device'
const STATE = 'state/'
const ARCHIVE = 'sent/'
/** The first key behind the archive: `0` follows `/`. */
const BEHIND_ARCHIVE = 'sent0'

/**
 * The player's data in IndexedDB: manifests, plays in progress, unsent events. All of it is in memory too, since players
 * read it at once, but for the archive: the events of weeks. The writes of one turn of the event loop are one transaction. What the
 * disk does not take waits in memory.
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
    const values = new Map([
      ...(await readRange(store, IDBKeyRange.upperBound(ARCHIVE, true))),
      ...(await readRange(store, IDBKeyRange.lowerBound(BEHIND_ARCHIVE))),
    ])
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

  /** Writes a value that is not in memory. @returns false while the disk takes nothing: the value is not kept */
  archive(key: string, value: unknown): boolean {
    if (this.#hasFailed) return false
    this.#write(ARCHIVE + key, value)
    return true
  }
  unarchive(key: string): void {
    this.#write(ARCHIVE + key, undefined)
  }
  /** The archive from a key on, in the order of the keys. */
  async readArchive(from: string): Promise<[key: string, value: unknown][]> {
    await this.written()
    const all = await readRange(this.#store, archiveFrom(from))
    return all.map(([key, value]) => [inArchive(key), value])
  }
  /** The last key of the archive. */
  async lastArchived(): Promise<string | undefined> {
    const last = await this.#store('readonly', store =>
      promisifyRequest(store.openKeyCursor(archiveFrom(''), 'prev')),
    )
    return last ? inArchive(last.key) : undefined
  }
  /** Removes what is before a key, and the first values beyond a number. @returns the last key that was removed for the number */
  async purgeArchive(before: string, max: number): Promise<string | undefined> {
    await this.#removeArchived(before)
    const count = await this.#store('readonly', store => promisifyRequest(store.count(archiveFrom(''))))
    if (count <= max) return undefined
    const keys = await this.#store('readonly', store =>
      promisifyRequest(store.getAllKeys(archiveFrom(''), count - max + 1)),
    )
    const [lastDropped, firstKept] = keys.slice(-2).map(inArchive)
    await this.#removeArchived(firstKept ?? '')
    return lastDropped
  }
  #removeArchived(before: string): Promise<unknown> {
    return this.#store('readwrite', store =>
      promisifyRequest(store.delete(IDBKeyRange.bound(ARCHIVE, ARCHIVE + before, false, true))),
    )
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

/** All keys of this database are texts. */
const textOf = (key: IDBValidKey): string => (typeof key === 'string' ? key : '')
const inArchive = (key: IDBValidKey): string => textOf(key).slice(ARCHIVE.length)
const archiveFrom = (key: string) => IDBKeyRange.bound(ARCHIVE + key, BEHIND_ARCHIVE, false, true)

const readRange = (transact: UseStore, range: IDBKeyRange): Promise<[key: string, value: unknown][]> =>
  transact('readonly', async store => {
    const [keys, values] = await Promise.all([
      promisifyRequest(store.getAllKeys(range)),
      promisifyRequest<unknown[]>(store.getAll(range)),
    ])
    return keys.map((key, index) => [textOf(key), values[index]])
  })

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
