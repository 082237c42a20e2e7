import type { LogEntry } from '@floorcast/contract/logs.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Reads } from '../../platform/database/client-scope.ts'
import { daysAround, type PlayReads } from '../archive/archive.ts'
import {
  readPage,
  readRows,
  readRowsOfDays,
  type ListColumns,
  type ListPage,
  type ListRequest,
} from '../../platform/database/list.ts'

/** A page of one device's log, optionally between two moments. */
export interface LogList extends ListRequest {
  deviceUid: string
  from?: string | undefined
  to?: string | undefined
}

export interface PlayEntry extends LogEntry {
  deviceUid: string
  deviceName: string
}

/** Asks for a number of the newest plays of one device, or of all. */
export interface LatestPlays {
  deviceUid?: string
  count: number
  now: Date
}

const DAY_MS = 86_400_000

const NONE = { select: sql<null>`null` }

/** Fields that a kind of log does not have are null. */
const emptyEntry = {
  playlist: NONE,
  version: NONE,
  track: NONE,
  status: NONE,
  description: NONE,
  type: NONE,
  code: NONE,
  class: NONE,
  channel: NONE,
  updatePackage: NONE,
  request: NONE,
  comment: NONE,
  plannedTime: NONE,
  secondsPlayed: NONE,
  volume: NONE,
  temperatureCelsius: NONE,
}

/** Rows with an implausible clock are in the partition of the day of their receipt; their own time is only shown. */
const CLOCK_FLAG = { select: sql<string | null>`case when is_clock_doubted then 'clock-doubted' end` }
/** Why a play counts nowhere. */
const PLAY_FLAG = { select: sql<string | null>`coalesce(left_out, ${CLOCK_FLAG.select})` }

const playColumns = {
  ...emptyEntry,
  uid: { select: sql<string>`event_uid` },
  eventTime: { select: sql<string>`started_at`, sort: true },
  receiveTime: { select: sql<string>`received_at`, sort: true },
  deviceUid: { select: sql<string>`device_uid` },
  deviceName: { select: sql<string>`device_name` },
  playlist: { select: sql<string | null>`playlist_name`, search: true },
  track: { select: sql<string>`track_name`, sort: sql`lower(track_name)`, search: true },
  status: { select: sql<string>`result`, sort: true, search: true },
  description: { select: sql<string | null>`why`, search: true },
  type: { select: sql<string>`content_type` },
  comment: PLAY_FLAG,
  plannedTime: { select: sql<string | null>`scheduled_at` },
  secondsPlayed: { select: sql<number>`seconds_played` },
} satisfies ListColumns

function between(moment: RawBuilder<unknown>, { from, to }: LogList): RawBuilder<unknown> {
  const after = from === undefined ? sql`true` : sql`${moment} >= ${from}::timestamptz`
  const before = to === undefined ? sql`true` : sql`${moment} <= ${to}::timestamptz`
  return sql`${after} and ${before}`
}

/** A longer period has the plays of the database alone, as a list without one: each archived day is a file to be read. */
const MAX_ARCHIVED_DAYS = 45

/** The plays of a device. */
export async function listPlays(reads: PlayReads, list: LogList): Promise<ListPage<PlayEntry>> {
  const { from, to, deviceUid } = list
  if (
    from !== undefined &&
    to !== undefined &&
    Date.parse(to) - Date.parse(from) <= MAX_ARCHIVED_DAYS * DAY_MS
  )
    await reads.showPlays({ ...daysAround({ from, to }, 1), deviceUid })
  return readPage(reads, list, {
    columns: playColumns,
    from: sql`from plays`,
    where: sql`device_uid = ${list.deviceUid} and ${between(sql`started_at`, list)}`,
    newest: sql`started_at`,
    isEndless: true,
  })
}

const detail = (name: string) => sql<string | null>`details->>${sql.lit(name)}`

