import type { BulkPlan, PublicationAction } from '@floorcast/contract/bulk-calls.ts'
import type { BodyOf } from '@floorcast/contract/endpoint.ts'
import type { Kind } from '@floorcast/contract/fields.ts'
import type { Outcome } from '@floorcast/contract/outcomes.ts'
import type * as calls from '@floorcast/contract/publications.ts'
import type { PublicationCard, PublicationDraft } from '@floorcast/contract/publications.ts'
import type { z } from 'zod'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import { permissionsOf } from '../../platform/auth/rights.ts'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import { forEachItem, resolveSelection } from '../../platform/lib/bulk.ts'
import { orNotFound, OutcomeError, stale } from '../../platform/lib/errors.ts'
import { omitUndefined } from '../../platform/lib/omit-undefined.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { changesBetween, changesOfEdit, recordChange } from '../audit/audit.ts'
import { lockGroupForPublication } from '../groups/groups.ts'
import { invalidateManifests } from '../manifests/manifests.ts'
import { lockPlaylistForPublication } from '../playlists/playlists.ts'
import { kindsFit } from './publication-eligibility.ts'
import { turnPublication } from './publication-states.ts'
import {
  findFormerPlaylist,
  findPublication,
  insertPublication,
  lockGroupPublications,
  reconcileGroup,
  type StoredPublication,
  updatePublication,
} from './publication-writes-queries.ts'
import {
  findPublicationNames,
  findUnready,
  findUnusedPublications,
  countPublicationStates,
  findPublicationCard,
  listPublicationDeviceRows,
  listPublicationRows,
  findPublicationsMatching,
  type PublicationDeviceList,
  type PublicationList,
  type PublicationSelection,
  countPublicationAction,
} from './publications-queries.ts'

export const listPublications = (ctx: RequestContext, list: PublicationList) =>
  listPublicationRows(ctx.scope.reads, list, ctx.now)

export async function countPublications(reads: Reads, now: Date) {
  const { active = 0, delayed = 0, disabled = 0 } = await countPublicationStates(reads, now)
  return { active, delayed, disabled }
}

/** The publications whose files most devices miss. */
export const readUnready = (reads: Reads, now: Date, most: number) => findUnready(reads, now, most)

export async function readPublication(ctx: RequestContext, uid: string): Promise<PublicationCard> {
  return ctx.scope.readTogether(async reads => {
    const card = orNotFound(await findPublicationCard(reads, uid, ctx.now))
    const formerPlaylist = await findFormerPlaylist(reads, uid)
    return { ...card, formerPlaylist, permissions: permissionsOf(ctx) }
  })
}

/** @throws ProblemError 404 */
export async function listPublicationDevices(ctx: RequestContext, uid: string, list: PublicationDeviceList) {
  const { reads } = ctx.scope
  return listPublicationDeviceRows(reads, { uid, ...orNotFound(await findPublication(reads, uid)) }, list)
}

interface Bound {
  kind: Kind
  groupUid: string
  playlistUid: string
}

/** Locks group and playlist, always in this order. @throws ProblemError 404; OutcomeError notDone if the kinds do not fit */
async function lockBound(writes: Writes, { kind, groupUid, playlistUid }: Bound): Promise<void> {
  const group = orNotFound(await lockGroupForPublication(writes, groupUid))
  const playlist = orNotFound(await lockPlaylistForPublication(writes, playlistUid))
  if (!kindsFit(kind, group.kind, playlist.kind))
    throw new OutcomeError('notDone', { reason: 'kind-does-not-fit' })
}

/** Adds a disabled publication of a playlist to a group. */
export const addPublication = (
  ctx: RequestContext,
  kind: Kind,
  draft: z.output<typeof PublicationDraft>,
): Promise<string> => ctx.scope.write(writes => createPublication(writes, ctx, { ...draft, kind }))

/** @returns the uid of the disabled publication. @throws ProblemError 404; OutcomeError notDone if the kinds do not fit */
export async function createPublication(
  writes: Writes,
  ctx: RequestContext,
  draft: z.output<typeof PublicationDraft> & { kind: Kind },
): Promise<string> {
  const uid = uuidV7()
  await lockBound(writes, draft)
  await insertPublication(writes, { ...draft, uid, clientId: ctx.scope.clientId }, ctx.now)
  const changes = changesBetween({}, draft)
  await recordChange(writes, ctx, { action: 'add', entity: 'publication', uid, name: draft.name, changes })
  return uid
}

