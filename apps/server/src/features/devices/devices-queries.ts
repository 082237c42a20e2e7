import type { Connectivity, DeviceRow, NowPlaying } from '@floorcast/contract/devices.ts'
import type { KindFilter, Kind } from '@floorcast/contract/fields.ts'
import type { TagLevel } from '@floorcast/contract/tag-calls.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Reads } from '../../platform/database/client-scope.ts'
import {
  readMatching,
  readPage,
  type ListPage,
  type ListRequest,
  type Matching,
} from '../../platform/database/list.ts'
import { findNames } from '../../platform/database/names.ts'
import { joinInForce, publicationStateAt } from '../publication-state/publication-state-sql.ts'
import { connectivityAt } from './devices-sql.ts'

/** Which devices. */
export interface DeviceSet {
  kind: KindFilter
  connectivity?: Connectivity | undefined
  group?: string | undefined
  /** In no group. */
  isFree?: boolean
}
export type DeviceList = DeviceSet & ListRequest

const fromDevices = (now: Date) => sql`
  from devices d
  left join device_states s on s.device_uid = d.uid
  left join groups g on g.uid = d.group_uid
  ${joinInForce(sql`d.group_uid`, now)}
  left join playlists l on l.uid = p.playlist_uid`

const ROW_COLUMNS = sql`
  d.uid, d.name, d.description, d.kind, d.changed_at, s.last_contact_at, s.now_playing,
  g.uid as group_uid, g.name as group_name, p.uid as publication_uid, p.name as publication_name,
  l.uid as playlist_uid, l.name as playlist_name`

export interface DeviceRecord {
  uid: string
  name: string
  description: string
  kind: Kind
  changedAt: string
  connectivity: Connectivity
  lastContactAt: string | null
  nowPlaying: NowPlaying | null
  groupUid: string | null
  groupName: string | null
  publicationUid: string | null
  publicationName: string | null
  playlistUid: string | null
  playlistName: string | null
}

const reference = (uid: string | null, name: string | null) =>
  uid === null ? null : { uid, name: name ?? '' }

/** What a device said it played an hour ago is no news: only one that is online plays something now. */
export const deviceRowOf = (record: DeviceRecord): DeviceRow => ({
  uid: record.uid,
  name: record.name,
  description: record.description,
  kind: record.kind,
  changedAt: record.changedAt,
  connectivity: record.connectivity,
  lastContactAt: record.lastContactAt,
  group: reference(record.groupUid, record.groupName),
  publication: reference(record.publicationUid, record.publicationName),
  playlist: reference(record.playlistUid, record.playlistName),
  nowPlaying: record.connectivity === 'online' ? record.nowPlaying : null,
})

function conditions(list: DeviceSet, now: Date): RawBuilder<unknown> {
  const parts = [sql`d.deleted_at is null`]
  if (list.kind !== 'all') parts.push(sql`d.kind = ${list.kind}`)
  if (list.group !== undefined) parts.push(sql`d.group_uid = ${list.group}`)
  if (list.isFree) parts.push(sql`d.group_uid is null`)
  if (list.connectivity) parts.push(sql`${connectivityAt(now)} = ${list.connectivity}`)
  return sql.join(parts, sql` and `)
}

/**
 * In SQL: the groups that each term finds (`term_nr` from 1), by their own names and those of the publications in force and
 * their playlists. The state is a subquery, since an `exists` would be worked out for all of a client's publications.
 */
const groupsOf = (now: Date) => (terms: readonly string[]) => sql`
  select w.term_nr, w.group_uid from search_groups(${terms}::text[]) w
  where w.publication_uid is null
    or (select ${publicationStateAt(now)} from publications p where p.uid = w.publication_uid) = 'active'`

const largeDevices = (list: DeviceSet, now: Date) => ({
  list: 'devices' as const,
  kind: list.kind === 'all' ? null : list.kind,
  isFiltered: list.connectivity !== undefined || list.group !== undefined || list.isFree === true,
  own: sql`from devices d`,
  isWhereJoined: list.connectivity !== undefined,
  walked: ['name', 'kind', 'changedAt'],
  holds: (term: string) => sql`(strpos(d.search_text, lower(${term})) > 0
    or d.group_uid = any(array(select found.group_uid from (${groupsOf(now)([term])}) found)))`,
  groups: groupsOf(now),
})

function deviceSource(list: DeviceSet, now: Date) {
  return {
    columns: sql`${ROW_COLUMNS}, ${connectivityAt(now)} as connectivity`,
    from: fromDevices(now),
    where: conditions(list, now),
    searched: [],
    large: largeDevices(list, now),
    name: sql`d.name`,
    sorts: {
      name: sql`d.sort_name`,
      kind: sql`d.kind`,
      connectivity: connectivityAt(now),
      lastContactAt: sql`s.last_contact_at`,
      group: sql`lower(g.name)`,
      publication: sql`lower(p.name)`,
      playlist: sql`lower(l.name)`,
      changedAt: sql`d.changed_at`,
    },
    newest: sql`d.changed_at`,
    uid: sql`d.uid`,
  }
}

