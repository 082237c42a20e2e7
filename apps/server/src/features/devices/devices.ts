import type { ValuedDeviceFilter } from '@floorcast/contract/device-filters.ts'
import type { DeviceCard, DeviceDraft } from '@floorcast/contract/devices.ts'
import type * as calls from '@floorcast/contract/devices.ts'
import type { BodyOf } from '@floorcast/contract/endpoint.ts'
import type { Kind } from '@floorcast/contract/fields.ts'
import type { PlaceTags } from '@floorcast/contract/tag-calls.ts'
import type { z } from 'zod'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import { permissionsOf } from '../../platform/auth/rights.ts'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import { forEachItem, resolveSelection } from '../../platform/lib/bulk.ts'
import { OutcomeError, ProblemError, orNotFound, stale } from '../../platform/lib/errors.ts'
import { omitUndefined } from '../../platform/lib/omit-undefined.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import {
  changesBetween,
  changesOfEdit,
  changesOfTags,
  recordAlike,
  recordChange,
  recordChanges,
} from '../audit/audit.ts'
import { endDeviceSessions } from '../device-api/device-api.ts'
import { invalidateManifests } from '../manifests/manifests.ts'
import type { Settings } from '../../platform/settings/settings.ts'
import { effectiveVolume } from './device-volume.ts'
import { saveVolumeTag } from './device-volume-queries.ts'
import type { DeviceSelection } from './device-selection-queries.ts'
import {
  findChosenValues,
  listFilterValues,
  binFreeDevices,
  countDevices,
  forgetContact,
  insertDevice,
  insertDevices,
  lockDevice,
  lockDeviceCount,
  updateDevice,
  findDeviceNames,
  findDeviceCard,
  findDeviceName,
  findDevicesMatching,
  findGaps,
  listDeviceRows,
  type StoredDevice,
  type DeviceList,
} from './devices-queries.ts'
import { keyOnCard, makeLicenseKey } from './license-keys.ts'
import { findUpdateKey } from './license-keys-queries.ts'

export { hasOwnVolume, setDeviceVolume } from './device-volume.ts'
export {
  joinChosenDevices,
  leaveGroups,
  moveDevice,
  removeAllFromGroup,
  returnToGroup,
} from './device-groups.ts'
export {
  countChosenDevices,
  countMembers,
  selectedDevices,
  type DeviceSelection,
} from './device-selection-queries.ts'
export { lockDeviceCount } from './devices-queries.ts'

export const listDevices = (ctx: RequestContext, list: DeviceList) =>
  listDeviceRows(ctx.scope.reads, list, ctx.now)

/** Values of a filter of the list, with the names of those it is filtered by. */
export const listDeviceFilterValues = (
  ctx: RequestContext,
  filter: ValuedDeviceFilter,
  { search, chosen = [] }: { search: string; chosen?: readonly string[] | undefined },
) =>
  ctx.scope.readTogether(async reads => ({
    ...(await listFilterValues(reads, filter, search)),
    chosen: await findChosenValues(
      reads,
      filter,
      chosen.filter(value => value !== 'none'),
    ),
  }))

/** @throws ProblemError 404 if the client has no such device. A device in the bin counts: its logs are kept. */
export async function requireDevice(ctx: RequestContext, uid: string): Promise<void> {
  orNotFound(await findDeviceName(ctx.scope.reads, uid))
}

export async function readDevice(
  ctx: RequestContext,
  uid: string,
  settings: Pick<Settings, 'publicUrl' | 'streamUrl'>,
): Promise<DeviceCard> {
  return ctx.scope.readTogether(async reads => {
    const record = orNotFound(await findDeviceCard(reads, uid, ctx.now))
    const { lastPlayedName, lastPlayedAt, ...rest } = record
    return {
      ...rest,
      ...keyOnCard(ctx.session, record, { ...settings, updateKey: await findUpdateKey(reads) }),
      isExpired: Date.parse(rest.expiresAt) <= ctx.now.getTime(),
      volume: await effectiveVolume(reads, { uid, groupUid: rest.group?.uid ?? null }),
      lastPlayed: lastPlayedName && lastPlayedAt ? { name: lastPlayedName, startedAt: lastPlayedAt } : null,
      gaps: await findGaps(reads, uid),
      permissions: permissionsOf(ctx),
    }
  })
}

