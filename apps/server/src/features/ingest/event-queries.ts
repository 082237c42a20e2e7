import { sql } from 'kysely'
import type { IngestWrites } from '../../platform/database/ingest.ts'
import { ANSWER_LATER, PLAN_EACH_TIME } from '../../platform/database/scoped-pool.ts'
import {
  addDays,
  addGroupHours,
  addHours,
  addMediaDays,
  addQuarters,
  IS_COUNTED,
  localDayIn,
  MEDIA_DAY_KEY,
  MEDIA_DAY_SUMS,
  QUARTER_KEY,
  QUARTER_SUMS,
  saveNames,
  scheduledDayIn,
  sumByDay,
  sumByMedia,
  sumByQuarter,
  zonesOf,
} from '../statistics/statistics-sql.ts'
import { MERGE_RECEIPTS } from './device-reports-queries.ts'
import { type NumberRanges, parseRanges, writeRanges } from './event-numbers.ts'
import { extendTimelines, type FormerEnds, type PlayedUntil } from './play-queries.ts'
import { type EventRow, splitPlays } from './play-rows.ts'

const later = sql.raw(ANSWER_LATER)

/** A boot of a device with received events. */
export interface Boot {
  clientId: string
  deviceUid: string
  bootUid: string
}

/** Maximum boots of one device: a start every thirteen minutes in the ninety days for which a device keeps its events. */
export const MAX_BOOTS = 10_000

/** A boot with the numbers that the server has received. */
export interface LockedBoot {
  deviceUid: string
  bootUid: string
  received: NumberRanges
}

/**
 * Locks the boots of some calls and the timelines of their devices until the transaction ends. Adds new ones, except boots beyond the
 * limit of a device, and extends the timelines. Every batch locks in the same order, so that two batches with the same devices cannot
 * deadlock.
 */
export async function lockDevices(
  writes: IngestWrites,
  { boots, ends, at }: { boots: readonly Boot[]; ends: readonly PlayedUntil[]; at: Date },
): Promise<{ boots: LockedBoot[]; formerEnds: FormerEnds }> {
  const deviceUids = [...new Set(boots.map(({ deviceUid }) => deviceUid))]
  const { rows } = await sql<{
    deviceUid: string
    bootUid: string | null
    received: string
    formerUntil: string | null
  }>`
    with boots as (
      insert into device_boots as b (device_uid, boot_uid, client_id, first_seen_at, last_seen_at)
      select x."deviceUid", x."bootUid", x."clientId", ${at}, ${at}
      from jsonb_to_recordset(${JSON.stringify(boots)}::jsonb)
        as x("deviceUid" uuid, "bootUid" uuid, "clientId" uuid)
      where case
        when exists (
          select from device_boots k where k.device_uid = x."deviceUid" and k.boot_uid = x."bootUid"
            and k.device_uid = any(${deviceUids}::uuid[])) then true
        else (select count(*) from device_boots o where o.device_uid = x."deviceUid") < ${MAX_BOOTS}
      end
      order by x."deviceUid", x."bootUid"
      on conflict (device_uid, boot_uid) do update set last_seen_at = excluded.last_seen_at
      returning device_uid, boot_uid, received
    ),
    timelines as (${extendTimelines(ends)})
    select device_uid, boot_uid, received::text as received, null::timestamptz as former_until from boots
    union all select device_uid, null, null, former_until from timelines
  `.execute(writes)
  const formerEnds = new Map<string, string | null>()
  const locked: LockedBoot[] = []
  for (const { deviceUid, bootUid, received, formerUntil } of rows)
    if (bootUid === null) formerEnds.set(deviceUid, formerUntil)
    else locked.push({ deviceUid, bootUid, received: parseRanges(received) })
  return { boots: locked, formerEnds }
}

export async function saveReceived(writes: IngestWrites, boots: readonly LockedBoot[]): Promise<void> {
  const rows = boots.map(boot => ({ ...boot, received: writeRanges(boot.received) }))
  // The list makes PostgreSQL look up these rows; from the records alone it would read those of all devices.
  const deviceUids = [...new Set(boots.map(({ deviceUid }) => deviceUid))]
  await sql`
    update device_boots b set received = x.received::int8multirange
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as x("deviceUid" uuid, "bootUid" uuid, received text)
    where b.device_uid = x."deviceUid" and b.boot_uid = x."bootUid" and b.device_uid = any(${deviceUids}::uuid[]) ${later}`.execute(
    writes,
  )
}

