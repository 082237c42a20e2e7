import { pipeline } from 'node:stream/promises'
import type { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { CopyOut } from '../database/copy-out.ts'
import { type BackupManifest, BackupError, type BackupTable, pathOfTable, readPart } from './backup-format.ts'

/* The rows of a database, table by table, as COPY writes and reads them. */

/** COPY writes the same bytes for the same rows then, on each server and in each session. */
const FIXED_FORMS = `
  set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set lock_timeout = 0;
  set client_encoding = 'UTF8'; set datestyle = 'ISO'; set intervalstyle = 'postgres'; set timezone = 'UTC';
  set extra_float_digits = 1; set bytea_output = 'hex'; set synchronize_seqscans = off`

/** Lets the connection read every row of every client, and change nothing. */
export async function readAsBackup(client: Client): Promise<void> {
  await client.query(`${FIXED_FORMS}; set role floorcast_backup`)
}

/** A table that holds rows; a partition is one. Generated columns are not copied. */
export type CopiedTable = Pick<BackupTable, 'name' | 'columns'>

/** The tables of the schema, in the order of their names. @throws BackupError if one is not let out to the role of backups */
export async function listTables(client: Client): Promise<CopiedTable[]> {
  const { rows } = await client.query<CopiedTable & { isReadable: boolean }>(`
    select c.relname::text as name,
      array(select attname::text from pg_attribute a where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = ''
        order by attnum) as columns,
      has_table_privilege('floorcast_backup', c.oid, 'select') and (not relrowsecurity or exists (
        select from pg_policy where polrelid = c.oid and polcmd in ('r', '*') and polpermissive
          and 'floorcast_backup'::regrole = any(polroles) and pg_get_expr(polqual, polrelid) = 'true')) as "isReadable"
    from pg_class c where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`)
  const hidden = rows.filter(({ isReadable }) => !isReadable).map(({ name }) => name)
  if (hidden.length > 0)
    throw new BackupError(
      `The role floorcast_backup does not read ${hidden.slice(0, 3).join(', ')}: a backup would lack its rows. Was this database restored by hand? See docs/operate/backup.md`,
    )
  return rows.map(({ name, columns }) => ({ name, columns }))
}

const columnsOf = ({ columns }: CopiedTable) => columns.map(name => `"${name}"`).join(', ')

/** The rows of a table as bytes. */
export const copyOut = (client: Client, table: CopiedTable): CopyOut =>
  client.query(new CopyOut(`copy public."${table.name}" (${columnsOf(table)}) to stdout`))

export type CopiedSequence = BackupManifest['sequences'][number]

export async function readSequences(client: Client): Promise<CopiedSequence[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname::text as name from pg_class where relkind = 'S' and relnamespace = 'public'::regnamespace order by 1`,
  )
  const sequences: CopiedSequence[] = []
  for (const { name } of rows) {
    const { rows: values } = await client.query<{ last: string; isCalled: boolean }>(
      `select last_value::text as last, is_called as "isCalled" from "${name}"`,
    )
    const [value] = values
    if (value) sequences.push({ name, ...value })
  }
  return sequences
}

/** Loads a table, in the place of rows that its migration writes. @throws BackupError if they are not those of the manifest */
export async function loadTable(client: Client, folder: string, table: BackupTable): Promise<void> {
  const path = pathOfTable(folder, table.name)
  await client.query(`truncate public."${table.name}"`)
  const sha256 = await readPart(path, table.part, async source => {
    const into = client.query(copyFrom(`copy public."${table.name}" (${columnsOf(table)}) from stdin`))
    await pipeline(source, into)
    if (into.rowCount !== table.rows)
      throw new BackupError(
        `${path} has ${into.rowCount} rows, and ${table.rows} were written. Take another backup`,
      )
  })
  if (sha256 !== table.rowsSha256)
    throw new BackupError(`${path} has other rows than were written. Take another backup`)
}
