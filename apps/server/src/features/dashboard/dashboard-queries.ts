import type { QuickMetrics } from '@floorcast/contract/dashboard.ts'
import type { Connectivity } from '@floorcast/contract/devices.ts'
import { sql } from 'kysely'
import type { Reads } from '../../platform/database/client-scope.ts'
import { connectivityAt, isOnlineAt } from '../devices/devices-sql.ts'

export async function countMedia(reads: Reads): Promise<QuickMetrics['media']> {
  const { rows } = await sql<QuickMetrics['media']>`
    select count(*) as items, coalesce(sum(f.size_bytes), 0) as size_bytes
    from media_items m join media_files f on f.media_uid = m.uid and f.file_version = m.file_version
    where m.deleted_at is null`.execute(reads)
  return rows[0] ?? { items: 0, sizeBytes: 0 }
}

/** What the client's plays, logs and heartbeats take on the disk. */
export async function sumHistoryBytes(reads: Reads): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(byte_count), 0) as bytes from history_counts`.execute(reads)
  return rows[0]?.bytes ?? 0
}

export interface DeviceCounts {
  connectivity: Connectivity
  devices: number
  playing: number
}

export async function countConnectivity(reads: Reads, now: Date): Promise<DeviceCounts[]> {
  const { rows } = await sql<DeviceCounts>`
    select connectivity, count(*) as devices,
      count(*) filter (where connectivity = 'online' and now_playing is not null) as playing
    from (
      select s.now_playing, ${connectivityAt(now)} as connectivity
      from devices d left join device_states s on s.device_uid = d.uid
      where d.deleted_at is null
    ) counted
    group by connectivity`.execute(reads)
  return rows
}

/** Devices that were up and are not, the longest away last. */
export async function findDownDevices(reads: Reads, now: Date): Promise<QuickMetrics['down']> {
  const { rows } = await sql<QuickMetrics['down'][number]>`
    select d.uid, d.name, s.last_contact_at, ${connectivityAt(now)} as connectivity
    from devices d join device_states s on s.device_uid = d.uid
    where d.deleted_at is null and not ${isOnlineAt(now)}
    order by s.last_contact_at desc, d.uid limit 10`.execute(reads)
  return rows
}

export interface PlanUse {
  plan: string
  expiresAt: string
  deviceLimit: number
  mediaGigabytes: number
  statisticsGigabytes: number
  deviceCount: number
  mediaBytes: number
}

/** The plan's limits; media bytes are every kept file: the bin's, running uploads' and update files too. */
export async function findPlanUse(reads: Reads, now: Date): Promise<PlanUse | undefined> {
  const { rows } = await sql<PlanUse>`
    select p.key as plan, c.subscription_expires_at as expires_at, p.device_limit, p.media_gigabytes,
      p.statistics_gigabytes, (select count(*) from devices where deleted_at is null) as device_count,
      (select coalesce(sum(size_bytes), 0) from media_files)
        + (select coalesce(sum(preview_size_bytes), 0) from media_items)
        + (select coalesce(sum(size_bytes), 0) from update_files)
        + (select coalesce(sum(size_bytes), 0) from storage_reservations where expires_at > ${now}) as media_bytes
    from clients c join plans p on p.key = c.plan_key`.execute(reads)
  return rows[0]
}
