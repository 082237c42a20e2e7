import { DeviceFilter } from '@floorcast/contract/devices.ts'
import type { BodyOf } from '@floorcast/contract/endpoint.ts'
import type { Kind, KindFilter, ListQuery } from '@floorcast/contract/fields.ts'
import type { EditState, GroupCard, GroupDraft } from '@floorcast/contract/groups.ts'
import type * as calls from '@floorcast/contract/groups.ts'
import type { z } from 'zod'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import { permissionsOf } from '../../platform/auth/rights.ts'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import { listPickable } from '../../platform/database/names.ts'
import { forEachItem, resolveSelection, type NamedItem } from '../../platform/lib/bulk.ts'
import { orNotFound, OutcomeError, ProblemError, stale } from '../../platform/lib/errors.ts'
import { omitUndefined } from '../../platform/lib/omit-undefined.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { type Changes, changesBetween, changesOfEdit, recordChange, recordChanges } from '../audit/audit.ts'
import {
  joinChosenDevices,
  leaveGroups,
  lockDeviceForGroup,
  moveDevice,
  listDevices,
  removeAllFromGroup,
  returnToGroup,
  type DeviceSelection,
} from '../devices/devices.ts'
import { findPublicationsNaming, refuseInForce } from '../publication-state/publication-state.ts'
import {
  findGroupNames,
  findUnusedGroups,
  findGroupCard,
  findGroupsMatching,
  type GroupList,
  lockNamedGroups,
  type GroupSelection,
  insertGroup,
  listGroupRows,
  lockGroup,
  type StoredGroup,
  takeFormerMembers,
  updateGroup,
} from './groups-queries.ts'

export const listGroups = (ctx: RequestContext, list: GroupList) =>
  listGroupRows(ctx.scope.reads, list, ctx.now)

export const selectGroups = (reads: Reads, kind: KindFilter) => listPickable(reads, 'groups', kind)

export async function readGroup(
  ctx: RequestContext,
  uid: string,
  page: Pick<ListQuery, 'page' | 'size'>,
): Promise<GroupCard> {
  const group = orNotFound(await findGroupCard(ctx.scope.reads, uid, ctx.now))
  const devices = await listDevices(ctx, { ...DeviceFilter.parse({ group: uid, sort: 'name' }), ...page })
  return { ...group, devices, permissions: permissionsOf(ctx) }
}

/** Adds a paused group. @returns it */
async function createGroup(
  writes: Writes,
  ctx: RequestContext,
  { kind, ...draft }: z.output<typeof GroupDraft> & { kind: Kind },
): Promise<string> {
  const uid = uuidV7()
  await insertGroup(writes, { ...draft, uid, clientId: ctx.scope.clientId, kind }, ctx.now)
  const changes = changesBetween({}, { ...draft, kind })
  await recordChange(writes, ctx, { action: 'add', entity: 'group', uid, name: draft.name, changes })
  return uid
}

/** Adds a paused group. */
export const addGroup = (
  ctx: RequestContext,
  kind: Kind,
  draft: z.output<typeof GroupDraft>,
): Promise<string> => ctx.scope.write(writes => createGroup(writes, ctx, { ...draft, kind }))

/** Adds a paused group with those of the chosen devices that fit it and are in no group. @returns its uid */
export async function createGroupOf(
  writes: Writes,
  ctx: RequestContext,
  { devices, ...group }: { name: string; kind: Kind; devices: DeviceSelection },
): Promise<string> {
  const uid = await createGroup(writes, ctx, { ...group, description: '' })
  await addChosenDevices(writes, ctx, { group: { ...group, uid }, devices })
  return uid
}

/** Adds those of the chosen devices to a group, which the caller has locked, that fit it and are in no group. */
export async function addChosenDevices(
  writes: Writes,
  ctx: RequestContext,
  { group, devices }: { group: Pick<StoredGroup, 'uid' | 'name' | 'kind'>; devices: DeviceSelection },
): Promise<void> {
  const { uid, name, kind } = group
  const count = await joinChosenDevices(writes, ctx, { groupUid: uid, kind, devices })
  const changes: Changes = { devices: [null, count] }
  await recordChange(writes, ctx, { action: 'add-devices', entity: 'group', uid, name, changes })
}

