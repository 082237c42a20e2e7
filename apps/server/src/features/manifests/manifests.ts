import type { DeviceManifest } from '@floorcast/contract/device-manifest.ts'
import type { Manifest } from '@floorcast/contract/manifest.ts'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import { notifyAll } from '../../platform/database/notify.ts'
import {
  countDevices,
  type ManifestChange,
  markClient,
  markDevices,
  markGroups,
  raiseRevisions,
} from './invalidate-queries.ts'
import { deviceOf, listSounds, manifestOf, mergeSettings } from './manifest-body.ts'
import {
  type DeviceRow,
  listGroupDevices,
  readClientPart,
  readDeviceRows,
  readGroupSource,
} from './manifest-queries.ts'
import { publicationOf } from './programme-body.ts'

export type { ManifestChange } from './invalidate-queries.ts'
export { alertsKey, etagOf, isFormerEtag, Manifests } from './manifest-service.ts'
export { waveSeconds } from './manifest-waves.ts'
export { findDeviceUpdate, isOfferedTo, readOffers } from './update-offers.ts'
export { areSigned, getSignatureState } from './update-signatures.ts'

/** Nothing has this uid. */
const NO_GROUP = '00000000-0000-0000-0000-000000000000'

/** The uids of devices with their groups in one notice; a notice has at most 1,000 characters. */
const DEVICES_A_NOTICE = 10

/**
 * Every change that devices must know calls this in its transaction. It raises the revisions of publications whose devices
 * need other files, marks the manifests, and notifies every server once for each group, ten devices, or the client. What it
 * costs does not grow with the devices of a group. A notice has the number of all devices concerned: many small groups that
 * change together are one wave.
 */
export async function invalidateManifests(writes: Writes, change: ManifestChange): Promise<void> {
  await raiseRevisions(writes, change)
  const groups = await markGroups(writes, change)
  const devices = await markDevices(writes, change.devices)
  const clients = change.client ? await markClient(writes) : []
  const members = groups.length > 1 ? await countDevices(writes, groups) : 0
  const notices = [
    ...groups.map(({ clientId, groupUid }) => ['group', clientId, groupUid, String(members)]),
    ...clients.map(clientId => ['client', clientId]),
  ]
  for (let from = 0; from < devices.length; from += DEVICES_A_NOTICE) {
    const some = devices.slice(from, from + DEVICES_A_NOTICE)
    const words = some.map(({ deviceUid, groupUid }) => `${deviceUid}/${groupUid ?? ''}`)
    notices.push(['device', some[0]?.clientId ?? '', String(devices.length), ...words])
  }
  await notifyAll(writes, 'manifest', notices)
}

/** The program of a group: one manifest without alerts, and the fields of each device that affect its schedule. */
export interface Broadcast {
  manifest: DeviceManifest
  devices: Pick<Manifest['device'], 'uid' | 'timeZone' | 'openingTime' | 'closingTime'>[]
}

/** The manifest of one device without alerts, as of now; null if it is in the recycle bin. */
export async function readProgram(reads: Reads, deviceUid: string): Promise<DeviceManifest | null> {
  const [device] = await readDeviceRows(reads, [deviceUid])
  return device ? (await makeProgram(reads, device)).manifest : null
}

async function makeProgram(reads: Reads, device: DeviceRow) {
  const client = await readClientPart(reads)
  const { publications, profiles, tags, sounds, update } = await readGroupSource(
    reads,
    device.groupUid ?? NO_GROUP,
  )
  const settings = mergeSettings(profiles)
  const group = { ...listSounds(profiles, sounds), tags, settings, update, publications: [] }
  const manifest = {
    ...manifestOf({ device, client, group, alerts: [] }, 0),
    publications: publications.map(publicationOf),
  }
  return { manifest, client, group }
}

/** Null for a group without devices. */
export async function readBroadcast(reads: Reads, groupUid: string): Promise<Broadcast | null> {
  const [first, ...others] = await readDeviceRows(reads, await listGroupDevices(reads, groupUid))
  if (!first) return null
  const { manifest, client, group } = await makeProgram(reads, first)
  return {
    manifest,
    devices: [first, ...others].map(device => {
      const { uid, timeZone, openingTime, closingTime } = deviceOf({ device, client }, group)
      return { uid, timeZone, openingTime, closingTime }
    }),
  }
}
