import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync, chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { findPostgresBinaries, type PostgresBinaries } from './postgres-binaries.ts'
import { type LogLimit, watchLog } from './postgres-log.ts'
import { findRunningPostmaster, isAlive, readPostmaster, stopPostmaster } from './postmaster.ts'
import { startPostmaster } from './start-postmaster.ts'
import { type LockOwner, superviseServer } from './supervise-server.ts'
import { chooseRunner, type RunnerChoice, type Runner } from './unprivileged-runner.ts'

/*
 * Several servers may use one data folder, one after the other or at the same time. The process id in `postgres.keeper`
 * names the server that supervises the postmaster: it restarts and stops it. Every other server attaches to the running
 * postmaster, and takes over the supervision when the supervisor has ended.
 */

export interface EmbeddedPostgresOptions {
  /** DATA_DIR; the cluster is in its folder `postgres`. */
  dataDir: string
  binaries?: PostgresBinaries
  /** Further settings of PostgreSQL, for tests: `{ fsync: 'off' }`. */
  parameters?: Record<string, string>
  /** Chooses a port before each of at most five attempts; any free port by default. */
  choosePort?: () => Promise<number>
  /** Called after each attempt to restart a PostgreSQL that ended unexpectedly. */
  onRestart?: (what: { pid: number } | { error: unknown }) => void
  /** When PostgreSQL's log is full, for tests. */
  logLimit?: LogLimit
  /** For tests that run as root. */
  runner?: Pick<RunnerChoice, 'fallbackFolder' | 'canUnshare'>
}

export interface EmbeddedPostgres {
  /** The URL of the user `floorcast`, who owns the database `floorcast` and can create roles, but is not a superuser. */
  url: string
  /** The URL of the cluster's superuser, for tests. */
  superuserUrl: string
  port: number
  /** The current postmaster's process id. A restart changes it, but not the port. */
  readonly pid: number
  /** Stops PostgreSQL cleanly, unless another running server supervises it. */
  stop(): Promise<void>
}

/**
 * Starts the embedded PostgreSQL of a data folder, or attaches to one that already runs in it. PostgreSQL listens on
 * 127.0.0.1, on any free port. With `setpriv`, it ends together with this process.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir } = options
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const password = readOrCreatePassword(dataDir, 'postgres')
  const ownerPassword = readOrCreatePassword(dataDir, 'floorcast')
  for (let attempt = 1; ; attempt++) {
    const postmaster = await attachOrStart(options, password)
    const superuserUrl = `postgres://postgres:${password}@127.0.0.1:${postmaster.port}/postgres`
    try {
      return toEmbeddedPostgres(options, {
        postmaster,
        superuserUrl,
        url: await ensureOwnerAndDatabase(superuserUrl, ownerPassword),
      })
    } catch (error) {
      // The postmaster may be shutting down, because its server was killed: wait for its end and start another.
      if (attempt > 100 || !isShuttingDown(error)) throw error
      await pause(50)
    }
  }
}

function toEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
  running: { postmaster: LockOwner; superuserUrl: string; url: string },
): EmbeddedPostgres {
  const { dataDir } = options
  const { postmaster, superuserUrl, url } = running
  const supervision = superviseServer(postmaster, {
    restart: async port => {
      const supervisorPid = readSupervisorPid(dataDir)
      if (supervisorPid !== process.pid && supervisorPid > 0 && isAlive(supervisorPid))
        return attachToReady(join(dataDir, 'postgres'), port)
      return attachOrStart(
        { ...options, choosePort: () => Promise.resolve(port) },
        readOrCreatePassword(dataDir, 'postgres'),
      )
    },
    onRestart: what => options.onRestart?.(what),
  })
  const endWatch = watchLog(dataDir, { isOurs: () => supervision.current().isOurs, limit: options.logLimit })
  return {
    get pid() {
      return supervision.current().pid
    },
    port: postmaster.port,
    superuserUrl,
    url,
    stop: async () => {
      endWatch()
      const { pid, isOurs } = await supervision.end()
      if (isOurs) await stopPostmaster(pid)
    },
  }
}

/** Attaches to a running postmaster, or starts one. */
async function attachOrStart(options: EmbeddedPostgresOptions, password: string): Promise<LockOwner> {
  const { dataDir } = options
  const postmaster =
    (await attachToRunning(dataDir, join(dataDir, 'postgres'))) ?? (await start(options, password))
  if (postmaster.isOurs) writeFileSync(supervisorFile(dataDir), String(process.pid), { mode: 0o600 })
  return postmaster
}

/** Whether the error means that PostgreSQL is shutting down or has just ended. */
function isShuttingDown(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return (
    ['57P01', '57P03', 'ECONNREFUSED', 'ECONNRESET'].includes(code) ||
    /terminated unexpectedly/.test(String(error))
  )
}

