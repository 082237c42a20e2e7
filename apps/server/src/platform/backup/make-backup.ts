import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Client } from 'pg'
import { FILE_DELETION_LOCK, FileMissingError, type FileStore } from '../storage/file-store.ts'
import { FILE_MODE, FOLDER_MODE } from '../storage/private-folder.ts'
import { readRights } from '../database/rights.ts'
import { isLockTimeout } from '../database/database-errors.ts'
import { KEEPALIVES, setAll } from '../database/keepalives.ts'
import { readSchema, requireMigrated } from '../database/migrations.ts'
import { CopyOut } from '../database/copy-out.ts'
import {
  BACKUP_LOCK,
  BackupError,
  BackupRunsError,
  type BackupFile,
  type BackupManifest,
  type BackupTable,
  eachFile,
  FILE_LIST,
  FILES,
  FORMAT,
  MANIFEST,
  Meter,
  type Pace,
  PARTIAL,
  pathOfFile,
  pathOfTable,
  SCHEMA,
  writePart,
} from './backup-format.ts'
import { makeProgress, showBytes } from './progress.ts'
import { findFreeName, flushFolder, onTarget, prepareTarget, removeOld } from './target.ts'
import { type CopiedTable, copyOut, listTables, readAsBackup, readSequences } from './tables.ts'

export interface BackupJob {
  /** DATABASE_URL, or that of the embedded PostgreSQL. */
  url: string
  dataDir: string
  /** The installation's key, which is not in the backup but by its hash. */
  secretKeyFile: string
  files: FileStore
  target: string
  /** The target has held backups, and begins again on another disk. */
  isNewTarget?: boolean
  /** How many backups stay, this one included; null: all. */
  keep: number | null
  /** Holds back what is read; null: nothing does. */
  pace: Pace | null
  version: string
  say: (line: string) => void
  signal: AbortSignal
}

export interface MadeBackup {
  folder: string
  manifest: BackupManifest
  /** The names of backups that were removed. */
  removed: string[]
}

/**
 * Backs up an installation while its servers run: the rows of one moment, then the files that they name. Files of other backups in
 * the target are not copied again, so that a backup after one that broke off continues with what is left.
 * @throws BackupError that says what to do; the target's other backups stay as they are
 */
