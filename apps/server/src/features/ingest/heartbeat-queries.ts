import type { Heartbeat } from '@floorcast/contract/device-protocol.ts'
import type { SignedAddress } from '@floorcast/contract/server-address.ts'
import { sql } from 'kysely'
import type { IngestWrites } from '../../platform/database/ingest.ts'
import { keepHoldings } from './device-reports-queries.ts'

/** A heartbeat with the ids of the device's session. */
export interface ReceivedHeartbeat {
  uid: string
  clientId: string
  deviceUid: string
  groupUid: string | null
  receivedAt: Date
  heartbeat: Heartbeat
}

/** The manifest for the answer to a stored heartbeat, and what consoles are told. */
export interface StoredHeartbeat {
  deviceUid: string
  /** Its hash; null if it is to be made again. */
  etag: string | null
  /** The open alerts that it names. */
  alerts: string
  /** The signed address of the device's client; null: none is published. */
  signedServer: SignedAddress | null
  /** Lists and cards show something else of the device now. */
  isNews: boolean
  /** The publications of which it holds something else now; null: none. */
  publications: string[] | null
}

/** An older program reports as its profile says: every 60 s by default. */
const PROFILE_SECONDS = sql`(
  select (f.active_settings ->> 'heartbeatSeconds')::float8 from profile_groups g
  join profiles f on f.uid = g.profile_uid
  where g.client_id = beat."clientId" and g.group_uid = beat."groupUid" and f.active_settings ? 'heartbeatSeconds'
  order by f.activated_at desc, f.uid desc limit 1)`

/** Three heartbeats at their latest: each has a jitter of 10 %. A second is for the network. */
const OVERDUE_AT = sql`n."receivedAt" + (3.3 * n.seconds + 1) * interval '1 second'`

/** A heartbeat that names the same play as the one before it does not prolong what the server believes of it. */
const PLAYING_SINCE = sql`
  case when n.playing is null then null
    when (f.now_playing ->> 'startedAt', f.now_playing ->> 'name') = (n.playing ->> 'startedAt', n.playing ->> 'name')
      then coalesce(f.playing_since, n."receivedAt")
    else n."receivedAt" end`

/**
 * The end of the track, and one heartbeat. The end is at most the rest of the file after the first heartbeat that named it, since the
 * device's clock may be ahead. A clock that is an hour or more behind says nothing.
 */
const PLAYING_UNTIL = sql`(
  select p.since + (case when e.seconds < -3600 then l.seconds else greatest(0, least(e.seconds, l.seconds)) end
    + 1.1 * n.seconds + 1) * interval '1 second'
  from (select least(604800, greatest(0, (n.playing ->> 'durationSeconds')::float8
    - coalesce((n.playing ->> 'offsetSeconds')::float8, 0))) as seconds) l
  cross join lateral (
    select extract(epoch from (n.playing ->> 'startedAt')::timestamptz - p.since)::float8 + l.seconds as seconds) e
  where n.playing ->> 'durationSeconds' is not null)`

/** By the device's own time, unless that is not plausible; else since its first heartbeat in silence. */
const SILENT_SINCE = sql`
  case when n.playing is not null and n.volume > 0 then null
    when (n.silent ->> 'since')::timestamptz between n."receivedAt" - interval '90 days' and n."receivedAt"
      then (n.silent ->> 'since')::timestamptz
    when f.silence is not distinct from n.silent ->> 'because' and f.silent_since is not null then f.silent_since
    else n."receivedAt" end`

/** The state keeps what has no row, until the next row takes it along. Of several heartbeats in one commit the last may have one. */
const OMITTED = sql`
  case when t.is_kept then n."receivedAt" else t.kept_at end,
  case when t.is_kept then t.beats - 1 else t.omitted_reports + t.beats end,
  case when not t.is_kept or t.beats > 1 then n."receivedAt" end,
  case when not t.is_kept then greatest(t.omitted_temperature_celsius, t.temperature) when t.beats > 1 then t.temperature end,
  case when not t.is_kept then least(t.omitted_free_memory_bytes, t.free_memory) when t.beats > 1 then t.free_memory end`

const quarterOf = (moment: ReturnType<typeof sql>) =>
  sql`date_bin('15 minutes', ${moment}, timestamptz 'epoch')`

/** The device's heartbeat before, of which the state knows. */
const BEFORE = sql`coalesce(f.omitted_until, f.kept_at)`