/** How many devices the plan allows, and how many more it allows now. */
export async function countDeviceRoom(reads: Reads): Promise<{ limit: number; free: number }> {
  const { used, limit } = await countDevices(reads)
  return { limit, free: Math.max(0, limit - used) }
}

/**
 * Locks the count of devices until the transaction ends.
 * @throws OutcomeError notDone `device-limit` if the plan does not allow so many more
 */
export async function refuseOverDeviceLimit(writes: Writes, clientId: string, added = 1): Promise<void> {
  await lockDeviceCount(writes, clientId)
  const { limit, free } = await countDeviceRoom(writes)
  if (added > free) throw new OutcomeError('notDone', { reason: 'device-limit', limit })
}

/** Adds a device with a license key. @throws OutcomeError notDone `device-limit` if the plan allows no more */
export async function addDevice(
  ctx: RequestContext,
  kind: Kind,
  draft: z.output<typeof DeviceDraft>,
): Promise<string> {
  const uid = uuidV7()
  const { clientId } = ctx.scope
  await ctx.scope.write(async writes => {
    await refuseOverDeviceLimit(writes, clientId)
    await insertDevice(writes, { ...draft, uid, clientId, kind, licenseKey: makeLicenseKey() }, ctx.now)
    const changes = changesBetween({}, { ...draft, kind })
    await recordChange(writes, ctx, { action: 'add', entity: 'device', uid, name: draft.name, changes })
  })
  return uid
}

/** A device of an import. `importLine` is its line in the user's file. */
export type ImportedDevice = z.output<typeof DeviceDraft> & {
  uid: string
  groupUid: string | null
  importLine: number
  /** For its history: the caller adds them. */
  tags: PlaceTags
}

/**
 * Adds devices with license keys. The caller has locked their groups and, with `lockDeviceCount`, the count of devices.
 * @throws OutcomeError notDone `device-limit` if the plan does not allow so many
 */
export async function addDevices(
  writes: Writes,
  ctx: RequestContext,
  { kind, importUid, devices }: { kind: Kind; importUid: string; devices: readonly ImportedDevice[] },
): Promise<void> {
  const { clientId } = ctx.scope
  await refuseOverDeviceLimit(writes, clientId, devices.length)
  await insertDevices(
    writes,
    devices.map(device => ({ ...device, clientId, kind, importUid, licenseKey: makeLicenseKey() })),
    ctx.now,
  )
  await recordChanges(
    writes,
    ctx,
    devices.map(({ uid, name, storeNumber, description, groupUid, tags }) => ({
      action: 'add',
      entity: 'device',
      uid,
      name,
      changes: {
        ...changesBetween({}, { name, storeNumber, description, kind, groupUid }),
        ...changesOfTags({}, tags),
      },
    })),
  )
  await invalidateManifests(writes, { devices: devices.map(({ uid }) => uid) })
}

/** @throws ProblemError 403 if a user who is not an admin sets the expiry, 404, 409 for a stale version */
export async function editDevice(
  ctx: RequestContext,
  change: BodyOf<typeof calls.editDevice>,
): Promise<void> {
  const { uid, version, volume, ...given } = change
  const fields = omitUndefined(given)
  if (fields.expiresAt !== undefined && ctx.session.role !== 'admin') throw new ProblemError('role')
  await ctx.scope.write(async writes => {
    const device = orNotFound(await lockDevice(writes, uid))
    if (version !== undefined && version !== device.version) throw stale()
    const after = await updateDevice(writes, uid, { ...fields, at: ctx.now })
    const changes = changesOfEdit({ before: device, after }, fields)
    if (volume !== undefined) {
      const tag = { clientId: ctx.scope.clientId, deviceUid: uid, volume, at: ctx.now }
      const former = await saveVolumeTag(writes, tag)
      Object.assign(changes, changesBetween({ volume: former }, { volume: String(volume) }))
    }
    await recordChange(writes, ctx, { action: 'edit', entity: 'device', uid, name: after.name, changes })
    await invalidateManifests(writes, { devices: [uid] })
  })
}

