import type { FilterValue, ValuedDeviceFilter } from '@floorcast/contract/device-filters.ts'
import type { addDevice, DeviceCard, DeviceRow, editDevice } from '@floorcast/contract/devices.ts'
import type { BodyOf } from '@floorcast/contract/endpoint.ts'
import type { Kind, Reference } from '@floorcast/contract/fields.ts'
import { type Selectable, sql, type RawBuilder } from 'kysely'
import type { Tables } from '../../../database/tables.ts'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import { type EditedField, type InsertOf, type UpdateOf, pick } from '../../platform/database/columns.ts'
import { insertMany } from '../../platform/database/insert-many.ts'
import { hasTerms } from '../../platform/database/list-source.ts'
import {
  readMatching,
  readPage,
  readRows,
  referenceTo,
  type ListColumns,
  type ListPage,
  type ListRequest,
  type Matching,
} from '../../platform/database/list.ts'
import { findNames } from '../../platform/database/names.ts'
import type { NamedItem } from '../../platform/lib/bulk.ts'
import { joinInForce, publicationStateAt } from '../publication-state/publication-state-sql.ts'
import { type DeviceSet, fromFiltered, isFiltered, isInSet, PROGRAM_VERSION } from './device-set-sql.ts'
import {
  activityAt,
  changesInSecondsAt,
  connectivityAt,
  nowPlayingAt,
  silentReasonAt,
} from './devices-sql.ts'

export type DeviceList = DeviceSet & ListRequest

const fromDevices = (now: Date) => sql`
  from devices d
  left join device_states s on s.device_uid = d.uid
  left join groups g on g.uid = d.group_uid
  ${joinInForce(sql`d.group_uid`, now)}
  left join playlists l on l.uid = p.playlist_uid`

const deviceColumns = (now: Date) =>
  ({
    uid: { select: sql<string>`d.uid` },
    name: { select: sql<string>`d.name`, sort: sql`d.sort_name`, sortIndex: 'never-null' },
    storeNumber: {
      select: sql<string>`d.store_number`,
      sort: sql`d.sort_store_number`,
      sortIndex: 'nullable',
    },
    description: { select: sql<string>`d.description` },
    kind: { select: sql<Kind>`d.kind`, sort: true, sortIndex: 'never-null' },
    connectivity: { select: connectivityAt(now), sort: true },
    lastContactAt: { select: sql<string | null>`s.last_contact_at`, sort: true },
    activity: { select: activityAt(now) },
    silentReason: { select: silentReasonAt(now) },
    silentSince: {
      select: sql<string | null>`case when ${activityAt(now)} = 'silent' then s.silent_since end`,
      sort: true,
    },
    isConnectionLost: { select: sql<boolean>`s.channel_lost_at is not null` },
    changesInSeconds: { select: changesInSecondsAt(now) },
    nowPlaying: { select: nowPlayingAt(now) },
    group: { select: referenceTo('g'), sort: sql`g.sort_name` },
    publication: { select: referenceTo('p'), sort: sql`p.sort_name` },
    playlist: { select: referenceTo('l'), sort: sql`l.sort_name` },
    programVersion: { select: sql<string | null>`s.program_version`, sort: true },
    changedAt: { select: sql<string>`d.changed_at`, sort: true, sortIndex: 'never-null' },
  }) satisfies ListColumns

/**
 * In SQL: the groups that each term finds (`term_nr` from 1) by the names of the groups, of publications in force and of their
 * playlists. The state is a subquery: PostgreSQL would evaluate an `exists` for all of a client's publications.
 */
const groupsOfTerms = (now: Date) => (terms: readonly string[]) =>
  sql`
  select w.term_nr, w.group_uid as parent_uid from search_groups(${terms}::text[]) w
  where w.publication_uid is null
    or (select ${publicationStateAt(now)} from publications p where p.uid = w.publication_uid) = 'active'`

