import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { buildPath } from '@floorcast/contract/client.ts'
import { listDevices, readDevice } from '@floorcast/contract/devices.ts'
import { findBackup } from '@floorcast/server/platform/backup/restore-backup.ts'
import { debianPostgres, makeDebianCluster, makeRoles } from '@floorcast/testing/debian-postgres.ts'
import { type Bench, numberOption, textOption } from './bench-types.ts'
import { type ConsoleTimes, startProber } from './console-prober.ts'
import { type FilledServer, fillFolder, openFilled } from './filled-server.ts'
import { runMeasured, runOperatorCommand } from './operator-command.ts'

const PLAYS = 500_000
const PLAYS_A_DAY = 450
const DAYS = 45
const CALM_MS = 10_000
const IDLE_MS = 30_000

/** What an open console reads: lists, a card, and what the dashboard shows. */
const pathsOf = ({ deviceUid }: FilledServer): string[] => [
  listDevices.path,
  buildPath(listDevices.path, {}, { search: '"shop 004"' }),
  buildPath(readDevice.path, { id: deviceUid }),
]

async function withConsole<T>(
  server: FilledServer,
  work: () => Promise<T>,
): Promise<{ result: T; console: ConsoleTimes }> {
  const prober = startProber(server.url, server.token, pathsOf(server))
  await pause(CALM_MS)
  prober.take()
  try {
    const result = await work()
    return { result, console: prober.take() }
  } finally {
    prober.stop()
  }
}

/** Backs up beside a server with an open console. */
async function measureBackup(folder: string, target: string, rate: string | null) {
  const server = await openFilled(folder)
  try {
    const idle = await withConsole(server, () => pause(IDLE_MS))
    const installation = { DATABASE_URL: server.databaseUrl, DATA_DIR: folder }
    const paced = rate === null ? [] : ['--rate', rate]
    const busy = await withConsole(server, () =>
      runOperatorCommand('backup', [target, ...paced], installation),
    )
    return { plays: server.plays, idle: idle.console, busy: busy.console, backup: busy.result }
  } finally {
    await server.stop()
  }
}

/** The bytes of all rows in a backup, compressed, and as COPY writes them. */
async function sizeOf(target: string): Promise<{ rows: number; megabytes: number }> {
  const { manifest } = await findBackup(target)
  return {
    rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
    megabytes: manifest.tables.reduce((sum, { part }) => sum + part.bytes, 0) / 1e6,
  }
}

/**
 * The same rows in a PostgreSQL of Debian, whose pg_dump does not read a newer server: restored there from the backup, then backed up and
 * dumped one after the other, while nothing else runs.
 */
async function compareDump(scratch: string, target: string): Promise<Record<string, number>> {
  const bin = debianPostgres
  if (bin === undefined) {
    console.error('There is no PostgreSQL of Debian here: without pg_dump there is nothing to compare')
    return {}
  }
  const cluster = await makeDebianCluster(join(scratch, 'debian'), ['floorcast'])
  try {
    const url = cluster.urlOf('floorcast', 'floorcast')
    await makeRoles(cluster, 'floorcast')
    const installation = { DATABASE_URL: url, DATA_DIR: join(scratch, 'restored') }
    const restore = await runOperatorCommand('restore', [target, '--without-key'], installation)
    const dumpFile = join(scratch, 'floorcast.dump')
    const options = [
      '--role=floorcast_backup',
      '--enable-row-security',
      '--format=custom',
      `--file=${dumpFile}`,
    ]
    const dump = (...more: string[]) => runMeasured(join(bin, 'pg_dump'), [...options, ...more, url])
    // The first one reads the rows into the memory of the machine.
    await dump('--compress=0')
    const own = await runOperatorCommand('backup', [join(scratch, 'own')], installation)
    const dumped = await dump()
    const dumpMegabytes = statSync(dumpFile).size / 1e6
    const fastest = await dump('--compress=1')
    return {
      restoreSeconds: restore.seconds,
      ownSeconds: own.seconds,
      dumpSeconds: dumped.seconds,
      dumpMegabytes,
      dumpMemory: dumped.megabytes,
      besideDump: own.seconds / dumped.seconds,
      besideFastDump: own.seconds / fastest.seconds,
    }
  } finally {
    cluster.stop()
  }
}

async function run(args: readonly string[]): Promise<Record<string, number>> {
  const scratch = mkdtempSync(join(tmpdir(), 'floorcast-bench-'))
  // The user postgres passes through.
  chmodSync(scratch, 0o711)
  try {
    const given = textOption(args, '--data')
    const folder = given ?? join(scratch, 'filled')
    const wanted = numberOption(args, '--plays', PLAYS)
    const days = Math.min(DAYS, Math.max(1, Math.round(wanted / PLAYS_A_DAY)))
    const devices = Math.max(1, Math.round(wanted / PLAYS_A_DAY / days))
    if (given === null) await fillFolder(folder, { devices, days, plays: PLAYS_A_DAY })
    const target = join(scratch, 'backups')
    const { plays, idle, busy, backup } = await measureBackup(folder, target, textOption(args, '--rate'))
    const { rows, megabytes } = await sizeOf(target)
    return {
      plays,
      rows,
      backupSeconds: backup.seconds,
      backupMegabytes: megabytes,
      backupMemory: backup.megabytes,
      consoleIdleP95: idle.p95,
      consoleP95: busy.p95,
      consoleGrowth: busy.p95 / idle.p95,
      consoleFailed: busy.failed,
      ...(args.includes('--without-dump') ? {} : await compareDump(scratch, target)),
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

const bench: Bench = {
  name: 'backup',
  what: 'A backup beside a server with an open console, and beside pg_dump of the same rows. --plays N (500,000), or --data FOLDER of npm run fill; --rate MB paces the one beside the console as npm run backup does; --without-dump leaves the comparison out',
  numbers: ['--plays'],
  texts: ['--data', '--rate'],
  options: ['--without-dump'],
  figures: {
    plays: { what: 'plays', unit: '' },
    rows: { what: 'rows of all tables', unit: '' },
    backupSeconds: { what: 'backup, beside the console', unit: 's' },
    backupMegabytes: { what: 'its rows on the disk', unit: 'MB' },
    backupMemory: { what: 'its most memory', unit: 'MB', atMost: 300 },
    consoleIdleP95: { what: 'console calls without it, p95', unit: 'ms' },
    consoleP95: { what: 'console calls meanwhile, p95', unit: 'ms' },
    consoleGrowth: { what: 'beside each other', unit: '×', atMost: 2 },
    consoleFailed: { what: 'console calls meanwhile, refused or failed', unit: '', atMost: 0 },
    restoreSeconds: { what: 'restore into a PostgreSQL of Debian', unit: 's' },
    ownSeconds: { what: 'backup of it, nothing beside', unit: 's' },
    dumpSeconds: { what: 'pg_dump of it', unit: 's' },
    dumpMegabytes: { what: 'the dump on the disk', unit: 'MB' },
    dumpMemory: { what: 'the most memory of pg_dump', unit: 'MB' },
    besideDump: { what: 'backup beside pg_dump', unit: '×', atMost: 1.3 },
    besideFastDump: { what: 'backup beside pg_dump --compress=1', unit: '×' },
  },
  run,
}
export default bench
