import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildApp } from './app.ts'
import type { Context } from './context.ts'
import { featuresOf } from './features.ts'
import { startArchiving } from './jobs/archiving.ts'
import { startBackups } from './jobs/backups.ts'
import { nameOf, openJobs } from './jobs/jobs.ts'
import { startMaintenance } from './jobs/maintenance.ts'
import { startSampling } from './jobs/samples.ts'
import { startWatching } from './jobs/watching.ts'
import { openBus } from './platform/bus/bus.ts'
import { openDatabase } from './platform/database/database.ts'
import type { TimeZonesJob } from './platform/database/time-zones-worker.ts'
import { migrateDatabase } from './platform/database/migrations.ts'
import { isRefusal, reachDatabase, requireClock } from './platform/database/reach-database.ts'
import { requireRights } from './platform/database/rights.ts'
import type { EmbeddedPostgres } from '@floorcast/embedded-postgres/embedded-postgres.ts'
import type { Http } from './platform/http/http.ts'
import { followRequests } from './platform/http/request-scopes.ts'
import { requireInstallationKey } from './platform/installation/installation-key.ts'
import { watchInstallation } from './platform/installation/installation-state.ts'
import { listen, type Listening } from './platform/http/receive/listeners.ts'
import { MAX_SLICES_MS, pauseUnless } from './platform/http/shutdown.ts'
import { WorkerPool } from './platform/lib/worker-pool.ts'
import type { Log } from './platform/log/log.ts'
import { Metrics } from './platform/metrics/metrics.ts'
import type { Settings } from './platform/settings/settings.ts'
import { openIncomingFiles } from './platform/storage/incoming-files.ts'
import { openOwnFileStore } from './platform/storage/open-file-store.ts'
import { version } from './version.ts'
import type { Traces } from './watch/traces.ts'
import { restrictDataFolder } from './platform/storage/private-folder.ts'

/** Longest wait for what still runs when nothing is served any more. */
const CLOSE_MS = 9000
const CONSOLE_FOLDER = fileURLToPath(new URL('../../console/dist', import.meta.url))

const say = (line: string) => process.stdout.write(`${line}\n`)

/** What runs in the server's process beside it and needs more than its calls, such as the demonstration. */
export interface Extension {
  /** Called before the server answers. @throws Error if it cannot run on this database */
  check: (context: Context) => Promise<void>
  /** Called when the server answers at `origin`. */
  start: (context: Context, origin: string) => Promise<RunningExtension>
}

export interface RunningExtension {
  /** Called after the server has said where it is. */
  announce: () => void
  /** Maintenance and samples, which go by the present clock, begin when it resolves. */
  whenReady: Promise<void>
  stop: () => Promise<void>
}

export interface ServerStart {
  settings: Settings
  extension: Extension | null
  log: Log
  /** The log file, if the terminal does not show the log. */
  logPath: string | null
  /** The embedded PostgreSQL, on its way; null where DATABASE_URL names another. */
  starting: Promise<EmbeddedPostgres | null>
}

interface Started {
  context: Context
  /** Closes what the server stands on, in reverse. */
  stop: () => Promise<void>
}

/** Processor time. */
const ZONES_DEADLINE_MS = 60_000

/** The days of reports are by PostgreSQL's rules of time zones, the schedules by Node's. */
async function warnOfZones(url: string, log: Log, signal: AbortSignal): Promise<void> {
  const program = new URL('./platform/database/time-zones-worker.ts', import.meta.url)
  const threads = new WorkerPool({ program, runs: 'in a thread', heapMegabytes: 96 })
  const data: TimeZonesJob = { url }
  const zones = await threads.run<string[]>({ data, deadlineMs: ZONES_DEADLINE_MS, signal })
  if (zones.length === 0) return
  const node = process.versions['tz'] ?? 'unknown'
  log.warn({ zones, node }, 'PostgreSQL has other rules for these time zones than Node: update the older one')
}

