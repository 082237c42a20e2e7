import type { Activity, Connectivity, NowPlaying, SilentReason } from '@floorcast/contract/devices.ts'
import { sql } from 'kysely'
import type { Reads } from '../../platform/database/client-scope.ts'
import { activityAt, connectivityAt, nowPlayingAt, silentReasonAt } from '../devices/devices-sql.ts'

/** What a device has reported last. */
export interface DeviceReport {
  connectivity: Connectivity
  lastContactAt: string | null
  activity: Activity | null
  nowPlaying: NowPlaying | null
  silentBecause: SilentReason | null
}

/** Undefined for a device in the recycle bin. */
export async function findReport(reads: Reads, uid: string, now: Date): Promise<DeviceReport | undefined> {
  const { rows } = await sql<DeviceReport>`
    select ${connectivityAt(now)} as connectivity, s.last_contact_at,
      ${activityAt(now)} as activity, ${nowPlayingAt(now)} as now_playing,
      ${silentReasonAt(now)} as silent_because
    from devices d left join device_states s on s.device_uid = d.uid
    where d.uid = ${uid} and d.deleted_at is null`.execute(reads)
  return rows[0]
}