/** The list of devices as `readPage` reads it. */
export const deviceSource = (list: DeviceSet, now: Date) => ({
  columns: deviceColumns(now),
  from: fromDevices(now),
  where: isInSet(list, now),
  newest: sql`d.changed_at`,
  large: {
    list: 'devices' as const,
    kind: list.kind === 'all' ? null : list.kind,
    isFiltered: isFiltered(list),
    ownTable: fromFiltered(list),
    hasTerm: (term: string) => sql`(strpos(d.search_text, fold(${term})) > 0
      or d.group_uid = any(array(select parent_uid from (${groupsOfTerms(now)([term])}) matching)))`,
    parents: groupsOfTerms(now),
  },
})

export const listDeviceRows = (reads: Reads, list: DeviceList, now: Date): Promise<ListPage<DeviceRow>> =>
  readPage(reads, list, deviceSource(list, now))

/** The devices that a bulk call's filter finds. */
export const findDevicesMatching = (reads: Reads, list: DeviceSet & Matching, now: Date) =>
  readMatching(reads, list, deviceSource(list, now))

const cardColumns = (now: Date) =>
  ({
    ...deviceColumns(now),
    connectionLostAt: { select: sql<string | null>`s.channel_lost_at` },
    licenseKey: { select: sql<string>`d.license_key` },
    licenseBoundAt: { select: sql<string | null>`d.license_bound_at` },
    model: { select: sql<string | null>`d.model` },
    expiresAt: { select: sql<string>`least(d.expires_at, c.subscription_expires_at)` },
    ownExpiresAt: { select: sql<string | null>`d.expires_at` },
    createdAt: { select: sql<string>`d.created_at` },
    macAddress: { select: sql<string | null>`s.mac_address` },
    ipAddress: { select: sql<string | null>`s.ip_address` },
    temperatureCelsius: { select: sql<number | null>`s.temperature_celsius` },
    memorySizeBytes: { select: sql<number | null>`s.memory_size_bytes` },
    freeMemoryBytes: { select: sql<number | null>`s.free_memory_bytes` },
    lastPlayedName: { select: sql<string | null>`s.last_played_name` },
    lastPlayedAt: { select: sql<string | null>`s.last_played_at` },
    quarantined: { select: sql<DeviceCard['quarantined']>`coalesce(s.quarantined, '[]')` },
    alertCheck: { select: sql<DeviceCard['alertCheck']>`s.alert_check` },
    server: { select: sql<DeviceCard['server']>`s.server` },
    version: { select: sql<number>`d.version` },
  }) satisfies ListColumns

export async function findDeviceCard(reads: Reads, uid: string, now: Date) {
  const from = sql`${fromDevices(now)} join clients c on c.uid = d.client_id
    where d.uid = ${uid} and d.deleted_at is null`
  const [card] = await readRows(reads, cardColumns(now), from)
  return card
}

/** Missing event numbers of boots, oldest boot first. */
export async function findGaps(reads: Reads, deviceUid: string) {
  const { rows } = await sql<{ bootId: string; from: number; to: number }>`
    select b.boot_uid as boot_id, lower(gap) as "from", upper(gap) - 1 as "to"
    from device_boots b,
      unnest(int8multirange(int8range(1, upper(b.received))) - b.received) as gap
    where b.device_uid = ${deviceUid} and not isempty(b.received)
    order by b.first_seen_at, lower(gap) limit 100`.execute(reads)
  return rows
}

export async function findDeviceName(reads: Reads, uid: string): Promise<string | undefined> {
  const row = await reads.selectFrom('devices').select('name').where('uid', '=', uid).executeTakeFirst()
  return row?.name
}

/** Names of those of the uids that are devices outside the recycle bin. */
export const findDeviceNames = (reads: Reads, uids: readonly string[]) =>
  findNames(reads, { table: 'devices' }, uids)

