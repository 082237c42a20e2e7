import { DEVICE_ZONES } from '@floorcast/contract/reports.ts'
import type { ReportNote } from '@floorcast/contract/report-calls.ts'
import { sql } from 'kysely'
import type { Reads } from '../../platform/database/client-scope.ts'
import { daysAround, type PlayReads } from '../archive/archive.ts'
import { listRestoredDays, type RestoredDays, summarizeRestored } from '../redeliveries/redeliveries.ts'
import { IS_COUNTED, PLAYED_MS, sumByMedia } from '../statistics/statistics-sql.ts'
import { hasLocalDay, reportDevices } from './report-devices-sql.ts'
import type { MakeReport, ReportRequest } from './report.ts'

/*
 * The reports of plays. r2 and r3 by the devices' own zones read the roll-ups; another zone has other days, so they count
 * single plays. Either way a play counts on its local day, and one with an implausible clock in no period.
 */

/** In SQL: the day of the play `p` in the report's zone; the device's is stored with the play since roll-ups exist. */
const playDay = (request: ReportRequest) =>
  request.zone === DEVICE_ZONES
    ? sql`coalesce(p.local_day, (p.started_at at time zone coalesce(device.zone, 'UTC'))::date)`
    : sql`(p.started_at at time zone ${request.zone})::date`

/** The first two conditions only let PostgreSQL skip partitions and rows. */
function inPeriod(request: ReportRequest) {
  const { from, to } = request
  return sql`p.day between ${from}::date - 2 and ${to}::date + 2
    and p.started_at >= ${from}::date - interval '2 days' and p.started_at < ${to}::date + interval '3 days'
    and ${playDay(request)} between ${from}::date and ${to}::date`
}

/**
 * Says from which day on single plays are kept, if the roll-ups have earlier ones of the period. Late plays of a day whose others were
 * deleted are there for some hours.
 */
export async function notesOfRawPlays(
  reads: Reads,
  { from, to }: ReportRequest,
  code: 'rawGone' | 'playsGone',
): Promise<ReportNote[]> {
  const { rows } = await sql<{ day: string | null }>`
    select coalesce(kept.day, ${to}::date + 1)::text as day
    from (select greatest((select min(day) from history_counts where kind = 'plays'),
      (select kept_from from statistics_retention)) as day) kept
    where exists (select from play_days d where d.local_day >= ${from}::date and d.local_day <= ${to}::date
      and d.local_day < coalesce(kept.day, ${to}::date + 1) - 1)
      or ${from}::date < (select sums_kept_from from statistics_retention)`.execute(reads)
  const day = rows[0]?.day
  return day ? [{ code, values: { day } }] : []
}

/** Says which days may lack plays since the database was restored. @param device the only one of the report */
export async function notesOfRestores(
  reads: Reads,
  request: Pick<ReportRequest, 'from' | 'to' | 'zone' | 'now'>,
  device?: string,
): Promise<ReportNote[]> {
  const rows = await listRestoredDays(reads, request, request.now)
  return restoredNotes(device === undefined ? rows : rows.filter(({ deviceUid }) => deviceUid === device))
}

export function restoredNotes(rows: readonly RestoredDays[]): ReportNote[] {
  const { awaited, lost } = summarizeRestored(rows) ?? {}
  return [
    ...(awaited ? [{ code: 'restoredAwaited', values: awaited }] : []),
    ...(lost ? [{ code: 'restoredLost', values: lost }] : []),
  ]
}

/** What the statements of such reports name. */
const RAW_COLUMNS =
  'client_id day device_uid device_name media_uid track_name content_type result seconds_played started_at local_day is_clock_doubted left_out'.split(
    ' ',
  )

/** Shows the plays of a report that counts single ones. */
export async function showRawDays(reads: PlayReads, { zone, from, to }: ReportRequest): Promise<void> {
  if (zone !== DEVICE_ZONES) await reads.showPlays({ ...daysAround({ from, to }, 2), columns: RAW_COLUMNS })
}

