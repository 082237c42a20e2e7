import type { Outcome } from '@floorcast/contract/outcomes.ts'
import type { UploadMetadata } from '@floorcast/contract/uploads.ts'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import type { ClientScope, Writes } from '../../platform/database/client-scope.ts'
import type { Database } from '../../platform/database/database.ts'
import type { FilePart } from '../../platform/http/multipart.ts'
import { OutcomeError, ProblemError } from '../../platform/lib/errors.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { FileTooLargeError, type PendingFile, type ReceivedFile } from '../../platform/storage/file-store.ts'
import * as queries from './uploads-queries.ts'

/*
 * Files on their way into a client's storage, whatever they become: bytes are counted against the client's plan while they
 * come (reservation), and stored in the transaction that adds their rows. A stored file that no row names is garbage.
 */

/** What receiving and storing files needs. */
export type UploadContext = Pick<Context, 'files' | 'log' | 'now'>
type StorageContext = Pick<UploadContext, 'files' | 'log'>

const MAX_NAME_LENGTH = 50
const MAX_ORIGINAL_NAME_LENGTH = 255
const NOT_IN_A_NAME = /[^\p{L}\p{M}\p{N} .,_\-'&+]+/gu

const clean = (text: string) => text.replaceAll(NOT_IN_A_NAME, ' ').replaceAll(/ +/g, ' ').trim()
const truncate = (text: string, length: number) => [...text].slice(0, length).join('').trim()

/** The name of an uploaded file without any folder, NFC, at most 255 characters; empty if there is none. Browsers write `"` as %22. */
export function toOriginalName(fileName: string): string {
  const [name = ''] = fileName.replaceAll('%22', '"').normalize('NFC').split(/[\\/]/).slice(-1)
  return truncate(name.replaceAll(/\p{Cc}/gu, ''), MAX_ORIGINAL_NAME_LENGTH)
}

/** A name for the item that a file becomes: without folder and extension, or with the extension where fewer than 3 characters are left. */
export function toItemName(fileName: string): string {
  const originalName = toOriginalName(fileName)
  const stem = truncate(clean(originalName.replace(/\.[^.]*$/, '')), MAX_NAME_LENGTH)
  if ([...stem].length >= 3) return stem
  const whole = truncate(clean(originalName), MAX_NAME_LENGTH)
  return [...whole].length >= 3 ? whole : truncate(`${whole} file`.trim(), MAX_NAME_LENGTH)
}

/** A file announced by a sender that sends it in pieces. */
export interface AnnouncedUpload extends UploadMetadata {
  originalName: string
  sizeBytes: number
}

/** A feature that takes files which are sent in pieces. */
export interface UploadTarget {
  /** Refuses a file before its first byte. @throws OutcomeError, ProblemError */
  admit: (ctx: RequestContext, upload: AnnouncedUpload) => Promise<void>
  /** Probes and stores a received file; `within` runs in the transaction that adds its rows. @throws OutcomeError, ProblemError */
  store: (
    ctx: RequestContext,
    upload: AnnouncedUpload,
    file: { received: ReceivedFile; within: (writes: Writes, outcome: Outcome) => Promise<void> },
  ) => Promise<Outcome>
}

/** 422 with a key of `fields.json`. */
export const wrongField = (path: string, message: string) =>
  new ProblemError(422, 'wrong-fields', { errors: [{ path, message }] })

/** Parses a text part of a form. @throws ProblemError 422 at `path` */
export function parseField<Schema extends z.ZodType<string>>(
  schema: Schema,
  path: string,
  value: string,
): string {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw wrongField(path, issue && /^[a-z-]+$/.test(issue.message) ? issue.message : 'wrong')
}

/** Turns a full disk into 503; returns any other error as it is. */
export const toDiskFull = (error: unknown): unknown =>
  error instanceof Error && 'code' in error && error.code === 'ENOSPC'
    ? new ProblemError(503, 'disk-full', {
        detail: "The server's disk is full. Free space on it, then upload again.",
      })
    : error

/** How long a reservation outlives its process: a killed server returns the storage after this time. */
const RESERVATION_LIFE_MS = 5 * 60_000
const RENEWAL_MS = 60_000

interface Hold {
  uid: string
  sizeBytes: number
  originalName: string
  expiresAt: Date
}

/** Reserves storage until it is released or expires. @returns bytes that were free before. @throws OutcomeError storageFull */
export async function holdStorage(writes: Writes, ctx: RequestContext, hold: Hold): Promise<number> {
  const { uid, sizeBytes, originalName, expiresAt } = hold
  const { clientId } = ctx.scope
  await queries.lockStorage(writes, clientId)
  const { allowedBytes, usedBytes, heldBytes } = await queries.readStorage(writes, ctx.now)
  const free = allowedBytes - usedBytes - heldBytes
  if (free <= 0 || sizeBytes > free) throw new OutcomeError('storageFull', { names: [originalName] })
  const userUid = ctx.session.userUid
  await queries.insertReservation(writes, {
    uid,
    clientId,
    userUid,
    sizeBytes,
    createdAt: ctx.now,
    expiresAt,
  })
  return free
}

interface StorageReservation {
  /** The most that the upload's file may have. */
  maxBytes: number
  /** Releases the storage; to be called whatever became of the upload. */
  end: () => Promise<void>
}

/**
 * Reserves storage of the client's plan for an upload of `announcedBytes`; null if the sender does not say how many come,
 * which then are counted when they are there. @throws OutcomeError storageFull
 */
async function reserveStorage(
  ctx: RequestContext,
  { announcedBytes, originalName }: { announcedBytes: number | null; originalName: string },
  now: () => Date,
): Promise<StorageReservation> {
  const uid = uuidV7()
  const { scope } = ctx
  const expiresAt = () => new Date(now().getTime() + RESERVATION_LIFE_MS)
  const freeBytes = await scope.write(writes =>
    holdStorage(writes, ctx, { uid, sizeBytes: announcedBytes ?? 0, originalName, expiresAt: expiresAt() }),
  )
  const renewal = setInterval(() => {
    // The next renewal makes up for a failed one; the storage is checked again when the file is stored.
    scope.write(writes => queries.extendReservation(writes, uid, expiresAt())).catch(() => {})
  }, RENEWAL_MS)
  return {
    maxBytes: announcedBytes ?? freeBytes,
    end: async () => {
      clearInterval(renewal)
      await scope.write(writes => queries.deleteReservation(writes, uid, now()))
    },
  }
}

/** One upload in a form. */
export interface UploadSession {
  /** Receives the upload's file within reserved storage. @throws OutcomeError storageFull; ProblemError 503 */
  receive: (part: FilePart, originalName: string) => Promise<ReceivedFile>
  /** Receives a small file beside it. @throws FileTooLargeError; ProblemError 503 */
  receiveUpTo: (part: FilePart, maxBytes: number) => Promise<ReceivedFile>
}

/** Runs `work` with a session; removes what it received and did not store, and releases the reserved storage. */
export async function withUploadSession<T>(
  context: UploadContext,
  ctx: RequestContext,
  { announcedBytes, work }: { announcedBytes: number | null; work: (session: UploadSession) => Promise<T> },
): Promise<T> {
  const { files, log, now } = context
  const received: ReceivedFile[] = []
  let reservation: StorageReservation | null = null
  const receiveUpTo: UploadSession['receiveUpTo'] = async (part, maxBytes) => {
    const file = await files.receive(part.bytes, maxBytes).catch((error: unknown) => {
      throw toDiskFull(error)
    })
    received.push(file)
    return file
  }
  try {
    return await work({
      receiveUpTo,
      receive: async (part, originalName) => {
        reservation = await reserveStorage(ctx, { announcedBytes, originalName }, now)
        return receiveUpTo(part, reservation.maxBytes).catch((error: unknown) => {
          if (!(error instanceof FileTooLargeError)) throw error
          throw new OutcomeError('storageFull', { names: [originalName] })
        })
      },
    })
  } finally {
    for (const file of received) await files.discard(file)
    // A reservation that cannot be ended expires.
    await (reservation as StorageReservation | null)
      ?.end()
      .catch((error: unknown) => log.warn({ err: error }, 'storage reservation not ended'))
  }
}

/** Deletes those of the client's stored files that no row names. */
async function collectGarbage(
  scope: ClientScope,
  { files }: Pick<StorageContext, 'files'>,
  hashes: readonly string[],
): Promise<void> {
  for (const sha256 of new Set(hashes))
    await scope.write(async writes => {
      await queries.lockStorage(writes, scope.clientId)
      if (!(await queries.isStoredFileUsed(writes, sha256)))
        await files.delete({ clientUid: scope.clientId, sha256 })
    })
}

async function markForGc(
  { clientId }: ClientScope,
  { files }: Pick<StorageContext, 'files'>,
  hashes: readonly string[],
): Promise<PendingFile[]> {
  const marked: PendingFile[] = []
  for (const sha256 of new Set(hashes)) marked.push(await files.markForGc({ clientUid: clientId, sha256 }))
  return marked
}

/**
 * Makes a change in one transaction; after its commit, deletes those files of its `hashes` that no row names any more. A
 * process that is killed in between leaves notes, and the next start deletes the files.
 */
export async function collectGarbageAfter<T>(
  scope: ClientScope,
  files: UploadContext['files'],
  change: (writes: Writes) => Promise<{ done: T; hashes: readonly string[] }>,
): Promise<T> {
  const { done, marked } = await scope.write(async writes => {
    const { done, hashes } = await change(writes)
    return { done, marked: await markForGc(scope, { files }, hashes) }
  })
  const hashes = marked.map(({ key }) => key.sha256)
  await collectGarbage(scope, { files }, hashes)
  for (const file of marked) await files.finalize(file)
  return done
}

/** At the start: removes files that ended processes left, except those whose transaction was committed. */
export async function cleanUpUploads(
  { files }: Pick<StorageContext, 'files'>,
  database: Database,
): Promise<void> {
  for (const file of await files.listPending()) {
    await collectGarbage(database.jobs.forClient(file.key.clientUid), { files }, [file.key.sha256])
    await files.finalize(file)
  }
}

/** Received files, and the names to report where the storage has no room for them. */
interface NewFiles {
  files: readonly ReceivedFile[]
  names: string[]
}

async function checkStorage(writes: Writes, ctx: RequestContext, { files, names }: NewFiles): Promise<void> {
  const { allowedBytes, usedBytes } = await queries.readStorage(writes, ctx.now)
  const newBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0)
  if (usedBytes + newBytes > allowedBytes) throw new OutcomeError('storageFull', names[0] ? { names } : {})
}