/** Moves those devices to the recycle bin that are in no group. Keys and tokens are not valid there. @returns their uids */
export async function binDevices(
  writes: Writes,
  ctx: RequestContext,
  uids: readonly string[],
): Promise<ReadonlySet<string>> {
  const by = { at: ctx.now, deletedBy: ctx.session.userUid }
  const devices = await binFreeDevices(writes, uids, by)
  await recordAlike(writes, ctx, { action: 'delete', entity: 'device', items: devices })
  const binned = devices.map(({ uid }) => uid)
  await endDeviceSessions(writes, binned)
  return new Set(binned)
}

const binFree = (ctx: RequestContext, uids: readonly string[]): Promise<ReadonlySet<string>> =>
  ctx.scope.write(writes => binDevices(writes, ctx, uids))

/** The devices of a bulk call. */
export const resolveDevices = (ctx: RequestContext, selection: DeviceSelection) =>
  resolveSelection(selection, {
    named: uids => findDeviceNames(ctx.scope.reads, uids),
    matching: (filter, limits) => findDevicesMatching(ctx.scope.reads, { ...filter, ...limits }, ctx.now),
  })

/** Moves a device to the recycle bin. @throws OutcomeError inUse while it is in a group; ProblemError 404 */
export async function deleteDevice(ctx: RequestContext, uid: string): Promise<void> {
  if ((await binFree(ctx, [uid])).has(uid)) return
  const [found] = await findDeviceNames(ctx.scope.reads, [uid])
  orNotFound(found)
  throw new OutcomeError('inUse', { reason: 'device-in-a-group' })
}

/** Moves many to the recycle bin, those in no group by one transaction. The others tell why they stay. */
export async function deleteManyDevices(ctx: RequestContext, picked: DeviceSelection) {
  const batch = await resolveDevices(ctx, picked)
  const uids = batch.items.map(({ uid }) => uid)
  const binned = await binFree(ctx, uids)
  return forEachItem(batch, ctx, async uid => (binned.has(uid) ? undefined : deleteDevice(ctx, uid)))
}

/** Resets the last contact: the device is 'never up' until its next heartbeat. */
export async function resetHeartbeat(ctx: RequestContext, uid: string): Promise<void> {
  await ctx.scope.write(async writes => {
    const device = orNotFound(await lockDevice(writes, uid))
    const former = await forgetContact(writes, { clientId: ctx.scope.clientId, deviceUid: uid, at: ctx.now })
    const changes = changesBetween({ lastContactAt: former }, { lastContactAt: null })
    await recordChange(writes, ctx, {
      action: 'reset-heartbeat',
      entity: 'device',
      uid,
      name: device.name,
      changes,
    })
  })
}

/** Makes a new license key that the next player may bind. The token of the former player ends. */
export async function resetLicense(ctx: RequestContext, uid: string): Promise<string> {
  const licenseKey = makeLicenseKey()
  await ctx.scope.write(async writes => {
    const device = orNotFound(await lockDevice(writes, uid))
    const unbound = { licenseKey, licenseBoundAt: null, boxUid: null, tokenHash: null }
    await updateDevice(writes, uid, { ...unbound, at: ctx.now })
    const changes = changesBetween({ licenseBoundAt: device.licenseBoundAt }, { licenseBoundAt: null })
    await recordChange(writes, ctx, {
      action: 'reset-license',
      entity: 'device',
      uid,
      name: device.name,
      changes,
    })
    await endDeviceSessions(writes, [uid])
  })
  return licenseKey
}

/** Locks the device with its group and kind until the transaction ends. */
export const lockDeviceForGroup = (writes: Writes, uid: string): Promise<StoredDevice | undefined> =>
  lockDevice(writes, uid)
