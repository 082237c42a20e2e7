import type { BodyOf } from '@floorcast/contract/endpoint.ts'
import type { UpdateStep } from '@floorcast/contract/events.ts'
import type { addPackage, editPackage, PackageState } from '@floorcast/contract/update-packages.ts'
import { type Selectable, sql } from 'kysely'
import type { Tables } from '../../../database/tables.ts'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import { type InsertOf, type UpdateOf, pick } from '../../platform/database/columns.ts'
import { sortKey } from '../../platform/database/list-source.ts'
import {
  type ListColumns,
  type ListRequest,
  readPage,
  readRows,
  referencesTo,
  referenceTo,
} from '../../platform/database/list.ts'
import { activityAt, changesInSecondsAt, connectivityAt, silentReasonAt } from '../devices/devices-sql.ts'

export interface PackageList extends ListRequest {
  state?: PackageState | undefined
  category?: string | undefined
}

/** The numbers of the version, which sort correctly except for pre-releases. */
export const versionNumbers = sql`string_to_array(split_part(p.version, '-', 1), '.')::int[]`

const packageColumns = {
  uid: { select: sql<string>`p.uid` },
  name: { select: sql<string>`p.name`, sort: sortKey(sql`p.name`), search: true },
  description: { select: sql<string>`p.description`, search: true },
  category: { select: sql<string>`p.category`, sort: sortKey(sql`p.category`), search: true },
  version: { select: sql<string>`p.version`, sort: versionNumbers, search: true },
  state: { select: sql<PackageState>`p.state`, sort: true },
  fileCount: {
    select: sql<number>`(select count(*) from update_package_files l where l.package_uid = p.uid)`,
  },
  sizeBytes: {
    select: sql<number>`(select coalesce(sum(f.size_bytes), 0)
      from update_package_files l join update_files f on f.uid = l.file_uid where l.package_uid = p.uid)`,
  },
  channels: {
    select: referencesTo(
      'c',
      sql`from deploy_packages d join update_channels c on c.uid = d.channel_uid where d.package_uid = p.uid`,
    ),
  },
  recordVersion: { select: sql<number>`p.record_version` },
  createdAt: { select: sql<string>`p.created_at` },
  changedAt: { select: sql<string>`p.changed_at`, sort: true },
} satisfies ListColumns

export function listPackageRows(reads: Reads, list: PackageList) {
  const parts = [sql`true`]
  if (list.state) parts.push(sql`p.state = ${list.state}`)
  if (list.category) parts.push(sql`p.category = ${list.category}`)
  return readPage(reads, list, {
    columns: packageColumns,
    from: sql`from update_packages p`,
    where: sql.join(parts, sql` and `),
    newest: sql`p.changed_at`,
  })
}

export async function findPackage(reads: Reads, uid: string) {
  const [card] = await readRows(reads, packageColumns, sql`from update_packages p where p.uid = ${uid}`)
  return card
}

export type StoredPackage = Selectable<Tables['updatePackages']>

/** Locks the package until the transaction ends: exclusively, or against changes (`share`). */
export function lockPackage(
  writes: Writes,
  uid: string,
  lock: 'update' | 'share' = 'update',
): Promise<StoredPackage | undefined> {
  const row = writes.selectFrom('updatePackages').selectAll().where('uid', '=', uid)
  return (lock === 'update' ? row.forUpdate() : row.forShare()).executeTakeFirst()
}

const newPackage = ['uid', 'clientId', 'name', 'description', 'category', 'version'] as const
type NewPackage = InsertOf<'updatePackages', typeof newPackage, keyof BodyOf<typeof addPackage>>

export async function insertPackage(writes: Writes, draft: NewPackage, at: Date): Promise<void> {
  await writes
    .insertInto('updatePackages')
    .values({ ...pick(draft, newPackage), createdAt: at, changedAt: at })
    .execute()
}

const packageUpdate = ['name', 'description', 'category', 'version', 'state'] as const
type PackageUpdate = UpdateOf<
  'updatePackages',
  typeof packageUpdate,
  Exclude<keyof BodyOf<typeof editPackage>, 'uid' | 'recordVersion'>
>

/** @returns the package after the change */
export async function updatePackage(
  writes: Writes,
  uid: string,
  { at, ...change }: PackageUpdate & { at: Date },
): Promise<StoredPackage> {
  return writes
    .updateTable('updatePackages')
    .set({ ...pick(change, packageUpdate), changedAt: at, recordVersion: sql<number>`record_version + 1` })
    .where('uid', '=', uid)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Deletes a package with its links. Its files are kept. */
export async function removePackage(writes: Writes, uid: string): Promise<void> {
  await writes.deleteFrom('updatePackages').where('uid', '=', uid).execute()
}

/** The channels with this package. */
export async function findChannelsOf(
  reads: Reads,
  packageUid: string,
): Promise<{ uid: string; name: string }[]> {
  return reads
    .selectFrom('deployPackages as d')
    .innerJoin('updateChannels as c', 'c.uid', 'd.channelUid')
    .where('d.packageUid', '=', packageUid)
    .select(['c.uid', 'c.name'])
    .orderBy(sortKey(sql`c.name`))
    .orderBy('c.uid')
    .execute()
}

export interface DeviceList extends ListRequest {
  group?: string | undefined
  step?: readonly UpdateStep[] | undefined
  /** The devices of the channels that have this package. */
  package?: string | undefined
}

const deviceColumns = (now: Date) =>
  ({
    uid: { select: sql<string>`d.uid` },
    name: { select: sql<string>`d.name`, sort: sql`d.sort_name`, search: true },
    group: { select: referenceTo('g'), sort: sql`g.sort_name`, search: [sql`g.name`] },
    connectivity: { select: connectivityAt(now) },
    activity: { select: activityAt(now) },
    silentReason: { select: silentReasonAt(now) },
    isConnectionLost: { select: sql<boolean>`s.channel_lost_at is not null` },
    lastContactAt: { select: sql<string | null>`s.last_contact_at` },
    changesInSeconds: { select: changesInSecondsAt(now) },
    heldVersion: { select: sql<string | null>`s.program_version`, sort: true, search: true },
    step: { select: sql<UpdateStep | null>`u.step`, sort: true },
    stepVersion: { select: sql<string | null>`u.version`, search: true },
    stepAt: { select: sql<string | null>`u.at`, sort: true },
    error: {
      select: sql<string | null>`
        case when u.step in ('refused', 'failed', 'returned') then coalesce(u.message, u.step) end`,
      search: [sql`u.message`],
    },
  }) satisfies ListColumns

/** Devices with their installed version and the state of their last update. */
export function listDeviceRows(reads: Reads, list: DeviceList, now: Date) {
  const parts = [sql`d.deleted_at is null`]
  if (list.group) parts.push(sql`d.group_uid = ${list.group}`)
  if (list.step) parts.push(sql`u.step = any(${list.step}::text[])`)
  if (list.package)
    parts.push(sql`d.group_uid in (
      select cg.group_uid from update_channel_groups cg
      join deploy_packages dp on dp.channel_uid = cg.channel_uid where dp.package_uid = ${list.package})`)
  return readPage(reads, list, {
    columns: deviceColumns(now),
    from: sql`from devices d left join groups g on g.uid = d.group_uid
      left join device_states s on s.device_uid = d.uid left join device_update_states u on u.device_uid = d.uid`,
    where: sql.join(parts, sql` and `),
    newest: sql`d.changed_at`,
  })
}
