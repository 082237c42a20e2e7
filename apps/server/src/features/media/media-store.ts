import type { MediaType } from '@floorcast/contract/media.ts'
import type { ClientScope, Writes } from '../../platform/database/client-scope.ts'
import { isUniqueViolation } from '../../platform/database/violations.ts'
import { orNotFound, OutcomeError } from '../../platform/lib/errors.ts'
import type { Log } from '../../platform/log/log.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import type { FileStore, ReceivedFile, UnsettledFile } from '../../platform/storage/file-store.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { omitUndefined } from '../../platform/lib/omit-undefined.ts'
import { type Changes, changesBetween, recordChange } from '../audit/audit.ts'
import { announceMedia, announcePlayed, announcePlaylists } from './media-changes.ts'
import type { UploadedFile, UploadedPreview, UploadForm } from './media-form.ts'
import { nameFromFile } from './media-name.ts'
import { lockMedia } from './media-change-queries.ts'
import * as queries from './media-upload-queries.ts'

const NAME_INDEX = 'media_items_original_name'

export interface StoreParts {
  files: FileStore
  log: Log
}

/** Deletes stored files that no row of the client names any more. */
export async function dropUnusedFiles(
  scope: ClientScope,
  files: FileStore,
  hashes: readonly string[],
): Promise<void> {
  for (const sha256 of new Set(hashes))
    await scope.write(async writes => {
      await queries.lockStorage(writes, scope.clientId)
      if (!(await queries.isStoredFileUsed(writes, sha256)))
        await files.delete({ clientUid: scope.clientId, sha256 })
    })
}

async function doubtAll(scope: ClientScope, files: FileStore, hashes: readonly string[]) {
  const doubted: UnsettledFile[] = []
  for (const sha256 of new Set(hashes)) doubted.push(await files.doubt({ clientUid: scope.clientId, sha256 }))
  return doubted
}

/**
 * Makes a change in one transaction; once it is committed, those files of its `hashes` go that no row names any more. A
 * process killed in between leaves notes of them, by which the next start does the rest.
 */
export async function forgetting<T>(
  scope: ClientScope,
  files: FileStore,
  change: (writes: Writes) => Promise<{ done: T; hashes: readonly string[] }>,
): Promise<T> {
  const { done, doubted } = await scope.write(async writes => {
    const { done, hashes } = await change(writes)
    return { done, doubted: await doubtAll(scope, files, hashes) }
  })
  const hashes = doubted.map(({ key }) => key.sha256)
  await dropUnusedFiles(scope, files, hashes)
  for (const file of doubted) await files.settle(file)
  return done
}

function fileRow(
  ctx: RequestContext,
  { mediaUid, fileVersion, file }: { mediaUid: string; fileVersion: number; file: UploadedFile },
) {
  const { facts, received } = file
  const isSound = facts.contentType === 'audio/mpeg'
  return {
    mediaUid,
    fileVersion,
    clientId: ctx.scope.clientId,
    sha256: received.sha256,
    sizeBytes: received.sizeBytes,
    mimeType: facts.contentType,
    durationSeconds: facts.durationSeconds,
    bitRate: facts.bitRate,
    sampleRate: facts.sampleRate,
    channels: facts.channels,
    width: isSound ? null : facts.width,
    height: isSound ? null : facts.height,
    isGapless: !isSound || facts.gapless !== null,
    loudnessState: facts.channels === null ? ('not-measured' as const) : ('pending' as const),
    uploadedAt: ctx.now,
    uploadedBy: ctx.session.userUid,
  }
}

const previewColumns = (preview: UploadedPreview | undefined) =>
  preview && {
    previewSha256: preview.received.sha256,
    previewMimeType: preview.facts.contentType,
    previewSizeBytes: preview.received.sizeBytes,
  }

/** What the history says of a file. */
const fileFields = ({ originalName, received, facts }: UploadedFile, version: number) => ({
  originalName,
  version,
  hash: received.sha256,
  sizeBytes: received.sizeBytes,
  durationSeconds: facts.durationSeconds,
})

const previewField = ({ preview }: UploadForm) => preview && { preview: preview.received.sha256 }

/** An item as an upload left it; `formerHashes` are of files that it no longer names. */
interface Stored {
  uid: string
  name: string
  action: 'add' | 'replace' | 'preview'
  changes: Changes
  formerHashes: string[]
}

async function addItem(
  writes: Writes,
  ctx: RequestContext,
  { contentType, form }: { contentType: MediaType; form: UploadForm },
) {
  const file = orNotFound(form.file)
  const uid = uuidV7()
  const name = nameFromFile(file.originalName)
  await queries.insertMediaItem(writes, {
    uid,
    clientId: ctx.scope.clientId,
    contentType,
    name,
    description: form.description ?? '',
    originalName: file.originalName,
    ...previewColumns(form.preview),
    createdAt: ctx.now,
    changedAt: ctx.now,
  })
  await queries.insertMediaFile(writes, fileRow(ctx, { mediaUid: uid, fileVersion: 1, file }))
  const fields = { contentType, name, description: form.description ?? '', ...fileFields(file, 1) }
  const changes = changesBetween({}, { ...fields, ...previewField(form) })
  return { uid, name, action: 'add', changes, formerHashes: [] } satisfies Stored
}

