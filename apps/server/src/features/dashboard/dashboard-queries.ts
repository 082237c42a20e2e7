import type { HistorySize, QuickMetrics } from '@floorcast/contract/dashboard.ts'
import type { Activity, Connectivity, SilentReason } from '@floorcast/contract/devices.ts'
import { sql } from 'kysely'
import type { Reads } from '../../platform/database/client-scope.ts'
import { activityAt, changesInSecondsAt, connectivityAt, silentReasonAt } from '../devices/devices-sql.ts'

/** The plays of the hours (in UTC) of a period. */
export async function countPlays(
  reads: Reads,
  { from, until }: { from: Date; until: Date },
): Promise<number> {
  const { rows } = await sql<{ plays: number }>`
    select coalesce(sum(plays), 0)::bigint as plays from play_hours
    where hour >= ${from} and hour <= ${until}`.execute(reads)
  return rows[0]?.plays ?? 0
}

export async function countMedia(reads: Reads): Promise<QuickMetrics['media']> {
  const { rows } = await sql<QuickMetrics['media']>`
    select count(*) as items, coalesce(sum(size_bytes), 0) as size_bytes from media_items where deleted_at is null`.execute(
    reads,
  )
  return rows[0] ?? { items: 0, sizeBytes: 0 }
}

/** What the client's history takes on the disk, by kind. */
export async function sumHistory(reads: Reads): Promise<HistorySize[]> {
  const { rows } = await sql<HistorySize>`
    select kind, sum(row_count)::bigint as rows, sum(byte_count)::bigint as bytes,
      min(day) filter (where row_count > 0) as oldest_day
    from history_counts group by kind order by bytes desc, kind`.execute(reads)
  return rows
}

/** Devices with the same connectivity, activity and reason for silence. */
export interface DeviceCounts {
  connectivity: Connectivity
  activity: Activity | null
  silent: SilentReason | null
  devices: number
}

export interface FleetState {
  counts: DeviceCounts[]
  /** After so many seconds a device has another state if it does not report; null: all stay. */
  changesInSeconds: number | null
  /** Devices that were up and are not, the longest away last. */
  down: QuickMetrics['down']
}

const DOWN_DEVICES = 10

/** One pass over the devices for both. */
export async function findFleetState(reads: Reads, now: Date): Promise<FleetState> {
  const { rows } = await sql<
    DeviceCounts & { changesInSeconds: number | null } & (
        Omit<QuickMetrics['down'][number], 'connectivity'> | Record<'uid' | 'name' | 'lastContactAt', null>
      )
  >`
    with device as materialized (
      select d.uid, d.name, s.last_contact_at, ${connectivityAt(now)} as connectivity,
        ${activityAt(now)} as activity, ${silentReasonAt(now)} as silent, ${changesInSecondsAt(now)} as changes_in_seconds
      from devices d left join device_states s on s.device_uid = d.uid where d.deleted_at is null)
    select connectivity, activity, silent, count(*) as devices, min(changes_in_seconds) as changes_in_seconds, null::uuid as uid, null as name,
      null::timestamptz as last_contact_at
    from device group by 1, 2, 3
    union all (
      select connectivity, null, null, 1, null, uid, name, last_contact_at from device where connectivity in ('linkdown', 'linklost')
      order by last_contact_at desc, uid limit ${DOWN_DEVICES})`.execute(reads)
  const counts: DeviceCounts[] = []
  const down: QuickMetrics['down'] = []
  const changes = rows.flatMap(({ changesInSeconds }) => changesInSeconds ?? [])
  for (const { uid, name, lastContactAt, changesInSeconds: _, ...row } of rows)
    if (uid === null) counts.push(row)
    else down.push({ uid, name, lastContactAt, connectivity: row.connectivity })
  return { counts, down, changesInSeconds: changes.length > 0 ? Math.min(...changes) : null }
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