/**
 * Rows of `play_media_days` and `delivered_quarters` as JSON, from the statement that knows the plays' local days to the
 * transaction's last one.
 */
export interface SharedSums {
  mediaDays: string
  quarters: string
}
export const NO_SUMS: SharedSums = { mediaDays: '[]', quarters: '[]' }

/** Plays as rows with the fields of an EventRow. Left joins: PostgreSQL would expect few rows of inner ones, and loop over them. */
function sentPlays(rows: readonly EventRow[]) {
  const { plays, devices, items } = splitPlays(rows)
  return sql`
    select * from json_to_recordset(${plays}::json) as x(
      device integer, item integer, day date, "isClockDoubted" boolean, sequence bigint, "eventUid" uuid,
      "scheduledAt" timestamptz, "startedAt" timestamptz, "endedAt" timestamptz, "secondsPlayed" double precision,
      result text, why text, "leftOut" text)
    left join json_to_recordset(${devices}::json) as d(
      device integer, "clientId" uuid, "deviceUid" uuid, "deviceName" text, "groupUid" uuid, "bootUid" uuid,
      "receivedAt" timestamptz) using (device)
    left join json_to_recordset(${items}::json) as i(
      item integer, "publicationUid" uuid, "playlistUid" uuid, "playlistName" text, "itemUid" uuid, "mediaUid" uuid,
      sha256 text, "trackName" text, "contentType" text, "durationSeconds" double precision) using (item)`
}

/**
 * Inserts plays with the name that their group has now and the local day in the zone that their device has now, adds them to
 * the roll-ups by device and day, and saves the newest of each device in its state.
 * @returns their sums by track and day, and by publication and quarter hour, for `countRows`
 */
export async function insertPlays(writes: IngestWrites, rows: readonly EventRow[]): Promise<SharedSums> {
  const groupUids = [...new Set(rows.map(({ groupUid }) => groupUid))]
  const owners = sql`(
    select distinct on ("deviceUid") "clientId" as client_id, "deviceUid" as device_uid, "groupUid" as group_uid from sent)`
  const { rows: counted } = await sql<SharedSums>`
    with sent as materialized (${sentPlays(rows)}),
    zone as materialized (${zonesOf(owners)}),
    named as (
      select day, "deviceUid" as device_uid, "bootUid" as boot_uid, sequence, "clientId" as client_id,
        "eventUid" as event_uid, "receivedAt" as received_at,
        coalesce("isClockDoubted", false) as is_clock_doubted, "deviceName" as device_name, "groupUid" as group_uid, g.name as group_name, "publicationUid" as publication_uid,
        "playlistUid" as playlist_uid, "playlistName" as playlist_name, "itemUid" as item_uid, "mediaUid" as media_uid,
        sha256, "trackName" as track_name, "contentType" as content_type, "scheduledAt" as scheduled_at,
        "startedAt" as started_at, "endedAt" as ended_at, "secondsPlayed" as seconds_played,
        "durationSeconds" as duration_seconds, result, why, "leftOut" as left_out
      from sent
      left join groups g on g.uid = "groupUid" and g.client_id = "clientId" and g.uid = any(${groupUids}::uuid[])
    ),
    play as materialized (
      select local.*, ${scheduledDayIn(sql`zone`, sql`local_day`)} as scheduled_day
      from (
        select named.*, zone.zone, ${localDayIn(sql`zone.zone`)} as local_day
        from named join zone on zone.device_uid = named.device_uid) as local
    ),
    stored as (
      insert into plays (
        day, device_uid, boot_uid, sequence, client_id, event_uid, received_at, is_clock_doubted, device_name,
        group_uid, group_name, publication_uid, playlist_uid, playlist_name, item_uid, media_uid, sha256, track_name,
        content_type, scheduled_at, started_at, ended_at, seconds_played, duration_seconds, result, why, left_out, local_day,
        scheduled_day)
      select day, device_uid, boot_uid, sequence, client_id, event_uid, received_at, is_clock_doubted, device_name,
        group_uid, group_name, publication_uid, playlist_uid, playlist_name, item_uid, media_uid, sha256, track_name,
        content_type, scheduled_at, started_at, ended_at, seconds_played, duration_seconds, result, why, left_out, local_day,
        scheduled_day
      from play
    ),
    names as (${saveNames(sql`play`)}),
    sums as (${sumByDay(sql`play`)}),
    days as (${addDays(sql`sums`)}),
    states as (
      insert into device_states as s (device_uid, client_id, last_played_name, last_played_at)
      select distinct on (device_uid) device_uid, client_id, track_name, started_at
      from play where ${IS_COUNTED}
      order by device_uid, started_at desc
      on conflict (device_uid) do update
        set last_played_name = excluded.last_played_name, last_played_at = excluded.last_played_at
        where s.last_played_at is null or s.last_played_at < excluded.last_played_at)
    select
      (select coalesce(json_agg(media_day), '[]')::text from (${sumByMedia(sql`sums`)}) as media_day) as media_days,
      (select coalesce(json_agg(quarter_sum), '[]')::text from (${sumByQuarter(sql`play`)}) as quarter_sum) as quarters
  `.execute(writes)
  return counted[0] ?? NO_SUMS
}