export async function listDeviceRecords(
  reads: Reads,
  list: DeviceList,
  now: Date,
): Promise<ListPage<DeviceRow>> {
  const found = await readPage<DeviceRecord>(reads, list, deviceSource(list, now))
  return { ...found, items: found.items.map(deviceRowOf) }
}

/** The devices that a bulk call's filter finds. */
export const findDevicesMatching = (reads: Reads, list: DeviceSet & Matching, now: Date) =>
  readMatching(reads, list, deviceSource(list, now))

/** Every device of a group, by name. */
export async function listGroupDevices(reads: Reads, groupUid: string, now: Date): Promise<DeviceRow[]> {
  const { rows } = await sql<DeviceRecord>`
    select ${ROW_COLUMNS}, ${connectivityAt(now)} as connectivity ${fromDevices(now)}
    where d.group_uid = ${groupUid} and d.deleted_at is null order by lower(d.name), d.uid`.execute(reads)
  return rows.map(deviceRowOf)
}

export interface DeviceCardRecord extends DeviceRecord {
  licenseKey: string
  licenseBoundAt: string | null
  model: string | null
  expiresAt: string
  createdAt: string
  macAddress: string | null
  ipAddress: string | null
  programVersion: string | null
  temperatureCelsius: number | null
  memorySizeBytes: number | null
  freeMemoryBytes: number | null
  lastPlayedName: string | null
  lastPlayedAt: string | null
  quarantined: { name: string; sha256: string }[] | null
  version: number
}

export async function findDeviceCard(
  reads: Reads,
  uid: string,
  now: Date,
): Promise<DeviceCardRecord | undefined> {
  const { rows } = await sql<DeviceCardRecord>`
    select ${ROW_COLUMNS}, ${connectivityAt(now)} as connectivity, d.license_key, d.license_bound_at, d.model,
      least(d.expires_at, c.subscription_expires_at) as expires_at, d.created_at, s.mac_address, s.ip_address,
      s.program_version, s.temperature_celsius, s.memory_size_bytes, s.free_memory_bytes, s.last_played_name,
      s.last_played_at, s.quarantined, d.version
    ${fromDevices(now)}
    join clients c on c.uid = d.client_id
    where d.uid = ${uid} and d.deleted_at is null`.execute(reads)
  return rows[0]
}

/** Event numbers of a boot that never came, oldest boot first. */
export async function findGaps(reads: Reads, deviceUid: string) {
  const { rows } = await sql<{ bootId: string; from: number; to: number }>`
    select b.boot_uid as boot_id, lower(gap) as "from", upper(gap) - 1 as "to"
    from device_boots b,
      unnest(int8multirange(int8range(1, upper(b.received))) - b.received) as gap
    where b.device_uid = ${deviceUid} and not isempty(b.received)
    order by b.first_seen_at, lower(gap) limit 100`.execute(reads)
  return rows
}

/** What decides a device's volume: its tags on three levels and its group's profiles. */
export async function findVolumeSources(reads: Reads, device: { uid: string; groupUid: string | null }) {
  const { rows: tags } = await sql<{ level: TagLevel; value: string }>`
    select case when device_uid is not null then 'device' when group_uid is not null then 'group' else 'client' end
      as level, value
    from tags
    where key = 'volume' and (device_uid = ${device.uid} or group_uid = ${device.groupUid}
      or (device_uid is null and group_uid is null))`.execute(reads)
  const { rows } = await sql<{ tagPolicy: TagLevel; profileVolume: number | null }>`
    select coalesce((select d.tag_policy from devices d where d.uid = ${device.uid}), c.tag_policy) as tag_policy, (
      select (f.active_settings->>'defaultVolume')::int from profiles f
      join profile_groups fg on fg.profile_uid = f.uid
      where fg.group_uid = ${device.groupUid} and f.active_settings ? 'defaultVolume'
      order by f.uid desc limit 1) as profile_volume
    from clients c`.execute(reads)
  return { tags, tagPolicy: rows[0]?.tagPolicy ?? 'device', profileVolume: rows[0]?.profileVolume ?? null }
}

export async function findDeviceName(reads: Reads, uid: string): Promise<string | undefined> {
  const row = await reads.selectFrom('devices').select('name').where('uid', '=', uid).executeTakeFirst()
  return row?.name
}

/** Names of those of the uids that are devices outside the recycle bin. */
export const findDeviceNames = (reads: Reads, uids: readonly string[]) =>
  findNames(reads, { table: 'devices' }, uids)
