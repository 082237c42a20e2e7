import type {
  deleteMedia,
  editMedia,
  MediaCard,
  MediaFilter,
  MediaRow,
  MediaType,
} from '@floorcast/contract/media.ts'
import type { ListQuery } from '@floorcast/contract/fields.ts'
import type { z } from 'zod'
import type { ClientScope, Writes } from '../../platform/database/client-scope.ts'
import { forEachItem, resolveSelection, type BulkSelection } from '../../platform/lib/bulk.ts'
import { findMediaNames } from '../../platform/database/names.ts'
import { orNotFound, OutcomeError, stale } from '../../platform/lib/errors.ts'
import type { FileResponse } from '../../platform/http/deliver-file.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import { permissionsOf } from '../../platform/auth/rights.ts'
import { changesBetween, recordChange } from '../audit/audit.ts'
import { announceMedia, announcePlayed } from './media-changes.ts'
import { findMediaBytes, findMediaFile } from './media-bytes-queries.ts'
import * as changes from './media-change-queries.ts'
import { nameFromFile, originalNameOf } from './media-name.ts'
import * as queries from './media-queries.ts'
import { deleteFormerFiles } from './media-upload-queries.ts'
import { findGroupsOf, findPlaylistsOf, findProfilesOf } from './media-use-queries.ts'

const MOST_NAMES = 200

function rowOf({
  sha256,
  fileVersion,
  previewSha256,
  integratedLufs,
  truePeakDbtp,
  ...row
}: queries.MediaRecord): MediaRow {
  const isMeasured = integratedLufs !== null && truePeakDbtp !== null
  return {
    ...row,
    hash: sha256,
    version: fileVersion,
    hasPreview: previewSha256 !== null,
    loudness: isMeasured ? { integratedLufs, truePeakDbtp } : null,
  }
}

/** One page of a content type's media; newest first unless a sort is named. */
export async function listMedia(
  ctx: RequestContext,
  contentType: MediaType,
  filter: z.output<typeof MediaFilter>,
) {
  const found = await queries.findMediaPage(ctx.scope.reads, { ...filter, contentType })
  return { ...found, items: found.items.map(rowOf) }
}

/** One item with its file's facts and where it is used. @throws ProblemError 404 */
export async function readMedia(
  ctx: RequestContext,
  contentType: MediaType,
  uid: string,
): Promise<MediaCard> {
  const details = orNotFound(await queries.findMedia(ctx.scope.reads, { contentType, uid }, ctx.now))
  return { ...details, ...rowOf(details), permissions: permissionsOf(ctx) }
}

type ReferencesQuery = z.output<typeof ListQuery>
interface MediaId {
  contentType: MediaType
  uid: string
}

/** The playlists that hold an item, by name. @throws ProblemError 404 */
export async function listPlaylistsOf(
  ctx: RequestContext,
  { contentType, uid }: MediaId,
  query: ReferencesQuery,
) {
  orNotFound(await queries.findMedia(ctx.scope.reads, { contentType, uid }, ctx.now))
  return findPlaylistsOf(ctx.scope.reads, uid, query)
}

/** The groups that play an item by an active or delayed publication, by name. @throws ProblemError 404 */
export async function listGroupsOf(
  ctx: RequestContext,
  { contentType, uid }: MediaId,
  query: ReferencesQuery,
) {
  orNotFound(await queries.findMedia(ctx.scope.reads, { contentType, uid }, ctx.now))
  return findGroupsOf(ctx.scope.reads, uid, { ...query, now: ctx.now })
}

/** Changes an item's name or description. @throws ProblemError 404, 409 if it was changed meanwhile */
export async function changeMedia(
  ctx: RequestContext,
  contentType: MediaType,
  draft: z.output<typeof editMedia.body>,
) {
  const { uid, name, description, version } = draft
  await ctx.scope.write(async writes => {
    const before = orNotFound(await changes.lockMedia(writes, contentType, uid))
    if (version !== undefined && version !== before.version) throw stale()
    const after = { name: name ?? before.name, description: description ?? before.description }
    const audited = changesBetween(before, after)
    await changes.changeMedia(writes, uid, { ...after, changedAt: ctx.now })
    await recordChange(writes, ctx, {
      action: 'edit',
      thing: 'media',
      uid,
      name: after.name,
      changes: audited,
    })
    // Devices know a file's name, not its description.
    if (after.name === before.name) await announceMedia(writes, ctx.scope.clientId, uid)
    else await announcePlayed(writes, ctx.scope.clientId, { media: uid, now: ctx.now })
  })
}

