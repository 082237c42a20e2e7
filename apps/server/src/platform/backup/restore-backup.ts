import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { Client } from 'pg'
import { type Schema, makeSchema, migrateDatabase, readMigrations } from '../database/migrations.ts'
import { readRights, requireRights } from '../database/rights.ts'
import {
  describeRestoration,
  noteRestored,
  noteRestoredTogether,
  type Restoration,
} from '../database/restorations.ts'
import { ensureRoles } from '../database/roles.ts'
import {
  BackupError,
  type BackupManifest,
  listBackups,
  MARK,
  readManifest,
  readPart,
  SCHEMA,
} from './backup-format.ts'
import { makeProgress, showBytes } from './progress.ts'
import { loadTable } from './tables.ts'

/** A backup in a target. */
export interface FoundBackup {
  target: string
  folder: string
  manifest: BackupManifest
}

/** The backup in a folder, or the newest one of a target. @throws BackupError */
export async function findBackup(source: string): Promise<FoundBackup> {
  const isTarget = await stat(join(source, MARK)).then(
    () => true,
    () => false,
  )
  if (!isTarget) return { target: dirname(source), folder: source, manifest: await readManifest(source) }
  const newest = (await listBackups(source)).at(-1)
  if (newest === undefined) throw new BackupError(`${source} holds no complete backup`)
  const folder = join(source, newest)
  return { target: source, folder, manifest: await readManifest(folder) }
}

/** The moment that a restore goes back to. */
export const momentOf = ({ manifest }: FoundBackup) => manifest.snapshotAt

/** @throws BackupError if this version cannot read the backup's database */
export function requireKnown({ manifest, folder }: FoundBackup): void {
  const newest = readMigrations().at(-1)?.name ?? ''
  const newer = manifest.migrations.find(name => name > newest)
  if (newer !== undefined)
    throw new BackupError(
      `${folder} was made by Floorcast ${manifest.version}, which is newer (migration ${newer}): restore it with that version`,
    )
}

/**
 * Makes the tables of a backup in an empty database and fills them: all in one transaction, so that a restore that ends early leaves
 * nothing. Rows are checked against the manifest. A trial is for no devices: it is not noted.
 * @returns the rights that were given by hand, and are not restored @throws BackupError; RolesMissingError
 */
export async function restoreRows(
  url: string,
  backup: FoundBackup,
  { say, isTrial = false }: { say: (line: string) => void; isTrial?: boolean },
): Promise<string[]> {
  const { folder, manifest } = backup
  return asOwner(url, async owner => {
    await requireNoTables(owner)
    await ensureRoles(owner)
    const schema = await readSchemaOf(backup)
    await owner.query(
      `begin; set local statement_timeout = 0; set local timezone = UTC; set local maintenance_work_mem = '256MB'`,
    )
    await makeSchema(owner, schema)
    await makePartitions(owner, manifest)
    const restoreRules = await setRulesAside(owner)
    const progress = makeProgress(say)
    let bytes = 0
    for (const [index, table] of manifest.tables.entries()) {
      await loadTable(owner, folder, table)
      bytes += table.part.bytes
      progress(() => `rows: ${index + 1} of ${manifest.tables.length} tables, ${showBytes(bytes)}`)
    }
    for (const { name, last, isCalled } of manifest.sequences)
      await owner.query('select setval($1::regclass, $2, $3)', [`public.${name}`, last, isCalled])
    say('indexes and foreign keys')
    for (const statement of restoreRules) await owner.query(statement)
    const lost = await findLostRights(owner, backup)
    const canBeNoted = !isTrial && manifest.migrations.includes(NOTED_SINCE)
    const restoration = canBeNoted ? await noteRestoredTogether(owner, manifest.snapshotAt) : null
    await owner.query('commit')
    if (restoration) tell(restoration, say)
    await owner.query('analyze')
    return lost
  })
}

async function asOwner<T>(url: string, work: (owner: Client) => Promise<T>): Promise<T> {
  const owner = new Client({ connectionString: url, application_name: 'floorcast_restore', keepAlive: true })
  owner.on('error', () => undefined)
  await owner.connect()
  try {
    return await work(owner)
  } finally {
    await owner.end().catch(() => undefined)
  }
}

