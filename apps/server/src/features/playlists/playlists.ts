import type { BulkPlan, EditAction } from '@floorcast/contract/bulk-calls.ts'
import type { BodyOf } from '@floorcast/contract/endpoint.ts'
import type { KindFilter, Kind } from '@floorcast/contract/fields.ts'
import type { EditState } from '@floorcast/contract/groups.ts'
import type { Outcome } from '@floorcast/contract/outcomes.ts'
import type * as calls from '@floorcast/contract/playlists.ts'
import type { PlaylistCard, PlaylistDraft, PlaylistWithTracks } from '@floorcast/contract/playlists.ts'
import type { z } from 'zod'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import { permissionsOf } from '../../platform/auth/rights.ts'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import { listPickable } from '../../platform/database/names.ts'
import { forEachItem, resolveSelection } from '../../platform/lib/bulk.ts'
import { orNotFound, OutcomeError, ProblemError, stale } from '../../platform/lib/errors.ts'
import { omitUndefined } from '../../platform/lib/omit-undefined.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { type Changes, changesBetween, changesOfEdit, recordChange } from '../audit/audit.ts'
import { invalidateManifests } from '../manifests/manifests.ts'
import { findPublicationsNaming, refuseInForce } from '../publication-state/publication-state.ts'
import { type BlocksAsked, readBlocks, readSmartFacts } from '../smart-playlists/smart-playlists.ts'
import { settingsIn } from './playlist-tracks.ts'
import {
  countPlays,
  findItems,
  insertPlaylist,
  type ItemSettings,
  lockPlaylist,
  type StoredItem,
  type StoredPlaylist,
  updateItem,
  updatePlaylist,
} from './playlist-writes-queries.ts'
import {
  findPlaylistNames,
  findUnusedPlaylists,
  findEditOf,
  findEdits,
  findPlaylist,
  findPlaylistGroups,
  findPlaylistItems,
  listPlaylistRows,
  findPlaylistsMatching,
  type PlaylistList,
  type PlaylistSelection,
  countPlaylistAction,
} from './playlists-queries.ts'

export const listPlaylists = (ctx: RequestContext, list: PlaylistList) =>
  listPlaylistRows(ctx.scope.reads, list)

export const selectPlaylists = (reads: Reads, kind: KindFilter) => listPickable(reads, 'playlists', kind)

async function cardOf(ctx: RequestContext, reads: Reads, uid: string): Promise<PlaylistCard> {
  const playlist = orNotFound(await findPlaylist(reads, uid, ctx.now))
  const groups = await findPlaylistGroups(reads, uid)
  const smart = await readSmartFacts(reads, uid)
  const [editOf, edits] = [await findEditOf(reads, uid, ctx.now), await findEdits(reads, uid)]
  return { ...playlist, groups, editOf, edits, smart, permissions: permissionsOf(ctx) }
}

/** The card without its items. */
export const readPlaylist = (ctx: RequestContext, uid: string): Promise<PlaylistCard> =>
  ctx.scope.readTogether(reads => cardOf(ctx, reads, uid))

export const readPlaylistWithTracks = (
  ctx: RequestContext,
  uid: string,
  asked: BlocksAsked,
): Promise<PlaylistWithTracks> =>
  ctx.scope.readTogether(async reads => {
    const card = await cardOf(ctx, reads, uid)
    if (!card.smart) return { ...card, items: await findPlaylistItems(reads, uid), blocks: null }
    const { blockCount } = card.smart
    return { ...card, items: [], blocks: await readBlocks(reads, uid, { asked, blockCount }) }
  })

/** Adds a simple playlist, paused and empty. */
export async function addPlaylist(
  ctx: RequestContext,
  kind: Kind,
  draft: z.output<typeof PlaylistDraft>,
): Promise<string> {
  const uid = uuidV7()
  await ctx.scope.write(async writes => {
    await insertPlaylist(writes, { ...draft, uid, clientId: ctx.scope.clientId, kind }, ctx.now)
    const changes = changesBetween({}, { ...draft, kind })
    await recordChange(writes, ctx, { action: 'add', entity: 'playlist', uid, name: draft.name, changes })
  })
  return uid
}

type Change = BodyOf<typeof calls.editPlaylist>
type ItemChange = NonNullable<Change['items']>[number]

