import type { BodyOf } from '@floorcast/contract/endpoint.ts'
import type { DeviceCard, DeviceDraft, DeviceRow, editDevice } from '@floorcast/contract/devices.ts'
import { DEFAULT_VOLUME, effectiveTags, volumeOf } from '@floorcast/contract/tags.ts'
import type { z } from 'zod'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import { eachOf, type NamedThing, pickThings, type Picked } from '../../platform/lib/bulk.ts'
import { definedOf } from '../../platform/lib/omit-undefined.ts'
import { findNames } from '../../platform/database/names.ts'
import { found, OutcomeError, ProblemError, stale } from '../../platform/lib/errors.ts'
import type { Actor } from '../../platform/auth/request-context.ts'
import { permissionsOf } from '../../platform/auth/rights.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { type Changes, changesBetween, recordAlike, recordChange } from '../audit/audit.ts'
import { endDeviceSession } from '../device-api/device-api.ts'
import { touchManifests } from '../manifests/manifests.ts'
import type { DeviceFields } from './device-fields.ts'
import {
  countDevices,
  emptyGroup,
  joinFreeDevices,
  forgetContact,
  insertDevice,
  lockDevice,
  lockDeviceCount,
  saveVolumeTag,
  updateDevice,
} from './device-writes-queries.ts'
import {
  deviceRowOf,
  findDeviceCard,
  findDeviceName,
  findGaps,
  findVolumeSources,
  listDeviceRecords,
  listGroupDevices,
  type DeviceList,
  type DeviceSet,
  findDevicesMatching,
} from './devices-queries.ts'
import { makeLicenseKey } from './license-key.ts'

export const readDevices = (by: Actor, list: DeviceList) => listDeviceRecords(by.scope.reads, list, by.now)

/** Every device of a group, by name. */
export const readGroupDevices = (reads: Reads, groupUid: string, now: Date): Promise<DeviceRow[]> =>
  listGroupDevices(reads, groupUid, now)

/** Volume: the effective tag, else the group's profile's default, else 70. */
async function effectiveVolume(reads: Reads, device: { uid: string; groupUid: string | null }) {
  const { tags, tagPolicy, profileVolume } = await findVolumeSources(reads, device)
  const at = (level: string) =>
    Object.fromEntries(tags.filter(tag => tag.level === level).map(tag => ['volume', tag.value]))
  const levels = { device: at('device'), group: at('group'), client: at('client') }
  return volumeOf(effectiveTags(tagPolicy, levels)) ?? profileVolume ?? DEFAULT_VOLUME
}

/** @throws ProblemError 404 for a device that this client has not (the bin included: its logs are kept). */
export async function requireDevice(by: Actor, uid: string): Promise<void> {
  found(await findDeviceName(by.scope.reads, uid))
}

/** The card's line that installs and starts the agent on a shop's box. */
const installLine = (publicUrl: string, licenseKey: string) =>
  `curl -fsSL ${publicUrl}/agent/install.sh | sh -s -- --key ${licenseKey}`

export async function readDeviceCard(by: Actor, uid: string, publicUrl: string): Promise<DeviceCard> {
  return by.scope.readTogether(async reads => {
    const record = found(await findDeviceCard(reads, uid, by.now))
    const { licenseKey, licenseBoundAt, lastPlayedName, lastPlayedAt, quarantined, ...rest } = record
    const isBound = licenseBoundAt !== null
    return {
      ...rest,
      ...deviceRowOf(record),
      licenseKey: isBound ? null : licenseKey,
      licenseBoundAt,
      installLine: isBound ? null : installLine(publicUrl, licenseKey),
      isExpired: Date.parse(rest.expiresAt) <= by.now.getTime(),
      volume: await effectiveVolume(reads, record),
      lastPlayed: lastPlayedName && lastPlayedAt ? { name: lastPlayedName, startedAt: lastPlayedAt } : null,
      gaps: await findGaps(reads, uid),
      quarantined: quarantined ?? [],
      permissions: permissionsOf(by),
    }
  })
}

/** @throws OutcomeError notDone `device-limit` when the plan has no room for another; the count is locked until the end. */
export async function refuseOverDeviceLimit(writes: Writes, clientId: string): Promise<void> {
  await lockDeviceCount(writes, clientId)
  const { used, limit } = await countDevices(writes)
  if (used >= limit) throw new OutcomeError('notDone', { reason: 'device-limit', limit })
}

/** Adds a device with a licence key. @throws OutcomeError notDone `device-limit` when the plan has no room. */
export async function addDevice(
  by: Actor,
  kind: 'audio' | 'video',
  draft: z.output<typeof DeviceDraft>,
): Promise<string> {
  const uid = uuidV7()
  const { clientId } = by.scope
  await by.scope.write(async writes => {
    await refuseOverDeviceLimit(writes, clientId)
    await insertDevice(writes, { ...draft, uid, clientId, kind, licenseKey: makeLicenseKey(), at: by.now })
    const changes = changesBetween({}, { ...draft, kind })
    await recordChange(writes, by, { action: 'add', thing: 'device', uid, name: draft.name, changes })
  })
  return uid
}

