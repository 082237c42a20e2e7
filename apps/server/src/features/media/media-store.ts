import type { MediaType } from '@floorcast/contract/media.ts'
import type { Outcome } from '@floorcast/contract/outcomes.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import type { Writes } from '../../platform/database/client-scope.ts'
import { isUniqueViolation } from '../../platform/database/database-errors.ts'
import { OutcomeError, orNotFound } from '../../platform/lib/errors.ts'
import { omitUndefined } from '../../platform/lib/omit-undefined.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import type { ReceivedFile } from '../../platform/storage/incoming-files.ts'
import { changesBetween, changesOfEdit, recordChange, type Changes } from '../audit/audit.ts'
import { announceChange } from '../change-feed/change-feed.ts'
import { invalidateManifests } from '../manifests/manifests.ts'
import type { ProbedAudio, ProbedVideo, TagCredits } from '../media-probe/media-probe.ts'
import { storeFiles, toItemName, type UploadContext } from '../uploads/uploads.ts'
import { fillCredits, noTagCredits } from './media-credits.ts'
import * as fileQueries from './media-file-queries.ts'
import { receivePicture, type UploadedPreview } from './media-picture.ts'
import * as queries from './media-queries.ts'

const NAME_INDEX = 'media_items_original_name'

/** A media file, received and probed but not stored. */
export interface UploadedFile {
  received: ReceivedFile
  originalName: string
  facts: ProbedAudio | ProbedVideo
  /** Null if it has no tags. */
  tags: TagCredits | null
}

/** An upload: a file, a preview, or both; with `uid` for an existing item. */
export interface MediaUpload {
  uid?: string
  description?: string
  file?: UploadedFile
  preview?: UploadedPreview
  /** The picture in the file's tags: the preview of an item that has no other. */
  picture?: UploadedPreview
}

const previewColumns = (preview: UploadedPreview | undefined) =>
  preview && {
    previewSha256: preview.received.sha256,
    previewMimeType: preview.facts.contentType,
    previewSizeBytes: preview.received.sizeBytes,
  }

/** The audited fields of a file. */
const fileFields = ({ originalName, received, facts }: UploadedFile, version: number) => ({
  originalName,
  version,
  hash: received.sha256,
  sizeBytes: received.sizeBytes,
  durationSeconds: facts.durationSeconds,
})

const previewField = (preview: UploadedPreview | undefined) => preview && { preview: preview.received.sha256 }

/** A stored upload; `formerHashes` are the files that the item no longer names. */
interface StoredMedia {
  uid: string
  name: string
  action: 'add' | 'replace' | 'preview'
  changes: Changes
  formerHashes: string[]
}

async function insertFile(
  writes: Writes,
  ctx: RequestContext,
  { mediaUid, fileVersion, file }: { mediaUid: string; fileVersion: number; file: UploadedFile },
): Promise<void> {
  const { facts, received } = file
  const isAudio = facts.contentType === 'audio/mpeg'
  await fileQueries.insertMediaFile(writes, {
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
    width: isAudio ? null : facts.width,
    height: isAudio ? null : facts.height,
    isGapless: !isAudio || facts.gapless !== null,
    loudnessState: facts.channels === null ? 'not-measured' : 'pending',
    uploadedAt: ctx.now,
    uploadedBy: ctx.session.userUid,
  })
}

async function addItem(
  writes: Writes,
  ctx: RequestContext,
  { contentType, upload }: { contentType: MediaType; upload: MediaUpload },
): Promise<StoredMedia> {
  const file = orNotFound(upload.file)
  const { originalName } = file
  const [uid, name, description] = [uuidV7(), toItemName(originalName), upload.description ?? '']
  const credits = fillCredits(noTagCredits, file.tags)
  const preview = upload.preview ?? upload.picture
  await fileQueries.insertMedia(writes, {
    uid,
    clientId: ctx.scope.clientId,
    contentType,
    name,
    description,
    originalName,
    ...credits,
    ...previewColumns(preview),
    createdAt: ctx.now,
    changedAt: ctx.now,
  })
  await insertFile(writes, ctx, { mediaUid: uid, fileVersion: 1, file })
  const fields = {
    contentType,
    name,
    description,
    ...fileFields(file, 1),
    ...credits,
    ...previewField(preview),
  }
  return { uid, name, action: 'add', changes: changesBetween({}, fields), formerHashes: [] }
}

