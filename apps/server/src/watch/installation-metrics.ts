import type { Context } from '../context.ts'
import { momentOfName } from '../platform/backup/backup-format.ts'
import { readTarget } from '../platform/backup/target.ts'
import type { FleetFigures, QueueFigures } from '../platform/database/watch-queries.ts'
import { linesByLevel } from '../platform/log/log.ts'
import type { Metrics } from '../platform/metrics/metrics.ts'
import { Source } from '../platform/metrics/source.ts'
import { type DiskSize, diskSizeOf, floorBytesOf } from '../platform/storage/disk-space.ts'
import { version } from '../version.ts'
import { type Readiness, UNREADY_REASONS, within } from './readiness.ts'

/*
 * The figures that are asked for: of the database, the disk, the readiness. A scrape waits for them at most SCRAPE_MS; what does not come
 * by then is left out, and `floorcast_figures_up` says so. Without a monitor nothing is asked.
 */

const SCRAPE_MS = 2000
/** Several monitors may scrape, and several servers are asked. */
const QUEUES_AGE_MS = 10_000
/** It looks at each device once. */
const FLEET_AGE_MS = 60_000
const DISK_AGE_MS = 1000
const BACKUP_AGE_MS = 60_000
const STORE_AGE_MS = 10_000
const STORE_MS = 5000

export type InstallationContext = Pick<Context, 'database' | 'files' | 'settings' | 'metrics' | 'now' | 'log'>

type Figure<Figures> = readonly [name: string, help: string, read: (figures: Figures) => number | null]

const secondsOf = (moment: string) => Date.parse(moment) / 1000
/** 0: none waits. */
const ageOf = (since: string | null, at: string) =>
  since === null ? 0 : Math.max(0, secondsOf(at) - secondsOf(since))

const OF_QUEUES: readonly Figure<QueueFigures>[] = [
  ['mails_waiting', 'Mails that are not sent yet.', ({ mails }) => mails],
  [
    'mails_oldest_seconds',
    'How long the oldest of them waits.',
    ({ mailsSince, at }) => ageOf(mailsSince, at),
  ],
  ['media_waiting', 'Media files whose loudness is not measured yet.', ({ media }) => media],
  [
    'media_oldest_seconds',
    'How long the oldest of them waits.',
    ({ mediaSince, at }) => ageOf(mediaSince, at),
  ],
  [
    'maintenance_last_run_timestamp_seconds',
    'The end of the last daily maintenance.',
    ({ maintainedAt }) => (maintainedAt === null ? null : secondsOf(maintainedAt)),
  ],
  [
    'maintenance_failed_clients',
    'The clients for whom the last daily maintenance failed.',
    ({ maintenanceFailures }) => maintenanceFailures,
  ],
  [
    'database_connections',
    'Connections of PostgreSQL in use, of all programs.',
    ({ connections }) => connections,
  ],
  [
    'database_connections_max',
    'The connections that PostgreSQL takes (max_connections).',
    ({ maxConnections }) => maxConnections,
  ],
  [
    'database_notify_queue_ratio',
    'The used part of the queue of NOTIFY, 0 to 1.',
    ({ notifyQueueUsage }) => notifyQueueUsage,
  ],
  ['database_standbys', 'Standbys that are connected.', ({ standbys }) => standbys],
  [
    'database_replication_lag_seconds',
    'How far the slowest standby is behind.',
    ({ replicationLagSeconds }) => replicationLagSeconds,
  ],
]

const OF_FLEET: readonly Figure<FleetFigures>[] = [
  ['database_size_bytes', 'The database on its disk.', ({ databaseBytes }) => databaseBytes],
  ['commands_waiting', 'Commands that devices have not acknowledged yet.', ({ commands }) => commands],
  [
    'commands_oldest_seconds',
    'How long the oldest of them waits.',
    ({ commandsSince, at }) => ageOf(commandsSince, at),
  ],
  ['clients', 'Clients.', ({ clients }) => clients],
  [
    'clients_at_device_limit',
    'Clients with as many devices as their plan has.',
    ({ clientsAtDeviceLimit }) => clientsAtDeviceLimit,
  ],
]