/** A standby may be away at the start. @throws Error for a user, or a pooler, who passes by the isolation of clients */
async function checkStandby(prove: () => Promise<void>, log: Log): Promise<void> {
  try {
    await prove()
  } catch (err) {
    if (isRefusal(err)) throw err
    log.warn({ err }, 'the standby does not answer: reports read the primary until it does')
  }
}

async function startContext({ settings, log, starting }: ServerStart): Promise<Started> {
  const postgres = await starting
  const url = settings.databaseUrl ?? postgres?.url ?? ''
  const { readStandby, role, allowSuperuser: maySuperuser } = settings
  const readUrl = readStandby?.url ?? ''
  const proveStandby = () =>
    reachDatabase(readUrl, { maySuperuser, log, setting: 'DATABASE_READ_URL', maxWaitMs: 0 })
  if (settings.databaseUrl !== null) await reachDatabase(url, { maySuperuser, log })
  if (readStandby !== null) await checkStandby(proveStandby, log)
  await requireClock(url, new Date())
  const applied = await migrateDatabase(url)
  const added = await requireRights(url)
  if (added.length > 0)
    log.warn({ added }, 'the database has policies or rights that its schema does not have')
  if (applied.length > 0) log.info({ migrations: applied }, 'database brought to this version')
  const stopping = new AbortController()
  const lost = (err: Error) => {
    // The embedded database may hang up first.
    if (!stopping.signal.aborted) log.warn({ err }, 'database connection lost')
  }
  const unsent = (err: unknown) => {
    if (!stopping.signal.aborted) log.warn({ err }, 'consoles were not told of reports; they are told again')
  }
  const standby = readStandby !== null &&
    role !== 'stream' && {
      url: readUrl,
      prove: proveStandby,
      maxAgeMs: readStandby.maxAgeSeconds * 1000,
      server: nameOf(hostname(), settings.port),
      log,
    }
  const database = openDatabase({ url, lost, unsent, standby })
  await database.proveIsolation()
  await requireInstallationKey(database.jobs, settings.secretKeyFile)
  const bus = await openBus({ url, lost })
  const incoming = await openIncomingFiles(join(settings.dataDir, 'media'), settings.minFreeDisk)
  const installationUid = await database.jobs.installationUid()
  const files = await openOwnFileStore(settings, { incoming, installationUid, log })
  restrictDataFolder(settings.dataDir).catch((err: unknown) => {
    log.warn({ err }, 'DATA_DIR could not be closed to other users of this machine')
  })
  warnOfZones(url, log, stopping.signal).catch((err: unknown) => {
    if (!stopping.signal.aborted) log.warn({ err }, 'time zones could not be compared')
  })
  const consoleFolder = existsSync(join(CONSOLE_FOLDER, 'index.html')) ? CONSOLE_FOLDER : null
  const now = () => new Date()
  const installation = await watchInstallation({ auth: database.auth, bus, log, now })
  const stop = async () => {
    stopping.abort()
    installation.close()
    await bus.close()
    await database.close()
    await postgres?.stop()
  }
  const metrics = new Metrics()
  const shared = { settings, database, bus, files, incoming, installation }
  return { context: { ...shared, log, metrics, now, consoleFolder }, stop }
}

/** The address that this machine itself reaches the server by. */
function hostOf({ host }: Settings): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

const LOOPBACK = ['127.0.0.1', '::1', '[::1]', 'localhost']

function addressLines({ host, publicUrl }: Settings, port: number): string[] {
  const shown = LOOPBACK.includes(host) ? 'localhost' : host
  return [`Floorcast is at http://${shown}:${port}`, `  ${reachOf(host, publicUrl)}`]
}

function reachOf(host: string, publicUrl: string): string {
  if (!LOOPBACK.includes(host)) return `Every machine that reaches ${host} reaches it.`
  if (LOOPBACK.includes(new URL(publicUrl).hostname))
    return `Only this machine reaches it (HOST=${host}). For others put a proxy in front, or set HOST=0.0.0.0, and set PUBLIC_URL.`
  return `Others reach it at ${publicUrl}, by a proxy on this machine (HOST=${host}).`
}