const deviceLogColumns = {
  ...emptyEntry,
  uid: { select: sql<string>`event_uid` },
  eventTime: { select: sql<string>`at`, sort: true },
  receiveTime: { select: sql<string>`received_at`, sort: true },
  playlist: { select: detail('playlistName'), search: true },
  version: {
    select: sql<string | null>`coalesce(${detail('version')}, ${detail('revision')})`,
    search: [detail('version')],
  },
  status: {
    select: sql<string | null>`coalesce(${detail('status')}, ${detail('step')}, ${detail('level')})`,
    search: [detail('status'), detail('step'), detail('level')],
  },
  description: {
    select: sql<string | null>`coalesce(${detail('message')}, ${detail('why')})`,
    search: [detail('message'), detail('why')],
  },
  type: { select: sql<string>`kind` },
  class: { select: detail('code'), search: true },
  channel: { select: detail('channelName'), search: true },
  updatePackage: {
    select: sql<string | null>`coalesce(${detail('packageName')}, ${detail('packageUid')})`,
    search: [detail('packageName')],
  },
  comment: CLOCK_FLAG,
} satisfies ListColumns

export const listDeviceLogs = (
  reads: Reads,
  kind: 'debug' | 'update' | 'playlist',
  list: LogList,
): Promise<ListPage<LogEntry>> =>
  readPage(reads, list, {
    columns: deviceLogColumns,
    from: sql`from device_logs`,
    where: sql`device_uid = ${list.deviceUid} and kind = ${kind} and ${between(sql`at`, list)}`,
    newest: sql`at`,
    isEndless: true,
  })

const heartbeatColumns = {
  ...emptyEntry,
  uid: { select: sql<string>`uid` },
  eventTime: { select: sql<string>`device_clock_at`, sort: true },
  receiveTime: { select: sql<string>`received_at`, sort: true },
  version: { select: sql<string | null>`program_version`, search: true },
  track: { select: sql<string | null>`now_playing_name`, search: true },
  status: { select: sql<string>`case when now_playing_name is null then 'silent' else 'playing' end` },
  request: { select: sql<string | null>`ip_address`, search: true },
  volume: { select: sql<number | null>`volume` },
  temperatureCelsius: { select: sql<number | null>`temperature_celsius` },
} satisfies ListColumns

/** Of a folded day the log has the first heartbeat, and those that changed something (docs/decisions/0352). */
const heartbeatsOf = (deviceUid: string) => sql`(
  select uid, received_at, device_clock_at, program_version, volume, ip_address, now_playing_name, temperature_celsius
  from heartbeats where device_uid = ${deviceUid}
  union all
  select e.* from heartbeat_days f cross join lateral jsonb_to_recordset(f.entries) as e (
    uid uuid, received_at timestamptz, device_clock_at timestamptz, program_version text, volume smallint, ip_address text,
    now_playing_name text, temperature_celsius real)
  where f.device_uid = ${deviceUid})`

export const listHeartbeats = (reads: Reads, list: LogList): Promise<ListPage<LogEntry>> =>
  readPage(reads, list, {
    columns: heartbeatColumns,
    from: sql`from ${heartbeatsOf(list.deviceUid)} h`,
    where: between(sql`received_at`, list),
    newest: sql`received_at`,
    isEndless: true,
  })

/**
 * Omits plays with an implausible clock: one in the future would stay the newest for years. Those since yesterday are looked for
 * first: beside them PostgreSQL need not begin to read each day of the history.
 */
export async function findLatestPlays(
  reads: Reads,
  { deviceUid, count, now }: LatestPlays,
): Promise<PlayEntry[]> {
  const where = deviceUid === undefined ? sql`true` : sql`device_uid = ${deviceUid}`
  // Given as values, they tell the planner which days it need not plan for. Partitions are made for two weeks ahead.
  const midnight = (inDays: number) => new Date((Math.floor(now.getTime() / DAY_MS) + inDays) * DAY_MS)
  const day = (inDays: number) => sql`${midnight(inDays).toISOString().slice(0, 10)}::date`
  const newest = (readNewest: typeof readRows, since: RawBuilder<unknown>) =>
    readNewest(
      reads,
      playColumns,
      sql`from plays where ${where} and started_at <= received_at + interval '1 day' and ${since}
        order by started_at desc, event_uid desc limit ${count}`,
    )
  const sinceYesterday = sql`started_at >= ${midnight(-1)} and day between ${day(-1)} and ${day(1)}`
  const recent = await newest(readRowsOfDays, sinceYesterday)
  return recent.length === count ? recent : newest(readRows, sql`true`)
}
