import { sql } from 'kysely'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import type { Statement } from '../../platform/database/copy-scope.ts'
import { PLAY_COLUMN_NAMES } from './play-columns.ts'

/** A file of the archive: plays of a client and day. */
export interface ArchiveFile {
  day: string
  part: number
  sha256: string
  sizeBytes: number
  rowCount: number
  schemaVersion: number
}

/** Plays by their day (UTC, both inclusive), and by what they played or where. */
export interface WantedPlays {
  from: string
  to: string
  /** The columns that statements name; all without it. Others do not exist for them. */
  columns?: readonly string[] | undefined
  mediaUid?: string | undefined
  deviceUid?: string | undefined
  /** The column by which many statements look for plays. */
  index?: string | undefined
}

const DAY_MS = 86_400_000
const dayAt = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** Days, and so many before and after them. @param from the day, or a moment in it */
export const daysAround = (
  { from, to }: { from: string | Date; to: string | Date },
  days: number,
): Pick<WantedPlays, 'from' | 'to'> => ({
  from: dayAt(new Date(from).getTime() - days * DAY_MS),
  to: dayAt(new Date(to).getTime() + days * DAY_MS),
})

/** The files that may have wanted plays, in the order of their days. */
export async function listArchiveFiles(
  reads: Reads,
  { from, to, deviceUid }: WantedPlays,
): Promise<ArchiveFile[]> {
  const mayHave =
    deviceUid === undefined ? sql`true` : sql`${deviceUid}::uuid between first_device_uid and last_device_uid`
  const { rows } = await sql<ArchiveFile>`
    select day, part, sha256, size_bytes, row_count, schema_version from play_archives
    where day between ${from}::date and ${to}::date and ${mayHave} order by day, part`.execute(reads)
  return rows
}

const columns = sql.join(PLAY_COLUMN_NAMES.map(name => sql.ref(name)))
const columnsOf = (table: string) => sql.join(PLAY_COLUMN_NAMES.map(name => sql.ref(`${table}.${name}`)))

/** In SQL: the first plays of a day in the order of the archive's files. */
export const playsToArchive = (day: string, max: number): Statement => sql`
  select ${columns} from plays where day = ${day}::date order by device_uid, started_at, boot_uid, sequence limit ${max}`

/** What is in a day's partition of a client. */
export interface HotDay {
  /** Up to `max`. */
  plays: number
  /** Plays that a former version has stored, which the roll-ups do not count yet. */
  hasUncounted: boolean
  isArchived: boolean
}

export async function readHotDay(reads: Reads, day: string, max: number): Promise<HotDay> {
  const { rows } = await sql<HotDay>`
    select (select count(*) from (select from plays where day = ${day}::date limit ${max}) counted) as plays,
      exists (select from uncounted_days where day between ${day}::date - 2 and ${day}::date + 2)
        or exists (select from plays where day = ${day}::date and local_day is null) as has_uncounted,
      exists (select from play_archives where day = ${day}::date) as is_archived`.execute(reads)
  return rows[0] ?? { plays: 0, hasUncounted: false, isArchived: false }
}

const hashOf = (table: string) => sql`sum(hashtextextended(row(${columnsOf(table)})::text, 0)::numeric)::text`

/** Rows and the sum of their hashes, in which their order does not count. */
export interface SummedRows {
  rows: number
  hash: string | null
}

/** Deletes the plays of a day that are in the table of further plays too. @returns what is gone, and what that table has */
export async function takePlaysOut(
  writes: Writes,
  { day, table }: { day: string; table: string },
): Promise<{ gone: SummedRows; archived: SummedRows }> {
  const { rows } = await sql<{
    gone: number
    goneHash: string | null
    archived: number
    archivedHash: string | null
  }>`
    with gone as (
      delete from plays p using ${sql.table(table)} f
      where p.day = ${day}::date and p.device_uid = f.device_uid and p.boot_uid = f.boot_uid and p.sequence = f.sequence
      returning ${columnsOf('p')}),
    taken as (select count(*) as rows, ${hashOf('gone')} as hash from gone),
    kept as (select count(*) as rows, ${hashOf('f')} as hash from ${sql.table(table)} f)
    select taken.rows as gone, taken.hash as gone_hash, kept.rows as archived, kept.hash as archived_hash
    from taken, kept`.execute(writes)
  const [sums] = rows
  return {
    gone: { rows: sums?.gone ?? 0, hash: sums?.goneHash ?? null },
    archived: { rows: sums?.archived ?? 0, hash: sums?.archivedHash ?? null },
  }
}

export interface NewArchiveFile extends Omit<ArchiveFile, 'part'> {
  rowsHash: string
  firstDeviceUid: string
  lastDeviceUid: string
  archivedAt: string
}

/** Adds the next part of the day. */
export async function insertArchiveFile(
  writes: Writes,
  clientId: string,
  file: NewArchiveFile,
): Promise<void> {
  await sql`
    insert into play_archives (client_id, day, part, sha256, size_bytes, row_count, rows_hash, schema_version,
      first_device_uid, last_device_uid, archived_at)
    select ${clientId}::uuid, ${file.day}::date, coalesce(max(part), 0) + 1, ${file.sha256}, ${file.sizeBytes}::bigint,
      ${file.rowCount}::bigint, ${file.rowsHash}::numeric, ${file.schemaVersion}::smallint, ${file.firstDeviceUid}::uuid,
      ${file.lastDeviceUid}::uuid, ${file.archivedAt}::timestamptz
    from play_archives where day = ${file.day}::date`.execute(writes)
}

/** Gives up the files of the days before `before`. @returns their hashes, at most `max` */
export async function deleteArchiveFiles(writes: Writes, before: string, max: number): Promise<string[]> {
  const { rows } = await sql<{ sha256: string }>`
    delete from play_archives where (day, part) in (
      select day, part from play_archives where day < ${before}::date order by day, part limit ${max})
    returning sha256`.execute(writes)
  return rows.map(({ sha256 }) => sha256)
}
