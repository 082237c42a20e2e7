import type { AuditAction } from '@floorcast/contract/audit.ts'
import type { Writes } from '../../platform/database/client-scope.ts'
import { OutcomeError, stale } from '../../platform/lib/errors.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import { recordChange } from '../audit/audit.ts'
import { invalidateManifests } from '../manifests/manifests.ts'
import {
  findFormerPlaylist,
  type StoredPublication,
  updatePublication,
} from './publication-writes-queries.ts'
import { lastZoneDay, pickedStartOf, startDayOf } from './publication-eligibility.ts'
import { checkFit, lockAll, type Locked } from './publication-states.ts'

/** The first day on which it plays. */
function firstDay({ state, startsAt, startsAtWall }: StoredPublication, now: Date): string {
  const start = startsAt ?? startsAtWall
  return state === 'delayed' && start !== null ? startDayOf(pickedStartOf(start)) : lastZoneDay(now)
}

/** @throws OutcomeError playlistPaused or notConsistent; ProblemError 404 for an unknown playlist */
async function swap(
  writes: Writes,
  ctx: RequestContext,
  { locked, playlistUid, action }: { locked: Locked; playlistUid: string; action: AuditAction },
): Promise<void> {
  const { uid, name, playlistUid: former } = locked.publication
  if (former === playlistUid) return
  const next = { ...locked, publication: { ...locked.publication, playlistUid } }
  await checkFit(writes, next, { active: [], startDay: firstDay(locked.publication, ctx.now) })
  await updatePublication(writes, uid, { playlistUid, formerPlaylistUid: former, at: ctx.now })
  await invalidateManifests(writes, { publications: [uid] })
  const changes = { playlistUid: [former, playlistUid] as [unknown, unknown] }
  await recordChange(writes, ctx, { action, entity: 'publication', uid, name, changes })
}

/** A publication, and the playlist that it had when the user saw it. */
interface Seen {
  uid: string
  from?: string | undefined
}

async function lockOn(writes: Writes, ctx: RequestContext, { uid, from }: Seen): Promise<Locked> {
  const locked = await lockAll(writes, uid, ctx.now)
  if (locked.publication.state === 'disabled')
    throw new OutcomeError('notConsistent', { reason: 'turn-it-on-first' })
  if (from !== undefined && from !== locked.publication.playlistUid) throw stale()
  return locked
}

/**
 * Replaces the playlist of a publication that is in force or waiting. Devices switch at a track boundary.
 * @throws OutcomeError playlistPaused or notConsistent; ProblemError 409 if it no longer plays `from`
 */
export async function replacePublicationPlaylist(
  ctx: RequestContext,
  seen: Seen,
  playlistUid: string,
): Promise<void> {
  await ctx.scope.write(async writes => {
    const locked = await lockOn(writes, ctx, seen)
    await swap(writes, ctx, { locked, playlistUid, action: 'replace-playlist' })
  })
}

/**
 * Returns to the playlist before the last replacement.
 * @throws OutcomeError notConsistent `nothing-to-return-to`; ProblemError 409 if it no longer plays `from`
 */
export async function returnPublicationPlaylist(ctx: RequestContext, seen: Seen): Promise<void> {
  await ctx.scope.write(async writes => {
    const locked = await lockOn(writes, ctx, seen)
    const former = await findFormerPlaylist(writes, seen.uid)
    if (former === null) throw new OutcomeError('notConsistent', { reason: 'nothing-to-return-to' })
    await swap(writes, ctx, { locked, playlistUid: former.uid, action: 'return-playlist' })
  })
}
