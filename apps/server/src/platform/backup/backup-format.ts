import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import { z } from 'zod'
import { FILE_MODE } from '../storage/private-folder.ts'

/*
 * What a backup is on the disk:
 *
 *   TARGET/floorcast-backups.json     whose backups these are
 *   TARGET/files/CLIENT/ab/SHA256     the stored files of all backups, each once
 *   TARGET/2026-11-30T02-00-00Z/      one backup: manifest.json, which is written last, schema.json.zst, files.copy.zst, and
 *                                     tables/NAME.copy.zst, the rows as COPY writes them
 */

export const FORMAT = 1
export const MANIFEST = 'manifest.json'
export const SCHEMA = 'schema.json.zst'
export const FILE_LIST = 'files.copy.zst'
export const MARK = 'floorcast-backups.json'
export const FILES = 'files'
/** The advisory lock of the one backup of an installation that runs. */
export const BACKUP_LOCK = "hashtextextended('floorcast backup', 0)"
/** The name of a backup: when it began. */
const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/
/** The ending of a backup that is not complete. */
export const PARTIAL = '.partial'

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)
/** Names go into statements and paths. */
const SqlName = z.string().regex(/^[a-z_][a-z0-9_]*$/)

/** A file of the backup: the bytes on the disk, and the hash of what they hold. */
const StoredPart = z.object({ bytes: z.number().int(), sha256: Sha256 })

export const BackupTable = z.object({
  name: SqlName,
  columns: z.array(SqlName).min(1),
  rows: z.number().int(),
  /** SHA-256 of the rows as COPY writes them, before compression. */
  rowsSha256: Sha256,
  part: StoredPart,
})
export type BackupTable = z.infer<typeof BackupTable>

export const BackupManifest = z.object({
  format: z.literal(FORMAT, 'was made by a newer version of Floorcast'),
  version: z.string(),
  /** The moment that the rows are of, by the database's clock. */
  snapshotAt: z.iso.datetime(),
  finishedAt: z.iso.datetime(),
  postgres: z.number().int(),
  migrations: z.array(z.string()),
  tables: z.array(BackupTable),
  sequences: z.array(z.object({ name: SqlName, last: z.string().regex(/^-?\d+$/), isCalled: z.boolean() })),
  /** Policies, owners and rights, as lines: see `readRights`. */
  rights: z.array(z.string()),
  schema: StoredPart,
  files: z.object({
    count: z.number().int(),
    bytes: z.number().int(),
    /** Files that rows name and the store did not have, or had with other bytes. */
    missing: z.array(z.string()),
    list: StoredPart,
  }),
  /** SHA-256 of `secret.key`, which is kept apart; null if the installation had none. */
  secretKeySha256: Sha256.nullable(),
})
export type BackupManifest = z.infer<typeof BackupManifest>

/** A stored file by its client and hash. */
const BackupFile = z.tuple([z.guid(), Sha256])
export type BackupFile = z.infer<typeof BackupFile>

/** Something is wrong with the backup, its place or what it is of; the message says what to do. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}

/** The exit code of `npm run backup` while another backup of the installation runs. */
export const ANOTHER_RUNS = 3

/** Another backup of the installation runs. */
export class BackupRunsError extends Error {
  override readonly name = 'BackupRunsError'
}

export const pathOfFile = (target: string, [client, sha256]: BackupFile) =>
  join(target, FILES, client, sha256.slice(0, 2), sha256)
export const pathOfTable = (folder: string, name: string) => join(folder, 'tables', `${name}.copy.zst`)

/** The names of the target's complete backups, the oldest first. */
export async function listBackups(target: string): Promise<string[]> {
  return (await readdir(target)).filter(name => NAME.test(name)).toSorted()
}

/** When a backup of this name began. */
export const momentOfName = (name: string): Date =>
  new Date(name.replace(/T(\d\d)-(\d\d)-(\d\d)Z$/, 'T$1:$2:$3Z'))

/** Counts and hashes bytes on their way, and holds them back to a rate. */
export class Meter {
  readonly #hash = createHash('sha256')
  readonly #pace: Pace | null
  bytes = 0

  constructor(pace: Pace | null = null) {
    this.#pace = pace
  }

  /** A stage of a pipeline. */
  readonly through = (source: AsyncIterable<Uint8Array>) => this.#pass(source)