/** @throws BackupError if a database holds tables */
export const requireEmpty = (url: string) => asOwner(url, requireNoTables)

async function requireNoTables(owner: Client): Promise<void> {
  const { rows } = await owner.query<{ tables: number; database: string }>(
    `select count(*)::int as tables, current_database() as database from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
  )
  if (rows[0]?.tables === 0) return
  throw new BackupError(
    `The database ${rows[0]?.database} holds ${rows[0]?.tables} tables: a restore needs an empty one. Nothing was changed. Take another DATA_DIR or DATABASE_URL`,
  )
}

async function readSchemaOf({ folder, manifest }: FoundBackup): Promise<Schema> {
  let text = ''
  await readPart(join(folder, SCHEMA), manifest.schema, async source => {
    text = (await buffer(source)).toString()
  })
  return JSON.parse(text) as Schema
}

/** The partitions that the backup has, beside those of their days in the other histories. */
async function makePartitions(owner: Client, { tables }: BackupManifest): Promise<void> {
  const days = tables.flatMap(({ name }) => {
    const [, year, month, day = '02'] =
      /^(?:plays|heartbeats|device_logs|play_days)_(\d{4})(\d\d)(\d\d)?$/.exec(name) ?? []
    return year === undefined ? [] : [`${year}-${month}-${day}`]
  })
  for (const day of new Set(days)) await owner.query('select make_day_partitions($1, $1)', [day])
}

interface RuleRow {
  undo: string
  redo: string
}

/**
 * What would refuse or slow the rows while they come: foreign keys, indexes that hold no key, triggers, and row-level security, which COPY
 * does not pass. An index of a partitioned table is made on its partitions too. @returns the statements that bring it back
 */
async function setRulesAside(owner: Client): Promise<string[]> {
  const { rows } = await owner.query<RuleRow>(`
    with ours as (select oid, relkind, relforcerowsecurity, relispartition from pg_class where relnamespace = 'public'::regnamespace)
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as undo,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(k.oid)) as redo, 3 as step
    from pg_constraint k join ours on ours.oid = conrelid where contype = 'f' and conparentid = 0
    union all
    select format('drop index %s', indexrelid::regclass), replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON '), 1
    from pg_index join ours on ours.oid = indrelid
    where not relispartition and not exists (select from pg_constraint where conindid = indexrelid)
    union all
    select format('alter table %s disable trigger user', oid::regclass), format('alter table %s enable trigger user', oid::regclass), 4
    from ours where exists (select from pg_trigger where tgrelid = ours.oid and not tgisinternal and tgparentid = 0)
    union all
    select format('alter table %s no force row level security', oid::regclass), format('alter table %s force row level security', oid::regclass), 5
    from ours where relforcerowsecurity
    order by step`)
  for (const { undo } of rows.toReversed()) await owner.query(undo)
  return rows.map(({ redo }) => redo)
}

/** The rights that the database had when it was backed up, and has no more: somebody had given them by hand. */
async function findLostRights(owner: Client, { manifest }: FoundBackup): Promise<string[]> {
  const has = new Set(await readRights(owner))
  return manifest.rights.filter(line => !has.has(line))
}

/** Brings restored rows to this version. @returns the names of the migrations that they lacked */
export async function finishRestore(
  url: string,
  backup: FoundBackup,
  say: (line: string) => void,
): Promise<string[]> {
  const applied = await migrateDatabase(url)
  await requireRights(url)
  const restoration = await asOwner(url, owner => noteRestored(owner, momentOf(backup)))
  if (!backup.manifest.migrations.includes(NOTED_SINCE)) tell(restoration, say)
  return applied
}

/** The installation takes the key of the first server that starts. */
export const forgetKey = (url: string) =>
  asOwner(url, async owner => {
    await owner.query('update installation_state set key_fingerprint = null')
  })

function tell(restoration: Restoration, say: (line: string) => void): void {
  for (const line of describeRestoration(restoration)) say(line)
}

/** The last migration that noting a restore needs. A backup of before is noted when it is brought to this version. */
const NOTED_SINCE = '0195-restored-alerts'
