import type { Manifest } from '@floorcast/contract/manifest.ts'
import type { ClientScope, Reads, Writes } from '../../platform/database/client-scope.ts'
import { notifyAll } from '../../platform/database/notify.ts'
import {
  enqueueManifestNotice,
  markManifests,
  raiseRevisions,
  type ManifestChange,
} from './invalidate-queries.ts'
import { deviceOf, makeDocument, manifestOf, type ManifestDocument } from './manifest-body.ts'
import {
  listGroupDevices,
  lockManifests,
  readManifestRow,
  readRunning,
  readSources,
  saveManifest,
  type RunningTransactions,
} from './manifest-queries.ts'

/** The program of a group: one manifest without alerts, and the fields of each device that affect its schedule. */
export interface Broadcast {
  manifest: Manifest
  devices: Pick<Manifest['device'], 'uid' | 'timeZone' | 'openingTime' | 'closingTime'>[]
}

/** Null for a group without devices. */
export async function readBroadcast(reads: Reads, groupUid: string): Promise<Broadcast | null> {
  const sources = await readSources(reads, await listGroupDevices(reads, groupUid))
  const [first] = sources
  if (!first) return null
  return {
    manifest: manifestOf({ ...first, alerts: [] }, 0),
    devices: sources.map(source => {
      const { uid, timeZone, openingTime, closingTime } = deviceOf(source)
      return { uid, timeZone, openingTime, closingTime }
    }),
  }
}

export { acknowledge, listWaiting, type ManifestChange, type WaitingMessage } from './invalidate-queries.ts'
export { readGroupName } from './manifest-queries.ts'
export { findDeviceUpdate, readOffers } from './update-offers.ts'

/**
 * Every change that devices must know calls this in its transaction. It marks the manifests as stale, raises the revisions of
 * publications whose devices need other files, and notifies connected devices when the transaction commits.
 */
export async function invalidateManifests(writes: Writes, change: ManifestChange, now: Date): Promise<void> {
  await raiseRevisions(writes, change)
  const deviceUids = await markManifests(writes, change)
  if (deviceUids.length === 0) return
  await enqueueManifestNotice(writes, deviceUids, now)
  await notifyAll(
    writes,
    'manifest',
    deviceUids.map(deviceUid => [deviceUid]),
  )
}

/**
 * The transaction id until which a manifest made now stays stale; null: it is not stale. After an assignment, a transaction
 * that began earlier may change the assigned item without marking this device, and commit after this manifest was made. Once
 * all transactions of that time have ended, a new manifest has their changes (docs/decisions/0138).
 */
function staleUntil(pendingBelow: number | null, { oldest, next }: RunningTransactions): number | null {
  if (pendingBelow === null || oldest === null) return null
  if (pendingBelow === 0) return next
  return oldest < pendingBelow ? pendingBelow : null
}

/**
 * Makes the stale manifests of these devices. A manifest whose content is the same keeps its bytes. @returns the manifests of
 * all these devices
 */
export async function makeManifests(
  scope: ClientScope,
  deviceUids: readonly string[],
  now: Date,
): Promise<Map<string, ManifestDocument>> {
  return scope.write(async writes => {
    const locked = await lockManifests(writes, deviceUids)
    const made = new Map(locked.map(({ deviceUid, ...former }) => [deviceUid, former]))
    const stale = locked.filter(({ isStale }) => isStale).map(({ deviceUid }) => deviceUid)
    if (stale.length === 0) return made
    // This comes before the sources are read, so that they have the changes of transactions that have ended.
    const running = await readRunning(writes)
    for (const source of await readSources(writes, stale)) {
      const { uid } = source.device
      const former = made.get(uid)
      if (!former) continue
      const { generation, etag, body } = makeDocument(source, former)
      const pendingBelow = staleUntil(former.pendingBelow, running)
      await saveManifest(writes, uid, { generation, etag, body, madeAt: now, pendingBelow })
      made.set(uid, { generation, etag, body, isStale: pendingBelow !== null, pendingBelow })
    }
    return made
  })
}

/** The ETag of a device's current manifest, which is made if it is stale. Empty for an unknown device. */
export async function currentEtag(scope: ClientScope, deviceUid: string, now: Date): Promise<string> {
  const { etag } = await currentManifest(scope, { deviceUid, held: null, now })
  return etag
}

/** The current manifest of a device; `body` is null if `held` is its ETag. */
export async function currentManifest(
  scope: ClientScope,
  { deviceUid, held, now }: { deviceUid: string; held: string | null; now: Date },
): Promise<{ etag: string; body: string | null }> {
  const row = await readManifestRow(scope.reads, deviceUid, held)
  if (row && !row.isStale) return row
  const made = (await makeManifests(scope, [deviceUid], now)).get(deviceUid)
  if (!made) return { etag: '', body: null }
  return { etag: made.etag, body: made.etag === held ? null : made.body }
}
