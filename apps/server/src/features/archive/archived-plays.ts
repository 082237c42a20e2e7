import type { Readable } from 'node:stream'
import type { Context } from '../../context.ts'
import type { ClientScope, Reads, Writes } from '../../platform/database/client-scope.ts'
import type { CopySession } from '../../platform/database/copy-scope.ts'
import type { Overlay } from '../../platform/database/overlay.ts'
import { ProblemError } from '../../platform/lib/errors.ts'
import { type FileStore, FileMissingError } from '../../platform/storage/file-store.ts'
import { type ArchiveFile, listArchiveFiles, type WantedPlays } from './archive-queries.ts'
import { readArchiveFile } from './archive-threads.ts'
import { CopyBuffer } from './binary-rows.ts'
import type { PlayChoice } from './parquet-reader.ts'
import { PLAY_COLUMN_NAMES, SCHEMA_VERSION } from './play-columns.ts'

/*
 * How plays are read, wherever they are. A statement names the table `plays`. Before, its function says with `showPlays` which plays it
 * wants: then those of the archive are there too, for the rest of the transaction. So no reader knows where a play is
 * (docs/decisions/0360). A transaction begins without the archive, and begins again with it where it wants plays that are there.
 */

type ArchiveContext = Pick<Context, 'database' | 'files' | 'log'>

interface ShowsPlays {
  /**
   * Says which plays the next statements read; they may read fewer. Those that were shown before may be gone.
   * @throws ProblemError 409 `archive-unreadable`; 413 `archive-rows`
   */
  showPlays(wanted: WantedPlays): Promise<void>
}

/** One state of the database, in which plays are read. */
export type PlayReads = Reads & ShowsPlays
/** The same in a transaction that changes rows, of a job. */
export type PlayWrites = Writes & ShowsPlays

/** The transaction must begin again, with the archive. */
export class ArchiveWantedError extends Error {
  override readonly name = 'ArchiveWantedError'
}

/** What one statement may read of the archive: about 4 GB beside the database until the transaction ends, and 40 seconds. */
const MAX_SHOWN_ROWS = 8_000_000

const covers = (shown: WantedPlays, wanted: WantedPlays) =>
  shown.from <= wanted.from &&
  wanted.to <= shown.to &&
  (shown.columns === undefined || wanted.columns?.every(name => shown.columns?.includes(name)) === true) &&
  (shown.mediaUid === undefined || shown.mediaUid === wanted.mediaUid) &&
  (shown.deviceUid === undefined || shown.deviceUid === wanted.deviceUid)

/** Reads that want nothing of the archive. @throws ArchiveWantedError, from `showPlays` */
export function hotPlays<Statements extends Reads>(statements: Statements): Statements & ShowsPlays {
  return Object.assign(statements, {
    showPlays: async (wanted: WantedPlays) => {
      if ((await listArchiveFiles(statements, wanted)).length > 0) throw new ArchiveWantedError()
    },
  })
}

/** Reads of a transaction with an overlay. */
function allPlays<Statements extends Reads>(
  { files, log }: Pick<Context, 'files' | 'log'>,
  clientUid: string,
  { statements, overlay }: { statements: Statements; overlay: Overlay },
): Statements & ShowsPlays {
  let shown: WantedPlays | null = null
  return Object.assign(statements, {
    showPlays: async (wanted: WantedPlays) => {
      if (shown && covers(shown, wanted)) return
      const found = await listArchiveFiles(statements, wanted)
      if (found.length === 0) return
      const rows = found.reduce((sum, { rowCount }) => sum + rowCount, 0)
      if (wanted.mediaUid === undefined && wanted.deviceUid === undefined && rows > MAX_SHOWN_ROWS)
        throw new ProblemError('archive-rows', {
          detail: `The archive has ${rows} plays of this period: ask for fewer days.`,
        })
      shown = null
      const columns = PLAY_COLUMN_NAMES.filter(name => wanted.columns?.includes(name) !== false)
      const read = rowsOf({ files, log, clientUid }, found, { ...wanted, columns })
      await overlay.load('plays', { columns, rows: read, isShown: true, index: wanted.index })
      shown = wanted
    },
  })
}

interface FileReading {
  files: FileStore
  log: Context['log']
  clientUid: string
}

/** What a part of COPY's binary form has around its rows. */
function frameOf(write: (buffer: CopyBuffer) => void): Uint8Array {
  const buffer = new CopyBuffer()
  write(buffer)
  return buffer.take()
}

/** A file whose rows are being read. */
interface OpenFile {
  rows: Promise<AsyncIterable<Uint8Array>>
  close: () => Promise<void>
}

