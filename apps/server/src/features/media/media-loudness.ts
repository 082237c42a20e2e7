import type { Database } from '../../platform/database/database.ts'
import type { Log } from '../../platform/log/log.ts'
import { FairQueue } from '../../platform/lib/fair-queue.ts'
import type { FileStore } from '../../platform/storage/file-store.ts'
import { announceChange } from '../change-feed/change-feed.ts'
import { invalidateManifests } from '../manifests/manifests.ts'
import { type LoudnessFigures, measureMp3Loudness, measureMp4Loudness } from '../media-probe/media-probe.ts'
import { findUnmeasuredFile, saveLoudness, type UnmeasuredFile } from './media-file-queries.ts'

interface LoudnessParts {
  database: Database
  files: FileStore
  log: Log
}

/** The delay after a failure of the server, not of the file. */
const RETRY_MS = 30_000
/** An hour of sound takes 12 s of processor time; the deadline is six times as long, and 10 s. */
const MIN_DEADLINE_MS = 10_000
const DEADLINE_MS_A_SECOND = 20
/** A file from this duration on is a long job: such files leave a place for others. */
const LONG_SECONDS = 600

/** The figures of one file; null when it cannot be measured, or on abort. */
async function measure(
  { files, log }: LoudnessParts,
  { clientUid, file, signal }: { clientUid: string; file: UnmeasuredFile; signal: AbortSignal },
): Promise<LoudnessFigures | null> {
  const measureFile = file.mimeType === 'audio/mpeg' ? measureMp3Loudness : measureMp4Loudness
  const deadlineMs = MIN_DEADLINE_MS + file.durationSeconds * DEADLINE_MS_A_SECOND
  try {
    return await files.withLocalPath({ clientUid, sha256: file.sha256 }, path =>
      measureFile(path, { deadlineMs, signal }),
    )
  } catch (error) {
    if (!signal.aborted) log.warn({ err: error, mediaUid: file.mediaUid }, 'loudness not measured')
    return null
  }
}

/**
 * Measures uploaded files after the upload was answered. Clients take turns, and a client has one file measured at a time, so
 * that long files delay mostly their own client. Its only lasting state is the `pending` of a file's row.
 */
export class LoudnessQueue {
  readonly #parts: LoudnessParts
  readonly #turns = new FairQueue({ places: 2, longPlaces: 1 })
  /** The clients whose files wait or are being measured. */
  readonly #clients = new Map<string, { hasNew: boolean; work: Promise<void> }>()
  readonly #stopping = new AbortController()

  constructor(parts: LoudnessParts) {
    this.#parts = parts
  }

  /** Measures the files that wait since before this start, of every client. */
  async start(): Promise<void> {
    const { jobs } = this.#parts.database
    for (const clientId of await jobs.clientIds())
      if (await findUnmeasuredFile(jobs.forClient(clientId).reads)) this.enqueue(clientId)
  }

  /** Measures the files of one client that wait. */
  enqueue(clientId: string): void {
    const known = this.#clients.get(clientId)
    if (known) known.hasNew = true
    else if (!this.#stopping.signal.aborted) {
      const state = { hasNew: true, work: Promise.resolve() }
      this.#clients.set(clientId, state)
      state.work = this.#run(clientId, state)
    }
  }

  /** Aborts the current measurements; the next start repeats them. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await Promise.all([...this.#clients.values()].map(({ work }) => work))
  }

  async #run(clientId: string, state: { hasNew: boolean }): Promise<void> {
    const { signal } = this.#stopping
    try {
      while (state.hasNew) {
        state.hasNew = false
        await this.#measureClient(clientId)
      }
    } catch (error) {
      if (signal.aborted) return
      this.#parts.log.error({ err: error, clientId }, 'loudness queue')
      // Usually the database was away. The files must not wait for the next upload or start.
      setTimeout(() => this.enqueue(clientId), RETRY_MS).unref()
    } finally {
      this.#clients.delete(clientId)
    }
  }

  async #measureClient(clientId: string): Promise<void> {
    const { signal } = this.#stopping
    const scope = this.#parts.database.jobs.forClient(clientId)
    for (;;) {
      const file = await findUnmeasuredFile(scope.reads)
      if (!file) return
      const isLong = file.durationSeconds >= LONG_SECONDS
      const figures = await this.#turns.run({ clientId, isLong, signal }, () =>
        measure(this.#parts, { clientUid: clientId, file, signal }),
      )
      signal.throwIfAborted()
      await scope.write(async writes => {
        if (!(await saveLoudness(writes, file, figures))) return
        await invalidateManifests(writes, { loudness: [file.mediaUid] })
        await announceChange(writes, clientId, { entity: 'media', uid: file.mediaUid })
      })
    }
  }
}
