import type { Manifest } from '@floorcast/contract/manifest.ts'
import type { Reads } from '../../platform/database/client-scope.ts'
import { deviceOf, manifestOf } from './manifest-body.ts'
import { listGroupDevices, readSources } from './manifest-queries.ts'

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