/**
 * Stores files in the transaction that adds their rows: all or nothing. `addRows` also returns the hashes of files that
 * the rows no longer name; they are deleted after the commit. @throws OutcomeError storageFull, and what `addRows` throws
 */
export async function storeFiles<Stored extends { formerHashes: readonly string[] }>(
  context: StorageContext,
  ctx: RequestContext,
  work: NewFiles & { addRows: (writes: Writes) => Promise<Stored> },
): Promise<Stored> {
  const { files, log } = context
  const { scope } = ctx
  const pending: PendingFile[] = []
  const cleanUp = async (hashes: readonly string[]) => {
    try {
      await collectGarbage(scope, context, hashes)
      for (const file of pending) await files.finalize(file)
    } catch (error) {
      // The next start does the rest.
      log.warn({ err: error }, 'upload not cleaned up')
    }
  }
  const stored = await scope
    .write(async writes => {
      await queries.lockStorage(writes, scope.clientId)
      await checkStorage(writes, ctx, work)
      const added = await work.addRows(writes)
      for (const file of work.files) pending.push(await files.store(file, scope.clientId))
      pending.push(...(await markForGc(scope, context, added.formerHashes)))
      return added
    })
    .catch(async (error: unknown) => {
      await cleanUp(pending.map(({ key }) => key.sha256))
      throw error
    })
  await cleanUp(stored.formerHashes)
  return stored
}