/** Takes devices, which the caller has locked, out of their groups. */
export async function takeOut(
  writes: Writes,
  ctx: RequestContext,
  devices: readonly (NamedItem & { groupUid: string | null })[],
): Promise<void> {
  await leaveGroups(writes, ctx, devices)
  const byGroup = Map.groupBy(devices, ({ groupUid }) => groupUid ?? '')
  const groups = await findGroupNames(writes, [...byGroup.keys()])
  await recordChanges(
    writes,
    ctx,
    groups.map(({ uid, name }) => ({
      action: 'remove-devices',
      entity: 'group',
      uid,
      name,
      changes: { devices: [byGroup.get(uid)?.length ?? 0, null] },
    })),
  )
}

/** @throws OutcomeError notDone while it is active; ProblemError 409 for a stale version */
export async function editGroup(ctx: RequestContext, change: BodyOf<typeof calls.editGroup>): Promise<void> {
  const { uid, version, ...given } = change
  const fields = omitUndefined(given)
  await ctx.scope.write(async writes => {
    const group = orNotFound(await lockGroup(writes, uid))
    if (version !== undefined && version !== group.version) throw stale()
    if (group.state === 'active') throw new OutcomeError('notDone', { reason: 'active-cannot-be-edited' })
    const after = await updateGroup(writes, uid, { ...fields, at: ctx.now })
    const changes = changesOfEdit({ before: group, after }, fields)
    await recordChange(writes, ctx, { action: 'edit', entity: 'group', uid, name: after.name, changes })
  })
}

/** Moves a group to the recycle bin; its devices leave it. @throws OutcomeError inUse with the publications' names. */
export async function deleteGroup(ctx: RequestContext, uid: string): Promise<void> {
  await ctx.scope.write(async writes => {
    const group = orNotFound(await lockGroup(writes, uid))
    const publications = await findPublicationsNaming(writes, { groupUid: uid }, ctx.now)
    if (publications.length > 0)
      throw new OutcomeError('inUse', { names: publications.map(({ name }) => name) })
    const formerMembers = await removeAllFromGroup(writes, ctx, uid)
    const deletedBy = ctx.session.userUid
    await updateGroup(writes, uid, { deletedAt: ctx.now, deletedBy, formerMembers, at: ctx.now })
    const changes = changesBetween({ deviceCount: formerMembers.length }, { deviceCount: 0 })
    await recordChange(writes, ctx, { action: 'delete', entity: 'group', uid, name: group.name, changes })
  })
}

/** Returns devices to a restored group: those that left it when it was deleted and are in no group since. */
export async function returnMembers(writes: Writes, ctx: RequestContext, uid: string): Promise<number> {
  return returnToGroup(writes, ctx, { uids: await takeFormerMembers(writes, uid), groupUid: uid })
}

/** The groups of a bulk call. */
export const resolveGroups = (ctx: RequestContext, picked: GroupSelection) =>
  resolveSelection(picked, {
    named: uids => findGroupNames(ctx.scope.reads, uids),
    matching: (filter, limits) => findGroupsMatching(ctx.scope.reads, { ...filter, ...limits }, ctx.now),
  })

/** Moves many to the recycle bin. A failure stops no other item. */
export const deleteManyGroups = async (ctx: RequestContext, picked: GroupSelection) =>
  forEachItem(await resolveGroups(ctx, picked), ctx, uid => deleteGroup(ctx, uid))

/** Moves unused ones to the recycle bin. One that is used by then stays. */
export const deleteUnusedGroups = async (ctx: RequestContext) =>
  forEachItem(await findUnusedGroups(ctx.scope.reads), ctx, uid => deleteGroup(ctx, uid))

/**
 * Pauses or activates it. Pausing is refused (groupTaken) while a publication of it is in force or waiting.
 * @throws ProblemError 409 if `from` is not its state any more
 */
export async function changeGroupState(
  ctx: RequestContext,
  uid: string,
  from: EditState | undefined,
): Promise<'activated' | 'disabled'> {
  return ctx.scope.write(async writes => {
    const group = orNotFound(await lockGroup(writes, uid))
    if (from !== undefined && from !== group.state) throw stale()
    const state = group.state === 'active' ? 'paused' : 'active'
    await setGroupState(writes, ctx, { group, state })
    return state === 'active' ? 'activated' : 'disabled'
  })
}

/** Activates or pauses a group, unless it is so already. @throws OutcomeError groupTaken; ProblemError 404 */
export const turnGroup = (ctx: RequestContext, uid: string, state: EditState): Promise<void> =>
  ctx.scope.write(async writes => {
    const group = orNotFound(await lockGroup(writes, uid))
    await setGroupState(writes, ctx, { group, state })
  })