/**
 * True if the history gets a row of this heartbeat: of what changes in it, except a track, which the plays tell; after three missed
 * ones; the first one of each quarter of an hour, by which a device's day shows them; and one in ten minutes. Temperature and free
 * memory always change: a row has the extremes of those without one.
 */
const IS_KEPT = sql`
  f.kept_at is null or f.last_contact_at is null or n."receivedAt" < ${BEFORE}
  or n."receivedAt" >= f.kept_at + interval '10 minutes'
  or ${quarterOf(sql`n."receivedAt"`)} > ${quarterOf(BEFORE)}
  or n."receivedAt" >= ${BEFORE} + (3.3 * f.heartbeat_seconds + 1) * interval '1 second'
  or (f.boot_uid, f.program_version, f.memory_size_bytes, f.ip_address, f.mac_address, f.volume, f.heartbeat_seconds, f.silence,
    f.now_playing is null) is distinct from (n."bootId", n."programVersion", n."memorySizeBytes", n."ipAddress", n."macAddress",
    n.volume, n.seconds::real, n.silent ->> 'because', n.playing is null)`

/** Which devices get a row, with what had none before, and these rows. */
const THIN = sql`
  thinned as materialized (
    select n."deviceUid", ${IS_KEPT} as is_kept, f.kept_at, coalesce(f.omitted_reports, 0) as omitted_reports, f.omitted_until,
      f.omitted_temperature_celsius, f.omitted_free_memory_bytes, c.beats, c.temperature, c.free_memory
    from newest n left join former f on f.device_uid = n."deviceUid"
    join (select "deviceUid", count(*)::int as beats, max("temperatureCelsius") as temperature, min("freeMemoryBytes") as free_memory
      from beat group by 1) c on c."deviceUid" = n."deviceUid"
  ),
  kept as materialized (
    select n.*, t.omitted_reports, t.omitted_until, t.omitted_temperature_celsius, t.omitted_free_memory_bytes
    from newest n join thinned t on t."deviceUid" = n."deviceUid" where t.is_kept
  )`

const KEEP_STATE = sql`
  insert into device_states as s (
    device_uid, client_id, last_contact_at, device_clock_at, boot_uid, program_version, temperature_celsius,
    memory_size_bytes, free_memory_bytes, ip_address, mac_address, volume, now_playing, manifest_etag, quarantined,
    alert_check, server, heartbeat_seconds, overdue_at, playing_since, playing_until, silence, silent_since,
    kept_at, omitted_reports, omitted_until, omitted_temperature_celsius, omitted_free_memory_bytes)
  select n."deviceUid", n."clientId", n."receivedAt", "sentAt", "bootId", "programVersion", "temperatureCelsius",
    "memorySizeBytes", "freeMemoryBytes", "ipAddress", "macAddress", n.volume, n.playing, "manifestEtag", n.quarantined,
    nullif("alertCheck", 'null'), nullif(n.server, 'null'), n.seconds, ${OVERDUE_AT}, p.since, ${PLAYING_UNTIL}, n.silent ->> 'because',
    ${SILENT_SINCE}, ${OMITTED}
  from newest n join thinned t on t."deviceUid" = n."deviceUid" left join former f on f.device_uid = n."deviceUid"
  cross join lateral (select ${PLAYING_SINCE} as since) p
  order by n."deviceUid"
  on conflict (device_uid) do update set
    last_contact_at = greatest(s.last_contact_at, excluded.last_contact_at),
    device_clock_at = excluded.device_clock_at, boot_uid = excluded.boot_uid,
    program_version = excluded.program_version, temperature_celsius = excluded.temperature_celsius,
    memory_size_bytes = excluded.memory_size_bytes, free_memory_bytes = excluded.free_memory_bytes,
    ip_address = excluded.ip_address, mac_address = excluded.mac_address, volume = excluded.volume,
    now_playing = excluded.now_playing, manifest_etag = excluded.manifest_etag, quarantined = excluded.quarantined,
    alert_check = excluded.alert_check, server = excluded.server, heartbeat_seconds = excluded.heartbeat_seconds,
    overdue_at = excluded.overdue_at, playing_since = excluded.playing_since, playing_until = excluded.playing_until,
    silence = excluded.silence, silent_since = excluded.silent_since, channel_lost_at = null,
    kept_at = excluded.kept_at, omitted_reports = excluded.omitted_reports, omitted_until = excluded.omitted_until,
    omitted_temperature_celsius = excluded.omitted_temperature_celsius,
    omitted_free_memory_bytes = excluded.omitted_free_memory_bytes`

