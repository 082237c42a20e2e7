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

/** What a group of devices plays: one manifest without alerts, and what of each device steers its schedule. */
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
 * To be called, in the same transaction, by every change that devices must know of. Their manifests are marked to be made
 * anew, revisions of publications grow where devices will need something else, and word goes out to connected devices
 * when the transaction commits.
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
 * Until when a manifest made now stays marked (null: not at all). A device that is bound to something anew is not seen by
 * changes of that thing whose transactions are older than the bond, and the first manifest made with the bond may be made before
 * they commit. Once none that ran then runs any more, it has been made with what they left.
 */
function staleUntil(pendingBelow: number | null, { oldest, next }: RunningTransactions): number | null {
  if (pendingBelow === null || oldest === null) return null
  if (pendingBelow === 0) return next
  return oldest < pendingBelow ? pendingBelow : null
}

/**
 * Makes the manifests of these devices that are marked, and returns those of all. Nothing changes, not a byte, where the
 * state is what it was.
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
    // Asked before the sources are read, so that what has ended by then is in them.
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

/** The ETag of a device's manifest as of now; made if it has to be. Empty for a device that is gone. */
export async function currentEtag(scope: ClientScope, deviceUid: string, now: Date): Promise<string> {
  const { etag } = await currentManifest(scope, { deviceUid, held: null, now })
  return etag
}

/** A device's manifest as of now; `body` is null when `held` is its ETag. */
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
