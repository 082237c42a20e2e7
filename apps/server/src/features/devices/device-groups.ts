import type { AuditAction } from '@floorcast/contract/audit.ts'
import type { Kind } from '@floorcast/contract/fields.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import type { Writes } from '../../platform/database/client-scope.ts'
import type { NamedItem } from '../../platform/lib/bulk.ts'
import { recordAlike, recordChanges, type Changes } from '../audit/audit.ts'
import { invalidateManifests } from '../manifests/manifests.ts'
import { joinSelectedDevices, removeFromGroups, type DeviceSelection } from './device-selection-queries.ts'
import { emptyGroup, forgetHoldings, joinFreeDevices, updateDevice } from './devices-queries.ts'

/** Adds a device to a group, or removes it (null). */
export async function moveDevice(
  writes: Writes,
  uid: string,
  to: { groupUid: string | null; at: Date },
): Promise<void> {
  await updateDevice(writes, uid, to)
  if (to.groupUid === null) await forgetHoldings(writes, [uid])
  await invalidateManifests(writes, { devices: [uid] })
}

/** Removes every device from a group that is being deleted. @returns their uids */
export async function removeAllFromGroup(
  writes: Writes,
  ctx: RequestContext,
  groupUid: string,
): Promise<string[]> {
  const devices = await emptyGroup(writes, groupUid, ctx.now)
  const uids = devices.map(({ uid }) => uid)
  await forgetHoldings(writes, uids)
  await tellMoved(writes, ctx, { devices, action: 'leave-group', changes: { groupUid: [groupUid, null] } })
  return uids
}

/** Adds those devices to a group that are in no group and not in the bin. @returns how many it added */
export async function returnToGroup(
  writes: Writes,
  ctx: RequestContext,
  { uids, groupUid }: { uids: readonly string[]; groupUid: string },
): Promise<number> {
  const devices = await joinFreeDevices(writes, uids, { groupUid, at: ctx.now })
  await tellMoved(writes, ctx, { devices, action: 'join-group', changes: { groupUid: [null, groupUid] } })
  return devices.length
}

/**
 * Adds those of the selected devices to a group that fit it and are in no group, by one statement. The caller records it in the
 * group's history. @returns how many it added
 */
export async function joinChosenDevices(
  writes: Writes,
  ctx: RequestContext,
  { groupUid, kind, devices }: { groupUid: string; kind: Kind; devices: DeviceSelection },
): Promise<number> {
  const joined = await joinSelectedDevices(writes, devices, { groupUid, kind, at: ctx.now })
  const changes: Changes = { groupUid: [null, groupUid] }
  await tellMoved(writes, ctx, { devices: joined, action: 'join-group', changes })
  return joined.length
}

/** Takes devices that the caller has locked out of their groups, by one statement a table. */
export async function leaveGroups(
  writes: Writes,
  ctx: RequestContext,
  devices: readonly (NamedItem & { groupUid: string | null })[],
): Promise<void> {
  const uids = devices.map(({ uid }) => uid)
  await removeFromGroups(writes, uids, ctx.now)
  await forgetHoldings(writes, uids)
  await invalidateManifests(writes, { devices: uids })
  await recordChanges(
    writes,
    ctx,
    devices.map(({ uid, name, groupUid }) => ({
      action: 'leave-group',
      entity: 'device',
      uid,
      name,
      changes: { groupUid: [groupUid, null] },
    })),
  )
}

interface MovedDevices {
  devices: NamedItem[]
  action: AuditAction
  changes: Changes
}

async function tellMoved(
  writes: Writes,
  ctx: RequestContext,
  { devices, ...change }: MovedDevices,
): Promise<void> {
  await invalidateManifests(writes, { devices: devices.map(({ uid }) => uid) })
  await recordAlike(writes, ctx, { ...change, entity: 'device', items: devices })
}