/** Begins to read a file. It has a path until it is closed. */
function openFile(
  { files, clientUid }: FileReading,
  { sha256, schemaVersion }: ArchiveFile,
  choice: PlayChoice,
): OpenFile {
  const closed = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<Readable>()
  const { columns, mediaUid, deviceUid } = choice
  const reading = files.withLocalPath({ clientUid, sha256 }, async path => {
    if (schemaVersion > SCHEMA_VERSION)
      throw new Error(`it has schema version ${schemaVersion}, and this server reads up to ${SCHEMA_VERSION}`)
    const rows = readArchiveFile({ path, sha256, choice: { columns, mediaUid, deviceUid } })
    // Who reads the rows has the error; a file that nobody reads any more has none to tell.
    rows.on('error', () => undefined)
    opened.resolve(rows)
    await closed.promise
    rows.destroy()
  })
  reading.catch((error: unknown) => opened.reject(error))
  opened.promise.catch(() => undefined)
  return {
    rows: opened.promise,
    close: async () => {
      closed.resolve()
      await reading.catch(() => undefined)
    },
  }
}

/** The wanted plays of files in COPY's binary form. While those of one file are taken, those of the next one are read. */
export async function* rowsOf(
  reading: FileReading,
  files: readonly ArchiveFile[],
  choice: PlayChoice,
): AsyncGenerator<Uint8Array> {
  yield frameOf(buffer => buffer.begin())
  const open = (file: ArchiveFile | undefined) => file && { file, opened: openFile(reading, file, choice) }
  let next = open(files[0])
  try {
    for (let at = 1; next; at += 1) {
      const { file, opened } = next
      next = open(files[at])
      // What goes wrong where the rows are taken is no fault of the file.
      const fail = (error: unknown) => {
        throw problemOf(reading, file, error)
      }
      try {
        const rows = (await opened.rows.catch(fail))[Symbol.asyncIterator]()
        for (let part = await rows.next().catch(fail); !part.done; part = await rows.next().catch(fail))
          yield part.value
      } finally {
        await opened.close()
      }
    }
  } finally {
    await next?.opened.close()
  }
  yield frameOf(buffer => buffer.end())
}

/** What to tell of a file that cannot be read. A store that is away has an answer of its own. */
function problemOf(
  { log, clientUid }: FileReading,
  { day, part, sha256 }: ArchiveFile,
  error: unknown,
): Error {
  if (error instanceof Error && error.name === 'FileStoreAwayError') return error
  const reason =
    error instanceof FileMissingError ? 'it is missing' : String((error as Error).message ?? error)
  log.error({ clientId: clientUid, day, part, sha256, reason }, 'a file of the archive cannot be read')
  return new ProblemError('archive-unreadable', {
    detail: `The archived plays of ${day} cannot be read: the file of part ${part}: ${reason}.`,
  })
}

/** Reads plays in one state of the database. `work` runs again where it wants the archive. @throws what `showPlays` throws */
export async function readPlays<T>(
  context: ArchiveContext,
  scope: ClientScope,
  work: (reads: PlayReads) => Promise<T>,
): Promise<T> {
  try {
    return await scope.readTogether(reads => work(hotPlays(reads)))
  } catch (error) {
    if (!(error instanceof ArchiveWantedError)) throw error
  }
  const session = await context.database.archived
    .forClient(scope.clientId)
    .open({ timeZone: 'UTC', isOverlaid: true })
  try {
    return await work(playsOfSession(context, scope.clientId, session))
  } finally {
    session.close()
  }
}

/** The reads of a session that streams rows. */
export const playsOfSession = (
  context: Pick<Context, 'files' | 'log'>,
  clientId: string,
  { reads, overlay }: Pick<CopySession, 'reads' | 'overlay'>,
): PlayReads => (overlay ? allPlays(context, clientId, { statements: reads, overlay }) : hotPlays(reads))

/** Changes what is counted of plays, for a job: as `readPlays`. */
export async function changePlays<T>(
  context: ArchiveContext,
  clientId: string,
  work: (writes: PlayWrites) => Promise<T>,
): Promise<T> {
  try {
    return await context.database.jobs.forClient(clientId).write(writes => work(hotPlays(writes)))
  } catch (error) {
    if (!(error instanceof ArchiveWantedError)) throw error
  }
  const session = await context.database.archiving.forClient(clientId).openChange()
  try {
    const { writes, overlay } = session
    const done = await work(allPlays(context, clientId, { statements: writes, overlay }))
    await session.commit()
    return done
  } finally {
    session.close()
  }
}
