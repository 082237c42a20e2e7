import type { BulkPlan } from '@floorcast/contract/bulk-calls.ts'
import type { ListQuery } from '@floorcast/contract/fields.ts'
import type * as calls from '@floorcast/contract/media.ts'
import type { MediaCard, MediaFilter, MediaType } from '@floorcast/contract/media.ts'
import type { z } from 'zod'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import { permissionsOf } from '../../platform/auth/rights.ts'
import type { ClientScope, Writes } from '../../platform/database/client-scope.ts'
import type { FileResponse } from '../../platform/http/answer/send-file.ts'
import { forEachItem, resolveSelection, type BulkSelection } from '../../platform/lib/bulk.ts'
import { orNotFound, OutcomeError, stale } from '../../platform/lib/errors.ts'
import { omitUndefined } from '../../platform/lib/omit-undefined.ts'
import { FileStoreAwayError } from '../../platform/storage/file-store.ts'
import { changesOfEdit, recordChange, changesBetween, recordOwnChanges } from '../audit/audit.ts'
import { announceChange } from '../change-feed/change-feed.ts'
import { invalidateManifests } from '../manifests/manifests.ts'
import {
  type LoudnessFigures,
  measureMp3Loudness,
  measureMp4Loudness,
  readTags,
  type TagCredits,
} from '../media-probe/media-probe.ts'
import { findUnreadFile, markTagsRead, saveTagCredits, type UnreadFile } from './media-credits-queries.ts'
import { fillCredits } from './media-credits.ts'
import {
  deleteFormerFiles,
  findFileVersion,
  findNewestFile,
  findUnmeasuredFile,
  saveLoudness,
  type UnmeasuredFile,
} from './media-file-queries.ts'
import * as queries from './media-queries.ts'
import { MediaWorkQueue, type MediaWorkParts } from './media-work-queue.ts'

export { retryFailedWork } from './media-file-queries.ts'

const MAX_NAMES = 200

/** One page of a content type's media; newest first unless a sort is named. */
export async function listMedia(
  ctx: RequestContext,
  contentType: MediaType,
  filter: z.output<typeof MediaFilter>,
) {
  return queries.findMediaPage(ctx.scope.reads, { ...filter, contentType })
}

/** One item with its file's facts and where it is used. @throws ProblemError 404 */
export async function readMedia(
  ctx: RequestContext,
  contentType: MediaType,
  uid: string,
): Promise<MediaCard> {
  const details = orNotFound(await queries.findMedia(ctx.scope.reads, { contentType, uid }, ctx.now))
  return { ...details, permissions: permissionsOf(ctx) }
}

type ReferencesQuery = z.output<typeof ListQuery>
interface MediaId {
  contentType: MediaType
  uid: string
}

/** The playlists that hold an item, by name. @throws ProblemError 404 */
export async function listMediaPlaylists(
  ctx: RequestContext,
  { contentType, uid }: MediaId,
  query: ReferencesQuery,
) {
  orNotFound(await queries.findMedia(ctx.scope.reads, { contentType, uid }, ctx.now))
  return queries.findPlaylistsOf(ctx.scope.reads, uid, query)
}

/** The groups that play an item by an active or delayed publication, by name. @throws ProblemError 404 */
export async function listMediaGroups(
  ctx: RequestContext,
  { contentType, uid }: MediaId,
  query: ReferencesQuery,
) {
  orNotFound(await queries.findMedia(ctx.scope.reads, { contentType, uid }, ctx.now))
  return queries.findGroupsOf(ctx.scope.reads, uid, { ...query, now: ctx.now })
}

/** Changes an item's name, description or credits. @throws ProblemError 404, 409 if it was changed meanwhile */
export async function editMedia(
  ctx: RequestContext,
  contentType: MediaType,
  draft: z.output<typeof calls.editMedia.body>,
) {
  const { uid, version, ...given } = draft
  const fields = omitUndefined(given)
  await ctx.scope.write(async writes => {
    const before = orNotFound(await queries.lockMedia(writes, contentType, uid))
    if (version !== undefined && version !== before.version) throw stale()
    const after = await queries.updateMedia(writes, uid, { ...fields, changedAt: ctx.now })
    await recordChange(writes, ctx, {
      action: 'edit',
      entity: 'media',
      uid,
      name: after.name,
      changes: changesOfEdit({ before, after }, fields),
    })
    // Devices know a file's name, not its description.
    if (after.name !== before.name) await invalidateManifests(writes, { media: [uid] })
  })
}

