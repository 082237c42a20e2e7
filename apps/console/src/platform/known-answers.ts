import { CallError } from '@floorcast/contract/client.ts'
import type { Query, QueryClient } from '@tanstack/react-query'
import { clear, get, promisifyRequest, set, type UseStore } from 'idb-keyval'
import { isRestored } from './answer-age.ts'
import { openAnswerStore } from './browser-data.ts'
import { serverAnswers } from './change-feed.ts'
import { ownMain } from './new-version.ts'
import { isMainRead } from './query-keys.ts'
import { sessionStore } from './session.ts'
import { parseJson } from './storage.ts'

/*
 * The last answers of the main reads, in IndexedDB, for the time in which the server is away
 * (docs/decisions/0248-install-the-console-and-keep-its-last-answers.md). An entry's key is the hash of its query, when it
 * came, and its characters, so that the store is kept small without reading it.
 */

const MAX_CHARACTERS = 2_500_000
const MAX_ENTRY_CHARACTERS = 500_000
const MAX_AGE_MS = 7 * 86_400_000
const WRITE_AFTER_MS = 1000
const ASK_AGAIN_MS = 15_000
/** The user of these answers, and the build: another build may read them differently. */
const OWNER = 'owner'
/** A key opens a device's place to anyone; the line that installs a player has the key in it. */
const secrets: ReadonlySet<string> = new Set(['licenseKey', 'installLine'])

type EntryKey = [hash: string, at: number, characters: number]

let opened: UseStore | undefined
const database = () => (opened ??= openAnswerStore())

const keysOf = (hash: string) => IDBKeyRange.bound([hash], [hash, []])
const isEntryKey = (key: unknown): key is EntryKey => Array.isArray(key) && key.length === 3

const toText = (data: unknown): string =>
  JSON.stringify(data, (name, value: unknown) => (secrets.has(name) ? null : value))

const ownerNow = () => {
  const { user, token } = sessionStore.get()
  return user && token ? `${user.uid} ${user.role} ${ownMain()}` : null
}

/** Forgets everything: the session has ended. Never throws. */
export async function dropAnswers(): Promise<void> {
  await clear(database()).catch(() => undefined)
}

/** The keys that have to go so that the rest is young and small enough. */
export function findSurplus(keys: readonly EntryKey[], now: number): EntryKey[] {
  let characters = 0
  return keys
    .toSorted((one, other) => other[1] - one[1])
    .filter(([, at, size]) => {
      if (now - at > MAX_AGE_MS) return true
      characters += size
      return characters > MAX_CHARACTERS
    })
}

/** Undefined data: the server refuses them now. */
type Answers = ReadonlyMap<string, { data: unknown; at: number }>

/** Writes answers, and removes what is too old or too much, in one transaction. */
function write(answers: Answers): Promise<unknown> {
  return database()('readwrite', async store => {
    for (const [hash, { data, at }] of answers) {
      store.delete(keysOf(hash))
      const text = data === undefined ? '' : toText(data)
      if (text !== '' && text.length <= MAX_ENTRY_CHARACTERS) store.put(text, [hash, at, text.length])
    }
    const keys = await promisifyRequest(store.getAllKeys())
    for (const key of findSurplus(keys.filter(isEntryKey), Date.now())) store.delete(key)
    return promisifyRequest(store.transaction)
  })
}

async function read(hash: string): Promise<{ data: unknown; at: number } | null> {
  return database()('readonly', async store => {
    const [keys, texts] = await Promise.all([
      promisifyRequest(store.getAllKeys(keysOf(hash))),
      promisifyRequest<unknown[]>(store.getAll(keysOf(hash))),
    ])
    const [key, text] = [keys[0], texts[0]]
    if (!isEntryKey(key) || typeof text !== 'string' || Date.now() - key[1] > MAX_AGE_MS) return null
    return { data: parseJson(text), at: key[1] }
  })
}

/** A proxy's answer for a server that is away has no problem in it. */
const isAway = (error: unknown) =>
  error instanceof CallError && (error.status === 0 || (error.status >= 502 && error.problem === null))
