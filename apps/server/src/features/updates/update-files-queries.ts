import type { editUpdateFile } from '@floorcast/contract/update-files.ts'
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import { type EditedField, type InsertOf, type UpdateOf, pick } from '../../platform/database/columns.ts'
import {
  type ListColumns,
  type ListRequest,
  readPage,
  readRows,
  type RowOf,
  referencesTo,
} from '../../platform/database/list.ts'
import { sortKey } from '../../platform/database/list-source.ts'
import type { Tables } from '../../../database/tables.ts'

const fileColumns = {
  uid: { select: sql<string>`f.uid` },
  name: { select: sql<string>`f.name`, sort: sortKey(sql`f.name`), search: true },
  description: { select: sql<string>`f.description`, search: true },
  originalName: { select: sql<string>`f.original_name`, sort: sortKey(sql`f.original_name`), search: true },
  sizeBytes: { select: sql<number>`f.size_bytes`, sort: true },
  hash: { select: sql<string>`f.sha256`, search: true },
  signature: { select: sql<string | null>`f.signature` },
  statement: { select: sql<string | null>`f.statement` },
  statementSignature: { select: sql<string | null>`f.statement_signature` },
  uploadedAt: { select: sql<string>`f.created_at`, sort: true },
  version: { select: sql<number>`f.version` },
} satisfies ListColumns

export const listFileRows = (reads: Reads, list: ListRequest) =>
  readPage(reads, list, {
    columns: {
      ...fileColumns,
      packages: {
        select: referencesTo(
          'p',
          sql`from update_package_files l join update_packages p on p.uid = l.package_uid where l.file_uid = f.uid`,
        ),
      },
    },
    from: sql`from update_files f`,
    where: sql`true`,
    newest: sql`f.created_at`,
  })

/** The columns of a file in a package. */
const linkColumns = {
  ...fileColumns,
  linkUid: { select: sql<string>`l.uid` },
  addedAt: { select: sql<string>`l.added_at` },
} satisfies ListColumns
export type PackageFileRow = RowOf<typeof linkColumns>

const FROM_LINKS = sql`from update_package_files l join update_files f on f.uid = l.file_uid`

export const listPackageFileRows = (reads: Reads, packageUid: string, list: ListRequest) =>
  readPage(reads, list, {
    columns: linkColumns,
    from: FROM_LINKS,
    where: sql`l.package_uid = ${packageUid}`,
    newest: sql`f.created_at`,
  })

/** All files of a package, in the order in which they were added. */
export const findPackageFiles = (reads: Reads, packageUid: string): Promise<PackageFileRow[]> =>
  readRows(reads, linkColumns, sql`${FROM_LINKS} where l.package_uid = ${packageUid} order by l.uid`)

interface SignedFile {
  packageUid: string
  sha256: string
  signature: string | null
  statement: string | null
  statementSignature: string | null
}

/** The files of these packages, with what their signatures are checked by. */
export async function listSignatures(reads: Reads, packageUids: readonly string[]) {
  const { rows } = await sql<SignedFile>`
    select l.package_uid, f.sha256, f.signature, f.statement, f.statement_signature ${FROM_LINKS}
    where l.package_uid = any(${packageUids}::uuid[])`.execute(reads)
  return rows
}

/** Locks the file until the transaction ends: exclusively, or against changes (`share`). */
export function lockFile(
  writes: Writes,
  uid: string,
  lock: 'update' | 'share' = 'update',
): Promise<Selectable<Tables['updateFiles']> | undefined> {
  const row = writes.selectFrom('updateFiles').selectAll().where('uid', '=', uid)
  return (lock === 'update' ? row.forUpdate() : row.forShare()).executeTakeFirst()
}

const newFile = [
  'uid',
  'clientId',
  'name',
  'description',
  'originalName',
  'sha256',
  'sizeBytes',
  'signature',
  'statement',
  'statementSignature',
  'uploadedBy',
  'createdAt',
  'changedAt',
] as const
type NewFile = InsertOf<
  'updateFiles',
  typeof newFile,
  keyof Omit<Insertable<Tables['updateFiles']>, 'version'>
>

export async function insertFile(writes: Writes, file: NewFile): Promise<void> {
  await writes.insertInto('updateFiles').values(pick(file, newFile)).execute()
}

const fileUpdate = ['name', 'description'] as const
type FileUpdate = UpdateOf<'updateFiles', typeof fileUpdate, EditedField<typeof editUpdateFile>>

/** @returns the file after the change */
export async function updateFile(
  writes: Writes,
  uid: string,
  { at, ...change }: FileUpdate & { at: Date },
): Promise<Selectable<Tables['updateFiles']>> {
  return writes
    .updateTable('updateFiles')
    .set({ ...pick(change, fileUpdate), changedAt: at, version: sql<number>`version + 1` })
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
    .orderBy(sortKey(sql`p.name`))
    .orderBy('p.uid')
    .execute()
  return rows.map(row => row.name)
}

/** True if a package has a file of this name. */
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

/** Removes a file from a package. @returns the file's name; undefined for an unknown link */
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