const ADD_HISTORY = sql`
  insert into heartbeats (
    day, device_uid, received_at, client_id, uid, boot_uid, device_clock_at, program_version, temperature_celsius,
    memory_size_bytes, free_memory_bytes, ip_address, mac_address, volume, now_playing_name,
    heartbeat_seconds, omitted_reports, omitted_until, omitted_temperature_celsius, omitted_free_memory_bytes)
  select ("receivedAt" at time zone 'UTC')::date, "deviceUid", "receivedAt", "clientId", uid, "bootId", "sentAt",
    "programVersion", "temperatureCelsius", "memorySizeBytes", "freeMemoryBytes", "ipAddress", "macAddress", volume,
    playing ->> 'name', seconds, omitted_reports, omitted_until, omitted_temperature_celsius, omitted_free_memory_bytes
  from kept`

/** Transitions have the time at which the threshold passed. The inner select first finds the few devices that passed one. */
const ADD_TRANSITIONS = sql`
  insert into device_transitions (device_uid, at, client_id, state)
  select c."deviceUid", c.at, c."clientId", c.state
  from (
    select n."deviceUid", n."clientId", n."receivedAt", f.last_contact_at
    from newest n left join former f on f.device_uid = n."deviceUid"
    where f.last_contact_at is null or n."receivedAt" > f.last_contact_at + interval '1 hour'
  ) as b
  cross join lateral (values
    (b."deviceUid", b."clientId", b.last_contact_at + interval '1 hour', 'linkdown', b.last_contact_at is not null),
    (b."deviceUid", b."clientId", b.last_contact_at + interval '1 day', 'linklost',
      b."receivedAt" > b.last_contact_at + interval '1 day'),
    -- A reset may have the same millisecond, or be later: it waited for no heartbeat.
    (b."deviceUid", b."clientId", case when b.last_contact_at is not null then b."receivedAt"
      else greatest(b."receivedAt", (select max(t.at) + interval '1 ms' from device_transitions t
        where t.device_uid = b."deviceUid")) end, 'online', true)
  ) as c("deviceUid", "clientId", at, state, "hasPassed")
  where c."hasPassed"
  on conflict do nothing`

/** What a row takes on the disk with its indexes, without the track's name: about so much. */
const HEARTBEAT_BYTES = sql.lit(320)

const COUNT_ROWS = sql`
  insert into history_counts as c (client_id, kind, day, row_count, byte_count)
  select "clientId", 'heartbeats', ("receivedAt" at time zone 'UTC')::date as day, count(*),
    sum(${HEARTBEAT_BYTES} + octet_length(coalesce("nowPlaying" ->> 'name', '')))
  from kept group by "clientId", day order by "clientId", day
  on conflict (client_id, kind, day) do update
    set row_count = c.row_count + excluded.row_count, byte_count = c.byte_count + excluded.byte_count`

const distinct = (uids: readonly string[]) => [...new Set(uids)]

/** True if connectivity, activity, track, volume, version, files, faults of alerts or the refused address have changed, which lists and cards show. */
const IS_NEWS = sql`
  f.last_contact_at is null or b."receivedAt" > f.last_contact_at + interval '1 hour'
  or f.channel_lost_at is not null or f.overdue_at <= b."receivedAt" or f.playing_until <= b."receivedAt"
  or f.silence is distinct from b.silent ->> 'because'
  or (f.now_playing ->> 'name', f.now_playing ->> 'startedAt', f.program_version, f.volume, f.manifest_etag, f.quarantined,
    f.alert_check -> 'faults', f.server -> 'refused') is distinct from (b.playing ->> 'name', b.playing ->> 'startedAt', b."programVersion", b.volume, b."manifestEtag", b.quarantined,
      b."alertCheck" -> 'faults', b.server -> 'refused')`

/** True if the manifest was made of the current revisions. */
const IS_MADE = sql`
  m.made_own_revision = m.own_revision and m.made_group_uid is not distinct from b."groupUid"
  and m.made_group_revision = coalesce(g.revision, 0) and m.made_client_revision = coalesce(c.revision, 0)`

