import type { ClientScope, Reads } from '../../platform/database/client-scope.ts'
import type { Database } from '../../platform/database/database.ts'
import { FairQueue } from '../../platform/lib/fair-queue.ts'
import type { Log } from '../../platform/log/log.ts'
import { type FileStore, FileStoreAwayError } from '../../platform/storage/file-store.ts'
import { beginWork, endWork, MAX_TRIES, renewWork, type WorkedFile } from './media-file-queries.ts'

export interface MediaWorkParts {
  database: Database
  files: FileStore
  log: Log
  now: () => Date
}

/** Work on stored files, one after another. The rows of the files say which wait, and which server is at which. */
export interface MediaWork<File> {
  name: 'loudness' | 'tags'
  /** The client's file that has waited longest and may be begun. */
  findNext: (reads: Reads, now: Date) => Promise<File | null>
  /** Long work leaves a place for other clients. */
  isLong: (file: File) => boolean
  /** Works on a file and saves the result; after it the file waits no more. */
  run: (scope: ClientScope, file: File, signal: AbortSignal) => Promise<void>
}

/** A server that is killed leaves its files to the others after this time. */
const LEASE_MS = 120_000
const RENEWAL_MS = 30_000
/** Finds what another server has left, and what failed. */
const LOOK_MS = 120_000
/** The delay after a failure of the database. */
const RETRY_MS = 30_000
/** After a failure a file waits so long, longer each time. */
const WAITS_MINUTES = [1, 5, 15, 60]

const after = (now: Date, ms: number) => new Date(now.getTime() + ms)

/**
 * Works on files after the call that brought them was answered. Clients take turns, and a client has one file in work at a
 * time on a server, so that long files delay mostly their own client. A lease keeps a file to one server: docs/decisions/0349.
 */
export class MediaWorkQueue<File extends WorkedFile> {
  readonly #parts: MediaWorkParts
  readonly #work: MediaWork<File>
  readonly #turns = new FairQueue({ places: 2, longPlaces: 1 })
  /** The clients whose files wait or are in work. */
  readonly #clients = new Map<string, { hasNew: boolean; work: Promise<void> }>()
  readonly #stopping = new AbortController()
  #looking: NodeJS.Timeout | null = null

  constructor(parts: MediaWorkParts, work: MediaWork<File>) {
    this.#parts = parts
    this.#work = work
  }

  /** Works on the files of every client that wait, now and after each look. A server starts while the database is away. */
  start(): void {
    const look = () =>
      void this.look().catch((error: unknown) => {
        if (!this.#stopping.signal.aborted)
          this.#parts.log.warn({ err: error }, `queue: ${this.#work.name} was not read`)
      })
    this.#looking = setInterval(look, LOOK_MS).unref()
    look()
  }

  /** Works on the files of every client that may be begun. */
  async look(): Promise<void> {
    const { database, now } = this.#parts
    const asked = { kind: this.#work.name, at: now(), maxTries: MAX_TRIES }
    for (const clientId of await database.jobs.clientsWithMediaWork(asked)) this.enqueue(clientId)
  }

  /** Works on the files of one client that wait. */
  enqueue(clientId: string): void {
    const known = this.#clients.get(clientId)
    if (known) known.hasNew = true
    else if (!this.#stopping.signal.aborted) {
      const state = { hasNew: true, work: Promise.resolve() }
      this.#clients.set(clientId, state)
      state.work = this.#run(clientId, state)
    }
  }

  /** Aborts the current work and leaves its files to other servers, or to the next start. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    if (this.#looking) clearInterval(this.#looking)
    await Promise.all([...this.#clients.values()].map(({ work }) => work))
  }

  async #run(clientId: string, state: { hasNew: boolean }): Promise<void> {
    const { signal } = this.#stopping
    try {
      while (state.hasNew) {
        state.hasNew = false
        await this.#workFor(clientId)
      }
    } catch (error) {
      if (signal.aborted) return
      this.#parts.log.error({ err: error, clientId }, `queue: ${this.#work.name}`)
      // Usually the database was away. The files must not wait for the next upload or start.
      setTimeout(() => this.enqueue(clientId), RETRY_MS).unref()
    } finally {
      this.#clients.delete(clientId)
    }
  }

  async #workFor(clientId: string): Promise<void> {
    const { signal } = this.#stopping
    const scope = this.#parts.database.jobs.forClient(clientId)
    for (;;) {
      const file = await this.#work.findNext(scope.reads, this.#parts.now())
      if (!file) return
      const turn = { clientId, isLong: this.#work.isLong(file), signal }
      await this.#turns.run(turn, () => this.#workOn(scope, file))
    }
  }

  /** Does nothing if another server has begun meanwhile. */
  async #workOn(scope: ClientScope, file: File): Promise<void> {
    const { now } = this.#parts
    const { signal } = this.#stopping
    const lease = () => ({ at: now(), until: after(now(), LEASE_MS) })
    const tries = await scope.write(writes => beginWork(writes, file, lease()))
    if (tries === null) return
    const renewal = setInterval(() => {
      // If it fails until the lease ends, another server works on the file too, and the first result is kept.
      scope.write(writes => renewWork(writes, file, lease().until)).catch(() => {})
    }, RENEWAL_MS)
    try {
      await this.#work.run(scope, file, signal)
      await scope.write(writes => endWork(writes, file, { tries: 0, until: null }))
    } catch (error) {
      if (signal.aborted) {
        await scope.write(writes => endWork(writes, file, { tries: tries - 1, until: null }))
        throw error
      }
      await this.#noteFailure(scope, file, { error, tries })
    } finally {
      clearInterval(renewal)
    }
  }

  async #noteFailure(
    scope: ClientScope,
    file: File,
    { error, ...noted }: { error: unknown; tries: number },
  ): Promise<void> {
    const { log, now } = this.#parts
    const { name } = this.#work
    // A store that is away is no fault of the file.
    const tries = error instanceof FileStoreAwayError ? noted.tries - 1 : noted.tries
    const what = { err: error, clientId: scope.clientId, mediaUid: file.mediaUid, tries }
    if (tries >= MAX_TRIES) log.error(what, `queue: ${name}: given up until the next maintenance`)
    else log.warn(what, `queue: ${name}: is tried again`)
    const waitMs = (WAITS_MINUTES[Math.max(0, tries - 1)] ?? 0) * 60_000
    await scope.write(writes => endWork(writes, file, { tries, until: after(now(), waitMs) }))
  }
}