/** Locks the count of devices, so that two devices that are added at once cannot exceed the plan's limit. */
export async function lockDeviceCount(writes: Writes, clientId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`devices ${clientId}`}, 0))`.execute(writes)
}

export async function countDevices(reads: Reads): Promise<{ used: number; limit: number }> {
  const { rows } = await sql<{ used: number; limit: number }>`
    select (select count(*) from devices where deleted_at is null) as used, p.device_limit as "limit"
    from clients c join plans p on p.key = c.plan_key`.execute(reads)
  return rows[0] ?? { used: 0, limit: 0 }
}

const newDevice = ['uid', 'clientId', 'kind', 'name', 'storeNumber', 'description', 'licenseKey'] as const
const newImportedDevice = [...newDevice, 'groupUid', 'importUid', 'importLine'] as const
type NewDevice = InsertOf<'devices', typeof newDevice, keyof BodyOf<typeof addDevice>>
type NewImportedDevice = InsertOf<'devices', typeof newImportedDevice>

export async function insertDevice(writes: Writes, device: NewDevice, at: Date): Promise<void> {
  await writes
    .insertInto('devices')
    .values({ ...pick(device, newDevice), createdAt: at, changedAt: at })
    .execute()
}

export const insertDevices = (
  writes: Writes,
  devices: readonly NewImportedDevice[],
  at: Date,
): Promise<void> =>
  insertMany(
    writes,
    'devices',
    devices.map(device => ({ ...pick(device, newImportedDevice), createdAt: at, changedAt: at })),
  )

export type StoredDevice = Selectable<Tables['devices']>

/** Locks the device until the transaction ends. */
export function lockDevice(writes: Writes, uid: string): Promise<StoredDevice | undefined> {
  return writes
    .selectFrom('devices')
    .selectAll()
    .where('uid', '=', uid)
    .where('deletedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

const deviceUpdate = [
  'name',
  'storeNumber',
  'description',
  'expiresAt',
  'groupUid',
  'licenseKey',
  'licenseBoundAt',
  'boxUid',
  'tokenHash',
  'deletedAt',
  'deletedBy',
] as const
type DeviceUpdate = UpdateOf<'devices', typeof deviceUpdate, EditedField<typeof editDevice, 'volume'>>

/** @returns the device after the change */
export async function updateDevice(
  writes: Writes,
  uid: string,
  { at, ...change }: DeviceUpdate & { at: Date },
): Promise<StoredDevice> {
  return writes
    .updateTable('devices')
    .set({ ...pick(change, deviceUpdate), changedAt: at, version: sql<number>`version + 1` })
    .where('uid', '=', uid)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Moves those devices to the recycle bin that are in no group, always in the same order. @returns them */
export async function binFreeDevices(
  writes: Writes,
  uids: readonly string[],
  { at, deletedBy }: { at: Date; deletedBy: string },
): Promise<NamedItem[]> {
  const { rows } = await sql<NamedItem>`
    with free as materialized (
      select uid from devices
      where uid = any(${uids}::uuid[]) and deleted_at is null and group_uid is null order by uid for update)
    update devices d set deleted_at = ${at}, deleted_by = ${deletedBy}, changed_at = ${at}, version = d.version + 1
    from free where d.uid = free.uid returning d.uid, d.name`.execute(writes)
  return rows
}

/** Removes every device from a group. @returns the devices */
export async function emptyGroup(writes: Writes, groupUid: string, at: Date): Promise<NamedItem[]> {
  return writes
    .updateTable('devices')
    .set(eb => ({ groupUid: null, changedAt: at, version: eb('version', '+', 1) }))
    .where('groupUid', '=', groupUid)
    .returning(['uid', 'name'])
    .execute()
}

/** Forgets what devices hold of publications, which concern them no more when they leave their group. */
export async function forgetHoldings(writes: Writes, uids: readonly string[]): Promise<void> {
  await sql`delete from publication_holdings where device_uid = any(${uids}::uuid[])`.execute(writes)
}

/** Adds those devices to a group that are in no group and not in the bin. @returns these devices */
export async function joinFreeDevices(
  writes: Writes,
  uids: readonly string[],
  { groupUid, at }: { groupUid: string; at: Date },
): Promise<NamedItem[]> {
  if (uids.length === 0) return []
  return writes
    .updateTable('devices')
    .set(eb => ({ groupUid, changedAt: at, version: eb('version', '+', 1) }))
    .where('uid', 'in', uids)
    .where('groupUid', 'is', null)
    .where('deletedAt', 'is', null)
    .returning(['uid', 'name'])
    .execute()
}

/** Resets a device to 'never up'. @returns the time of its last contact */
export async function forgetContact(
  writes: Writes,
  device: { clientId: string; deviceUid: string; at: Date },
): Promise<string | null> {
  const state = await writes
    .selectFrom('deviceStates')
    .selectAll()
    .where('deviceUid', '=', device.deviceUid)
    .forUpdate()
    .executeTakeFirst()
  await writes
    .updateTable('deviceStates')
    .set({ lastContactAt: null, nowPlaying: null })
    .where('deviceUid', '=', device.deviceUid)
    .execute()
  // Heartbeats wait for the state's lock, so that the reset is the newest transition, also of the same millisecond.
  await sql`
    with passed as (
      insert into device_transitions (device_uid, client_id, at, state)
      select ${device.deviceUid}, ${device.clientId}, passed.at, passed.state
      from (values
        (${state?.lastContactAt ?? null}::timestamptz + interval '1 hour', 'linkdown'),
        (${state?.lastContactAt ?? null}::timestamptz + interval '1 day', 'linklost')) passed(at, state)
      where passed.at < ${device.at}
      on conflict do nothing)
    insert into device_transitions (device_uid, client_id, at, state)
    select ${device.deviceUid}, ${device.clientId}, greatest(${device.at}::timestamptz, max(at) + interval '1 ms'), 'neverup'
    from device_transitions where device_uid = ${device.deviceUid}`.execute(writes)
  return state?.lastContactAt ?? null
}

/** The values that are offered at once. */
const MAX_OFFERED = 20

/** Rows of value, name and count whose names have the terms of a search. */
const VALUES: Record<ValuedDeviceFilter, (search: string) => RawBuilder<unknown>> = {
  group: search => sql`
    select g.uid::text as value, g.name, null::int as count from groups g
    where g.deleted_at is null and ${hasTerms(search, [sql`g.name`])} order by g.sort_name, g.uid`,
  playlist: search => sql`
    select l.uid::text as value, l.name, null::int as count from playlists l
    where l.deleted_at is null and ${hasTerms(search, [sql`l.name`])} order by l.sort_name, l.uid`,
  version: search => sql`
    select value, value as name, count from (
      select ${PROGRAM_VERSION} as value, count(*)::int as count
      from devices d left join device_states s on s.device_uid = d.uid
      where d.deleted_at is null group by 1) version
    where ${hasTerms(search, [sql`value`])} order by count desc, value`,
}

const TABLES = { group: 'groups', playlist: 'playlists' } as const

export async function listFilterValues(
  reads: Reads,
  filter: ValuedDeviceFilter,
  search: string,
): Promise<{ values: FilterValue[]; more: boolean }> {
  const { rows } = await sql<FilterValue>`${VALUES[filter](search)} limit ${MAX_OFFERED + 1}`.execute(reads)
  return { values: rows.slice(0, MAX_OFFERED), more: rows.length > MAX_OFFERED }
}

/** The names of those groups or playlists that exist. */
export const findChosenValues = async (
  reads: Reads,
  filter: ValuedDeviceFilter,
  uids: readonly string[],
): Promise<Reference[]> =>
  filter === 'version' || uids.length === 0 ? [] : findNames(reads, { table: TABLES[filter] }, uids)
