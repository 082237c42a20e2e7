import type { Heartbeat } from '@floorcast/contract/device-protocol.ts'
import { sql } from 'kysely'
import type { IngestWrites } from '../../platform/database/ingest.ts'
import { channelOf } from '../../platform/database/notify.ts'
import { keepHoldings, NOTIFY_HOLDINGS } from './device-reports-queries.ts'

/** A heartbeat with the ids of the device's session. */
export interface ReceivedHeartbeat {
  uid: string
  clientId: string
  deviceUid: string
  groupUid: string | null
  receivedAt: Date
  heartbeat: Heartbeat
}

/** The manifest for the answer to a stored heartbeat. */
export interface StoredHeartbeat {
  deviceUid: string
  /** Its hash; null if it is to be made again. */
  etag: string | null
  /** The open alerts that it names. */
  alerts: string
}

const KEEP_STATE = sql`
  insert into device_states as s (
    device_uid, client_id, last_contact_at, device_clock_at, boot_uid, program_version, temperature_celsius,
    memory_size_bytes, free_memory_bytes, ip_address, mac_address, volume, now_playing, manifest_etag, quarantined,
    alert_check)
  select "deviceUid", "clientId", "receivedAt", "sentAt", "bootId", "programVersion", "temperatureCelsius",
    "memorySizeBytes", "freeMemoryBytes", "ipAddress", "macAddress", volume, playing, "manifestEtag", quarantined,
    nullif("alertCheck", 'null')
  from newest order by "deviceUid"
  on conflict (device_uid) do update set
    last_contact_at = greatest(s.last_contact_at, excluded.last_contact_at),
    device_clock_at = excluded.device_clock_at, boot_uid = excluded.boot_uid,
    program_version = excluded.program_version, temperature_celsius = excluded.temperature_celsius,
    memory_size_bytes = excluded.memory_size_bytes, free_memory_bytes = excluded.free_memory_bytes,
    ip_address = excluded.ip_address, mac_address = excluded.mac_address, volume = excluded.volume,
    now_playing = excluded.now_playing, manifest_etag = excluded.manifest_etag, quarantined = excluded.quarantined,
    alert_check = excluded.alert_check`

const ADD_HISTORY = sql`
  insert into heartbeats (
    day, device_uid, received_at, client_id, uid, boot_uid, device_clock_at, program_version, temperature_celsius,
    memory_size_bytes, free_memory_bytes, ip_address, mac_address, volume, now_playing_name)
  select ("receivedAt" at time zone 'UTC')::date, "deviceUid", "receivedAt", "clientId", uid, "bootId", "sentAt",
    "programVersion", "temperatureCelsius", "memorySizeBytes", "freeMemoryBytes", "ipAddress", "macAddress", volume,
    "nowPlaying" ->> 'name'
  from beat`

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
const HEARTBEAT_BYTES = sql.lit(280)

const COUNT_ROWS = sql`
  insert into history_counts as c (client_id, kind, day, row_count, byte_count)
  select "clientId", 'heartbeats', ("receivedAt" at time zone 'UTC')::date as day, count(*),
    sum(${HEARTBEAT_BYTES} + octet_length(coalesce("nowPlaying" ->> 'name', '')))
  from beat group by "clientId", day order by "clientId", day
  on conflict (client_id, kind, day) do update
    set row_count = c.row_count + excluded.row_count, byte_count = c.byte_count + excluded.byte_count`

const distinct = (uids: readonly string[]) => [...new Set(uids)]

/** True if connectivity, track, volume, version, files or faults of alerts have changed, which lists and cards show. */
const IS_NEWS = sql`
  f.last_contact_at is null or b."receivedAt" > f.last_contact_at + interval '1 hour'
  or (f.now_playing ->> 'name', f.program_version, f.volume, f.manifest_etag, f.quarantined,
    f.alert_check -> 'faults') is distinct from (b.playing ->> 'name', b."programVersion", b.volume, b."manifestEtag", b.quarantined,
      b."alertCheck" -> 'faults')`

/** True if the manifest was made of the current revisions. */
const IS_MADE = sql`
  m.made_own_revision = m.own_revision and m.made_group_uid is not distinct from b."groupUid"
  and m.made_group_revision = coalesce(g.revision, 0) and m.made_client_revision = coalesce(c.revision, 0)`

/**
 * Stores heartbeats of any devices in one statement: history, newest state, transitions of connectivity, held publications,
 * the count of rows, and notices to consoles. Of several heartbeats of one device the last is the newest state.
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
  const { rows: answers } = await sql<StoredHeartbeat>`
    with beat as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as b(
        n integer, uid uuid, "clientId" uuid, "deviceUid" uuid, "groupUid" uuid, "receivedAt" timestamptz, "sentAt" timestamptz,
        "bootId" uuid, "programVersion" text, "temperatureCelsius" real, "memorySizeBytes" bigint,
        "freeMemoryBytes" bigint, "ipAddress" text, "macAddress" text, volume smallint, "nowPlaying" jsonb,
        "manifestEtag" text, held jsonb, quarantined jsonb, "alertCheck" jsonb)
    ),
    newest as materialized (
      select distinct on ("deviceUid") *, nullif("nowPlaying", 'null') as playing
      from beat order by "deviceUid", n desc
    ),
    former as materialized (
      -- Every batch locks in the same order, so that two batches with the same devices cannot deadlock.
      select s.device_uid, s.last_contact_at, s.now_playing, s.program_version, s.volume, s.manifest_etag, s.quarantined,
        s.alert_check
      from device_states s where s.device_uid = any(${deviceUids}::uuid[])
      order by s.device_uid for update
    ),
    state as (${KEEP_STATE}),
    history as (${ADD_HISTORY}),
    transitions as (${ADD_TRANSITIONS}),
    holdings as (${keepHoldings(received.map(({ heartbeat }) => heartbeat))}),
    notices as materialized (${NOTIFY_HOLDINGS}),
    counts as (${COUNT_ROWS})
    select b."deviceUid" as device_uid, coalesce(m.made_alerts, '') as alerts,
      case when ${IS_MADE} then nullif(m.etag, '') end as etag,
      case when ${IS_NEWS} then pg_notify(${channelOf('live')}, concat_ws(' ', b."clientId", 'device', b."deviceUid")) end
    from newest b
    -- A common table expression that nothing reads would not run.
    cross join (select count(*) from notices) as sent
    left join former f on f.device_uid = b."deviceUid"
    left join device_manifests m on m.device_uid = b."deviceUid" and m.device_uid = any(${deviceUids}::uuid[])
    left join group_manifests g on g.group_uid = b."groupUid" and g.group_uid = any(${groupUids}::uuid[])
    left join client_manifests c on c.client_id = b."clientId" and c.client_id = any(${clientIds}::uuid[])
  `.execute(writes)
  return answers
}
