import type { Context } from '../../context.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import type { ClientScope, Writes } from '../../platform/database/client-scope.ts'
import type { Database } from '../../platform/database/database.ts'
import { OutcomeError, ProblemError } from '../../platform/lib/errors.ts'
import type { FileStore } from '../../platform/storage/file-store.ts'
import type { ReceivedFile } from '../../platform/storage/incoming-files.ts'
import * as queries from './uploads-queries.ts'

/*
 * Stored files and the rows that name them. No transaction spans both, so a note in the database says which file may have no row: it is
 * made before the file is stored, or together with the end of its last row. A note is renewed while a server works on its file; when it
 * is due, any server deletes the file that no row names. So a process that is killed at any moment leaves no file without an owner, and
 * no server deletes what another one stores (docs/decisions/0340).
 */

type StorageContext = Pick<Context, 'files' | 'log'>

/** A note is due five minutes after it was renewed (`noteFiles`). */
const RENEWAL_MS = 60_000

/** Deletes those of the client's stored files that no row names, and ends their notes. While a backup runs, it leaves them to later. */
async function collectGarbage(
  scope: ClientScope,
  files: FileStore,
  notes: readonly queries.FileNote[],
): Promise<void> {
  for (const note of notes)
    await scope.write(async writes => {
      await queries.lockStorage(writes, scope.clientId)
      if (!(await queries.shareFileDeletion(writes))) return queries.leaveNote(writes, note)
      if (!(await queries.isStoredFileNeeded(writes, note)))
        await files.delete({ clientUid: scope.clientId, sha256: note.sha256 })
      await queries.endNotes(writes, [note])
    })
}

/**
 * Makes a change in one transaction; after its commit, deletes those files of its `hashes` that no row names any more. What it
 * cannot delete now, `collectDueFiles` deletes later.
 */
export async function collectGarbageAfter<T>(
  scope: ClientScope,
  files: FileStore,
  change: (writes: Writes) => Promise<{ done: T; hashes: readonly string[] }>,
): Promise<T> {
  const { done, notes } = await scope.write(async writes => {
    const { done, hashes } = await change(writes)
    return { done, notes: await queries.noteFiles(writes, scope.clientId, hashes) }
  })
  await collectGarbage(scope, files, notes).catch(() => undefined)
  return done
}

/** Deletes the files of all clients whose notes are due: a server was killed, a backup ran, or the store was away. */
export async function collectDueFiles(
  { files }: Pick<StorageContext, 'files'>,
  database: Database,
): Promise<void> {
  for (const { clientUid, ...note } of await database.jobs.dueFiles())
    await collectGarbage(database.jobs.forClient(clientUid), files, [note])
}

/**
 * Deletes those of a client's stored files that still no row names, as if their last rows had just gone. What a backup or a store that is
 * away keeps it from, `collectDueFiles` does later.
 */
export async function deleteUnownedFiles(
  scope: ClientScope,
  files: FileStore,
  hashes: readonly string[],
): Promise<void> {
  const notes = await scope.write(writes => queries.noteFiles(writes, scope.clientId, hashes))
  await collectGarbage(scope, files, notes)
}

/** Renews notes while `work` runs. */
async function whileNoted<T>(
  scope: ClientScope,
  notes: readonly queries.FileNote[],
  work: () => Promise<T>,
): Promise<T> {
  const renewal = setInterval(() => {
    // The next renewal makes up for a failed one; whether the notes are still there is checked when the rows are added.
    scope.write(writes => queries.renewNotes(writes, notes)).catch(() => {})
  }, RENEWAL_MS)
  try {
    return await work()
  } finally {
    clearInterval(renewal)
  }
}

/** Received files, and the names to report where the storage has no room for them. */
interface NewFiles {
  files: readonly ReceivedFile[]
  names: string[]
}

async function checkStorage(writes: Writes, ctx: RequestContext, { files, names }: NewFiles): Promise<void> {
  await queries.lockStorage(writes, ctx.scope.clientId)
  const { allowedBytes, usedBytes } = await queries.readStorage(writes, { now: ctx.now })
  const newBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0)
  if (usedBytes + newBytes > allowedBytes) throw new OutcomeError('storageFull', names[0] ? { names } : {})
}

interface NotedFiles<Stored> {
  received: readonly ReceivedFile[]
  /** Runs in the transaction that notes the files, before they are stored. */
  note: (writes: Writes) => Promise<void>
  /** Adds the rows in a transaction, which ends the notes by its argument. */
  addRows: (endNotes: (writes: Writes) => Promise<void>) => Promise<Stored>
}

/** Stores files, then adds their rows: all or nothing. @throws what `note`, `addRows` and the store throw */
export async function storeNoted<Stored>(
  { files, log }: StorageContext,
  scope: ClientScope,
  { received, note, addRows }: NotedFiles<Stored>,
): Promise<Stored> {
  const { clientId } = scope
  const hashes = received.map(({ sha256 }) => sha256)
  const notes = await scope.write(async writes => {
    await note(writes)
    return queries.noteFiles(writes, clientId, hashes)
  })
  const endNotes = async (writes: Writes) => {
    // Without its note a file may be deleted already: this server was away for minutes.
    if (!(await queries.endNotes(writes, notes))) throw new ProblemError('busy', { retryAfterSeconds: 1 })
  }
  try {
    return await whileNoted(scope, notes, async () => {
      for (const file of received) await files.put(clientId, file)
      return addRows(endNotes)
    })
  } catch (error) {
    await collectGarbage(scope, files, notes).catch((err: unknown) => {
      log.warn({ err }, 'files without a row not deleted yet')
    })
    throw error
  }
}

/**
 * Stores files of a user, then adds their rows: all or nothing. `addRows` also returns the hashes of files that the rows no longer
 * name; they are deleted after the commit. @throws OutcomeError storageFull, and what `addRows` and the store throw
 */
export async function storeFiles<Stored extends { formerHashes: readonly string[] }>(
  context: StorageContext,
  ctx: RequestContext,
  work: NewFiles & { addRows: (writes: Writes) => Promise<Stored> },
): Promise<Stored> {
  const { scope } = ctx
  const { stored, former } = await storeNoted(context, scope, {
    received: work.files,
    note: writes => checkStorage(writes, ctx, work),
    addRows: endNotes =>
      scope.write(async writes => {
        await checkStorage(writes, ctx, work)
        const stored = await work.addRows(writes)
        await endNotes(writes)
        return { stored, former: await queries.noteFiles(writes, scope.clientId, stored.formerHashes) }
      }),
  })
  await collectGarbage(scope, context.files, former).catch((err: unknown) => {
    context.log.warn({ err }, 'files without a row not deleted yet')
  })
  return stored
}