const STATES = ['online', 'late', 'linkdown', 'linklost', 'neverup'] as const

/** A version is a device's word. */
const VERSION = /^[\w.+-]{1,40}$/

function countVersions(versions: FleetFigures['versions']) {
  const counts = new Map<string, number>()
  for (const [said, devices] of Object.entries(versions)) {
    const name = VERSION.test(said) ? said : 'other'
    counts.set(name, (counts.get(name) ?? 0) + devices)
  }
  return [...counts].map(([name, devices]) => [{ version: name }, devices] as const)
}

/** Registers the figures. @returns what asks for them before a scrape */
export function watchInstallation(context: InstallationContext, readiness: Readiness): () => Promise<void> {
  const { database, settings, metrics, now, log } = context
  const queues = new Source({
    name: 'queues',
    maxAgeMs: QUEUES_AGE_MS,
    ask: () => database.watch.readQueues(),
    log,
  })
  const fleet = new Source({
    name: 'fleet',
    maxAgeMs: FLEET_AGE_MS,
    ask: () => database.watch.readFleet(now()),
    log,
  })
  const disk = new Source({
    name: 'disk',
    maxAgeMs: DISK_AGE_MS,
    ask: () => diskSizeOf(settings.dataDir),
    log,
  })
  showServer(context)
  showStandby(context)
  showTable(metrics, queues, OF_QUEUES)
  showTable(metrics, fleet, OF_FLEET)
  showDevices(metrics, fleet)
  showDisk(context, disk)
  const sources: Source<unknown>[] = [
    queues,
    fleet,
    disk,
    showReadiness(context, readiness),
    ...showFileStore(context),
    ...showBackup(context),
  ]
  metrics.gauges(
    'figures_up',
    { help: 'Whether figures could be had in time; others are left out.', labels: ['figures'] },
    () => sources.map(source => [{ figures: source.name }, source.value === null ? 0 : 1] as const),
  )
  const refresh = () => Promise.all(sources.map(source => source.refresh()))
  return () =>
    within(SCRAPE_MS, refresh()).then(
      () => undefined,
      () => undefined,
    )
}

function showTable<Figures>(
  metrics: Metrics,
  source: Source<Figures>,
  table: readonly Figure<Figures>[],
): void {
  for (const [name, help, read] of table)
    metrics.gauge(name, help, () => (source.value === null ? null : read(source.value)))
}

function showServer({ metrics, settings, database }: InstallationContext): void {
  const build = { version: version.release, commit: version.commit ?? '', role: settings.role }
  metrics.gauges(
    'build_info',
    { help: 'What runs: always 1.', labels: ['version', 'commit', 'role'] },
    () => [[build, 1]],
  )
  metrics.totals('log_lines_total', { help: 'Lines in the log since the start.', labels: ['level'] }, () =>
    Object.entries(linesByLevel).map(([level, lines]) => [{ level }, lines] as const),
  )
  for (const [field, name, help] of [
    ['size', 'pool_size', 'Connections that a pool may open.'],
    ['inUse', 'pool_in_use', 'Connections of a pool in use.'],
    ['waiting', 'pool_waiting', 'Calls that wait for a connection of a pool.'],
  ] as const)
    metrics.gauges(name, { help: help, labels: ['pool'] }, () =>
      database.poolStates().map(state => [{ pool: state.pool }, state[field]] as const),
    )
}

/** Nothing without DATABASE_READ_URL. */
function showStandby({ metrics, database }: InstallationContext): void {
  metrics.gauge(
    'read_standby_age_seconds',
    'How old the rows of the standby are that reports read; none: it is away.',
    () => database.standbyState()?.age ?? null,
  )
}

