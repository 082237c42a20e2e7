import type { Writes } from '../../platform/database/client-scope.ts'
import { OutcomeError } from '../../platform/errors.ts'
import type { Actor } from '../../platform/session/actor.ts'
import { recordChange } from '../audit/audit.ts'
import { touchManifests } from '../stream/stream.ts'
import { findFormerPlaylist, updatePublication } from './deployment-writes-queries.ts'
import { lastZoneDay } from './publication-fit.ts'
import { checkFit, lockAll, type Locked } from './publication-states.ts'

/** @throws OutcomeError playlistPaused or notConsistent; ProblemError 404 for a playlist that is not there */
async function swap(
  writes: Writes,
  by: Actor,
  { locked, playlistUid, action }: { locked: Locked; playlistUid: string; action: string },
): Promise<void> {
  const { uid, name, playlistUid: former } = locked.publication
  if (former === playlistUid) return
  const next = { ...locked, publication: { ...locked.publication, playlistUid } }
  await checkFit(writes, next, { rivals: [], startDay: lastZoneDay(by.now) })
  await updatePublication(writes, uid, { playlistUid, formerPlaylistUid: former, at: by.now })
  await touchManifests(writes, { publications: [uid] }, by.now)
  const changes = { playlistUid: [former, playlistUid] as [unknown, unknown] }
  await recordChange(writes, by, { action, thing: 'publication', uid, name, changes })
}

async function lockInForce(writes: Writes, by: Actor, uid: string): Promise<Locked> {
  const locked = await lockAll(writes, uid, by.now)
  if (locked.publication.state !== 'active')
    throw new OutcomeError('notConsistent', { reason: 'turn-it-on-first' })
  return locked
}

/** Lets a publication in force play another playlist; devices change at a track boundary. */
export async function replacePlaylist(by: Actor, uid: string, playlistUid: string): Promise<void> {
  await by.scope.write(async writes => {
    const locked = await lockInForce(writes, by, uid)
    await swap(writes, by, { locked, playlistUid, action: 'replace-playlist' })
  })
}

/** Back to the playlist before the last replace. @throws OutcomeError notConsistent `nothing-to-return-to` */
export async function returnPlaylist(by: Actor, uid: string): Promise<void> {
  await by.scope.write(async writes => {
    const locked = await lockInForce(writes, by, uid)
    const playlistUid = await findFormerPlaylist(writes, uid)
    if (playlistUid === null) throw new OutcomeError('notConsistent', { reason: 'nothing-to-return-to' })
    await swap(writes, by, { locked, playlistUid, action: 'return-playlist' })
  })
}