/** In SQL: single plays in sums like those of `play_days`, for a zone whose days the roll-ups do not have. */
const rawDays = (request: ReportRequest) => sql`
  select p.client_id, p.device_uid, ${playDay(request)} as local_day, p.media_uid, p.content_type, count(*) as plays,
    count(*) filter (where p.result = 'complete') as complete_plays, sum(${PLAYED_MS}) as played_ms,
    min(p.started_at) as first_at, max(p.started_at) as last_at, max(p.track_name) as track_name,
    max(p.device_name) as device_name
  from plays p where ${inPeriod(request)} and ${IS_COUNTED} group by 1, 2, 3, 4, 5`

/** In SQL: the sums of a device's days; `device` is the device. */
const rolledDays = (request: ReportRequest) => sql`
  select d.*, null::text as track_name, null::text as device_name from play_days d
  where ${hasLocalDay(request, sql`device.zone`)}`

/** Says from which day on sums are kept, if earlier ones of the period were deleted. */
async function notesOfSums(reads: Reads, { from }: ReportRequest): Promise<ReportNote[]> {
  const { rows } = await sql<{ day: string }>`
    select sums_kept_from::text as day from statistics_retention where sums_kept_from > ${from}::date`.execute(
    reads,
  )
  return rows.map(({ day }) => ({ code: 'sumsGone', values: { day } }))
}

/** Says that single plays were counted, and which days have none any more or lack some; of the devices' own zones, which have no sums. */
export const notesOfDays = async (reads: Reads, request: ReportRequest): Promise<ReportNote[]> => [
  ...(request.zone === DEVICE_ZONES
    ? await notesOfSums(reads, request)
    : [{ code: 'rawRows' }, ...(await notesOfRawPlays(reads, request, 'rawGone'))]),
  ...(await notesOfRestores(reads, request)),
]

const MEDIA_DAYS = sql`media_uid, content_type, plays, complete_plays, played_ms, devices, first_at, last_at, device_block`

/**
 * In SQL: the sums by track of the report's days. Where devices have several last days now, those that all have are read from
 * them, and the few days around from the sums by device.
 */
function mediaDays(request: ReportRequest) {
  const { from, to, lastDays } = request
  if (lastDays === undefined)
    return sql`select ${MEDIA_DAYS} from play_media_days where local_day between ${from}::date and ${to}::date`
  const isOfAll = sql`local_day between ${to}::date - ${lastDays - 1}::integer and ${from}::date + ${lastDays - 1}::integer`
  const around = sql`(
    select d.* from play_days d left join ${reportDevices(request)} device on device.uid = d.device_uid
    where ${hasLocalDay(request, sql`device.zone`)} and not d.${isOfAll})`
  return sql`select ${MEDIA_DAYS} from play_media_days where ${isOfAll}
    union all select ${MEDIA_DAYS} from (${sumByMedia(around)}) around`
}

/** In SQL: the plays of each track, from the sums by track, whose devices are bits. */
const rolledTracks = (request: ReportRequest) => sql`
  select media_uid, content_type, sum(plays) as plays, sum(complete_plays) as complete_plays, sum(played_ms) as played_ms,
    sum(devices) as devices, min(first_at) as first_at, max(last_at) as last_at, null::text as track_name
  from (
    select media_uid, content_type, sum(plays) as plays, sum(complete_plays) as complete_plays, sum(played_ms) as played_ms,
      bit_count(bit_or(devices)) as devices, min(first_at) as first_at, max(last_at) as last_at
    from (${mediaDays(request)}) day group by 1, 2, device_block) block
  group by 1, 2`

/** The same from single plays. */
const rawTracks = (request: ReportRequest) => sql`
  select media_uid, content_type, sum(plays) as plays, sum(complete_plays) as complete_plays, sum(played_ms) as played_ms,
    count(*) as devices, min(first_at) as first_at, max(last_at) as last_at, max(track_name) as track_name
  from (
    select media_uid, content_type, device_uid, sum(plays) as plays, sum(complete_plays) as complete_plays,
      sum(played_ms) as played_ms, min(first_at) as first_at, max(last_at) as last_at, max(track_name) as track_name
    from (${rawDays(request)}) day group by 1, 2, 3) device
  group by 1, 2`