interface Stop {
  http: Http
  listening: Listening
  drainSeconds: number
  log: Log
  /** Waits for the runs of jobs, which may take long. */
  stopJobs: () => Promise<void>
  /** Closes what the server stands on. */
  last: () => Promise<void>
}

/**
 * Leaves politely: docs/decisions/0348. SIGTERM, which comes from a service manager, lets balancers see that the server is unready before it
 * takes nothing more; SIGINT, which comes from a terminal, and a second signal do not wait.
 */
function stopOnSignal({ http, listening, drainSeconds, log, stopJobs, last }: Stop): void {
  const hurry = new AbortController()
  let isStopping = false
  const end = async (signal: NodeJS.Signals) => {
    if (isStopping || signal === 'SIGINT') hurry.abort()
    if (isStopping) return
    isStopping = true
    http.shutdown.begin()
    log.info({ signal, drainSeconds: signal === 'SIGINT' ? 0 : drainSeconds }, 'stopping')
    await pauseUnless(hurry.signal, drainSeconds * 1000)
    const give = setTimeout(() => process.exit(1), MAX_SLICES_MS + CLOSE_MS)
    const jobsEnded = stopJobs()
    // They are awaited below.
    jobsEnded.catch(() => undefined)
    await http.shutdown.leave(hurry.signal)
    listening.stop()
    const cut = setTimeout(() => {
      log.warn('requests were cut off')
      http.app.server.closeAllConnections()
    }, CLOSE_MS - 2000)
    await http.app.close()
    clearTimeout(cut)
    await jobsEnded
    await last()
    clearTimeout(give)
    log.info('stopped')
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      end(signal).catch((error: unknown) => {
        log.error({ err: error }, 'could not stop in order')
        process.exit(1)
      })
    })
}

/** The libraries of traces are loaded only where somebody takes traces. */
async function startTraces(settings: Settings, log: Log): Promise<Traces | null> {
  if (settings.traces === null) return null
  const { openTraces } = await import('./watch/traces.ts')
  const server = `${hostname()}:${settings.port}`
  return openTraces({
    settings: settings.traces,
    server,
    version: version.release,
    role: settings.role,
    log,
  })
}

/** Runs until a signal ends it. Resolves once it answers and has said where. */
export async function runServer(start: ServerStart): Promise<void> {
  const { settings, extension, log, logPath } = start
  const traces = await startTraces(settings, log)
  const { context, stop } = await startContext(start)
  await extension?.check(context)
  const http = await buildApp(context, featuresOf(settings.role))
  if (traces !== null) followRequests(http.app, traces.calls)
  // Opens the connections that wait for alerts.
  await context.database.ping()
  const listening = await listen(http.app, settings)
  const { port } = listening
  let running: RunningExtension | null = null
  const endJobs: (() => Promise<void>)[] = []
  // What runs beside the server has more to tell it.
  http.shutdown.onLeave(() => running?.stop())
  const stopJobs = async () => void (await Promise.all(endJobs.map(end => end())))
  const last = async () => {
    await stop()
    await traces?.close()
  }
  stopOnSignal({ http, listening, drainSeconds: settings.drainSeconds, log, stopJobs, last })
  running = (await extension?.start(context, `http://${hostOf(settings)}:${port}`)) ?? null
  const jobs = openJobs(context, nameOf(hostname(), settings.port))
  void (running?.whenReady ?? Promise.resolve()).then(() => {
    if (http.shutdown.isLeaving) return
    endJobs.push(
      startMaintenance(context, jobs),
      startSampling(context, jobs),
      startWatching(context, jobs),
      startBackups(context, jobs),
      startArchiving(context, jobs),
    )
  })
  for (const line of addressLines(settings, port)) say(line)
  running?.announce()
  if (logPath) say(`  Its log is ${logPath}. Ctrl C stops it.`)
}