/** Moves an item to the recycle bin. @throws OutcomeError mediaInUse with the names of the playlists and profiles that need it */
export async function deleteMedia(
  ctx: RequestContext,
  contentType: MediaType,
  { uid }: z.output<typeof calls.deleteMedia.body>,
) {
  await ctx.scope.write(async writes => {
    const media = orNotFound(await queries.lockMedia(writes, contentType, uid))
    const { items } = await queries.findPlaylistsOf(writes, uid, { search: '', page: 1, size: MAX_NAMES })
    const names = [
      ...items.map(({ name }) => name),
      ...(await queries.findProfilesOf(writes, uid, MAX_NAMES)),
    ]
    if (names.length > 0) throw new OutcomeError('mediaInUse', { uid, names })
    await queries.updateMedia(writes, uid, { deletedAt: ctx.now, deletedBy: ctx.session.userUid })
    await recordChange(writes, ctx, { action: 'delete', entity: 'media', uid, name: media.name })
  })
}

type MediaMatching = Omit<z.output<typeof MediaFilter>, 'page' | 'size' | 'dir' | 'sort'>

/** Moves many items of one content type to the recycle bin; each succeeds or fails for itself. */
export async function removeManyMedia(
  ctx: RequestContext,
  contentType: MediaType,
  selection: BulkSelection<MediaMatching>,
) {
  const batch = await resolveSelection(selection, {
    named: uids => queries.findMediaNames(ctx.scope.reads, contentType, uids),
    matching: (filter, limits) =>
      queries.findMediaMatching(ctx.scope.reads, { ...filter, ...limits, contentType }),
  })
  return forEachItem(batch, ctx, uid => deleteMedia(ctx, contentType, { uid }))
}

/** What deleting many items of one content type does. */
export const previewManyMedia = (
  ctx: RequestContext,
  contentType: MediaType,
  items: BulkSelection<MediaMatching>,
): Promise<BulkPlan> => queries.countMediaToDelete(ctx.scope.reads, contentType, items)

/** An item's newest file, for the console. @throws ProblemError 404 */
export async function getFile({ scope }: RequestContext, uid: string): Promise<FileResponse> {
  const { sha256, sizeBytes, mimeType, originalName } = orNotFound(await findNewestFile(scope.reads, uid))
  const key = { clientUid: scope.clientId, sha256 }
  return { key, sizeBytes, mimeType, fileName: originalName, isImmutable: false }
}

/** An item's preview image; null without one. @throws ProblemError 404 for an unknown item */
export async function findPreview(
  { scope }: Pick<RequestContext, 'scope'>,
  uid: string,
): Promise<FileResponse | null> {
  const media = orNotFound(await findNewestFile(scope.reads, uid))
  const { previewSha256: sha256, previewMimeType: mimeType } = media
  if (sha256 === null || mimeType === null) return null
  return {
    key: { clientUid: scope.clientId, sha256 },
    sizeBytes: media.previewSizeBytes,
    mimeType,
    fileName: media.originalName,
    isImmutable: false,
  }
}

/** An item's preview image. @throws ProblemError 404 */
export const getPreview = async (ctx: Pick<RequestContext, 'scope'>, uid: string): Promise<FileResponse> =>
  orNotFound(await findPreview(ctx, uid))

/** One version of an item's file, for a device whose manifest names it; the bin does not hide it. @throws ProblemError 404 */
export async function getPublishedFile(
  scope: ClientScope,
  uid: string,
  sha256: string,
): Promise<FileResponse> {
  const file = orNotFound(await findFileVersion(scope.reads, uid, sha256))
  const key = { clientUid: scope.clientId, sha256 }
  const { sizeBytes, mimeType, originalName } = file
  return { key, sizeBytes, mimeType, fileName: originalName, isImmutable: true }
}