/** Activates or pauses a group that the caller has locked. @throws OutcomeError groupTaken */
async function setGroupState(
  writes: Writes,
  ctx: RequestContext,
  { group, state }: { group: StoredGroup; state: EditState },
): Promise<void> {
  const { uid, name } = group
  if (state === group.state) return
  if (state === 'paused') await refuseInForce(writes, { groupUid: uid }, ctx.now)
  await updateGroup(writes, uid, { state, at: ctx.now })
  const changes = changesBetween({ state: group.state }, { state })
  const action = state === 'active' ? 'activate' : 'pause'
  await recordChange(writes, ctx, { action, entity: 'group', uid, name, changes })
}

/** Activates a group that is paused, for a publication. @throws ProblemError 404 */
export async function activateGroup(writes: Writes, ctx: RequestContext, uid: string): Promise<void> {
  await setGroupState(writes, ctx, { group: orNotFound(await lockGroup(writes, uid)), state: 'active' })
}

interface Membership {
  deviceUid: string
  groupUid: string
}

/** @throws OutcomeError inUse if the device is in a group; notDone if an audio device would join a video group */
export async function addToGroup(ctx: RequestContext, { deviceUid, groupUid }: Membership): Promise<void> {
  await ctx.scope.write(async writes => {
    const group = orNotFound(await lockGroup(writes, groupUid))
    const device = orNotFound(await lockDeviceForGroup(writes, deviceUid))
    if (device.groupUid !== null) throw new OutcomeError('inUse', { reason: 'device-in-a-group' })
    if (group.kind === 'video' && device.kind !== 'video')
      throw new OutcomeError('notDone', { reason: 'kind-does-not-fit' })
    await moveDevice(writes, deviceUid, { groupUid, at: ctx.now })
    await recordMove(writes, ctx, { group, device, action: 'add-device' })
  })
}

/** @throws OutcomeError notDone if the device is not in this group */
export async function removeFromGroup(
  ctx: RequestContext,
  { deviceUid, groupUid }: Membership,
): Promise<void> {
  await ctx.scope.write(async writes => {
    const group = orNotFound(await lockGroup(writes, groupUid))
    const device = orNotFound(await lockDeviceForGroup(writes, deviceUid))
    if (device.groupUid !== groupUid) throw new OutcomeError('notDone', { reason: 'device-not-in-group' })
    await moveDevice(writes, deviceUid, { groupUid: null, at: ctx.now })
    await recordMove(writes, ctx, { group, device, action: 'remove-device' })
  })
}

interface Move {
  group: StoredGroup
  device: { uid: string; name: string; groupUid: string | null }
  action: 'add-device' | 'remove-device'
}

/** Records a move in the history of the group and of the device. */
async function recordMove(
  writes: Writes,
  ctx: RequestContext,
  { group, device, action }: Move,
): Promise<void> {
  const isAdded = action === 'add-device'
  const named = { uid: device.uid, name: device.name }
  await recordChange(writes, ctx, {
    action,
    entity: 'group',
    uid: group.uid,
    name: group.name,
    changes: { device: isAdded ? [null, named] : [named, null] },
  })
  await recordChange(writes, ctx, {
    action: isAdded ? 'join-group' : 'leave-group',
    entity: 'device',
    ...named,
    changes: { groupUid: isAdded ? [null, group.uid] : [group.uid, null] },
  })
}

export {
  findStoredGroup,
  lockGroup as lockGroupForPublication,
  lockGroupsForImport,
} from './groups-queries.ts'

/** Gives a profile or channel these groups. `replace` stores them. @returns the change @throws ProblemError 422 at each unknown group */
export async function assignGroups(
  writes: Writes,
  { before, groupUids }: Record<'before' | 'groupUids', readonly string[]>,
  replace: (wanted: string[], beforeOrWanted: string[]) => Promise<void>,
): Promise<Changes> {
  const wanted = [...new Set(groupUids)].toSorted()
  const held = new Set(await lockNamedGroups(writes, wanted))
  const errors = groupUids.flatMap((uid, n) =>
    held.has(uid) ? [] : [{ path: `groupUids.${n}`, message: 'unknown' }],
  )
  if (errors.length > 0) throw new ProblemError('wrong-fields', { errors })
  await replace(wanted, [...new Set([...before, ...wanted])])
  return changesBetween({ groupUids: before }, { groupUids: wanted })
}
