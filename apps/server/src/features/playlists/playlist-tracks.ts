import type { AuditAction } from '@floorcast/contract/audit.ts'
import { kindOfMedia } from '@floorcast/contract/media.ts'
import type { MoveDirection } from '@floorcast/contract/playlist-parts.ts'
import type { z } from 'zod'
import type { Writes } from '../../platform/database/client-scope.ts'
import { notFound, orNotFound, OutcomeError } from '../../platform/lib/errors.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { recordChange } from '../audit/audit.ts'
import { invalidateManifests } from '../manifests/manifests.ts'
import { insertItems } from './playlist-copy-queries.ts'
import {
  countItems,
  findItemAt,
  holdManyMedia,
  holdMedia,
  insertItem,
  type ItemSettings,
  lockPlaylist,
  moveItem,
  removeItem,
  type StoredItem,
  type StoredPlaylist,
  updatePlaylist,
} from './playlist-writes-queries.ts'

/** A media item that the caller saw at a position, from 1. */
export interface SeenTrack {
  playlistUid: string
  mediaUid: string
  position: number
}

/** @throws ProblemError 404; OutcomeError notDone unless it is simple and paused. */
async function lockForTracks(writes: Writes, uid: string): Promise<StoredPlaylist> {
  const playlist = orNotFound(await lockPlaylist(writes, uid))
  if (playlist.form === 'smart') throw new OutcomeError('notDone', { reason: 'only-simple-playlists' })
  if (playlist.state === 'active') throw new OutcomeError('notDone', { reason: 'active-cannot-be-edited' })
  return playlist
}

/** @throws OutcomeError notDone `position-changed` if another item has the position now */
async function itemSeen(writes: Writes, seen: SeenTrack): Promise<StoredItem> {
  const item = await findItemAt(writes, seen.playlistUid, seen.position)
  if (item?.mediaUid !== seen.mediaUid) throw new OutcomeError('notDone', { reason: 'position-changed' })
  return item
}

/** The settings of an item. */
export const settingsIn = ({ repeatCount, replaySeconds, startTime }: StoredItem): ItemSettings => ({
  repeatCount,
  replaySeconds,
  startTime,
})

/** The fields of an item for the audit. */
const factsOf = (item: StoredItem) => ({
  uid: item.uid,
  mediaUid: item.mediaUid,
  position: item.position,
  ...settingsIn(item),
})

async function recordItems(
  writes: Writes,
  ctx: RequestContext,
  change: { playlist: StoredPlaylist; action: AuditAction; item: [before: unknown, after: unknown] },
): Promise<void> {
  const { uid, name } = change.playlist
  await updatePlaylist(writes, uid, { at: ctx.now })
  await invalidateManifests(writes, { playlists: [uid] })
  const changes = { item: change.item }
  await recordChange(writes, ctx, { action: change.action, entity: 'playlist', uid, name, changes })
}

/** Adds a media item at the end. @returns the uid of the new item */
export async function addTrack(
  ctx: RequestContext,
  track: { playlistUid: string; mediaUid: string },
): Promise<string> {
  const uid = uuidV7()
  await ctx.scope.write(async writes => {
    const playlist = await lockForTracks(writes, track.playlistUid)
    const media = orNotFound(await holdMedia(writes, track.mediaUid))
    if (kindOfMedia(media.contentType) !== playlist.kind)
      throw new OutcomeError('notDone', { reason: 'kind-does-not-fit' })
    const position = (await countItems(writes, playlist.uid)) + 1
    await insertItem(writes, { ...track, uid, clientId: ctx.scope.clientId, position })
    const item = { uid, mediaUid: media.uid, name: media.name, position }
    await recordItems(writes, ctx, { playlist, action: 'add-track', item: [null, item] })
  })
  return uid
}

/** Adds media items at the end in this order, all or none. @returns how many */
export async function addTracks(
  ctx: RequestContext,
  { playlistUid, mediaUids }: { playlistUid: string; mediaUids: readonly string[] },
): Promise<number> {
  await ctx.scope.write(async writes => {
    const playlist = await lockForTracks(writes, playlistUid)
    const wanted = [...new Set(mediaUids)]
    const media = await holdManyMedia(writes, wanted)
    if (media.length < wanted.length) throw notFound()
    if (media.some(({ contentType }) => kindOfMedia(contentType) !== playlist.kind))
      throw new OutcomeError('notDone', { reason: 'kind-does-not-fit' })
    const count = await countItems(writes, playlist.uid)
    await insertItems(writes, { uid: playlist.uid, clientId: ctx.scope.clientId, count }, mediaUids)
    const item = { count: mediaUids.length, position: count + 1 }
    await recordItems(writes, ctx, { playlist, action: 'add-tracks', item: [null, item] })
  })
  return mediaUids.length
}

export async function removeTrack(ctx: RequestContext, seen: SeenTrack): Promise<void> {
  await ctx.scope.write(async writes => {
    const playlist = await lockForTracks(writes, seen.playlistUid)
    const item = await itemSeen(writes, seen)
    await removeItem(writes, playlist.uid, item)
    await recordItems(writes, ctx, { playlist, action: 'remove-track', item: [factsOf(item), null] })
  })
}

/** The target position of a move, from 1 to the number of items. */
function targetOf(from: number, count: number, direction: z.output<typeof MoveDirection>): number {
  const targets = { start: 1, up10: from - 10, up: from - 1, down: from + 1, down10: from + 10, end: count }
  return Math.min(count, Math.max(1, targets[direction]))
}

export async function moveTrack(
  ctx: RequestContext,
  seen: SeenTrack,
  direction: z.output<typeof MoveDirection>,
): Promise<void> {
  await ctx.scope.write(async writes => {
    const playlist = await lockForTracks(writes, seen.playlistUid)
    const item = await itemSeen(writes, seen)
    const to = targetOf(item.position, await countItems(writes, playlist.uid), direction)
    if (to === item.position) return
    await moveItem(writes, playlist.uid, { from: item.position, to })
    await recordItems(writes, ctx, {
      playlist,
      action: 'move-track',
      item: [factsOf(item), { ...factsOf(item), position: to }],
    })
  })
}
