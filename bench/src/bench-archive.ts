import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildPath } from '@floorcast/contract/client.ts'
import { downloadProof } from '@floorcast/contract/proof.ts'
import { DEVICE_ZONES } from '@floorcast/contract/reports.ts'
import { archiveDays } from '@floorcast/server/jobs/archiving.ts'
import { openDatabase } from '@floorcast/server/platform/database/database.ts'
import { makeLog } from '@floorcast/server/platform/log/log.ts'
import { openIncomingFiles } from '@floorcast/server/platform/storage/incoming-files.ts'
import { openLocalFileStore } from '@floorcast/server/platform/storage/local-file-store.ts'
import { Pool } from 'pg'
import { type Bench, type Figure, numberOption, textOption } from './bench-types.ts'
import { type FilledServer, fillFolder, openFilled } from './filled-server.ts'
import { familySeconds } from './processor-time.ts'
import { downloadReport, readAll, type ReportRun } from './report-runs.ts'

/*
 * Moves the plays of a filled folder into the archive, and reads the same days before and after. The folder of `--data` stays as it is: its
 * copy is made beside it, and removed.
 */

const USUAL = { devices: 100, days: 20, plays: 200 }
const HOT_DAYS = 8
const ROUNDS = 3
/** Reports that take longer are read once. */
const LONG_MS = 60_000
const DAY_MS = 86_400_000
const MEGABYTE = 1e6
/** As the job does after each part. */
const REST = 14

const middle = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

const RUNS = {
  r1ext: { name: 'r1ext', zone: DEVICE_ZONES },
  r2: { name: 'r2', zone: DEVICE_ZONES },
  r3: { name: 'r3', zone: DEVICE_ZONES },
  r2Berlin: { name: 'r2', zone: 'Europe/Berlin' },
} as const

interface Reading {
  server: FilledServer
  period: { from: string; to: string }
  mediaUid: string
  rounds: number
  /** Reads the proof alone. */
  isProofOnly: boolean
}

async function timed(rounds: number, read: () => Promise<number>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    times.push(await read())
    if ((times.at(-1) ?? 0) > LONG_MS) break
  }
  return middle(times) / 1000
}

/** Seconds until the last byte, by report; NaN if the server refuses it. */
async function readReports({ server, period, mediaUid, rounds, isProofOnly }: Reading) {
  const seconds: Record<string, number> = {}
  for (const [figure, run] of isProofOnly ? [] : Object.entries(RUNS)) {
    const asked: ReportRun = { ...run, ...period }
    seconds[figure] = await timed(
      rounds,
      async () => (await downloadReport(server, asked, 'csv'))?.total ?? Number.NaN,
    )
    console.error(`${figure}: ${seconds[figure]?.toFixed(2)} s`)
  }
  const proof = buildPath(downloadProof.path, { uid: mediaUid, zone: DEVICE_ZONES, ...period })
  seconds['proof'] = await timed(rounds, async () => {
    const { status, total } = await readAll(proof, server)
    if (status !== 200) console.error(`proof: ${status}`)
    return status === 200 ? total : Number.NaN
  })
  console.error(`proof: ${seconds['proof'].toFixed(2)} s`)
  return seconds
}

async function withSuperuser<T>(
  { superuserUrl }: FilledServer,
  work: (superuser: Pool) => Promise<T>,
): Promise<T> {
  const superuser = new Pool({ connectionString: superuserUrl, max: 1 })
  try {
    return await work(superuser)
  } finally {
    await superuser.end()
  }
}

const numberOf = async (superuser: Pool, text: string, values: unknown[] = []) =>
  Number((await superuser.query<{ n: string }>(text, values)).rows[0]?.n)

const databaseMegabytes = (server: FilledServer) =>
  withSuperuser(server, async superuser => {
    await superuser.query('checkpoint')
    return (await numberOf(superuser, 'select pg_database_size(current_database()) as n')) / MEGABYTE
  })

/** The most played track of the days that go. */
const findTrack = (server: FilledServer) =>
  withSuperuser(server, async superuser => {
    const { rows } = await superuser.query<{ uid: string }>(
      `select media_uid as uid from play_media_days where client_id = $1 group by 1 order by sum(plays) desc, 1 limit 1`,
      [server.clientId],
    )
    return rows[0]?.uid ?? ''
  })

/** The process of PostgreSQL, whose children serve the connections. */
const postmasterOf = (folder: string) =>
  Number(readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])