const isRefused = (error: unknown) =>
  error instanceof CallError && (error.status === 403 || error.status === 404)

/** The server has not answered a query that shows nothing. */
const waitsInVain = ({ state }: Query) =>
  state.data === undefined &&
  (state.fetchStatus === 'paused' ||
    !serverAnswers.get() ||
    isAway(state.error) ||
    isAway(state.fetchFailureReason))

/** Keeps the answers of one session's queries, and shows those of the past where the server does not answer. */
class AnswerKeeper {
  readonly #client: QueryClient
  readonly #owner: string
  readonly #waiting = new Map<string, { data: unknown; at: number }>()
  readonly #asked = new WeakSet<Query>()
  readonly #ready: Promise<void>
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #signal: AbortSignal

  constructor(client: QueryClient, owner: string, signal: AbortSignal) {
    this.#client = client
    this.#owner = owner
    this.#signal = signal
    this.#ready = this.#claim().catch(() => undefined)
  }

  start(): void {
    const signal = this.#signal
    const cache = this.#client.getQueryCache()
    const unsubscribe = cache.subscribe(event => {
      const query = event.query as Query
      if (event.type === 'updated' && event.action.type === 'success' && event.action.manual !== true)
        this.#keep(query)
      if (event.type === 'updated' || event.type === 'added') this.#follow(query)
    })
    for (const query of cache.getAll()) if (query.state.data !== undefined) this.#keep(query)
    const flush = () => void this.#flush()
    document.addEventListener('visibilitychange', flush, { signal })
    addEventListener('pagehide', flush, { signal })
    const followAll = () => cache.getAll().forEach(query => this.#follow(query))
    const unfollow = serverAnswers.subscribe(followAll)
    const asking = setInterval(() => this.#askAgain(), ASK_AGAIN_MS)
    followAll()
    signal.addEventListener('abort', () => {
      unsubscribe()
      unfollow()
      clearInterval(asking)
      clearTimeout(this.#timer)
    })
  }

  /** Forgets the answers of another user, role or build. */
  async #claim(): Promise<void> {
    if ((await get(OWNER, database())) === this.#owner) return
    await clear(database())
    await set(OWNER, this.#owner, database())
  }

  #keep(query: Query): void {
    if (!isMainRead(query.queryKey) || isRestored(query)) return
    const { data, dataUpdatedAt: at } = query.state
    this.#put(query.queryHash, { data, at })
  }
  #put(hash: string, answer: { data: unknown; at: number }): void {
    this.#waiting.set(hash, answer)
    this.#timer ??= setTimeout(() => void this.#flush(), WRITE_AFTER_MS)
  }

  async #flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    await this.#ready
    // Another tab may have ended the session.
    if (this.#signal.aborted || ownerNow() !== this.#owner || this.#waiting.size === 0) return
    const answers = new Map(this.#waiting)
    this.#waiting.clear()
    // A full disk, or a private window: nothing is kept.
    await write(answers).catch(() => undefined)
  }

  #follow(query: Query): void {
    if (!isMainRead(query.queryKey)) return
    if (isRefused(query.state.error)) this.#put(query.queryHash, { data: undefined, at: 0 })
    if (waitsInVain(query)) void this.#restore(query)
  }

  async #restore(query: Query): Promise<void> {
    if (this.#asked.has(query)) return
    this.#asked.add(query)
    await this.#ready
    const known = await read(query.queryHash).catch(() => null)
    if (!known || this.#signal.aborted || query.state.data !== undefined) return
    this.#client.setQueryData(query.queryKey, known.data, { updatedAt: known.at })
  }

  /** The change feed names what has changed, not what has failed. */
  #askAgain(): void {
    if (!serverAnswers.get()) return
    void this.#client.refetchQueries({ type: 'active', predicate: isRestored })
  }
}

/** Begins to keep answers, until the signal aborts. Nothing is kept without a session. */
export function keepAnswers(client: QueryClient, signal: AbortSignal): void {
  const owner = ownerNow()
  if (owner !== null) new AnswerKeeper(client, owner, signal).start()
}
