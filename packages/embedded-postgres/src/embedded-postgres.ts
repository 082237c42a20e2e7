import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { createCluster } from './create-cluster.ts'
import { type Held, keepPostmaster } from './supervise-server.ts'
import { findPostgresBinaries, type PostgresBinaries } from './postgres-binaries.ts'
import { findLivingPostmaster, isAlive, readPostmaster, stopPostmaster } from './postmaster.ts'
import { startPostmaster } from './start-postmaster.ts'
import { chooseRunner, type RunnerChoice } from './unprivileged-runner.ts'

export interface EmbeddedPostgresOptions {
  /** DATA_DIR; the cluster lives in its folder `postgres`. */
  dataDir: string
  binaries?: PostgresBinaries
  /** Further settings of PostgreSQL, for tests: `{ fsync: 'off' }`. */
  parameters?: Record<string, string>
  /** Asked for a port before each attempt, at most five; any free one unless told. */
  choosePort?: () => Promise<number>
  /** Told when PostgreSQL had ended by itself and is back, or could not be brought back yet. */
  said?: (what: { pid: number } | { error: unknown }) => void
  /** For tests of the cases of root. */
  runner?: Pick<RunnerChoice, 'elsewhere' | 'mayUnshare'>
}

export interface EmbeddedPostgres {
  /** For the user `floorcast`, who owns the database `floorcast` and may make roles, but is no superuser. */
  url: string
  /** For the cluster's superuser; only tests need it. */
  superuserUrl: string
  port: number
  /** The postmaster's of now: one that ended by itself is started anew, on the same port. */
  readonly pid: number
  /** Stops it cleanly; a postmaster that another living server started is left alone. */
  stop(): Promise<void>
}

/**
 * Starts the embedded PostgreSQL of a data folder, or adopts the one that lives in it already (its server was killed).
 * It listens on 127.0.0.1, on any free port. Ends with this process where `setpriv` is there.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir } = options
  mkdirSync(dataDir, { recursive: true })
  const password = keptPassword(dataDir)
  for (let attempt = 1; ; attempt++) {
    const postmaster = await obtain(options, password)
    const superuserUrl = `postgres://postgres:${password}@127.0.0.1:${postmaster.port}/postgres`
    try {
      return embedded(options, { postmaster, superuserUrl, url: await ensureOwnerAndDatabase(superuserUrl) })
    } catch (error) {
      // One that is found just as it begins to stop, because its server was killed, is waited for and started anew.
      if (attempt > 100 || !isLeaving(error)) throw error
      await pause(50)
    }
  }
}

function embedded(
  options: EmbeddedPostgresOptions,
  started: { postmaster: Held; superuserUrl: string; url: string },
): EmbeddedPostgres {
  const { dataDir } = options
  const { postmaster, superuserUrl, url } = started
  const kept = keepPostmaster(postmaster, {
    revive: async port => {
      const keeper = keeperOf(dataDir)
      if (keeper !== process.pid && keeper > 0 && isAlive(keeper))
        return adoptReady(join(dataDir, 'postgres'), port)
      return obtain({ ...options, choosePort: () => Promise.resolve(port) }, keptPassword(dataDir))
    },
    said: what => options.said?.(what),
  })
  return {
    get pid() {
      return kept.current().pid
    },
    port: postmaster.port,
    superuserUrl,
    url,
    stop: async () => {
      const { pid, isOurs } = await kept.end()
      if (isOurs) await stopPostmaster(pid)
    },
  }
}

/** The living one, or a new one. */
async function obtain(options: EmbeddedPostgresOptions, password: string): Promise<Held> {
  const { dataDir } = options
  const postmaster =
    (await adoptLiving(dataDir, join(dataDir, 'postgres'))) ?? (await start(options, password))
  if (postmaster.isOurs) writeFileSync(keeperFile(dataDir), String(process.pid))
  return postmaster
}

/** PostgreSQL is stopping, or has just gone. */
function isLeaving(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return (
    ['57P01', '57P03', 'ECONNREFUSED', 'ECONNRESET'].includes(code) ||
    /terminated unexpectedly/.test(String(error))
  )
}

/** What the server that keeps it has brought back; null as long as it has not. */
function adoptReady(dataFolder: string, port: number): Held | null {
  const found = readPostmaster(dataFolder)
  if (!found?.isReady || found.port !== port || !isAlive(found.pid)) return null
  return { pid: found.pid, port, isOurs: false }
}

async function start(options: EmbeddedPostgresOptions, password: string): Promise<Held> {
  const runner = chooseRunner({
    binaries: options.binaries ?? findPostgresBinaries(),
    dataFolder: join(options.dataDir, 'postgres'),
    ...options.runner,
  })
  const adopted = await adoptLiving(options.dataDir, runner.dataFolder)
  if (adopted) return adopted
  if (!existsSync(join(runner.dataFolder, 'PG_VERSION')))
    await createCluster(runner, { password, isForgetful: options.parameters?.['fsync'] === 'off' })
  return { ...(await startPostmaster(runner, options)), isOurs: true }
}

/** Who started the postmaster: while that server lives, another that finds the postmaster must not stop it. */
function keeperFile(dataDir: string): string {
  return join(dataDir, 'postgres.keeper')
}

function keeperOf(dataDir: string): number {
  const file = keeperFile(dataDir)
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0
}

/** The postmaster that lives in the folder, once it is ready; null when none does. */
async function adoptLiving(dataDir: string, dataFolder: string): Promise<Held | null> {
  if (!existsSync(dataFolder)) return null
  for (
    let found = await findLivingPostmaster(dataFolder);
    found;
    found = await findLivingPostmaster(dataFolder)
  ) {
    const keeper = keeperOf(dataDir)
    const isOurs = keeper === process.pid || !(keeper > 0 && isAlive(keeper))
    if (found.isReady) return { pid: found.pid, port: found.port, isOurs }
    await pause(20)
  }
  return null
}

function keptPassword(dataDir: string): string {
  const file = join(dataDir, 'postgres.password')
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString('hex'), { mode: 0o600, flag: 'wx' })
  return readFileSync(file, 'utf8').trim()
}

/**
 * The server works as a user that is no superuser, as it would on a cluster of one's own: makes `floorcast` with the
 * superuser's password, and its database. Resolves to that user's address.
 */
export async function ensureOwnerAndDatabase(superuserUrl: string): Promise<string> {
  const address = new URL(superuserUrl)
  const superuser = new Client({ connectionString: superuserUrl })
  await superuser.connect()
  try {
    await superuser.query("select pg_advisory_lock(hashtext('floorcast owner'))")
    const { rows } = await superuser.query("select from pg_database where datname = 'floorcast'")
    if (rows.length === 0) {
      const password = superuser.escapeLiteral(decodeURIComponent(address.password))
      const role = await superuser.query("select from pg_roles where rolname = 'floorcast'")
      if (role.rowCount === 0)
        await superuser.query(`create role floorcast login createrole password ${password}`)
      await superuser.query('create database floorcast owner floorcast')
    }
  } finally {
    await superuser.end()
  }
  return Object.assign(address, { username: 'floorcast', pathname: '/floorcast' }).href
}
