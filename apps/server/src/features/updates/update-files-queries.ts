import type { BodyOf } from '@floorcast/contract/endpoint.ts'
import type { editUpdateFile, UpdateFileRow } from '@floorcast/contract/update-files.ts'
import type { PackageFile } from '@floorcast/contract/update-packages.ts'
import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import type { EveryColumn } from '../../platform/database/every-column.ts'
import { type ListPage, type ListRequest, readPage } from '../../platform/database/list.ts'
import type { Tables } from '../../../database/tables.ts'

export type FileRecord = Omit<UpdateFileRow, 'signatureState' | 'permissions'>
export type PackageFileRecord = Omit<PackageFile, 'signatureState'>

const COLUMNS = sql`f.uid, f.name, f.description, f.original_name, f.size_bytes, f.sha256 as hash, f.signature,
  f.created_at as uploaded_at, f.version`

const listOf = <Row>(
  reads: Reads,
  list: ListRequest,
  of: { columns: RawBuilder<unknown>; from: RawBuilder<unknown>; where: RawBuilder<unknown> },
): Promise<ListPage<Row>> =>
  readPage<Row>(reads, list, {
    ...of,
    searched: [sql`f.name`, sql`f.original_name`, sql`f.description`, sql`f.sha256`],
    sorts: {
      name: sql`lower(f.name)`,
      originalName: sql`lower(f.original_name)`,
      sizeBytes: sql`f.size_bytes`,
      uploadedAt: sql`f.created_at`,
    },
    newest: sql`f.created_at`,
    uid: sql`f.uid`,
  })

export const listFileRecords = (reads: Reads, list: ListRequest): Promise<ListPage<FileRecord>> =>
  listOf(reads, list, {
    columns: sql`${COLUMNS}, coalesce((
      select jsonb_agg(jsonb_build_object('uid', p.uid, 'name', p.name) order by lower(p.name), p.uid)
      from update_package_files l join update_packages p on p.uid = l.package_uid where l.file_uid = f.uid), '[]')
      as packages`,
    from: sql`from update_files f`,
    where: sql`true`,
  })

const LINKED = sql`from update_package_files l join update_files f on f.uid = l.file_uid`
const LINK_COLUMNS = sql`${COLUMNS}, l.uid as link_uid, l.added_at`

export const listPackageFileRecords = (
  reads: Reads,
  packageUid: string,
  list: ListRequest,
): Promise<ListPage<PackageFileRecord>> =>
  listOf(reads, list, {
    columns: LINK_COLUMNS,
    from: LINKED,
    where: sql`l.package_uid = ${packageUid}`,
  })

/** All files of a package, in the order in which they were put into it. */
export async function findPackageFiles(reads: Reads, packageUid: string): Promise<PackageFileRecord[]> {
  const { rows } = await sql<PackageFileRecord>`
    select ${LINK_COLUMNS} ${LINKED} where l.package_uid = ${packageUid} order by l.uid`.execute(reads)
  return rows
}

/** The file, locked until the transaction ends: against every other use, or (`share`) against its change alone. */
export function lockFile(
  writes: Writes,
  uid: string,
  lock: 'update' | 'share' = 'update',
): Promise<Selectable<Tables['updateFiles']> | undefined> {
  const row = writes.selectFrom('updateFiles').selectAll().where('uid', '=', uid)
  return (lock === 'update' ? row.forUpdate() : row.forShare()).executeTakeFirst()
}

type NewFile = Omit<Insertable<Tables['updateFiles']>, 'version'>

export async function insertFile(writes: Writes, file: NewFile): Promise<void> {
  await writes
    .insertInto('updateFiles')
    .values({
      uid: file.uid,
      clientId: file.clientId,
      name: file.name,
      description: file.description,
      originalName: file.originalName,
      sha256: file.sha256,
      sizeBytes: file.sizeBytes,
      signature: file.signature,
      uploadedBy: file.uploadedBy,
      createdAt: file.createdAt,
      changedAt: file.changedAt,
    } satisfies EveryColumn<NewFile>)
    .execute()
}

type FileUpdate = Pick<
  Updateable<Tables['updateFiles']>,
  Exclude<keyof BodyOf<typeof editUpdateFile>, 'uid' | 'version'>
>

/** Returns the file as it is then. */
export async function updateFile(
  writes: Writes,
  uid: string,
  { at, ...change }: FileUpdate & { at: Date },
): Promise<Selectable<Tables['updateFiles']>> {
  return writes
    .updateTable('updateFiles')
    .set({
      name: change.name,
      description: change.description,
      changedAt: at,
      version: sql<number>`version + 1`,
    } satisfies EveryColumn<FileUpdate>)
    .where('uid', '=', uid)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function removeFile(writes: Writes, uid: string): Promise<void> {
  await writes.deleteFrom('updateFiles').where('uid', '=', uid).execute()
}

/** The names of the packages that hold a file. */
export async function findPackageNames(reads: Reads, fileUid: string): Promise<string[]> {
  const rows = await reads
    .selectFrom('updatePackageFiles as l')
    .innerJoin('updatePackages as p', 'p.uid', 'l.packageUid')
    .where('l.fileUid', '=', fileUid)
    .select('p.name')
    .orderBy('p.name')
    .execute()
  return rows.map(row => row.name)
}

/** Does a package hold a file of this name? */
export async function isNameInPackage(
  reads: Reads,
  packageUid: string,
  originalName: string,
): Promise<boolean> {
  const row = await reads
    .selectFrom('updatePackageFiles as l')
    .innerJoin('updateFiles as f', 'f.uid', 'l.fileUid')
    .where('l.packageUid', '=', packageUid)
    .where('f.originalName', '=', originalName)
    .select('l.uid')
    .executeTakeFirst()
  return row !== undefined
}

export async function insertLink(
  writes: Writes,
  link: Insertable<Tables['updatePackageFiles']>,
): Promise<void> {
  await writes.insertInto('updatePackageFiles').values(link).execute()
}

/** Takes a file out of a package; the file's name, or undefined where the link is no such one. */
export async function removeLink(
  writes: Writes,
  link: { uid: string; packageUid: string; fileUid: string },
): Promise<string | undefined> {
  const { rows } = await sql<{ originalName: string }>`
    delete from update_package_files l using update_files f
    where l.uid = ${link.uid} and l.package_uid = ${link.packageUid} and l.file_uid = ${link.fileUid}
      and f.uid = l.file_uid
    returning f.original_name`.execute(writes)
  return rows[0]?.originalName
}
