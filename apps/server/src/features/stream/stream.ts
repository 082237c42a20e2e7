import type { Writes } from '../../platform/database/client-scope.ts'
import { notify, notifyAll } from '../../platform/database/notify.ts'
import { uuidV7 } from '../../platform/uuid-v7.ts'
import { type ManifestChange, markManifests, postManifestWord, raiseRevisions } from './touch-queries.ts'

export { type Broadcast, readBroadcast } from './broadcast.ts'
export type { ManifestChange } from './touch-queries.ts'
export { readOffers } from './update-offers.ts'

/**
 * To be called, in the same transaction, by every change that devices must know of. Their manifests are marked to be made
 * anew, revisions of publications grow where devices will need something else, and word goes out to connected devices
 * when the transaction commits.
 */
export async function touchManifests(writes: Writes, change: ManifestChange, now: Date): Promise<void> {
  await raiseRevisions(writes, change)
  const deviceUids = await markManifests(writes, change)
  if (deviceUids.length === 0) return
  await postManifestWord(writes, deviceUids, now)
  await notifyAll(
    writes,
    'manifest',
    deviceUids.map(deviceUid => [deviceUid]),
  )
}

/** To be called when a device's token ends without another taking its place: its channel, wherever it is, is told to go. */
export async function endDeviceSession(writes: Writes, deviceUid: string): Promise<void> {
  // A session that nobody has: whoever is connected is not it.
  await notify(writes, 'reporter', [deviceUid, uuidV7()])
}
