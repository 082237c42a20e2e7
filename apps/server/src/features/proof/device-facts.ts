import { DEVICE_ZONES } from '@floorcast/contract/reports.ts'
import {
  audienceOf,
  effectiveTags,
  storeZoneOf,
  type StoreZone,
  type Tags,
} from '@floorcast/contract/tags.ts'
import type { Reads } from '../../platform/database/client-scope.ts'
import { findDevices, findTags, type ProvenDevice } from './proof-queries.ts'

/** What the tags say of a device when a proof is made. */
export interface DeviceFacts {
  storeNumber: string
  /** The IANA zone of its days. */
  timeZone: string
  /** People an hour, by hour of the day; null: not known. */
  audience: number[] | null
  storeZone: StoreZone | null
  /** Its address, from the smallest to the largest; empty: not known. */
  place: string
}

const PLACES = ['address', 'city', 'region', 'country']

/** Tells the facts of a device. */
function factsBy(
  tags: Awaited<ReturnType<typeof findTags>>,
  zone: string,
): (device: Omit<ProvenDevice, 'name'>) => DeviceFacts {
  const byOwner = new Map<string, Record<string, string>>()
  for (const { deviceUid, groupUid, key, value } of tags) {
    const owner = deviceUid ?? groupUid ?? ''
    byOwner.set(owner, { ...byOwner.get(owner), [key]: value })
  }
  const known = new Set(tags.filter(({ isKnownZone }) => isKnownZone).map(({ value }) => value))
  const zoneOf = ({ timeZone = 'UTC' }: Record<string, string>) => (known.has(timeZone) ? timeZone : 'UTC')
  const of = (owner: string | null): Tags => (owner === null ? {} : (byOwner.get(owner) ?? {}))
  return ({ uid, policy, groupUid, storeNumber }) => {
    const effective = effectiveTags(policy, { device: of(uid), group: of(groupUid), client: of('') })
    const timeZone = zone === DEVICE_ZONES ? zoneOf(effective) : zone
    const place = PLACES.flatMap(key => effective[key] || []).join(', ')
    return {
      storeNumber,
      timeZone,
      audience: audienceOf(effective),
      storeZone: storeZoneOf(effective),
      place,
    }
  }
}

/** A device that was deleted for good has the client's tags. */
const NOBODY = { uid: '', policy: 'client', groupUid: null, storeNumber: '' } as const

/** The devices of the client, with their facts by uid. `zone` is the proof's, or `device` for each device's own. */
export async function readFacts(reads: Reads, zone: string) {
  const devices = await findDevices(reads)
  const factsOf = factsBy(await findTags(reads), zone)
  const facts = new Map(devices.map(device => [device.uid, factsOf(device)]))
  return { devices, facts, nobody: factsOf(NOBODY) }
}