/** @throws ProblemError 403 for an expiry that no admin sets, 404, 409 for a stale version */
export async function changeDevice(by: Actor, change: BodyOf<typeof editDevice>): Promise<void> {
  const { uid, version, volume, ...fields } = change
  if (fields.expiresAt !== undefined && by.session.role !== 'admin') throw new ProblemError(403, 'role')
  await by.scope.write(async writes => {
    const device = found(await lockDevice(writes, uid))
    if (version !== undefined && version !== device.version) throw stale()
    const changes = changesBetween<object>(device, definedOf(fields))
    if (volume !== undefined) {
      const tag = { clientId: by.scope.clientId, deviceUid: uid, volume, at: by.now }
      const former = await saveVolumeTag(writes, tag)
      Object.assign(changes, changesBetween({ volume: former }, { volume: String(volume) }))
    }
    await updateDevice(writes, uid, { ...definedOf(fields), at: by.now })
    const name = fields.name ?? device.name
    await recordChange(writes, by, { action: 'edit', thing: 'device', uid, name, changes })
    await touchManifests(writes, { devices: [uid] }, by.now)
  })
}

/** Moves a device to the recycle bin; its key and token open nothing there. */
export async function deleteDevice(by: Actor, uid: string): Promise<void> {
  await by.scope.write(async writes => {
    const device = found(await lockDevice(writes, uid))
    if (device.groupUid !== null) throw new OutcomeError('inUse', { reason: 'device-in-a-group' })
    await updateDevice(writes, uid, { deletedAt: by.now, deletedBy: by.session.userUid, at: by.now })
    await recordChange(writes, by, { action: 'delete', thing: 'device', uid, name: device.name })
    await endDeviceSession(writes, uid)
  })
}

/** Moves many to the recycle bin; each stands for itself. */
export async function deleteDevices(by: Actor, picked: Picked<DeviceSet & { search: string }>) {
  const batch = await pickThings(picked, {
    named: uids => findNames(by.scope.reads, 'devices', uids),
    matching: (filter, limits) => findDevicesMatching(by.scope.reads, { ...filter, ...limits }, by.now),
  })
  return eachOf(batch, uid => deleteDevice(by, uid))
}

/** Forgets the last contact: the device is 'never up' until its next heartbeat. */
export async function resetHeartbeat(by: Actor, uid: string): Promise<void> {
  await by.scope.write(async writes => {
    const device = found(await lockDevice(writes, uid))
    const former = await forgetContact(writes, { clientId: by.scope.clientId, deviceUid: uid, at: by.now })
    const changes = changesBetween({ lastContactAt: former }, { lastContactAt: null })
    await recordChange(writes, by, {
      action: 'reset-heartbeat',
      thing: 'device',
      uid,
      name: device.name,
      changes,
    })
  })
}

/** A new licence key that the next box may bind; the token of the former box ends. */
export async function resetLicense(by: Actor, uid: string): Promise<string> {
  const licenseKey = makeLicenseKey()
  await by.scope.write(async writes => {
    const device = found(await lockDevice(writes, uid))
    const unbound = { licenseKey, licenseBoundAt: null, boxUid: null, tokenHash: null }
    await updateDevice(writes, uid, { ...unbound, at: by.now })
    const changes = changesBetween({ licenseBoundAt: device.licenseBoundAt }, { licenseBoundAt: null })
    await recordChange(writes, by, {
      action: 'reset-license',
      thing: 'device',
      uid,
      name: device.name,
      changes,
    })
    await endDeviceSession(writes, uid)
  })
  return licenseKey
}

/** The device with its group and kind, locked until the transaction ends. */
export const lockDeviceForGroup = (writes: Writes, uid: string): Promise<DeviceFields | undefined> =>
  lockDevice(writes, uid)

/** Puts a device into a group, or takes it out (null). */
export async function moveDevice(
  writes: Writes,
  uid: string,
  to: { groupUid: string | null; at: Date },
): Promise<void> {
  await updateDevice(writes, uid, to)
  await touchManifests(writes, { devices: [uid] }, to.at)
}

/** Takes every device out of a group that is going away; resolves to their uids. */
export async function removeAllFromGroup(writes: Writes, by: Actor, groupUid: string): Promise<string[]> {
  const devices = await emptyGroup(writes, groupUid, by.now)
  await tellMoved(writes, by, { devices, action: 'leave-group', changes: { groupUid: [groupUid, null] } })
  return devices.map(({ uid }) => uid)
}

/** Puts those of the devices that are in no group, nor in the bin, into one; resolves to how many they are. */
export async function returnToGroup(
  writes: Writes,
  by: Actor,
  { uids, groupUid }: { uids: readonly string[]; groupUid: string },
): Promise<number> {
  const devices = await joinFreeDevices(writes, uids, { groupUid, at: by.now })
  await tellMoved(writes, by, { devices, action: 'join-group', changes: { groupUid: [null, groupUid] } })
  return devices.length
}

interface MovedDevices {
  devices: NamedThing[]
  action: string
  changes: Changes
}

async function tellMoved(writes: Writes, by: Actor, { devices, ...change }: MovedDevices): Promise<void> {
  await touchManifests(writes, { devices: devices.map(({ uid }) => uid) }, by.now)
  await recordAlike(writes, by, { ...change, thing: 'device', things: devices })
}