/** The postmaster that its supervisor has restarted; null before that. */
function attachToReady(dataFolder: string, port: number): LockOwner | null {
  const found = readPostmaster(dataFolder)
  if (!found?.isReady || found.port !== port || !isAlive(found.pid)) return null
  return { pid: found.pid, port, isOurs: false }
}

async function start(options: EmbeddedPostgresOptions, password: string): Promise<LockOwner> {
  const runner = chooseRunner({
    binaries: options.binaries ?? findPostgresBinaries(),
    dataFolder: join(options.dataDir, 'postgres'),
    ...options.runner,
  })
  const running = await attachToRunning(options.dataDir, runner.dataFolder)
  if (running) return running
  if (!existsSync(join(runner.dataFolder, 'PG_VERSION')))
    await createCluster(runner, { password, noSync: options.parameters?.['fsync'] === 'off' })
  return { ...(await startPostmaster(runner, options)), isOurs: true }
}

/** The file with the supervisor's process id, named as in earlier releases. */
function supervisorFile(dataDir: string): string {
  return join(dataDir, 'postgres.keeper')
}

function readSupervisorPid(dataDir: string): number {
  const file = supervisorFile(dataDir)
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0
}

/** Waits until the folder's running postmaster is ready; null if none runs. */
async function attachToRunning(dataDir: string, dataFolder: string): Promise<LockOwner | null> {
  if (!existsSync(dataFolder)) return null
  for (
    let found = await findRunningPostmaster(dataFolder);
    found;
    found = await findRunningPostmaster(dataFolder)
  ) {
    const supervisorPid = readSupervisorPid(dataDir)
    const isOurs = supervisorPid === process.pid || !(supervisorPid > 0 && isAlive(supervisorPid))
    if (found.isReady) return { pid: found.pid, port: found.port, isOurs }
    await pause(20)
  }
  return null
}

function readOrCreatePassword(dataDir: string, user: 'postgres' | 'floorcast'): string {
  const file = join(dataDir, `${user}.password`)
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString('hex'), { mode: 0o600, flag: 'wx' })
  return readFileSync(file, 'utf8').trim()
}

/**
 * Creates the user `floorcast` and its database, and gives the user its password: former versions gave it the superuser's. The server
 * never works as a superuser, as it is not one on a customer's cluster either. Resolves to the user's URL.
 */
export async function ensureOwnerAndDatabase(superuserUrl: string, password: string): Promise<string> {
  const superuser = new Client({ connectionString: superuserUrl })
  await superuser.connect()
  try {
    await superuser.query("select pg_advisory_lock(hashtext('floorcast owner'))")
    const role = await superuser.query("select from pg_roles where rolname = 'floorcast'")
    const verb = role.rowCount === 0 ? 'create role floorcast login createrole' : 'alter role floorcast'
    await superuser.query(`${verb} password ${superuser.escapeLiteral(password)}`)
    const { rowCount } = await superuser.query("select from pg_database where datname = 'floorcast'")
    if (rowCount === 0) await superuser.query('create database floorcast owner floorcast')
  } finally {
    await superuser.end()
  }
  return Object.assign(new URL(superuserUrl), { username: 'floorcast', password, pathname: '/floorcast' })
    .href
}

const execFileAsync = promisify(execFile)

/**
 * Creates a cluster: UTF-8 with the built-in C.UTF-8 locale, so that the sort order does not depend on the machine's
 * libraries. `noSync` is for tests, whose clusters need not survive a power cut.
 * @throws Error with initdb's message
 */
async function createCluster(runner: Runner, options: { password: string; noSync: boolean }): Promise<void> {
  mkdirSync(runner.dataFolder, { recursive: true, mode: 0o700 })
  // initdb needs the password in a file that its user can read; DATA_DIR may be closed to that user.
  const secret = mkdtempSync(join(tmpdir(), 'floorcast-initdb-'))
  const passwordFile = join(secret, 'password')
  try {
    writeFileSync(passwordFile, options.password, { mode: 0o600 })
    if (runner.user !== null)
      for (const path of [secret, passwordFile]) chownSync(path, runner.user, runner.user)
    const { initdb } = runner.binaries
    const all = [...runner.prefix, initdb, ...initdbArguments(runner, passwordFile)]
    const [program = initdb, ...rest] = options.noSync ? [...all, '--no-sync'] : all
    await execFileAsync(program, rest, {
      cwd: '/',
      ...(runner.user === null ? {} : { uid: runner.user, gid: runner.user }),
    })
  } catch (error) {
    const message = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : ''
    throw new Error(`initdb could not make ${runner.dataFolder}: ${message || String(error)}`, {
      cause: error,
    })
  } finally {
    rmSync(secret, { recursive: true, force: true })
  }
}

function initdbArguments(runner: Runner, passwordFile: string): string[] {
  return [
    `--pgdata=${runner.dataFolder}`,
    '--username=postgres',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '--auth=scram-sha-256',
    `--pwfile=${passwordFile}`,
  ]
}
