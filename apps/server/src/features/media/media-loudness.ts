import type { Database } from '../../platform/database/database.ts'
import type { Log } from '../../platform/log/log.ts'
import type { FileStore } from '../../platform/storage/file-store.ts'
import type { LoudnessFigures } from './loudness/loudness-meter.ts'
import { measureMp3Loudness, measureMp4Loudness } from './loudness/measure-loudness.ts'
import { announcePlayed } from './media-changes.ts'
import { findPendingFile, saveLoudness, type PendingFile } from './media-loudness-queries.ts'

interface LoudnessParts {
  database: Database
  files: FileStore
  log: Log
  now: () => Date
}

/** After a failure that was not the file's. */
const AGAIN_MILLIS = 30_000

/** Measures what was uploaded, one file at a time, after the upload was answered. */
export interface LoudnessQueue {
  /** Looks for files that wait in every client: those of former lives of the server. */
  start: () => Promise<void>
  /** Looks for files that wait in one client. */
  look: (clientId: string) => void
  /** Leaves what is being measured for the next start. */
  stop: () => Promise<void>
}

/** The figures of one file; null when it cannot be measured, or the measuring was given up. */
async function measure(
  { files, log }: Pick<LoudnessParts, 'files' | 'log'>,
  { clientUid, file, signal }: { clientUid: string; file: PendingFile; signal: AbortSignal },
): Promise<LoudnessFigures | null> {
  const measureFile = file.mimeType === 'audio/mpeg' ? measureMp3Loudness : measureMp4Loudness
  try {
    return await files.withLocalPath({ clientUid, sha256: file.sha256 }, path => measureFile(path, signal))
  } catch (error) {
    if (!signal.aborted) log.warn({ err: error, mediaUid: file.mediaUid }, 'loudness not measured')
    return null
  }
}

/** Makes the queue; the state `pending` of a file is its only memory. */
export function makeLoudnessQueue({ database, files, log, now }: LoudnessParts): LoudnessQueue {
  const clients = new Set<string>()
  const stopping = new AbortController()
  const { signal } = stopping
  let running: Promise<void> | null = null

  const measureClient = async (clientId: string) => {
    const scope = database.jobs.forClient(clientId)
    for (let file = await findPendingFile(scope.reads); file; file = await findPendingFile(scope.reads)) {
      const pending = file
      const figures = await measure({ files, log }, { clientUid: clientId, file: pending, signal })
      if (signal.aborted) return
      await scope.write(async writes => {
        if (await saveLoudness(writes, pending, figures))
          await announcePlayed(writes, clientId, { loudness: pending.mediaUid, now: now() })
      })
    }
  }
  const run = async () => {
    for (const clientId of clients) {
      clients.delete(clientId)
      await measureClient(clientId).catch((error: unknown) => {
        if (signal.aborted) return
        log.error({ err: error, clientId }, 'loudness queue')
        // The database was away, as a rule; what waits must not wait for the next upload or start.
        setTimeout(() => look(clientId), AGAIN_MILLIS).unref()
      })
      if (signal.aborted) return
    }
  }
  const begin = () => {
    if (signal.aborted || clients.size === 0) return
    running ??= run().finally(() => {
      running = null
      begin() // someone may have asked while it ended
    })
  }
  const look = (clientId: string) => {
    clients.add(clientId)
    begin()
  }
  return {
    start: async () => {
      for (const clientId of await database.jobs.clientIds()) look(clientId)
    },
    look,
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}