async function lockPublication(writes: Writes, uid: string, now: Date): Promise<StoredPublication> {
  const { groupUid } = orNotFound(await findPublication(writes, uid))
  await lockGroupForPublication(writes, groupUid)
  await reconcileGroup(writes, groupUid, now)
  const all = await lockGroupPublications(writes, groupUid, now)
  const publication = all.find(other => other.uid === uid)
  if (!publication) throw stale()
  return publication
}

const isOff = ({ state, storedState }: StoredPublication) =>
  state === 'disabled' && storedState === 'disabled'

/** @throws OutcomeError notDone `turn-it-off-first` if its group or playlist would change while it is on or waiting */
export async function editPublication(
  ctx: RequestContext,
  change: BodyOf<typeof calls.editPublication>,
): Promise<void> {
  const { uid, version, ...given } = change
  const fields = omitUndefined(given)
  await ctx.scope.write(async writes => {
    const publication = await lockPublication(writes, uid, ctx.now)
    if (version !== undefined && version !== publication.version) throw stale()
    const { groupUid = publication.groupUid, playlistUid = publication.playlistUid } = fields
    const isRebound = groupUid !== publication.groupUid || playlistUid !== publication.playlistUid
    if (isRebound) {
      if (!isOff(publication)) throw new OutcomeError('notDone', { reason: 'turn-it-off-first' })
      await lockBound(writes, { kind: publication.kind, groupUid, playlistUid })
    }
    const after = await updatePublication(writes, uid, { ...fields, at: ctx.now })
    if (!isOff(publication)) await invalidateManifests(writes, { groups: [groupUid] })
    const changes = changesOfEdit({ before: publication, after }, fields)
    await recordChange(writes, ctx, {
      action: 'edit',
      entity: 'publication',
      uid,
      name: after.name,
      changes,
    })
  })
}

/** Moves a publication to the recycle bin. @throws OutcomeError notDone `turn-it-off-first` while it is on or waiting */
export async function deletePublication(ctx: RequestContext, uid: string): Promise<void> {
  await ctx.scope.write(async writes => {
    const publication = await lockPublication(writes, uid, ctx.now)
    if (!isOff(publication)) throw new OutcomeError('notDone', { reason: 'turn-it-off-first' })
    await updatePublication(writes, uid, { deletedAt: ctx.now, deletedBy: ctx.session.userUid, at: ctx.now })
    await recordChange(writes, ctx, { action: 'delete', entity: 'publication', uid, name: publication.name })
  })
}

/** The publications of a bulk call. */
export const resolvePublications = (ctx: RequestContext, picked: PublicationSelection) =>
  resolveSelection(picked, {
    named: uids => findPublicationNames(ctx.scope.reads, uids),
    matching: (filter, limits) =>
      findPublicationsMatching(ctx.scope.reads, { ...filter, ...limits }, ctx.now),
  })

/** Moves many to the recycle bin. A failure stops no other item. */
export const deleteManyPublications = async (ctx: RequestContext, picked: PublicationSelection) =>
  forEachItem(await resolvePublications(ctx, picked), ctx, uid => deletePublication(ctx, uid))

/** Moves unused ones to the recycle bin. One that is used by then stays. */
export const deleteUnusedPublications = async (ctx: RequestContext) =>
  forEachItem(await findUnusedPublications(ctx.scope.reads), ctx, uid => deletePublication(ctx, uid))

interface BulkCall {
  items: PublicationSelection
  action: PublicationAction
}

export const previewManyPublications = (ctx: RequestContext, call: BulkCall): Promise<BulkPlan> =>
  countPublicationAction(ctx.scope.reads, { ...call, now: ctx.now })

/** Turns many publications on or off, or deletes them. A failure stops no other one. */
export async function changeManyPublications(
  ctx: RequestContext,
  { items, action }: BulkCall,
): Promise<Outcome> {
  return forEachItem(await resolvePublications(ctx, items), ctx, uid =>
    action === 'delete' ? deletePublication(ctx, uid) : turnPublication(ctx, uid, action === 'turn-on'),
  )
}
