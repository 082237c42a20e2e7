import { join } from 'node:path'
import { deleteUnownedFiles, findUnownedFiles } from './features/uploads/uploads.ts'
import { makeProgress, showBytes } from './platform/backup/progress.ts'
import type { Database } from './platform/database/database.ts'
import { makeLog } from './platform/log/log.ts'
import type { Settings } from './platform/settings/settings.ts'
import type { FileStore, StoredFile } from './platform/storage/file-store.ts'
import { openIncomingFiles } from './platform/storage/incoming-files.ts'
import { openOwnFileStore } from './platform/storage/open-file-store.ts'

/* `npm run admin -- sweep-files`: finds stored files that no row names, and deletes them if it is told to, while servers run. */

/** A younger file is left alone, whatever names it. */
const MIN_AGE_MS = 86_400_000
/** Files of a client that are looked up at once. */
const MAX_BATCH = 500

/** What a sweep has found. */
export interface SweptFiles {
  /** Stored files, of any age. */
  stored: number
  /** Those that no row names, a day old and more. */
  unowned: number
  unownedBytes: number
  /** Those of clients that the database does not have. They stay. */
  ofStrangers: number
  areDeleted: boolean
}

/** The store's files that are old enough, in batches of one client each. */
async function* batchesOf(
  files: FileStore,
  { before, onFile }: { before: number; onFile: () => void },
): AsyncGenerator<StoredFile[]> {
  let batch: StoredFile[] = []
  for await (const file of files.list()) {
    onFile()
    if (file.storedAt.getTime() >= before) continue
    const isOther = batch[0] !== undefined && batch[0].key.clientUid !== file.key.clientUid
    if (isOther || batch.length === MAX_BATCH) {
      yield batch
      batch = []
    }
    batch.push(file)
  }
  if (batch.length > 0) yield batch
}

interface Sweep {
  database: Database
  /** Only then anything is deleted. */
  deletes: boolean
  say: (line: string) => void
  now: Date
}

/**
 * Looks at every stored file. What has a note is not its concern: servers work on it. @throws Error if the bucket is another
 * installation's; FileStoreAwayError
 */
export async function sweepFiles(
  { dataDir, minFreeDisk, s3 }: Pick<Settings, 'dataDir' | 'minFreeDisk' | 's3'>,
  { database, deletes, say, now }: Sweep,
): Promise<SweptFiles> {
  const incoming = await openIncomingFiles(join(dataDir, 'media'), minFreeDisk)
  const installationUid = await database.jobs.installationUid()
  const log = makeLog('silent')
  const files = await openOwnFileStore({ dataDir, s3 }, { incoming, installationUid, log })
  const clients = new Set(await database.jobs.clientIds())
  const swept: SweptFiles = {
    stored: 0,
    unowned: 0,
    unownedBytes: 0,
    ofStrangers: 0,
    areDeleted: deletes,
  }
  const progress = makeProgress(say)
  const onFile = () => void (swept.stored += 1)
  for await (const batch of batchesOf(files, { before: now.getTime() - MIN_AGE_MS, onFile })) {
    const clientUid = batch[0]?.key.clientUid ?? ''
    if (!clients.has(clientUid)) {
      swept.ofStrangers += batch.length
      continue
    }
    const scope = database.jobs.forClient(clientUid)
    const found = new Set(
      await findUnownedFiles(
        scope.reads,
        batch.map(({ key }) => key.sha256),
      ),
    )
    if (deletes && found.size > 0) await deleteUnownedFiles(scope, files, [...found])
    swept.unowned += found.size
    for (const { key, sizeBytes } of batch) if (found.has(key.sha256)) swept.unownedBytes += sizeBytes
    progress(() => `files: ${swept.stored} looked at, ${swept.unowned} without a row`)
  }
  return swept
}

/** What was found, and what an operator does next. */
export function describeSwept({
  stored,
  unowned,
  unownedBytes,
  ofStrangers,
  areDeleted,
}: SweptFiles): string {
  const found = `${unowned} of ${stored} stored files have no row and are older than a day (${showBytes(unownedBytes)})`
  const next = areDeleted
    ? 'They are deleted.'
    : 'sweep-files --delete deletes them. Is this the database that belongs to these files, and the newest one?'
  return [
    unowned === 0 ? `${found}.` : `${found}. ${next}`,
    ...(ofStrangers > 0
      ? [
          `${ofStrangers} are of clients that this database does not have, and stay: are they another installation's?`,
        ]
      : []),
  ].join('\n')
}