/** Moves an item to the recycle bin. @throws OutcomeError mediaInUse with the names of the playlists and profiles that need it */
export async function removeMedia(
  ctx: RequestContext,
  contentType: MediaType,
  { uid }: z.output<typeof deleteMedia.body>,
) {
  await ctx.scope.write(async writes => {
    const media = orNotFound(await changes.lockMedia(writes, contentType, uid))
    const { items } = await findPlaylistsOf(writes, uid, { search: '', page: 1, size: MOST_NAMES })
    const names = [...items.map(({ name }) => name), ...(await findProfilesOf(writes, uid, MOST_NAMES))]
    if (names.length > 0) throw new OutcomeError('mediaInUse', { uid, names })
    await changes.binMedia(writes, uid, { userUid: ctx.session.userUid, at: ctx.now })
    await recordChange(writes, ctx, { action: 'delete', thing: 'media', uid, name: media.name })
    await announceMedia(writes, ctx.scope.clientId, uid)
  })
}

type MediaFound = Omit<z.output<typeof MediaFilter>, 'page' | 'size' | 'dir' | 'sort'>

/** Moves many of one content type to the recycle bin; each stands for itself. */
export async function removeManyMedia(
  ctx: RequestContext,
  contentType: MediaType,
  picked: BulkSelection<MediaFound>,
) {
  const batch = await resolveSelection(picked, {
    named: uids => findMediaNames(ctx.scope.reads, contentType, uids),
    matching: (filter, limits) =>
      queries.findMediaMatching(ctx.scope.reads, { ...filter, ...limits, contentType }),
  })
  return forEachItem(batch, uid => removeMedia(ctx, contentType, { uid }))
}

/** An item's newest file, for the console. @throws ProblemError 404 */
export async function findFile({ scope }: RequestContext, uid: string): Promise<FileResponse> {
  const { sha256, sizeBytes, mimeType, originalName } = orNotFound(await findMediaBytes(scope.reads, uid))
  const key = { clientUid: scope.clientId, sha256 }
  return { key, sizeBytes, mimeType, fileName: originalName, isImmutable: false }
}

/** An item's preview image. @throws ProblemError 404 */
export async function findPreview({ scope }: RequestContext, uid: string): Promise<FileResponse> {
  const media = orNotFound(await findMediaBytes(scope.reads, uid))
  const key = { clientUid: scope.clientId, sha256: orNotFound(media.previewSha256) }
  const mimeType = orNotFound(media.previewMimeType)
  return {
    key,
    sizeBytes: media.previewSizeBytes,
    mimeType,
    fileName: media.originalName,
    isImmutable: false,
  }
}

/** One version of an item's file, for a device whose manifest names it; the bin does not hide it. @throws ProblemError 404 */
export async function findPublishedFile(
  scope: ClientScope,
  uid: string,
  sha256: string,
): Promise<FileResponse> {
  const file = orNotFound(await findMediaFile(scope.reads, uid, sha256))
  const key = { clientUid: scope.clientId, sha256 }
  const { sizeBytes, mimeType, originalName } = file
  return { key, sizeBytes, mimeType, fileName: originalName, isImmutable: true }
}

/** Of the media that a profile is to name: the content types of those outside the bin, held until the transaction ends. */
export const holdMedia = (writes: Writes, uids: readonly string[]): Promise<Map<string, MediaType>> =>
  changes.holdLivingMedia(writes, uids)

/** Removes former versions of these items' files that no plan needs any more; resolves to hashes for `forgetting`. */
export const dropFormerVersions = (writes: Writes, mediaUids: readonly string[]): Promise<string[]> =>
  deleteFormerFiles(writes, mediaUids)

/** A name for what was uploaded as a file of this name: without folder and extension, cut to fit. */
export const nameOfUpload = (fileName: string): string => nameFromFile(originalNameOf(fileName))

// Update files come in and are stored the same way, in the same storage.
export { parseField, receiveWithin } from './media-form.ts'
export { originalNameOf } from './media-name.ts'
export { forgetting, storeFiles } from './media-store.ts'
export { type UploadContext, type UploadDesk, withUploadDesk } from './media-upload.ts'