/** The newest of a device's reports that it is silent, or that a publication began to play. */
const KEEP_SILENCES = sql`
  insert into device_silences as z (device_uid, client_id, because, since)
  select distinct on ("deviceUid") "deviceUid", "clientId", case details ->> 'status' when 'silent' then details ->> 'why' end, at
  from entry
  where "eventKind" = 'playlist' and details ->> 'status' in ('silent', 'began') and not "isClockDoubted"
  order by "deviceUid", at desc, sequence desc
  on conflict (device_uid) do update set because = excluded.because, since = excluded.since where z.since <= excluded.since`

/**
 * Inserts events other than plays. The step of an alert also updates the receipt of the device, with its earliest time; silence
 * updates the device's reason for it.
 */
export async function insertLogs(writes: IngestWrites, rows: readonly EventRow[]): Promise<void> {
  await sql`
    with entry as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as x(
        day date, "deviceUid" uuid, "bootUid" uuid, sequence bigint, "clientId" uuid, "eventUid" uuid, "eventKind" text,
        at timestamptz, "receivedAt" timestamptz, "isClockDoubted" boolean, "deviceName" text, details jsonb)
    ),
    stored as (
      insert into device_logs (
        day, device_uid, boot_uid, sequence, client_id, event_uid, kind, at, received_at, is_clock_doubted, device_name,
        details)
      select day, "deviceUid", "bootUid", sequence, "clientId", "eventUid", "eventKind", at, "receivedAt", "isClockDoubted",
        "deviceName", details
      from entry
    ),
    silences as (${KEEP_SILENCES})
    insert into alert_receipts as r (alert_uid, device_uid, client_id, received_at, started_at, ended_at)
    select a.uid, e."deviceUid", e."clientId",
      min(e.at) filter (where e.details ->> 'step' = 'received'),
      min(e.at) filter (where e.details ->> 'step' = 'started'),
      min(e.at) filter (where e.details ->> 'step' = 'ended')
    from entry e
    join alerts a on e."eventKind" = 'alert' and a.uid = (e.details ->> 'alertUid')::uuid and a.client_id = e."clientId"
    group by a.uid, e."deviceUid", e."clientId"
    order by a.uid, e."deviceUid"
    ${MERGE_RECEIPTS} ${later}`.execute(writes)
}

/** Saves each device's newest step with an update. Devices send the oldest first, so the last one to arrive is the newest. */
export async function saveUpdateStates(writes: IngestWrites, rows: readonly EventRow[]): Promise<void> {
  await sql`
    insert into device_update_states (device_uid, client_id, package_uid, version, step, message, at, received_at)
    select "deviceUid", "clientId", "packageUid", version, step, message, at, "receivedAt"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as x(
      "deviceUid" uuid, "clientId" uuid, "packageUid" uuid, version text, step text, message text, at timestamptz,
      "receivedAt" timestamptz)
    order by "deviceUid"
    on conflict (device_uid) do update set package_uid = excluded.package_uid, version = excluded.version,
      step = excluded.step, message = excluded.message, at = excluded.at, received_at = excluded.received_at
  `.execute(writes)
}

/** Stored rows of a client by kind and day, and what they take on the disk. */
export interface HistoryCount {
  clientId: string
  kind: 'plays' | 'device_logs'
  day: string
  rowCount: number
  byteCount: number
}

