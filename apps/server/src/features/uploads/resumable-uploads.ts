import { UploadMetadata } from '@floorcast/contract/uploads.ts'
import type { Writes } from '../../platform/database/client-scope.ts'
import { orNotFound, OutcomeError, ProblemError } from '../../platform/lib/errors.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import type { UnfinishedFiles } from '../../platform/storage/unfinished-files.ts'
import * as queries from './uploads-queries.ts'
import {
  type AnnouncedUpload,
  holdStorage,
  toOriginalName,
  type UploadContext,
  type UploadTarget,
  wrongField,
} from './uploads.ts'

/*
 * Uploads that may be interrupted: begun here, their bytes received by tus (resumable-uploads-tus.ts), ended in
 * resumable-uploads-end.ts. An upload is a row, a reservation of the same uid and a file in the folder of unfinished ones.
 */

/** What resumable uploads stand on. */
export interface ResumableContext extends UploadContext {
  target: UploadTarget
  unfinished: UnfinishedFiles
  /** Whether a request is writing to an upload. */
  isHeld: (uid: string) => boolean
}

/** An unfinished upload lives so long after its last byte, the outcome of an ended one so long after its end. */
export const UPLOAD_LIFE_MILLIS = 86_400_000
/** Of one user at a time: more are a fault of whatever sends them. */
const MOST_UNFINISHED = 100

export const lifeFrom = (now: Date) => new Date(now.getTime() + UPLOAD_LIFE_MILLIS)

/** What a sender told of its file. @throws ProblemError 422 with the field that is wrong */
export function readMetadata({
  metadata,
  sizeBytes,
}: Pick<Beginning, 'metadata' | 'sizeBytes'>): AnnouncedUpload {
  const given = Object.entries(metadata).filter(([, value]) => value !== null)
  const read = UploadMetadata.safeParse(Object.fromEntries(given))
  if (!read.success) {
    const [issue] = read.error.issues
    const path = issue?.path.join('.') ?? ''
    const isKey = issue !== undefined && /^[a-z-]+$/.test(issue.message)
    throw wrongField(path, isKey ? issue.message : metadata[path] == null ? 'empty' : 'wrong')
  }
  const originalName = toOriginalName(read.data.filename)
  if (originalName === '') throw wrongField('filename', 'empty')
  if (read.data.part === 'preview' && !read.data.uid) throw wrongField('uid', 'empty')
  return { ...read.data, originalName, sizeBytes }
}

interface Beginning {
  uid: string
  sizeBytes: number
  metadata: Record<string, string | null>
}

/**
 * Announces a file: refuses what its name or length alone forbids, and holds its storage until it is stored, cancelled or
 * given up. @throws OutcomeError wrongFileType, nameExists, storageFull; ProblemError 404, 422, 429
 */
export async function beginUpload(
  context: ResumableContext,
  ctx: RequestContext,
  { uid, sizeBytes, metadata }: Beginning,
) {
  const announced = readMetadata({ metadata, sizeBytes })
  const { contentType, originalName } = announced
  if (sizeBytes === 0)
    throw new OutcomeError('wrongFileType', { names: [originalName], reason: 'file-empty' })
  await context.target.admit(ctx, announced)
  const { clientId } = ctx.scope
  const { userUid } = ctx.session
  const [createdAt, expiresAt] = [ctx.now, lifeFrom(context.now())]
  const row = { uid, clientId, userUid, contentType, originalName, sizeBytes, createdAt, expiresAt }
  await ctx.scope.write(async writes => {
    await queries.lockStorage(writes, clientId)
    await forgetUnbegun(context, writes, row)
    if ((await queries.countUnfinished(writes, userUid, ctx.now)) >= MOST_UNFINISHED)
      throw new ProblemError(429, 'too-many-requests', { retryAfterSeconds: 60 })
    await holdStorage(writes, ctx, { uid, sizeBytes, originalName, expiresAt })
    await queries.insertUpload(writes, { ...row, metadata: JSON.stringify(metadata) })
  })
}

type Begun = Parameters<typeof queries.findUnfinished>[1]

/**
 * Uploads of the same name that no byte came for: their sender never heard of them, or they lie on another server. They
 * would hold the storage that this one needs.
 */
async function forgetUnbegun(
  { unfinished, isHeld }: ResumableContext,
  writes: Writes,
  row: Begun,
): Promise<void> {
  for (const uid of await queries.findUnfinished(writes, row))
    if (!isHeld(uid) && !(await unfinished.sizeOf(uid))) {
      await queries.deleteUpload(writes, uid)
      await unfinished.removeBytes(uid)
    }
}

/** A user's own upload. @throws ProblemError 404 for anybody else's, and for one that has expired */
export async function findOwnUpload(
  context: ResumableContext,
  ctx: RequestContext,
  uid: string,
): Promise<queries.UploadRow> {
  const { userUid } = ctx.session
  return orNotFound(await queries.findUpload(ctx.scope.reads, { uid, userUid, now: context.now() }))
}

/** An upload that goes on lives on, and so does its reservation. @returns until when */
export async function extendUpload(
  context: ResumableContext,
  ctx: RequestContext,
  uid: string,
): Promise<Date> {
  const expiresAt = lifeFrom(context.now())
  await ctx.scope.write(writes => queries.extendUpload(writes, uid, expiresAt))
  return expiresAt
}

/** Forgets an upload whose bytes are gone, and gives its storage back. */
export async function forgetUpload(ctx: RequestContext, uid: string): Promise<void> {
  await ctx.scope.write(writes => queries.deleteUpload(writes, uid))
}
