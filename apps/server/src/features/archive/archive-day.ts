import type { Context } from '../../context.ts'
import type { ClientScope } from '../../platform/database/client-scope.ts'
import { upTo, type ReceivedFile } from '../../platform/storage/incoming-files.ts'
import { collectGarbageAfter, storeNoted } from '../uploads/uploads.ts'
import {
  type ArchiveFile,
  deleteArchiveFiles,
  insertArchiveFile,
  listArchiveFiles,
  playsToArchive,
  readHotDay,
  takePlaysOut,
} from './archive-queries.ts'
import { writeArchiveFile } from './archive-threads.ts'
import { rowsOf } from './archived-plays.ts'
import { PLAY_COLUMN_NAMES, SCHEMA_VERSION } from './play-columns.ts'
import type { WrittenFile } from './parquet-writer.ts'

/*
 * Moves plays of a client and day into a file. The file is stored first, with a note. One transaction then reads it back from the store,
 * deletes these plays, compares count and hashes of both, and adds the file's row: a play is in the database or in a file that counts,
 * whenever the job ends. What comes late stays in the database until the next file.
 */

export type ArchiveContext = Pick<Context, 'database' | 'files' | 'incoming' | 'log' | 'now'>

/** Plays of one file: about ten seconds of work, and 15 MB. */
export const MAX_FILE_ROWS = 500_000
/** A file of so many plays of the longest texts. */
const MAX_FILE_BYTES = 2_000_000_000
/** Fewer late plays wait for others, until no more can come. */
const MIN_LATE_PLAYS = 1000
/** Devices deliver plays of the last 90 days. */
const LATE_DAYS = 100
const DAY_MS = 86_400_000

/** The plays are not those that were written: a play was changed meanwhile. The next run tries again. */
class PlaysDifferError extends Error {
  override readonly name = 'PlaysDifferError'
}

interface Written {
  received: ReceivedFile
  file: WrittenFile
}

/** Writes the first plays of a day into a received file. @returns null if there are none */
async function writeDay(context: ArchiveContext, clientId: string, day: string): Promise<Written | null> {
  const session = await context.database.archiving.forClient(clientId).open({ timeZone: 'UTC' })
  try {
    const rows = await session.copy(playsToArchive(day, MAX_FILE_ROWS), 'binary')
    const { bytes, result } = writeArchiveFile(rows, { clientId, day })
    // The stream below has the same error.
    result.catch(() => undefined)
    const received = await context.incoming.receive(bytes, upTo(MAX_FILE_BYTES))
    const file = await result
    if (file) return { received, file }
    await context.incoming.discard(received)
    return null
  } finally {
    session.close()
  }
}

/** Reads the stored file back, and takes its plays out of the database. */
async function moveOut(
  context: ArchiveContext,
  clientId: string,
  {
    day,
    received,
    file,
    endNote,
  }: Written & { day: string; endNote: Parameters<Parameters<typeof storeNoted>[2]['addRows']>[0] },
): Promise<ArchiveFile> {
  const { files, log } = context
  const stored: ArchiveFile = {
    day,
    part: 0,
    sha256: received.sha256,
    sizeBytes: received.sizeBytes,
    rowCount: file.rows,
    schemaVersion: SCHEMA_VERSION,
  }
  const session = await context.database.archiving.forClient(clientId).openChange()
  try {
    const { writes, overlay } = session
    const rows = rowsOf({ files, log, clientUid: clientId }, [stored], { columns: PLAY_COLUMN_NAMES })
    await overlay.load('plays', { columns: PLAY_COLUMN_NAMES, rows, isShown: false })
    const { gone, archived } = await takePlaysOut(writes, { day, table: overlay.nameOf('plays') })
    if (
      archived.rows !== file.rows ||
      gone.rows !== file.rows ||
      gone.hash === null ||
      gone.hash !== archived.hash
    )
      throw new PlaysDifferError(
        `of ${file.rows} plays of ${day}, the file has ${archived.rows} and ${gone.rows} were taken out${gone.hash === archived.hash ? '' : ', with other values'}`,
      )
    await insertArchiveFile(writes, clientId, {
      ...stored,
      rowsHash: gone.hash,
      firstDeviceUid: file.firstDeviceUid,
      lastDeviceUid: file.lastDeviceUid,
      archivedAt: context.now().toISOString(),
    })
    await endNote(writes)
    await session.commit()
    return stored
  } finally {
    session.close()
  }
}

/** Whether plays of the day are to be moved now. */
async function isDue({ reads }: ClientScope, day: string, now: Date): Promise<boolean> {
  const { plays, hasUncounted, isArchived } = await readHotDay(reads, day, MIN_LATE_PLAYS)
  if (plays === 0 || hasUncounted) return false
  const isLast = Date.parse(day) < now.getTime() - LATE_DAYS * DAY_MS
  return !isArchived || isLast || plays >= MIN_LATE_PLAYS
}

/**
 * Moves plays of a client and day into one file; of a large day the first ones. Only one job at a time may do it, and nothing that
 * compares plays with what is counted of them. @returns the file; null if there is nothing to move
 */
export async function archivePart(
  context: ArchiveContext,
  clientId: string,
  day: string,
): Promise<ArchiveFile | null> {
  const scope = context.database.jobs.forClient(clientId)
  if (!(await isDue(scope, day, context.now()))) return null
  const written = await writeDay(context, clientId, day)
  if (!written) return null
  try {
    return await storeNoted(context, scope, {
      received: [written.received],
      note: () => Promise.resolve(),
      addRows: endNote => moveOut(context, clientId, { ...written, day, endNote }),
    })
  } finally {
    await context.incoming.discard(written.received)
  }
}

/** Rows of one transaction. */
const FILES_A_BATCH = 100

/** Deletes the files of a client's days before `before`. */
export async function deleteArchivedDays(
  files: Context['files'],
  scope: ClientScope,
  before: string,
): Promise<number> {
  let sum = 0
  for (let gone = FILES_A_BATCH; gone === FILES_A_BATCH; sum += gone)
    gone = await collectGarbageAfter(scope, files, async writes => {
      const hashes = await deleteArchiveFiles(writes, before, FILES_A_BATCH)
      return { done: hashes.length, hashes }
    })
  return sum
}

/** Each file is looked at once in so many days. */
const LOOK_DAYS = 30

/** The files of all clients that are not in the store, or with another size, of a thirtieth of the days. As client/day/part. */
export async function findMissingFiles({
  database,
  files,
  now,
}: Pick<ArchiveContext, 'database' | 'files' | 'now'>): Promise<string[]> {
  const missing: string[] = []
  const isLookedAt = (day: string) =>
    (Math.floor(now().getTime() / DAY_MS) - Date.parse(day) / DAY_MS) % LOOK_DAYS === 0
  for (const clientUid of await database.jobs.clientIds())
    for (const { day, part, sha256, sizeBytes } of await listArchiveFiles(
      database.jobs.forClient(clientUid).reads,
      { from: '0001-01-01', to: '9999-12-31' },
    ))
      if (isLookedAt(day) && (await files.size({ clientUid, sha256 })) !== sizeBytes)
        missing.push(`${clientUid}/${day}/${part}`)
  return missing
}