async function replaceItem(
  writes: Writes,
  ctx: RequestContext,
  upload: { contentType: MediaType; uid: string; form: UploadForm },
) {
  const { contentType, uid, form } = upload
  const item = orNotFound(await lockMedia(writes, contentType, uid))
  const formerHashes = form.preview && item.previewSha256 ? [item.previewSha256] : []
  const fileVersion = item.fileVersion + 1
  const { file, description } = form
  const changes = changesBetween(
    { ...item, ...(await queries.findFileFields(writes, uid)), preview: item.previewSha256 },
    omitUndefined({ description, ...(file && fileFields(file, fileVersion)), ...previewField(form) }),
  )
  if (file) await queries.insertMediaFile(writes, fileRow(ctx, { mediaUid: uid, fileVersion, file }))
  await queries.updateMediaItem(writes, uid, {
    ...(file ? { originalName: file.originalName, fileVersion } : {}),
    ...(description === undefined ? {} : { description }),
    ...previewColumns(form.preview),
    changedAt: ctx.now,
  })
  if (file) {
    const staying = await queries.moveFilePins(writes, uid)
    await announcePlaylists(writes, ctx.scope.clientId, staying)
    formerHashes.push(...(await queries.deleteFormerFiles(writes, [uid])))
  }
  const { name } = item
  return { uid, name, action: file ? 'replace' : 'preview', changes, formerHashes } satisfies Stored
}

async function checkStorage(writes: Writes, ctx: RequestContext, { files, names }: NewFiles): Promise<void> {
  const { allowedBytes, usedBytes } = await queries.readStorage(writes, ctx.now)
  const newBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0)
  if (usedBytes + newBytes > allowedBytes) throw new OutcomeError('storageFull', names[0] ? { names } : {})
}

/** Files received and judged, and what to call them where the storage has no room. */
interface NewFiles {
  files: readonly ReceivedFile[]
  names: string[]
}

/**
 * Stores files in the transaction that adds their rows: all or nothing. `addRows` also answers the hashes of files that
 * the rows no longer name; they go. @throws OutcomeError storageFull, and what `addRows` throws
 */
export async function storeFiles<Stored extends { formerHashes: readonly string[] }>(
  { files, log }: StoreParts,
  ctx: RequestContext,
  work: NewFiles & { addRows: (writes: Writes) => Promise<Stored> },
): Promise<Stored> {
  const { scope } = ctx
  const kept: UnsettledFile[] = []
  const tidy = async (hashes: readonly string[]) => {
    await dropUnusedFiles(scope, files, hashes)
    for (const file of kept) await files.settle(file)
  }
  const tidyUp = (hashes: readonly string[]) =>
    // What stays unsettled here is settled at the next start.
    tidy(hashes).catch((error: unknown) => log.warn({ err: error }, 'upload not tidied'))
  const stored = await scope
    .write(async writes => {
      await queries.lockStorage(writes, scope.clientId)
      await checkStorage(writes, ctx, work)
      const added = await work.addRows(writes)
      for (const file of work.files) kept.push(await files.keep(file, scope.clientId))
      kept.push(...(await doubtAll(scope, files, added.formerHashes)))
      return added
    })
    .catch(async (error: unknown) => {
      await tidyUp(kept.map(({ key }) => key.sha256))
      throw error
    })
  await tidyUp(stored.formerHashes)
  return stored
}

interface Upload {
  contentType: MediaType
  form: UploadForm
  /** What else is to become true with the upload, in its transaction. */
  within?: (writes: Writes, stored: Stored) => Promise<void>
}

async function addRows(
  writes: Writes,
  ctx: RequestContext,
  { contentType, form, within }: Upload,
): Promise<Stored> {
  const stored = form.uid
    ? await replaceItem(writes, ctx, { contentType, uid: form.uid, form })
    : await addItem(writes, ctx, { contentType, form })
  const { uid, name, action, changes } = stored
  await recordChange(writes, ctx, { action, thing: 'media', uid, name, changes })
  if (action === 'replace') await announcePlayed(writes, ctx.scope.clientId, { media: uid, now: ctx.now })
  else await announceMedia(writes, ctx.scope.clientId, uid)
  await within?.(writes, stored)
  return stored
}

/**
 * Stores an upload: rows and files, all or nothing. Two at once with one name: the second finds it taken.
 * @throws OutcomeError nameExists, storageFull; ProblemError 404 for a uid that is not there
 */
export async function storeUpload(parts: StoreParts, ctx: RequestContext, upload: Upload): Promise<Stored> {
  const { file, preview } = upload.form
  const names = file ? [file.originalName] : []
  const files = [file, preview].flatMap(part => (part ? [part.received] : []))
  const work = { files, names, addRows: (writes: Writes) => addRows(writes, ctx, upload) }
  return storeFiles(parts, ctx, work).catch((error: unknown) => {
    throw isUniqueViolation(error, NAME_INDEX) ? new OutcomeError('nameExists', { names }) : error
  })
}
