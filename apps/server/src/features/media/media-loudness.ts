import type { Database } from '../../platform/database/database.ts'
import type { Log } from '../../platform/log/log.ts'
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

/** Measures uploaded files, one at a time, after the upload was answered. */
export interface LoudnessQueue {
  /** Measures the files that wait since before this start, of every client. */
  start: () => Promise<void>
  /** Measures the files of one client that wait. */
  enqueue: (clientId: string) => void
  /** Aborts the current measurement; the next start repeats it. */
  stop: () => Promise<void>
}

/** The figures of one file; null when it cannot be measured, or on abort. */
async function measure(
  { files, log }: Pick<LoudnessParts, 'files' | 'log'>,
  { clientUid, file, signal }: { clientUid: string; file: UnmeasuredFile; signal: AbortSignal },
): Promise<LoudnessFigures | null> {
  const measureFile = file.mimeType === 'audio/mpeg' ? measureMp3Loudness : measureMp4Loudness
  try {
    return await files.withLocalPath({ clientUid, sha256: file.sha256 }, path => measureFile(path, signal))
  } catch (error) {
    if (!signal.aborted) log.warn({ err: error, mediaUid: file.mediaUid }, 'loudness not measured')
    return null
  }
}

/** Creates the queue; its only state is the `pending` of a file's row. */
export function createLoudnessQueue({ database, files, log }: LoudnessParts): LoudnessQueue {
  const clients = new Set<string>()
  const stopping = new AbortController()
  const { signal } = stopping
  let running: Promise<void> | null = null

  const measureClient = async (clientId: string) => {
    const scope = database.jobs.forClient(clientId)
    for (;;) {
      const file = await findUnmeasuredFile(scope.reads)
      if (!file) return
      const figures = await measure({ files, log }, { clientUid: clientId, file, signal })
      if (signal.aborted) return
      await scope.write(async writes => {
        if (!(await saveLoudness(writes, file, figures))) return
        await invalidateManifests(writes, { loudness: [file.mediaUid] })
        await announceChange(writes, clientId, { entity: 'media', uid: file.mediaUid })
      })
    }
  }
  const run = async () => {
    for (const clientId of clients) {
      clients.delete(clientId)
      await measureClient(clientId).catch((error: unknown) => {
        if (signal.aborted) return
        log.error({ err: error, clientId }, 'loudness queue')
        // Usually the database was away. The files must not wait for the next upload or start.
        setTimeout(() => enqueue(clientId), RETRY_MS).unref()
      })
      if (signal.aborted) return
    }
  }
  const begin = () => {
    if (signal.aborted || clients.size === 0) return
    running ??= run().finally(() => {
      running = null
      begin() // a client may have been added while it ended
    })
  }
  const enqueue = (clientId: string) => {
    clients.add(clientId)
    begin()
  }
  return {
    start: async () => {
      for (const clientId of await database.jobs.clientIds()) enqueue(clientId)
    },
    enqueue,
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}