/** An item has a repeat count or a replay duration: setting one clears the other; clearing both leaves one play. */
function settingsOf(item: StoredItem, change: ItemChange): ItemSettings {
  const {
    repeatCount = item.repeatCount,
    replaySeconds = item.replaySeconds,
    startTime = item.startTime,
  } = change
  if (change.replaySeconds != null) return { repeatCount: null, replaySeconds, startTime }
  if (change.repeatCount != null) return { repeatCount, replaySeconds: null, startTime }
  if (repeatCount === null && replaySeconds === null)
    return { repeatCount: 1, replaySeconds: null, startTime }
  return { repeatCount, replaySeconds, startTime }
}

/** @throws OutcomeError notDone `position-changed` if one of the items does not exist any more */
async function changeItems(writes: Writes, uid: string, wanted: readonly ItemChange[]): Promise<Changes> {
  const items = new Map((await findItems(writes, uid)).map(item => [item.uid, item]))
  const changes: Changes = {}
  for (const change of wanted) {
    const item = items.get(change.uid)
    if (!item) throw new OutcomeError('notDone', { reason: 'position-changed' })
    const before = settingsIn(item)
    const after = settingsOf(item, change)
    if (Object.keys(changesBetween(before, after)).length === 0) continue
    await updateItem(writes, item.uid, after)
    changes[`item ${item.position}`] = [before, after]
  }
  return changes
}

/** @throws OutcomeError notDone while it is active; ProblemError 409 for a stale version */
export async function editPlaylist(ctx: RequestContext, change: Change): Promise<void> {
  const { uid, version, items = [], ...given } = change
  const fields = omitUndefined(given)
  await ctx.scope.write(async writes => {
    const playlist = orNotFound(await lockPlaylist(writes, uid))
    if (version !== undefined && version !== playlist.version) throw stale()
    if (playlist.state === 'active') throw new OutcomeError('notDone', { reason: 'active-cannot-be-edited' })
    refuseReversedDates({ ...playlist, ...fields })
    refuseChangeOfPlan(playlist, change)
    const itemChanges = await changeItems(writes, uid, items)
    const after = await updatePlaylist(writes, uid, { ...fields, at: ctx.now })
    await invalidateManifests(writes, { playlists: [uid] })
    const changes = { ...changesOfEdit({ before: playlist, after }, fields), ...itemChanges }
    await recordChange(writes, ctx, { action: 'edit', entity: 'playlist', uid, name: after.name, changes })
  })
}

/** Crossfade and items of a smart playlist belong to its plan and cannot be changed. */
function refuseChangeOfPlan(playlist: StoredPlaylist, { crossfadeSeconds, items = [] }: Change): void {
  if (playlist.form === 'simple') return
  const isSame = crossfadeSeconds === undefined || crossfadeSeconds === playlist.crossfadeSeconds
  if (!isSame || items.length > 0) throw new OutcomeError('notDone', { reason: 'only-simple-playlists' })
}

/** A call may give only one date. The contract cannot compare it with the stored one. */
function refuseReversedDates({ startDate, endDate }: Pick<StoredPlaylist, 'startDate' | 'endDate'>): void {
  if (startDate === null || endDate === null || startDate <= endDate) return
  throw new ProblemError('wrong-fields', { errors: [{ path: 'endDate', message: 'end-before-start' }] })
}

/** Moves a playlist to the recycle bin. @throws OutcomeError inUse or mediaInUse with the publications' names. */
export async function deletePlaylist(ctx: RequestContext, uid: string): Promise<void> {
  await ctx.scope.write(async writes => {
    const playlist = orNotFound(await lockPlaylist(writes, uid))
    const publications = await findPublicationsNaming(writes, { playlistUid: uid }, ctx.now)
    if (publications.length > 0) {
      const isOn = publications.some(publication => publication.isOn)
      const names = publications.map(({ name }) => name)
      throw new OutcomeError(isOn ? 'inUse' : 'mediaInUse', { names })
    }
    await updatePlaylist(writes, uid, { deletedAt: ctx.now, deletedBy: ctx.session.userUid, at: ctx.now })
    await recordChange(writes, ctx, { action: 'delete', entity: 'playlist', uid, name: playlist.name })
  })
}