const SIGNED_SERVER = sql`
  case when k.address_statement is not null
    then jsonb_build_object('text', k.address_statement, 'signature', k.address_signature) end`

/**
 * Stores heartbeats of any devices in one statement: history, of few of them a row, newest state, transitions of connectivity, held publications
 * and the count of rows. Of several heartbeats of one device the last is the newest state.
 */
export async function storeHeartbeats(
  writes: IngestWrites,
  received: readonly ReceivedHeartbeat[],
): Promise<StoredHeartbeat[]> {
  const rows = received.map(({ heartbeat, receivedAt, ...ids }, n) => ({
    n,
    ...ids,
    receivedAt: receivedAt.toISOString(),
    ...heartbeat,
  }))
  // The lists make PostgreSQL look up these rows; from the records alone it would read those of all devices.
  const deviceUids = distinct(received.map(({ deviceUid }) => deviceUid))
  const groupUids = distinct(received.flatMap(({ groupUid }) => groupUid ?? []))
  const clientIds = distinct(received.map(({ clientId }) => clientId))
  // A statement that names the profiles waits for their locks, also where it reads none.
  const isOlder = received.some(({ heartbeat }) => heartbeat.intervalSeconds === undefined)
  const profileSeconds = isOlder ? PROFILE_SECONDS : sql`null`
  const { rows: answers } = await sql<StoredHeartbeat>`
    with beat as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as b(
        n integer, uid uuid, "clientId" uuid, "deviceUid" uuid, "groupUid" uuid, "receivedAt" timestamptz, "sentAt" timestamptz,
        "bootId" uuid, "programVersion" text, "temperatureCelsius" real, "memorySizeBytes" bigint,
        "freeMemoryBytes" bigint, "ipAddress" text, "macAddress" text, volume smallint, "nowPlaying" jsonb,
        "manifestEtag" text, held jsonb, quarantined jsonb, "alertCheck" jsonb, "intervalSeconds" float8, silence jsonb, server jsonb)
    ),
    newest as materialized (
      select distinct on ("deviceUid") *, nullif("nowPlaying", 'null') as playing, nullif(silence, 'null') as silent,
        coalesce("intervalSeconds", ${profileSeconds}, 60) as seconds
      from beat order by "deviceUid", n desc
    ),
    former as materialized (
      -- Every batch locks in the same order, so that two batches with the same devices cannot deadlock.
      select s.device_uid, s.server, s.last_contact_at, s.now_playing, s.program_version, s.volume, s.manifest_etag, s.quarantined,
        s.alert_check, s.overdue_at, s.playing_since, s.playing_until, s.silence, s.silent_since, s.channel_lost_at,
        s.boot_uid, s.memory_size_bytes, s.ip_address, s.mac_address, s.heartbeat_seconds, s.kept_at, s.omitted_reports,
        s.omitted_until, s.omitted_temperature_celsius, s.omitted_free_memory_bytes
      from device_states s where s.device_uid = any(${deviceUids}::uuid[])
      order by s.device_uid for update
    ),
    ${THIN},
    state as (${KEEP_STATE}),
    history as (${ADD_HISTORY}),
    transitions as (${ADD_TRANSITIONS}),
    holdings as (${keepHoldings(received.map(({ heartbeat }) => heartbeat))}),
    counts as (${COUNT_ROWS})
    select b."deviceUid" as device_uid, coalesce(m.made_alerts, '') as alerts,
      case when ${IS_MADE} then nullif(m.etag, '') end as etag,
      ${SIGNED_SERVER} as signed_server, (${IS_NEWS}) as is_news, changed.publications
    from newest b
    left join (select device_uid, array_agg(publication_uid) as publications from holdings group by device_uid) changed
      on changed.device_uid = b."deviceUid"
    left join former f on f.device_uid = b."deviceUid"
    left join device_manifests m on m.device_uid = b."deviceUid" and m.device_uid = any(${deviceUids}::uuid[])
    left join group_manifests g on g.group_uid = b."groupUid" and g.group_uid = any(${groupUids}::uuid[])
    left join clients k on k.uid = b."clientId" and k.uid = any(${clientIds}::uuid[])
    left join client_manifests c on c.client_id = b."clientId" and c.client_id = any(${clientIds}::uuid[])
  `.execute(writes)
  return answers
}