/** The content types of these items, without those in the bin; the rows stay locked until the transaction ends. */
export const lockContentTypes = (writes: Writes, uids: readonly string[]): Promise<Map<string, MediaType>> =>
  queries.lockContentTypes(writes, uids)

/** Deletes former versions of these items' files that no plan needs; returns the hashes for `collectGarbageAfter`. */
export const dropFormerVersions = (writes: Writes, mediaUids: readonly string[]): Promise<string[]> =>
  deleteFormerFiles(writes, mediaUids)

/** An hour of sound takes 12 s of processor time; the deadline is six times as long, and 10 s. */
const MIN_DEADLINE_MS = 10_000
const DEADLINE_MS_A_SECOND = 20
/** A file from this duration on is a long job: such files leave a place for others. */
const LONG_SECONDS = 600

/** The figures of one file; null when it cannot be measured, or on abort. @throws FileStoreAwayError */
async function measure(
  { files, log }: MediaWorkParts,
  { clientUid, file, signal }: { clientUid: string; file: UnmeasuredFile; signal: AbortSignal },
): Promise<LoudnessFigures | null> {
  const measureFile = file.mimeType === 'audio/mpeg' ? measureMp3Loudness : measureMp4Loudness
  const deadlineMs = MIN_DEADLINE_MS + file.durationSeconds * DEADLINE_MS_A_SECOND
  try {
    return await files.withLocalPath({ clientUid, sha256: file.sha256 }, path =>
      measureFile(path, { deadlineMs, signal }),
    )
  } catch (error) {
    // The file waits until the store is back.
    if (error instanceof FileStoreAwayError) throw error
    if (!signal.aborted) log.warn({ err: error, mediaUid: file.mediaUid }, 'loudness not measured')
    return null
  }
}

/** The queue that measures uploaded files. A file that cannot be measured gets no figures. */
export const makeLoudnessQueue = (parts: MediaWorkParts): MediaWorkQueue<UnmeasuredFile> =>
  new MediaWorkQueue(parts, {
    name: 'loudness',
    findNext: findUnmeasuredFile,
    isLong: file => file.durationSeconds >= LONG_SECONDS,
    run: async (scope, file, signal) => {
      const { clientId } = scope
      const figures = await measure(parts, { clientUid: clientId, file, signal })
      signal.throwIfAborted()
      await scope.write(async writes => {
        if (!(await saveLoudness(writes, file, figures))) return
        await invalidateManifests(writes, { loudness: [file.mediaUid] })
        await announceChange(writes, clientId, { entity: 'media', uid: file.mediaUid })
      })
    },
  })

async function tagsOf(
  { files, log }: MediaWorkParts,
  { clientId, file, signal }: { clientId: string; file: UnreadFile; signal: AbortSignal },
): Promise<TagCredits | null> {
  const format = file.mimeType === 'audio/mpeg' ? 'mp3' : 'mp4'
  try {
    return await files.withLocalPath({ clientUid: clientId, sha256: file.sha256 }, path =>
      readTags(format, { path, clientId }),
    )
  } catch (error) {
    if (error instanceof FileStoreAwayError) throw error
    if (!signal.aborted) log.warn({ err: error, mediaUid: file.mediaUid }, 'tags not read')
    return null
  }
}

/** The queue that reads the tags of files which an earlier release has stored. A file is read once. */
export const makeTagQueue = (parts: MediaWorkParts): MediaWorkQueue<UnreadFile> =>
  new MediaWorkQueue(parts, {
    name: 'tags',
    findNext: findUnreadFile,
    isLong: () => false,
    run: async (scope, file, signal) => {
      const { clientId } = scope
      const tags = await tagsOf(parts, { clientId, file, signal })
      signal.throwIfAborted()
      await scope.write(async writes => {
        const item = await markTagsRead(writes, file)
        if (!item) return
        const { uid, name, ...before } = item
        const after = fillCredits(before, tags)
        const changes = changesBetween(before, after)
        if (Object.keys(changes).length === 0) return
        const at = new Date()
        await saveTagCredits(writes, uid, { ...after, changedAt: at })
        await recordOwnChanges(writes, { clientId, at }, [
          { action: 'read-tags', entity: 'media', uid, name, changes },
        ])
        await announceChange(writes, clientId, { entity: 'media', uid })
      })
    },
  })