/** Smart playlists whose plan does not fit the new file keep the former one. */
async function replaceFormerFile(writes: Writes, ctx: RequestContext, uid: string): Promise<string[]> {
  for (const playlistUid of await fileQueries.moveFilePins(writes, uid))
    await announceChange(writes, ctx.scope.clientId, { entity: 'playlist', uid: playlistUid })
  await invalidateManifests(writes, { media: [uid] })
  return fileQueries.deleteFormerFiles(writes, [uid])
}

type Item = NonNullable<Awaited<ReturnType<typeof queries.lockMedia>>>

/** An item's fields with those of its newest file. */
const auditedFields = async (writes: Writes, item: Item) => ({
  ...item,
  ...(await fileQueries.findFileFields(writes, item.uid)),
  preview: item.previewSha256,
})

async function replaceItem(
  writes: Writes,
  ctx: RequestContext,
  { contentType, uid, upload }: { contentType: MediaType; uid: string; upload: MediaUpload },
): Promise<StoredMedia> {
  const item = orNotFound(await queries.lockMedia(writes, contentType, uid))
  const { file, picture, description } = upload
  const preview = upload.preview ?? (item.previewSha256 === null ? picture : undefined)
  const fileVersion = item.fileVersion + 1
  const before = await auditedFields(writes, item)
  const credits = file && fillCredits(item, file.tags)
  if (file) await insertFile(writes, ctx, { mediaUid: uid, fileVersion, file })
  const updated = await queries.updateMedia(writes, uid, {
    ...(file && { originalName: file.originalName, fileVersion }),
    ...(description !== undefined && { description }),
    ...credits,
    ...previewColumns(preview),
    changedAt: ctx.now,
  })
  const after = await auditedFields(writes, updated)
  const named = {
    description,
    ...(file && fileFields(file, fileVersion)),
    ...credits,
    ...previewField(preview),
  }
  const changes = changesOfEdit({ before, after }, omitUndefined(named))
  const formerHashes = file ? await replaceFormerFile(writes, ctx, uid) : []
  if (preview && item.previewSha256) formerHashes.push(item.previewSha256)
  // The item has got a preview since the picture was read.
  if (picture && preview !== picture) formerHashes.push(picture.received.sha256)
  return { uid, name: item.name, action: file ? 'replace' : 'preview', changes, formerHashes }
}

interface GivenUpload {
  contentType: MediaType
  upload: MediaUpload
  within?: (writes: Writes, outcome: Outcome) => Promise<void>
}

/**
 * Stores an upload, rows and files, all or nothing. `within` runs in the same transaction with the outcome. Of two uploads
 * with one name the second is refused. @throws OutcomeError nameExists, storageFull; ProblemError 404 for an unknown uid
 */
export async function storeUpload(
  context: UploadContext,
  ctx: RequestContext,
  given: GivenUpload,
): Promise<Outcome & { durationSeconds?: number }> {
  const picture = await receivePicture(context, ctx, given)
  if (!picture) return storeParts(context, ctx, given)
  try {
    const upload = { ...given.upload, picture }
    return await storeParts(context, ctx, { ...given, upload }).catch((error: unknown) => {
      if (!(error instanceof OutcomeError && error.outcome === 'storageFull')) throw error
      // The file alone may fit.
      return storeParts(context, ctx, given)
    })
  } finally {
    await context.incoming.discard(picture.received)
  }
}

async function storeParts(
  context: UploadContext,
  ctx: RequestContext,
  given: GivenUpload,
): Promise<Outcome & { durationSeconds?: number }> {
  const { file, preview, picture, uid: itemUid } = given.upload
  const names = file ? [file.originalName] : []
  const toOutcome = (uid: string) => ({
    code: 200,
    uid,
    ...(file && { durationSeconds: file.facts.durationSeconds }),
  })
  const addRows = async (writes: Writes) => {
    const stored = itemUid
      ? await replaceItem(writes, ctx, { ...given, uid: itemUid })
      : await addItem(writes, ctx, given)
    await recordChange(writes, ctx, { ...stored, entity: 'media' })
    await given.within?.(writes, toOutcome(stored.uid))
    return stored
  }
  const files = [file, preview, picture].flatMap(part => (part ? [part.received] : []))
  const { uid } = await storeFiles(context, ctx, { files, names, addRows }).catch((error: unknown) => {
    throw isUniqueViolation(error, NAME_INDEX) ? new OutcomeError('nameExists', { names }) : error
  })
  return toOutcome(uid)
}
