import type { BodyOf } from '@floorcast/contract/endpoint.ts'
import type { addPackage, editPackage, PackageState } from '@floorcast/contract/update-packages.ts'
import { type Selectable, sql } from 'kysely'
import type { Tables } from '../../../database/tables.ts'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import { type InsertOf, type UpdateOf, pick } from '../../platform/database/columns.ts'
import {
  type ListColumns,
  type ListRequest,
  readPage,
  readRows,
  referencesTo,
} from '../../platform/database/list.ts'
import { sortKey } from '../../platform/database/list-source.ts'

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