/** The playlists of a bulk call. */
export const resolvePlaylists = (ctx: RequestContext, picked: PlaylistSelection) =>
  resolveSelection(picked, {
    named: uids => findPlaylistNames(ctx.scope.reads, uids),
    matching: (filter, limits) => findPlaylistsMatching(ctx.scope.reads, { ...filter, ...limits }),
  })

/** Moves many to the recycle bin. A failure stops no other item. */
export const deleteManyPlaylists = async (ctx: RequestContext, picked: PlaylistSelection) =>
  forEachItem(await resolvePlaylists(ctx, picked), ctx, uid => deletePlaylist(ctx, uid))

/** Moves unused ones to the recycle bin. One that is used by then stays. */
export const deleteUnusedPlaylists = async (ctx: RequestContext) =>
  forEachItem(await findUnusedPlaylists(ctx.scope.reads), ctx, uid => deletePlaylist(ctx, uid))

/**
 * Pauses or activates it. Pausing is refused (groupTaken) while a publication of it is in force or waiting.
 * @throws ProblemError 409 if `from` is not its state any more
 */
export async function changePlaylistState(
  ctx: RequestContext,
  uid: string,
  from: EditState | undefined,
): Promise<'activated' | 'disabled'> {
  return ctx.scope.write(async writes => {
    const playlist = orNotFound(await lockPlaylist(writes, uid))
    if (from !== undefined && from !== playlist.state) throw stale()
    const state = playlist.state === 'active' ? 'paused' : 'active'
    await setPlaylistState(writes, ctx, { playlist, state })
    return state === 'active' ? 'activated' : 'disabled'
  })
}

/**
 * Activates or pauses one of many playlists, unless it is so already.
 * @throws OutcomeError groupTaken, or notDone for an empty one; ProblemError 404
 */
export const turnPlaylist = (ctx: RequestContext, uid: string, state: EditState): Promise<void> =>
  ctx.scope.write(async writes => {
    const playlist = orNotFound(await lockPlaylist(writes, uid))
    if (state === 'active' && (await countPlays(writes, uid)) === 0)
      throw new OutcomeError('notDone', { reason: 'playlist-empty' })
    await setPlaylistState(writes, ctx, { playlist, state })
  })

/** Activates or pauses a playlist that the caller has locked. @throws OutcomeError groupTaken */
async function setPlaylistState(
  writes: Writes,
  ctx: RequestContext,
  { playlist, state }: { playlist: StoredPlaylist; state: EditState },
): Promise<void> {
  const { uid, name } = playlist
  if (state === playlist.state) return
  if (state === 'paused') await refuseInForce(writes, { playlistUid: uid }, ctx.now)
  await updatePlaylist(writes, uid, { state, at: ctx.now })
  const changes = changesBetween({ state: playlist.state }, { state })
  const action = state === 'active' ? 'activate' : 'pause'
  await recordChange(writes, ctx, { action, entity: 'playlist', uid, name, changes })
}

/** Activates a playlist that is paused, for a publication. @throws ProblemError 404 */
export async function activatePlaylist(writes: Writes, ctx: RequestContext, uid: string): Promise<void> {
  const playlist = orNotFound(await lockPlaylist(writes, uid))
  await setPlaylistState(writes, ctx, { playlist, state: 'active' })
}

export { findPublishable } from './playlists-queries.ts'

/** Locks the playlist until the transaction ends, for a publication. @returns it with its number of items */
export async function lockPlaylistForPublication(writes: Writes, uid: string) {
  const playlist = await lockPlaylist(writes, uid)
  return playlist && { ...playlist, itemCount: await countPlays(writes, uid) }
}

interface BulkCall {
  items: PlaylistSelection
  action: EditAction
}

export const previewManyPlaylists = (ctx: RequestContext, call: BulkCall): Promise<BulkPlan> =>
  countPlaylistAction(ctx.scope.reads, { ...call, now: ctx.now })

/** Activates, pauses or deletes many playlists. A failure stops no other one. */
export async function changeManyPlaylists(
  ctx: RequestContext,
  { items, action }: BulkCall,
): Promise<Outcome> {
  const state = action === 'activate' ? 'active' : 'paused'
  return forEachItem(await resolvePlaylists(ctx, items), ctx, uid =>
    action === 'delete' ? deletePlaylist(ctx, uid) : turnPlaylist(ctx, uid, state),
  )
}