/** Counted plays of a client or of one of its groups in an hour. */
interface HourCount {
  clientId: string
  groupUid: string | null
  /** The hour's begin. */
  hour: string
  contentType: string
  plays: number
  playedMs: number
}

/** What a transaction adds to rows that many devices share. */
interface SharedCounts extends SharedSums {
  history: readonly HistoryCount[]
  hours: readonly HourCount[]
}

/**
 * Adds to the counts of stored rows and bytes, which are a client's statistics, and to the roll-ups of a client's, a group's or
 * a track's devices. Servers wait for each other at these rows, so this is a transaction's last statement. PostgreSQL executes
 * the last `with` first; other statements add in the same order.
 */
export async function countRows(
  writes: IngestWrites,
  { history, hours, mediaDays, quarters }: SharedCounts,
): Promise<void> {
  await sql`
    with sums as (
      select x."clientId" as client_id, x."groupUid" as group_uid, x.hour, x."contentType" as content_type, x.plays,
        x."playedMs" as played_ms
      from jsonb_to_recordset(${JSON.stringify(hours)}::jsonb)
        as x("clientId" uuid, "groupUid" uuid, hour timestamptz, "contentType" text, plays integer, "playedMs" bigint)
    ),
    hours as (${addHours(sql`sums`)}),
    group_hours as (${addGroupHours(sql`sums`)}),
    media_sums as (
      select ${MEDIA_DAY_KEY}, ${MEDIA_DAY_SUMS} from json_populate_recordset(null::play_media_days, ${mediaDays}::json)),
    media_days as (${addMediaDays(sql`media_sums`)}),
    quarter_sums as (
      select ${QUARTER_KEY}, ${QUARTER_SUMS} from json_populate_recordset(null::delivered_quarters, ${quarters}::json)),
    quarters as (${addQuarters(sql`quarter_sums`)})
    insert into history_counts as c (client_id, kind, day, row_count, byte_count)
    select x."clientId", x.kind, x.day, sum(x."rowCount"), sum(x."byteCount")
    from jsonb_to_recordset(${JSON.stringify(history)}::jsonb)
      as x("clientId" uuid, kind text, day date, "rowCount" bigint, "byteCount" bigint)
    group by 1, 2, 3 order by 1, 2, 3
    on conflict (client_id, kind, day) do update
      set row_count = c.row_count + excluded.row_count, byte_count = c.byte_count + excluded.byte_count ${later}`.execute(
    writes,
  )
}

/** An event's id with the place of its row. */
export interface EventId {
  id: string
  deviceUid: string
  day: string
  isPlay: boolean
}

/**
 * Those of some events that were stored before, also with another number. Costs a look into one index for each event, also
 * where PostgreSQL has no statistics of the day yet: 500 events took 13 ms beside a million stored ones.
 */
export async function findStoredIds(
  writes: IngestWrites,
  events: readonly EventId[],
): Promise<Pick<EventId, 'id' | 'deviceUid'>[]> {
  if (events.length === 0) return []
  const tables = [
    ['plays', events.filter(({ isPlay }) => isPlay)],
    ['device_logs', events.filter(({ isPlay }) => !isPlay)],
  ] as const
  const stored = []
  for (const [table, some] of tables) if (some.length > 0) stored.push(...(await findIn(writes, table, some)))
  return stored
}

async function findIn(writes: IngestWrites, table: 'plays' | 'device_logs', events: readonly EventId[]) {
  // The list of days makes PostgreSQL plan for these partitions only.
  const days = [...new Set(events.map(({ day }) => day))]
  const { rows } = await sql<Pick<EventId, 'id' | 'deviceUid'>>`${sql.raw(PLAN_EACH_TIME)}
    select x.id, x.device_uid
    from unnest(
      ${events.map(({ id }) => id)}::uuid[], ${events.map(({ deviceUid }) => deviceUid)}::uuid[],
      ${events.map(({ day }) => day)}::date[]) as x(id, device_uid, day)
    cross join lateral (
      select from ${sql.table(table)} s
      where s.day = any(${days}::date[]) and s.day = x.day and s.device_uid = x.device_uid and s.event_uid = x.id
      limit 1) as found`.execute(writes)
  return rows
}
