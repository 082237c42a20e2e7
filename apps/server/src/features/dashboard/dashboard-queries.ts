import type { HistorySize, QuickMetrics } from '@floorcast/contract/dashboard.ts'
import type { Activity, Connectivity, SilentReason } from '@floorcast/contract/devices.ts'
import { sql } from 'kysely'
import type { Reads } from '../../platform/database/client-scope.ts'
import { deviceCount } from '../../platform/database/large-list.ts'
import {
  activityAt,
  connectivityAt,
  isOnlineAt,
  leastChangeInSecondsAt,
  silentReasonAt,
} from '../devices/devices-sql.ts'

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
  /** How long the late device that has been quiet longest has not reported; null: none is late. */
  lateSeconds: number | null
  /** Devices that were up and are not, the longest away last. */
  down: QuickMetrics['down']
}

const DOWN_DEVICES = 10

/**
 * The states are read alone: joined with the wider rows of devices, counting 100,000 takes far longer. They are calculated in a
 * query of their own (`offset 0`), of whose columns PostgreSQL expects few values: otherwise it would sort all rows, on disk.
 */
export async function findFleetState(reads: Reads, now: Date): Promise<FleetState> {
  const { rows } = await sql<DeviceCounts & { changesInSeconds: number | null; quietSeconds: number }>`
    select s.connectivity, s.activity, s.silent, count(*) as devices, ${leastChangeInSecondsAt(now)} as changes_in_seconds,
      floor(extract(epoch from ${now} - min(s.last_contact_at)))::int as quiet_seconds
    from (
      select s.connectivity, s.activity, ${silentReasonAt(now, sql`s.activity`)} as silent,
        s.overdue_at, s.playing_until, s.last_contact_at
      from (
        select ${connectivityAt(now)} as connectivity, ${activityAt(now)} as activity,
          s.device_uid, s.now_playing, s.silence, s.overdue_at, s.playing_until, s.last_contact_at
        from device_states s
        where s.device_uid not in (select uid from devices where deleted_at is not null)
        offset 0) s
      offset 0) s
    group by 1, 2, 3`.execute(reads)
  const late = rows.filter(({ activity }) => activity === 'late').map(({ quietSeconds }) => quietSeconds)
  const changes = rows.flatMap(({ changesInSeconds }) => changesInSeconds ?? [])
  const counts = rows.map(({ connectivity, activity, silent, devices }) => ({
    connectivity,
    activity,
    silent,
    devices,
  }))
  return {
    counts: [...counts, ...(await countStateless(reads, counts))],
    down: await findDown(reads, now),
    changesInSeconds: changes.length > 0 ? Math.min(...changes) : null,
    lateSeconds: late.length > 0 ? Math.max(...late) : null,
  }
}

/** Devices that have never reported have no state. */
async function countStateless(reads: Reads, counts: readonly DeviceCounts[]): Promise<DeviceCounts[]> {
  const { rows } = await sql<{ devices: number }>`select ${deviceCount} as devices`.execute(reads)
  const devices = counts.reduce((rest, count) => rest - count.devices, rows[0]?.devices ?? 0)
  return devices > 0 ? [{ connectivity: 'neverup', activity: null, silent: null, devices }] : []
}

async function findDown(reads: Reads, now: Date): Promise<FleetState['down']> {
  const { rows } = await sql<FleetState['down'][number]>`
    select d.uid, d.name, ${connectivityAt(now)} as connectivity, s.last_contact_at
    from device_states s join devices d on d.uid = s.device_uid
    where d.deleted_at is null and not ${isOnlineAt(now)}
    order by s.last_contact_at desc, d.uid limit ${DOWN_DEVICES}`.execute(reads)
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
      p.statistics_gigabytes, ${deviceCount} as device_count,
      (select coalesce(sum(size_bytes), 0) from media_files)
        + (select coalesce(sum(preview_size_bytes), 0) from media_items)
        + (select coalesce(sum(size_bytes), 0) from update_files)
        + (select coalesce(sum(size_bytes), 0) from storage_reservations where expires_at > ${now}) as media_bytes
    from clients c join plans p on p.key = c.plan_key`.execute(reads)
  return rows[0]
}
