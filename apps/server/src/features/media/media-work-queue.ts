import type { ClientScope, Reads } from '../../platform/database/client-scope.ts'
import type { Database } from '../../platform/database/database.ts'
import { FairQueue } from '../../platform/lib/fair-queue.ts'
import type { Log } from '../../platform/log/log.ts'
import type { FileStore } from '../../platform/storage/file-store.ts'

export interface MediaWorkParts {
  database: Database
  files: FileStore
  log: Log
}

/** Work on stored files, one after another. The rows of the files say which wait. */
export interface MediaWork<File> {
  /** For the log. */
  name: string
  /** The client's file that has waited longest. */
  findNext: (reads: Reads) => Promise<File | null>
  /** Long work leaves a place for other clients. */
  isLong: (file: File) => boolean
  /** Works on a file and saves the result; after it the file waits no more. */
  run: (scope: ClientScope, file: File, options: { enter: Enter; signal: AbortSignal }) => Promise<void>
}

/** Runs the part that needs a place in the queue. */
type Enter = <T>(work: () => Promise<T>) => Promise<T>

/** The delay after a failure of the server, not of the file. */
const RETRY_MS = 30_000

/**
 * Works on files after the call that brought them was answered. Clients take turns, and a client has one file in work at a
 * time, so that long files delay mostly their own client. Its only lasting state is in the rows of the files.
 */
export class MediaWorkQueue<File> {
  readonly #parts: MediaWorkParts
  readonly #work: MediaWork<File>
  readonly #turns = new FairQueue({ places: 2, longPlaces: 1 })
  /** The clients whose files wait or are in work. */
  readonly #clients = new Map<string, { hasNew: boolean; work: Promise<void> }>()
  readonly #stopping = new AbortController()

  constructor(parts: MediaWorkParts, work: MediaWork<File>) {
    this.#parts = parts
    this.#work = work
  }

  /** Works on the files that wait since before this start, of every client. */
  async start(): Promise<void> {
    const { jobs } = this.#parts.database
    for (const clientId of await jobs.clientIds())
      if (await this.#work.findNext(jobs.forClient(clientId).reads)) this.enqueue(clientId)
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

  /** Aborts the current work; the next start repeats them. */
  async stop(): Promise<void> {
    this.#stopping.abort()
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
      const file = await this.#work.findNext(scope.reads)
      if (!file) return
      const turn = { clientId, isLong: this.#work.isLong(file), signal }
      await this.#work.run(scope, file, { enter: work => this.#turns.run(turn, work), signal })
    }
  }
}