/** One row for each track. Its first and last play may be in different zones, so with DEVICE_ZONES they are in UTC. */
export const r2: MakeReport = async (reads, request) => {
  await showRawDays(reads, request)
  return {
    rows: sql`
    select coalesce(n.name, t.track_name) as "track", t.content_type as "contentType", t.plays as "plays",
      t.complete_plays as "completePlays", t.played_ms / 1000.0 as "seconds", t.devices as "devices",
      t.first_at as "firstAt", t.last_at as "lastAt", 'UTC' as "zone", t.media_uid as "mediaUid"
    from (${request.zone === DEVICE_ZONES ? rolledTracks(request) : rawTracks(request)}) t
    left join play_names n on n.kind = 'media' and n.uid = t.media_uid`,
    order: sql`"plays" desc, "track", "contentType", "mediaUid"`,
    notes: [
      ...(await notesOfDays(reads, request)),
      ...(request.zone === DEVICE_ZONES ? [{ code: 'utcInstants' }] : []),
    ],
  }
}

const ofType = (type: string) => sql`sum(d.played_ms) filter (where d.content_type = ${type}) / 1000.0`

const DAY_SUMS = sql`
  d.local_day, sum(d.plays) as plays, sum(d.played_ms) as played_ms, ${ofType('melodies')} as melody_seconds,
  ${ofType('ads')} as ad_seconds, ${ofType('videos')} as video_seconds, ${ofType('videosAds')} as video_ad_seconds,
  coalesce(sum(d.plays) filter (where d.content_type in ('ads', 'videosAds')), 0) as ads, max(d.device_name) as device_name`

/** In SQL: the devices that are there or have played, in the report's order. */
const players = (request: ReportRequest) => sql`(
  select coalesce(device.uid, n.uid) as uid, coalesce(device.name, n.name) as name, device.store_number, device.group_name,
    device.zone
  from ${reportDevices(request)} device
    full join (select uid, name from play_names where kind = 'device') n on n.uid = device.uid
  order by 2, 3, 1)`

/** In SQL: each `device` with its days `t`. Roll-ups are read device after device, so that the first rows come at once. */
const playerDays = (request: ReportRequest) =>
  request.zone === DEVICE_ZONES
    ? {
        uid: sql`device.uid`,
        name: sql`device.name`,
        from: sql`${players(request)} device cross join lateral (
          select ${DAY_SUMS} from (${rolledDays(request)}) d where d.device_uid = device.uid group by d.local_day) t`,
      }
    : {
        uid: sql`t.device_uid`,
        name: sql`coalesce(device.name, t.device_name)`,
        from: sql`(select d.device_uid, ${DAY_SUMS} from (${rawDays(request)}) d group by d.device_uid, d.local_day) t
          left join ${players(request)} device on device.uid = t.device_uid`,
      }

/** One row for each device and day. */
export const r3: MakeReport = async (reads, request) => {
  await showRawDays(reads, request)
  const { uid, name, from } = playerDays(request)
  return {
    rows: sql`
      select ${uid} as "deviceUid", ${name} as "device", device.store_number as "storeNumber", device.group_name as "group",
        t.local_day as "day", t.plays as "plays", t.played_ms / 1000.0 as "seconds",
        coalesce(t.melody_seconds, 0) as "melodySeconds", coalesce(t.ad_seconds, 0) as "adSeconds",
        coalesce(t.video_seconds, 0) as "videoSeconds", coalesce(t.video_ad_seconds, 0) as "videoAdSeconds",
        t.ads * 3600000.0 / nullif(t.played_ms, 0) as "adsAnHour"
      from ${from}`,
    order: sql`"device", "storeNumber", "deviceUid", "day"`,
    notes: await notesOfDays(reads, request),
  }
}