  async *#pass(source: AsyncIterable<Uint8Array>) {
    for await (const chunk of source) {
      this.#hash.update(chunk)
      this.bytes += chunk.length
      await this.#pace?.take(chunk.length)
      yield chunk
    }
  }

  sha256(): string {
    return this.#hash.digest('hex')
  }
}

/** Shorter waits are not waited one by one: a timer takes a millisecond at least, and a chunk of a fast backup less. */
const SHORTEST_WAIT_MS = 20

/** Bytes a second, shared by all streams that take from it. A second of silence is not saved up. */
export class Pace {
  readonly #bytesPerSecond: number
  #freeAt = 0

  constructor(bytesPerSecond: number) {
    this.#bytesPerSecond = bytesPerSecond
  }

  async take(bytes: number): Promise<void> {
    const now = performance.now()
    this.#freeAt = Math.max(this.#freeAt, now - SHORTEST_WAIT_MS) + (bytes / this.#bytesPerSecond) * 1000
    const ahead = this.#freeAt - now
    if (ahead >= SHORTEST_WAIT_MS) await new Promise(resolve => setTimeout(resolve, ahead))
  }
}

/** Compresses a stream into a new file and flushes it to the disk. @returns the part, and the hash of the bytes before compression */
export async function writePart(
  path: string,
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  pace: Pace | null = null,
): Promise<{ part: z.infer<typeof StoredPart>; sha256: string }> {
  const [plain, packed] = [new Meter(pace), new Meter()]
  await pipeline(
    Readable.from(source),
    plain.through,
    createZstdCompress(),
    packed.through,
    createWriteStream(path, { flags: 'wx', mode: FILE_MODE, flush: true }),
  )
  return { part: { bytes: packed.bytes, sha256: packed.sha256() }, sha256: plain.sha256() }
}

/** Streams what a part holds to `read`. @returns the hash of it @throws BackupError if the bytes on the disk are not those of the manifest */
export async function readPart(
  path: string,
  part: z.infer<typeof StoredPart>,
  read: (source: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<string> {
  const [packed, plain] = [new Meter(), new Meter()]
  try {
    await pipeline(createReadStream(path), packed.through, createZstdDecompress(), plain.through, read)
  } catch (error) {
    // What is damaged may still unpack, to rows that PostgreSQL refuses.
    if (isOfZlib(error) || !(await isWhole(path, part))) throw damaged(path, error)
    throw error
  }
  if (packed.bytes !== part.bytes || packed.sha256() !== part.sha256) throw damaged(path)
  return plain.sha256()
}

/** True also where the file cannot be read, which has an error of its own. */
async function isWhole(path: string, part: z.infer<typeof StoredPart>): Promise<boolean> {
  const meter = new Meter()
  try {
    await pipeline(createReadStream(path), meter.through, drain)
  } catch {
    return true
  }
  return meter.bytes === part.bytes && meter.sha256() === part.sha256
}

const isOfZlib = (error: unknown) =>
  error instanceof Error && 'code' in error && /^(ZSTD|Z|ERR_ZLIB)/.test(String(error.code))

export const damaged = (path: string, cause?: unknown) =>
  new BackupError(`${path} is damaged: its bytes are not those that were written. Take another backup`, {
    cause,
  })

/** Reads a stream to its end. */
export async function drain(source: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of source);
}

/** @throws BackupError if there is no complete backup, or one of a newer version */
export async function readManifest(folder: string): Promise<BackupManifest> {
  const path = join(folder, MANIFEST)
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    throw new BackupError(
      code === 'ENOENT'
        ? `${folder} holds no complete backup: it has no ${MANIFEST}`
        : `${path} cannot be read (${code}): call the command as the user who owns the backups`,
      { cause: error },
    )
  })
  const json = parseJson(text)
  const parsed = BackupManifest.safeParse(json)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new BackupError(
    issue?.path[0] === 'format'
      ? `${path} is of another format: start the version of Floorcast that made it, or a newer one`
      : `${path} is damaged (${issue?.path.join('.')}: ${issue?.message}). Take another backup`,
  )
}

/** @returns null for text that is no JSON */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Calls `visit` with each stored file that a backup names, one after the other. */
export async function eachFile(
  folder: string,
  list: BackupManifest['files']['list'],
  visit: (file: BackupFile) => Promise<void>,
): Promise<void> {
  await readPart(join(folder, FILE_LIST), list, async source => {
    for await (const line of linesOf(source)) await visit(BackupFile.parse(line.split('\t')))
  })
}

async function* linesOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of source) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}