function showReadiness({ metrics, log }: InstallationContext, readiness: Readiness): Source<unknown> {
  const ready = new Source({
    name: 'readiness',
    maxAgeMs: DISK_AGE_MS,
    ask: () => readiness.reasons(),
    log,
  })
  metrics.gauges(
    'unready',
    { help: 'Whether /health/ready answers 503 for this reason.', labels: ['reason'] },
    () => {
      const reasons = ready.value
      if (reasons === null) return []
      return UNREADY_REASONS.map(reason => [{ reason }, reasons.includes(reason) ? 1 : 0] as const)
    },
  )
  metrics.gauge('clock_offset_seconds', "This machine's clock minus that of the database.", () =>
    readiness.clockOffsetMs === null ? null : readiness.clockOffsetMs / 1000,
  )
  return ready
}

function showDisk({ metrics, settings }: InstallationContext, disk: Source<DiskSize>): void {
  showTable(metrics, disk, [
    ['disk_free_bytes', 'Free bytes of the disk of DATA_DIR.', ({ freeBytes }) => freeBytes],
    ['disk_total_bytes', 'Bytes of the disk of DATA_DIR.', ({ totalBytes }) => totalBytes],
    [
      'disk_floor_bytes',
      'Uploads and changes are refused below (MIN_FREE_DISK).',
      ({ totalBytes }) => floorBytesOf(totalBytes, settings.minFreeDisk),
    ],
  ])
}

/** No file has this place. */
const NO_FILE = { clientUid: '00000000-0000-0000-0000-000000000000', sha256: '0'.repeat(64) }

/** Nothing without S3_BUCKET. Logs one line when the store goes away, and one when it is back. */
function showFileStore({ metrics, settings, files, log }: InstallationContext): Source<unknown>[] {
  let wasAway = false
  const ask = async () => {
    const fault: unknown = await within(STORE_MS, files.size(NO_FILE)).then(
      () => null,
      (error: unknown) => error,
    )
    const isAway = fault !== null
    if (isAway && !wasAway) log.error({ err: fault }, 'the store of files does not answer, or refuses')
    if (!isAway && wasAway) log.info('the store of files answers again')
    wasAway = isAway
    return !isAway
  }
  const store = new Source({ name: 'files', maxAgeMs: STORE_AGE_MS, ask, log })
  metrics.gauge('file_store_up', 'Whether the store of S3_BUCKET answers.', () =>
    store.value === null ? null : Number(store.value),
  )
  return settings.s3 === null ? [] : [store]
}

function showBackup({ metrics, settings, log }: InstallationContext): Source<unknown>[] {
  const { backup: scheduled, dataDir } = settings
  if (scheduled === null) return []
  const backup = new Source({
    name: 'backup',
    maxAgeMs: BACKUP_AGE_MS,
    ask: () => readTarget(scheduled.target, dataDir),
    log,
  })
  showTable(metrics, backup, [
    [
      'backup_last_success_timestamp_seconds',
      'The moment of the newest backup in BACKUP_TARGET; 0 if there is none.',
      ({ names }) => {
        const newest = names.at(-1)
        return newest === undefined ? 0 : momentOfName(newest).getTime() / 1000
      },
    ],
    [
      'backup_target_missing',
      'Whether BACKUP_TARGET has held backups and holds none now: its disk is not mounted.',
      ({ isMissing }) => (isMissing ? 1 : 0),
    ],
  ])
  return [backup]
}

function showDevices(metrics: Metrics, fleet: Source<FleetFigures>): void {
  metrics.gauges(
    'devices',
    { help: 'Devices of all clients by the state of their connection.', labels: ['state'] },
    () => {
      const figures = fleet.value
      return figures === null ? [] : STATES.map(state => [{ state }, figures[state]] as const)
    },
  )
  metrics.gauges(
    'devices_by_version',
    {
      help: 'Devices that were up in the last day, by the version of their agent; the twenty most frequent ones.',
      labels: ['version'],
    },
    () => (fleet.value === null ? [] : countVersions(fleet.value.versions)),
  )
}