export async function makeBackup(job: BackupJob): Promise<MadeBackup> {
  const client = new Client({
    connectionString: job.url,
    application_name: 'floorcast_backup',
    keepAlive: true,
  })
  const lost = new AbortController()
  client.on('error', error => lost.abort(error))
  await client.connect()
  try {
    await client.query(setAll(KEEPALIVES))
    await requireMigrated(client)
    await requireLock(client)
    const work = { ...job, signal: AbortSignal.any([job.signal, lost.signal]) }
    await readAsBackup(client).catch(explainRole)
    return await onTarget(job.target, () => makeInTarget(client, work))
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** The session of a backup that broke off takes a moment to end. */
async function requireLock(client: Client): Promise<void> {
  await client.query(`set lock_timeout = '2s'`)
  try {
    await client.query(`select pg_advisory_lock(${BACKUP_LOCK})`)
  } catch (error) {
    if (!isLockTimeout(error)) throw error
    throw new BackupRunsError('Another backup of this installation runs. Wait until it has ended')
  }
  await client.query('reset lock_timeout')
}

function explainRole(error: unknown): never {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code !== '22023' && code !== '42501' && code !== '42704') throw error
  throw new BackupError(
    'The database has no role floorcast_backup that its user may take: start this version of Floorcast once, which makes it or says how',
    { cause: error },
  )
}

async function makeInTarget(client: Client, job: BackupJob): Promise<MadeBackup> {
  const { target, dataDir, say, isNewTarget = false } = job
  await prepareTarget(client, { target, dataDir, say, isNew: isNewTarget })
  const folder = await findFreeName(job.target)
  const partial = `${folder}${PARTIAL}`
  try {
    await mkdir(join(partial, 'tables'), { recursive: true, mode: FOLDER_MODE })
    // Deleted files wait until the end of this session: rows of the moment below may name them.
    await client.query(`select pg_advisory_lock(${FILE_DELETION_LOCK})`)
    const rows = await copyRows(client, partial, job)
    const files = await copyFiles(partial, rows.list, job)
    job.signal.throwIfAborted()
    const manifest: BackupManifest = {
      format: FORMAT,
      version: job.version,
      finishedAt: new Date().toISOString(),
      secretKeySha256: await hashSecretKey(job.secretKeyFile),
      ...rows.facts,
      files: { ...files, list: rows.list },
    }
    await writeFile(join(partial, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, {
      mode: FILE_MODE,
      flush: true,
    })
    await flushFolder(partial)
    await rename(partial, folder)
    await flushFolder(job.target)
    const removed = await removeOld(job.target, job.keep).catch(explainKept(folder))
    return { folder, manifest, removed }
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    throw error
  }
}

/** The new backup counts when older ones fail to go. */
const explainKept =
  (folder: string) =>
  (error: unknown): never => {
    throw new BackupError(
      `${folder} is whole. Older backups could not be removed (${error instanceof Error ? error.message : String(error)}): is all in the folder of the user who backs up?`,
      { cause: error },
    )
  }

interface CopiedRows {
  facts: Pick<
    BackupManifest,
    'snapshotAt' | 'postgres' | 'migrations' | 'tables' | 'sequences' | 'rights' | 'schema'
  >
  list: BackupManifest['files']['list']
}

/** Copies all rows of one moment. */
async function copyRows(client: Client, partial: string, job: BackupJob): Promise<CopiedRows> {
  await client.query('begin isolation level repeatable read read only')
  const { rows } = await client.query<{ at: Date; postgres: number }>(
    `select clock_timestamp() as at, current_setting('server_version_num')::int as postgres`,
  )
  const migrations = await requireMigrated(client)
  const all = await listTables(client)
  const tables: BackupTable[] = []
  const progress = makeProgress(job.say)
  let bytes = 0
  for (const [index, table] of all.entries()) {
    const copied = await copyTable(client, { ...job, partial }, table)
    tables.push(copied)
    bytes += copied.part.bytes
    progress(() => `rows: ${index + 1} of ${all.length} tables, ${showBytes(bytes)}`)
  }
  const { part: list } = await writePart(
    join(partial, FILE_LIST),
    client.query(new CopyOut(`copy (${STORED_FILES}) to stdout`)),
  )
  const facts = {
    snapshotAt: (rows[0]?.at ?? new Date()).toISOString(),
    postgres: rows[0]?.postgres ?? 0,
    migrations,
    tables,
    sequences: await readSequences(client),
    rights: await readRights(client),
    schema: (await writePart(join(partial, SCHEMA), [Buffer.from(JSON.stringify(readSchema()))])).part,
  }
  await client.query('commit')
  return { facts, list }
}

/** The client and hash of each stored file that a row names. */
const STORED_FILES = `
  select client_id, sha256 from media_files union select client_id, preview_sha256 from media_items where preview_sha256 is not null
  union select client_id, sha256 from update_files union select client_id, sha256 from play_archives order by 1, 2`

async function copyTable(
  client: Client,
  { partial, pace, signal }: Pick<BackupJob, 'pace' | 'signal'> & { partial: string },
  table: CopiedTable,
): Promise<BackupTable> {
  signal.throwIfAborted()
  const rows = copyOut(client, table)
  const stop = () => rows.destroy(signal.reason instanceof Error ? signal.reason : undefined)
  signal.addEventListener('abort', stop, { once: true })
  try {
    const { part, sha256 } = await writePart(pathOfTable(partial, table.name), rows, pace)
    return { ...table, rows: await rows.rowCount, rowsSha256: sha256, part }
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** Copies the files that no other backup in the target has. */
async function copyFiles(
  partial: string,
  list: BackupManifest['files']['list'],
  job: BackupJob,
): Promise<Omit<BackupManifest['files'], 'list'>> {
  const made = { count: 0, bytes: 0, missing: [] as string[] }
  const progress = makeProgress(job.say)
  await eachFile(partial, list, async file => {
    job.signal.throwIfAborted()
    const bytes = (await sizeOf(pathOfFile(job.target, file))) ?? (await copyFile(file, job))
    if (bytes === null) made.missing.push(file.join('/'))
    else {
      made.count += 1
      made.bytes += bytes
    }
    progress(() => `files: ${made.count}, ${showBytes(made.bytes)}`)
  })
  return made
}

const sizeOf = (path: string) =>
  stat(path).then(
    ({ size }) => size,
    () => null,
  )

/** @returns the file's bytes; null if the store does not have it, or has other bytes */
async function copyFile(
  file: BackupFile,
  { files, target, pace, signal }: BackupJob,
): Promise<number | null> {
  const [clientUid, sha256] = file
  const path = pathOfFile(target, file)
  const draft = join(target, FILES, `${sha256}${PARTIAL}`)
  const meter = new Meter(pace)
  await mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE })
  try {
    const source = await files.openRange({ clientUid, sha256 })
    await pipeline(source, meter.through, createWriteStream(draft, { mode: FILE_MODE, flush: true }), {
      signal,
    })
  } catch (error) {
    await rm(draft, { force: true })
    if (error instanceof FileMissingError) return null
    throw error
  }
  if (meter.sha256() !== sha256) {
    await rm(draft, { force: true })
    return null
  }
  await rename(draft, path)
  await flushFolder(dirname(path))
  return meter.bytes
}

async function hashSecretKey(path: string): Promise<string | null> {
  const key = await readFile(path).catch(() => null)
  return key && createHash('sha256').update(key).digest('hex')
}