/** Moves all old days without a rest, beside the server. */
async function moveDays(server: FilledServer, folder: string) {
  const database = openDatabase({ url: server.databaseUrl, lost: () => undefined })
  try {
    const context = {
      database,
      files: await openLocalFileStore(join(folder, 'media')),
      incoming: await openIncomingFiles(join(folder, 'media'), { share: 0, atLeastBytes: 0, atMostBytes: 0 }),
      log: makeLog('error'),
      now: () => new Date(Date.parse(server.to) + DAY_MS / 2),
      settings: { hotDays: HOT_DAYS },
    }
    const postmaster = postmasterOf(folder)
    const used = () =>
      process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6 + familySeconds(postmaster)
    const [begun, before] = [performance.now(), used()]
    let restedMs = 0
    const rest = async (workedMs: number) => void (restedMs += REST * workedMs)
    const archived = await archiveDays(context, { signal: new AbortController().signal, rest })
    if (!archived || archived.failures > 0 || archived.plays === 0) throw new Error('The days were not moved')
    const seconds = (performance.now() - begun) / 1000
    const processor = used() - before
    return { ...archived, seconds, processor, share: processor / (seconds + restedMs / 1000) }
  } finally {
    await database.close()
  }
}

function folderOf(args: readonly string[], base: string): { folder: string; copyOf: string | null } {
  return { folder: join(base, 'filled'), copyOf: textOption(args, '--data') }
}

async function measure(
  folder: string,
  options: Pick<Reading, 'rounds' | 'isProofOnly'>,
): Promise<Record<string, number>> {
  const server = await openFilled(folder)
  try {
    const last = new Date(Date.parse(server.to) - (HOT_DAYS + 2) * DAY_MS).toISOString().slice(0, 10)
    if (last < server.from) throw new Error(`It takes ${HOT_DAYS + 3} days of plays or more`)
    const reading = {
      server,
      period: { from: server.from, to: last },
      mediaUid: await findTrack(server),
      ...options,
    }
    console.error(`${server.plays} plays; ${server.from} to ${last} are read`)
    const before = await databaseMegabytes(server)
    const hot = await readReports(reading)
    const moved = await moveDays(server, folder)
    console.error(`${moved.plays} plays in ${moved.files} files after ${moved.seconds.toFixed(1)} s`)
    const after = await databaseMegabytes(server)
    const cold = await readReports(reading)
    const times = Object.keys(hot).flatMap(name => [
      [`${name}Hot`, hot[name] ?? Number.NaN] as const,
      [`${name}Cold`, cold[name] ?? Number.NaN] as const,
      [`${name}Beside`, (cold[name] ?? Number.NaN) / (hot[name] ?? Number.NaN)] as const,
    ])
    return {
      plays: moved.plays,
      seconds: moved.seconds,
      perPlay: (moved.processor * 1e6) / moved.plays,
      share: moved.share,
      fileBytes: moved.bytes / moved.plays,
      databaseBefore: before,
      databaseAfter: after,
      freed: ((before - after) * MEGABYTE) / moved.plays,
      ...Object.fromEntries(times),
    }
  } finally {
    await server.stop()
  }
}

async function run(args: readonly string[]): Promise<Record<string, number>> {
  const rounds = numberOption(args, '--rounds', ROUNDS)
  const base = mkdtempSync(join(textOption(args, '--copies') ?? tmpdir(), 'floorcast-bench-'))
  const { folder, copyOf } = folderOf(args, base)
  try {
    if (copyOf === null) {
      const devices = numberOption(args, '--devices', USUAL.devices)
      const days = numberOption(args, '--days', USUAL.days)
      await fillFolder(folder, { devices, days, plays: numberOption(args, '--plays', USUAL.plays) })
    } else execFileSync('cp', ['--archive', '--reflink=auto', copyOf, folder])
    return await measure(folder, { rounds, isProofOnly: args.includes('--proof-only') })
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}

const reportFigures = [
  ...Object.entries(RUNS).map(
    ([figure, { name, zone }]) =>
      [figure, zone === DEVICE_ZONES ? `${name}, csv` : `${name} by days of ${zone}, csv`] as const,
  ),
  ['proof', 'signed proof of one track'] as const,
].flatMap(([figure, what]): [string, Figure][] => [
  [`${figure}Hot`, { what: `${what}: from the database`, unit: 's' }],
  [`${figure}Cold`, { what: `${what}: from the archive`, unit: 's' }],
  [`${figure}Beside`, { what: `${what}: one beside the other`, unit: '×', atMost: 1.5 }],
])

const bench: Bench = {
  name: 'archive',
  what: 'Plays of old days as Parquet files: the move, and reports before and after',
  numbers: ['--devices', '--days', '--plays', '--rounds'],
  texts: ['--data', '--copies'],
  options: ['--proof-only'],
  figures: {
    plays: { what: 'plays moved', unit: '' },
    seconds: { what: 'the move without rests', unit: 's' },
    perPlay: { what: 'processor time a play, with PostgreSQL', unit: 'µs' },
    share: { what: 'share of a core, with the rests', unit: '', atMost: 0.1 },
    fileBytes: { what: 'bytes a play in files', unit: 'B' },
    databaseBefore: { what: 'database before', unit: 'MB' },
    databaseAfter: { what: 'database after', unit: 'MB' },
    freed: { what: 'bytes a play that the database gave back', unit: 'B' },
    ...Object.fromEntries(reportFigures),
  },
  run,
}
export default bench
