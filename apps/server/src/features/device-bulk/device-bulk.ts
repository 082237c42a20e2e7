import type { BulkPlan, DeviceAction, LeftOutReason } from '@floorcast/contract/bulk-calls.ts'
import { type Outcome, outcomes } from '@floorcast/contract/outcomes.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import { bulkOutcome, type Batch } from '../../platform/lib/bulk.ts'
import { orNotFound, ProblemError } from '../../platform/lib/errors.ts'
import { changesOfTags, recordChanges } from '../audit/audit.ts'
import { announceChange } from '../change-feed/change-feed.ts'
import { restartDevices } from '../device-commands/device-commands.ts'
import { binDevices, resolveDevices, selectedDevices, type DeviceSelection } from '../devices/devices.ts'
import { addChosenDevices, findStoredGroup, lockGroupForPublication, takeOut } from '../groups/groups.ts'
import { invalidateManifests } from '../manifests/manifests.ts'
import { refuseUnknownZone } from '../tags/tags.ts'
import {
  type BatchDevice,
  countDeviceAction,
  lockBatch,
  type PlannedAction,
  restoreVolumes,
  setTagOfAll,
} from './device-bulk-queries.ts'

/*
 * One action on many devices: at most 1,000 a call, in one transaction with one statement a table. Devices that the action
 * leaves out are told beforehand by their number and afterwards by name, both by the same condition in SQL.
 */

interface BulkCall {
  items: DeviceSelection
  action: DeviceAction
}

/** @throws ProblemError 403 if a user who is not an admin sets tags, 422 for an unknown time zone */
async function refuseAction(ctx: RequestContext, action: DeviceAction): Promise<void> {
  if (action.do !== 'tag') return
  if (ctx.session.role !== 'admin') throw new ProblemError('role')
  await refuseUnknownZone(ctx.scope.reads, { ...action.tag, path: 'action.tag.value' })
}

/** @throws ProblemError 404 for an unknown group */
async function planOf(
  reads: Reads,
  { session }: RequestContext,
  action: DeviceAction,
): Promise<PlannedAction> {
  if (action.do === 'undo-volume') return { ...action, userUid: session.userUid }
  if (action.do !== 'join') return action
  const { kind } = orNotFound(await findStoredGroup(reads, action.groupUid))
  return { ...action, groupKind: kind }
}

/** What an action on all selected devices does. @throws ProblemError 404 for an unknown group */
export async function previewManyDevices(
  ctx: RequestContext,
  { items, action }: BulkCall,
): Promise<BulkPlan> {
  const selected = selectedDevices(items, ctx.now)
  return countDeviceAction(ctx.scope.reads, {
    selected,
    action: await planOf(ctx.scope.reads, ctx, action),
    now: ctx.now,
  })
}

/** Sets one tag of locked devices. The volume is recorded as the card's slider records it. */
async function setTag(
  writes: Writes,
  ctx: RequestContext,
  {
    devices,
    tag,
  }: { devices: readonly BatchDevice[]; tag: { key: string; value: string; description: string | null } },
): Promise<void> {
  const { key, value } = tag
  const uids = devices.map(({ uid }) => uid)
  const former = await setTagOfAll(writes, uids, { ...tag, clientId: ctx.scope.clientId, at: ctx.now })
  const actionOf = (uid: string) => (key === 'volume' ? 'edit' : former.has(uid) ? 'edit-tag' : 'add-tag')
  await recordChanges(
    writes,
    ctx,
    devices.map(({ uid, name }) => ({
      action: actionOf(uid),
      entity: 'device',
      uid,
      name,
      changes: changesOfTags({ [key]: former.get(uid) ?? null }, { [key]: value }),
    })),
  )
  await invalidateManifests(writes, { devices: uids })
}

/** Gives locked devices back the volume that they had before the user set this one. */
async function undoVolume(
  writes: Writes,
  ctx: RequestContext,
  { devices, volume }: { devices: readonly BatchDevice[]; volume: number },
): Promise<void> {
  const uids = devices.map(({ uid }) => uid)
  const former = await restoreVolumes(writes, uids, ctx)
  const changes = devices.map(({ uid, name }) => ({
    action: 'edit' as const,
    entity: 'device' as const,
    uid,
    name,
    changes: { volume: [String(volume), former.get(uid) ?? null] as [unknown, unknown] },
  }))
  await recordChanges(writes, ctx, changes)
  await invalidateManifests(writes, { devices: uids })
}

/** Does the action with locked devices, none of which it leaves out. */
async function act(
  writes: Writes,
  ctx: RequestContext,
  { devices, action }: { devices: readonly BatchDevice[]; action: DeviceAction },
): Promise<void> {
  const uids = devices.map(({ uid }) => uid)
  switch (action.do) {
    case 'join': {
      const group = orNotFound(await lockGroupForPublication(writes, action.groupUid))
      return addChosenDevices(writes, ctx, { group, devices: { uids } })
    }
    case 'leave':
      return takeOut(writes, ctx, devices)
    case 'volume': {
      const tag = { key: 'volume', value: String(action.volume), description: null }
      return setTag(writes, ctx, { devices, tag })
    }
    case 'undo-volume':
      return undoVolume(writes, ctx, { devices, volume: action.volume })
    case 'tag':
      return setTag(writes, ctx, { devices, tag: action.tag })
    case 'restart':
      return restartDevices(writes, ctx, devices)
    case 'delete':
      await binDevices(writes, ctx, uids)
  }
}

const codeOf = (reason: LeftOutReason | undefined) =>
  reason === 'device-in-a-group' ? outcomes.inUse : outcomes.notDone

/** The outcome of the call. One that is as the action would make it is neither done nor failed. */
function outcomeOf(batch: Batch, rows: readonly BatchDevice[]): Outcome {
  const reasons = new Map(rows.map(({ uid, reason }) => [uid, reason]))
  const done = rows.filter(({ reason }) => reason === null).map(({ uid }) => uid)
  const failed = batch.items.flatMap(({ uid, name }) => {
    const reason = reasons.get(uid)
    if (reason === null || reason === 'already-so') return []
    return { uid, name, code: codeOf(reason), ...(reason === undefined ? {} : { reason }) }
  })
  return bulkOutcome(batch, { done, failed })
}

/** Does one thing with many devices. @throws ProblemError 403, 404, 422 */
export async function changeManyDevices(ctx: RequestContext, { items, action }: BulkCall): Promise<Outcome> {
  await refuseAction(ctx, action)
  const batch = await resolveDevices(ctx, items)
  const uids = batch.items.map(({ uid }) => uid)
  return ctx.scope.write(async writes => {
    // The group is locked before the devices, as by every call that moves one.
    if (action.do === 'join') orNotFound(await lockGroupForPublication(writes, action.groupUid))
    const rows = await lockBatch(writes, { uids, action: await planOf(writes, ctx, action), now: ctx.now })
    const devices = rows.filter(({ reason }) => reason === null)
    const [first] = devices
    if (first) {
      await act(writes, ctx, { devices, action })
      await announceChange(writes, ctx.scope.clientId, { entity: 'device', uid: first.uid })
    }
    return outcomeOf(batch, rows)
  })
}
