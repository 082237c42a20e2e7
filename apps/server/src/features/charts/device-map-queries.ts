import type { Connectivity } from '@floorcast/contract/devices.ts'
import { sql } from 'kysely'
import type { Reads } from '../../platform/database/client-scope.ts'
import { connectivityAt } from '../devices/devices-sql.ts'
import { DEVICE_PLACES } from '../places/places-sql.ts'

/** A device with its effective place: coordinates (both or none) and the country as its tag says. */
export interface PlacedDevice {
  uid: string
  name: string
  connectivity: Connectivity
  latitude: number | null
  longitude: number | null
  country: string | null
}

/** The devices outside the bin by name, of one group or all. */
export async function findPlaces(
  reads: Reads,
  group: string | undefined,
  now: Date,
): Promise<PlacedDevice[]> {
  const { rows } = await sql<PlacedDevice>`
    select d.uid, d.name, ${connectivityAt(now)} as connectivity, l.latitude, l.longitude, l.country
    from (${DEVICE_PLACES}) l
    join devices d on d.uid = l.uid
    left join device_states s on s.device_uid = l.uid
    where ${group === undefined ? sql`true` : sql`d.group_uid = ${group}`}
    order by d.sort_name, d.uid`.execute(reads)
  return rows
}
