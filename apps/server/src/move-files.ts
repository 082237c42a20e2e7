import { join } from 'node:path'
import { listStoredFiles } from './features/uploads/uploads.ts'
import { makeProgress, showBytes } from './platform/backup/progress.ts'
import type { Database } from './platform/database/database.ts'
import { makeLog } from './platform/log/log.ts'
import type { Settings } from './platform/settings/settings.ts'
import type { FileKey, FileStore } from './platform/storage/file-store.ts'
import { type IncomingFiles, openIncomingFiles } from './platform/storage/incoming-files.ts'
import { openFileStore, openOwnFileStore } from './platform/storage/open-file-store.ts'

/* `npm run admin -- move-files`: copies stored files from the folder to the bucket, or back, while servers run. */

export const DESTINATIONS = ['to-bucket', 'to-folder'] as const
export type Destination = (typeof DESTINATIONS)[number]

interface Stores {
  from: FileStore
  to: FileStore
  incoming: IncomingFiles
}

/** What became of the files that rows name. */
export interface MovedFiles {
  copied: number
  copiedBytes: number
  /** Were there already. */
  present: number
  /** Neither store has them, or with other bytes: as `client/sha256`. */
  missing: string[]
}

/** @returns the bytes of the file if its bytes are those of its name; null if there is no such file */
async function copyFile({ from, to, incoming }: Stores, key: FileKey): Promise<number | null> {
  if ((await from.size(key)) === null) return null
  const received = await incoming.receive(await from.openRange(key), () => undefined)
  try {
    if (received.sha256 !== key.sha256) return null
    await to.put(key.clientUid, received)
    return received.sizeBytes
  } finally {
    await incoming.discard(received)
  }
}

async function openStores(
  { dataDir, minFreeDisk, s3 }: Pick<Settings, 'dataDir' | 'minFreeDisk' | 's3'>,
  database: Database,
  destination: Destination,
): Promise<Stores> {
  if (s3 === null) throw new Error('S3_BUCKET and its key are not set: docs/operate/files.md says how')
  const incoming = await openIncomingFiles(join(dataDir, 'media'), minFreeDisk)
  const installationUid = await database.jobs.installationUid()
  const log = makeLog('silent')
  const bucket = await openOwnFileStore({ dataDir, s3 }, { incoming, installationUid, log })
  const folder = await openFileStore({ dataDir, s3: null }, incoming)
  return destination === 'to-bucket'
    ? { from: folder, to: bucket, incoming }
    : { from: bucket, to: folder, incoming }
}

/**
 * Copies the files that rows name, and that are not there yet with the same size. The originals stay. Ended at any moment, it goes on when
 * it is called again. @throws Error if there is no bucket, or another installation's; FileStoreAwayError
 */
export async function moveFiles(
  settings: Pick<Settings, 'dataDir' | 'minFreeDisk' | 's3'>,
  {
    database,
    destination,
    say,
  }: { database: Database; destination: Destination; say: (line: string) => void },
): Promise<MovedFiles> {
  const stores = await openStores(settings, database, destination)
  const moved: MovedFiles = { copied: 0, copiedBytes: 0, present: 0, missing: [] }
  const progress = makeProgress(say)
  for (const clientUid of await database.jobs.clientIds())
    for (const { sha256, sizeBytes } of await listStoredFiles(database.jobs.forClient(clientUid).reads)) {
      const key = { clientUid, sha256 }
      const isThere = (await stores.to.size(key)) === sizeBytes
      const bytes = isThere ? null : await copyFile(stores, key)
      if (isThere) moved.present += 1
      else if (bytes === null) moved.missing.push(`${clientUid}/${sha256}`)
      else {
        moved.copied += 1
        moved.copiedBytes += bytes
      }
      progress(() => `files: ${moved.copied} copied, ${moved.present} there before`)
    }
  return moved
}

/** What an operator does next. */
export function describeMoved(
  { copied, copiedBytes, present, missing }: MovedFiles,
  to: Destination,
): string {
  const next =
    to === 'to-bucket'
      ? 'Servers that have S3_BUCKET set read from there after a restart. Say it once more then, for what came meanwhile. DATA_DIR/media has its files still.'
      : 'Take S3_BUCKET away and restart the server. Say it once more before, with the server stopped, for what came meanwhile. The bucket has its files still.'
  return [
    `${copied} files copied (${showBytes(copiedBytes)}), ${present} were there`,
    ...(missing.length > 0
      ? [`${missing.length} files that rows name are missing, or have other bytes, such as ${missing[0]}`]
      : []),
    next,
  ].join('\n')
}
