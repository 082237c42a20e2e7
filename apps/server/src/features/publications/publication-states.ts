import type { AuditAction } from '@floorcast/contract/audit.ts'
import type { PublicationState } from '@floorcast/contract/publications.ts'
import type { Writes } from '../../platform/database/client-scope.ts'
import { orNotFound, OutcomeError, ProblemError, stale } from '../../platform/lib/errors.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import { changesBetween, recordChange } from '../audit/audit.ts'
import { lockGroupForPublication } from '../groups/groups.ts'
import { lockPlaylistForPublication } from '../playlists/playlists.ts'
import { invalidateManifests } from '../manifests/manifests.ts'
import {
  findPublication,
  lockGroupPublications,
  type StoredPublication,
  type PublicationUpdate,
  reconcileGroup,
  updatePublication,
} from './publication-writes-queries.ts'
import { isPast, lastZoneDay, type PickedStart, startDayOf, whyNotFit } from './publication-eligibility.ts'

type Group = NonNullable<Awaited<ReturnType<typeof lockGroupForPublication>>>

export interface Locked {
  publication: StoredPublication
  /** The other publications of its group. */
  others: StoredPublication[]
  group: Group
}

/** Locks a publication, its group and the group's other publications, so that changes of a group run one by one. */
export async function lockAll(writes: Writes, uid: string, now: Date): Promise<Locked> {
  const { groupUid } = orNotFound(await findPublication(writes, uid))
  const group = orNotFound(await lockGroupForPublication(writes, groupUid))
  await reconcileGroup(writes, groupUid, now)
  const all = await lockGroupPublications(writes, groupUid, now)
  const publication = all.find(other => other.uid === uid)
  // It moved to another group or to the bin while this call waited for the lock.
  if (!publication) throw stale()
  return { publication, others: all.filter(other => other.uid !== uid), group }
}

const namesOf = (publications: readonly StoredPublication[]) => publications.map(({ name }) => name)

/** The checks of docs/specification.md#4-states-and-transitions in their order after the rights: 1, 2, 3, -2. */
export async function checkFit(
  writes: Writes,
  { publication, group }: Locked,
  check: { active: readonly StoredPublication[]; startDay: string },
): Promise<void> {
  if (check.active.length > 0) throw new OutcomeError('groupTaken', { names: namesOf(check.active) })
  if (group.state !== 'active') throw new OutcomeError('groupPaused', { names: [group.name] })
  const playlist = orNotFound(await lockPlaylistForPublication(writes, publication.playlistUid))
  if (playlist.state !== 'active') throw new OutcomeError('playlistPaused', { names: [playlist.name] })
  const kinds = { publication: publication.kind, group: group.kind }
  const reason = whyNotFit(kinds, playlist, check.startDay)
  if (reason) throw new OutcomeError('notConsistent', { reason })
}

interface Step {
  publication: StoredPublication
  action: AuditAction
  update: PublicationUpdate
}

type Start = Pick<StoredPublication, 'startsAt' | 'startsAtWall'>
const startOf = ({ startsAt, startsAtWall }: Start) => startsAt ?? startsAtWall

async function takeStep(writes: Writes, ctx: RequestContext, step: Step): Promise<void> {
  const { publication, update } = step
  const { uid, name, state } = publication
  const after = await updatePublication(writes, uid, { ...update, at: ctx.now })
  await invalidateManifests(writes, { publications: [uid] })
  await recordChange(writes, ctx, {
    action: step.action,
    entity: 'publication',
    uid,
    name,
    changes: changesBetween(
      { state, startsAt: startOf(publication) },
      { state: after.state, startsAt: startOf(after) },
    ),
  })
}

const OFF: PublicationUpdate = { state: 'disabled', activatedAt: null, startsAt: null, startsAtWall: null }

/** Turns it off, and its stored predecessor too, which would otherwise be in force again. */
export async function turnOff(writes: Writes, ctx: RequestContext, { publication, others }: Locked) {
  const isSuccessor = publication.state === 'active' && publication.storedState === 'delayed'
  const formers = isSuccessor ? others.filter(other => other.storedState === 'active') : []
  for (const former of formers) await updatePublication(writes, former.uid, { ...OFF, at: ctx.now })
  await takeStep(writes, ctx, { publication, action: 'turn-off', update: OFF })
  return publication.state === 'delayed' ? 'delayDisabled' : 'disabled'
}

export async function turnOn(writes: Writes, ctx: RequestContext, locked: Locked) {
  const active = locked.others.filter(other => other.state === 'active' || other.storedState === 'active')
  await checkFit(writes, locked, { active, startDay: lastZoneDay(ctx.now) })
  const update: PublicationUpdate = { ...OFF, state: 'active', activatedAt: ctx.now }
  await takeStep(writes, ctx, { publication: locked.publication, action: 'turn-on', update })
  return 'activated' as const
}

/**
 * Turns a publication on or off.
 * @throws OutcomeError groupTaken, groupPaused, playlistPaused or notConsistent; ProblemError 409 if `from` is stale
 */
export async function changePublicationState(
  ctx: RequestContext,
  uid: string,
  from: PublicationState | undefined,
) {
  return ctx.scope.write(async writes => {
    const locked = await lockAll(writes, uid, ctx.now)
    const { state } = locked.publication
    if (from !== undefined && from !== state) throw stale()
    return state === 'disabled' ? turnOn(writes, ctx, locked) : turnOff(writes, ctx, locked)
  })
}

/** Turns one of many publications on or off, unless it is so already; a scheduled one is on. @throws OutcomeError as `turnOn` */
export async function turnPublication(ctx: RequestContext, uid: string, isOn: boolean): Promise<void> {
  await ctx.scope.write(async writes => {
    const locked = await lockAll(writes, uid, ctx.now)
    if ((locked.publication.state !== 'disabled') === isOn) return
    await (isOn ? turnOn(writes, ctx, locked) : turnOff(writes, ctx, locked))
  })
}

/**
 * Delays a publication until a moment; one that is waiting gets the new moment.
 * @throws ProblemError 400 for the past; OutcomeError groupTaken if another publication of the group is waiting
 */
export async function delayPublication(ctx: RequestContext, uid: string, start: PickedStart) {
  return ctx.scope.write(async writes =>
    schedule(writes, ctx, { locked: await lockAll(writes, uid, ctx.now), start }),
  )
}

/** @throws ProblemError 400 for the past; OutcomeError as `delayPublication` */
export async function schedule(
  writes: Writes,
  ctx: RequestContext,
  { locked, start }: { locked: Locked; start: PickedStart },
) {
  if (isPast(start, ctx.now)) throw new ProblemError('start-in-the-past')
  if (locked.publication.storedState === 'active' || locked.publication.state === 'active')
    throw new OutcomeError('notConsistent', { reason: 'turn-it-off-first' })
  const active = locked.others.filter(other => other.storedState === 'delayed')
  await checkFit(writes, locked, { active, startDay: startDayOf(start) })
  const moment = 'at' in start ? { startsAt: start.at } : { startsAtWall: start.wall }
  const update: PublicationUpdate = { ...OFF, ...moment, state: 'delayed', activatedAt: ctx.now }
  await takeStep(writes, ctx, { publication: locked.publication, action: 'delay', update })
  return 'activated' as const
}
