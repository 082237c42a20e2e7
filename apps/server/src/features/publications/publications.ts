import type { editPublication, PublicationCard, PublicationDraft } from '@floorcast/contract/publications.ts'
import type { BodyOf } from '@floorcast/contract/endpoint.ts'
import type { z } from 'zod'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import { definedOf } from '../../platform/lib/omit-undefined.ts'
import { eachOf, pickThings, type Picked } from '../../platform/lib/bulk.ts'
import { findNames, findUnused } from '../../platform/database/names.ts'
import { found, OutcomeError, stale } from '../../platform/lib/errors.ts'
import type { Actor } from '../../platform/auth/request-context.ts'
import { permissionsOf } from '../../platform/auth/rights.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { changesBetween, recordChange } from '../audit/audit.ts'
import { lockGroupForPublication } from '../groups/groups.ts'
import { lockPlaylistForPublication } from '../playlists/playlists.ts'
import { touchManifests } from '../manifests/manifests.ts'
import {
  findFormerPlaylist,
  findPublication,
  insertPublication,
  lockGroupPublications,
  settleGroup,
  type PublicationFields,
  updatePublication,
} from './publication-writes-queries.ts'
import {
  countPublicationStates,
  findHoldings,
  findPublicationCard,
  listPublicationRecords,
  findPublicationsMatching,
  type PublicationList,
  type PublicationSet,
} from './publications-queries.ts'
import { kindsFit } from './publication-eligibility.ts'

export const readPublications = (by: Actor, list: PublicationList) =>
  listPublicationRecords(by.scope.reads, list, by.now)

export async function countPublications(reads: Reads, now: Date) {
  const { active = 0, delayed = 0, disabled = 0 } = await countPublicationStates(reads, now)
  return { active, delayed, disabled }
}

export async function readPublicationCard(by: Actor, uid: string): Promise<PublicationCard> {
  return by.scope.readTogether(async reads => {
    const card = found(await findPublicationCard(reads, uid, by.now))
    const devices = await findHoldings(reads, uid)
    const formerPlaylist = await findFormerPlaylist(reads, uid)
    return { ...card, formerPlaylist, devices, permissions: permissionsOf(by) }
  })
}

interface Bound {
  kind: 'audio' | 'video'
  groupUid: string
  playlistUid: string
}

/** Group and playlist, locked in this order everywhere. @throws ProblemError 404; OutcomeError notDone when kinds do not fit. */
async function lockBound(writes: Writes, { kind, groupUid, playlistUid }: Bound): Promise<void> {
  const group = found(await lockGroupForPublication(writes, groupUid))
  const playlist = found(await lockPlaylistForPublication(writes, playlistUid))
  if (!kindsFit(kind, group.kind, playlist.kind))
    throw new OutcomeError('notDone', { reason: 'kind-does-not-fit' })
}

/** Binds a playlist to a group, disabled. */
export async function addPublication(
  by: Actor,
  kind: 'audio' | 'video',
  draft: z.output<typeof PublicationDraft>,
): Promise<string> {
  const uid = uuidV7()
  await by.scope.write(async writes => {
    await lockBound(writes, { ...draft, kind })
    await insertPublication(writes, { ...draft, uid, clientId: by.scope.clientId, kind, at: by.now })
    const changes = changesBetween({}, { ...draft, kind })
    await recordChange(writes, by, { action: 'add', thing: 'publication', uid, name: draft.name, changes })
  })
  return uid
}

async function lockPublication(writes: Writes, uid: string, now: Date): Promise<PublicationFields> {
  const { groupUid } = found(await findPublication(writes, uid))
  await lockGroupForPublication(writes, groupUid)
  await settleGroup(writes, groupUid, now)
  const all = await lockGroupPublications(writes, groupUid, now)
  const publication = all.find(other => other.uid === uid)
  if (!publication) throw stale()
  return publication
}

const isOff = ({ state, storedState }: PublicationFields) =>
  state === 'disabled' && storedState === 'disabled'

/** @throws OutcomeError notDone `turn-it-off-first` when its group or playlist would change while it is on or waits. */
export async function changePublication(by: Actor, change: BodyOf<typeof editPublication>): Promise<void> {
  const { uid, version, ...given } = change
  const fields = definedOf(given)
  await by.scope.write(async writes => {
    const publication = await lockPublication(writes, uid, by.now)
    if (version !== undefined && version !== publication.version) throw stale()
    const { groupUid = publication.groupUid, playlistUid = publication.playlistUid } = fields
    const isRebound = groupUid !== publication.groupUid || playlistUid !== publication.playlistUid
    if (isRebound) {
      if (!isOff(publication)) throw new OutcomeError('notDone', { reason: 'turn-it-off-first' })
      await lockBound(writes, { kind: publication.kind, groupUid, playlistUid })
    }
    await updatePublication(writes, uid, { ...fields, at: by.now })
    if (!isOff(publication)) await touchManifests(writes, { groups: [groupUid] }, by.now)
    const changes = changesBetween<Partial<PublicationFields>>(publication, fields)
    const name = fields.name ?? publication.name
    await recordChange(writes, by, { action: 'edit', thing: 'publication', uid, name, changes })
  })
}

/** Moves a publication to the recycle bin. @throws OutcomeError notDone `turn-it-off-first` while it is on or waits. */
export async function deletePublication(by: Actor, uid: string): Promise<void> {
  await by.scope.write(async writes => {
    const publication = await lockPublication(writes, uid, by.now)
    if (!isOff(publication)) throw new OutcomeError('notDone', { reason: 'turn-it-off-first' })
    await updatePublication(writes, uid, { deletedAt: by.now, deletedBy: by.session.userUid, at: by.now })
    await recordChange(writes, by, { action: 'delete', thing: 'publication', uid, name: publication.name })
  })
}

/** Moves many to the recycle bin; each stands for itself. */
export async function deletePublications(by: Actor, picked: Picked<PublicationSet & { search: string }>) {
  const batch = await pickThings(picked, {
    named: uids => findNames(by.scope.reads, 'publications', uids),
    matching: (filter, limits) => findPublicationsMatching(by.scope.reads, { ...filter, ...limits }, by.now),
  })
  return eachOf(batch, uid => deletePublication(by, uid))
}

/** Moves those that are not used to the recycle bin; one that is used meanwhile stays. */
export const deleteUnusedPublications = async (by: Actor) =>
  eachOf(await findUnused(by.scope.reads, 'publications'), uid => deletePublication(by, uid))
