import type { Writes } from '../../platform/database/client-scope.ts'
import { notifyAll } from '../../platform/database/notify.ts'
import { type ManifestChange, markManifests, postManifestWord, raiseRevisions } from './touch-queries.ts'

export type { ManifestChange } from './touch-queries.ts'

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
