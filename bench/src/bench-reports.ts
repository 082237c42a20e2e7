import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DEVICE_ZONES, reportNames } from '@floorcast/contract/reports.ts'
import type { Database } from '@floorcast/server/platform/database/database.ts'
import { type Bench, type Figure, numberOption, textOption } from './bench-types.ts'
import { chartNames, timeCharts } from './chart-runs.ts'
import { type FilledServer, fillFolder, openFilled } from './filled-server.ts'
import { copyReport, openFilledDatabase } from './report-copy-queries.ts'
import { downloadReport, previewReport, type ReadReport, type ReportRun } from './report-runs.ts'

const USUAL = { devices: 20, days: 3, plays: 40 }
const ROUNDS = 3
/** Downloads that take longer are measured once. */
const LONG_MS = 20_000
const MAX_XLSX_ROWS = 2_500_000
const DAY_MS = 86_400_000

/** r2 and r3 by another zone count single plays. The proof is of one ad, and no statement counts its rows. */
const RUNS = [
  ...reportNames
    .filter(name => name !== 'proof')
    .map(name => ({ figure: name as string, name, zone: DEVICE_ZONES })),
  { figure: 'r2Berlin', name: 'r2', zone: 'Europe/Berlin' } as const,
  { figure: 'r3Berlin', name: 'r3', zone: 'Europe/Berlin' } as const,
]

const middle = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/** A csv file beside COPY of the same rows, in turns. */
async function compareCsv(server: FilledServer, database: Database, run: ReportRun) {
  const [files, copies]: [(ReadReport & { memory: number })[], ReadReport[]] = [[], []]
  for (let round = 0; round < ROUNDS; round += 1) {
    const file = await downloadReport(server, run, 'csv')
    if (file) files.push(file)
    copies.push(await copyReport(database, server, run))
    if ((file?.total ?? 0) > LONG_MS) break
  }
  return {
    First: middle(files.map(({ firstByte }) => firstByte)),
    Total: middle(files.map(({ total }) => total)) / 1000,
    Megabytes: middle(files.map(({ bytes }) => bytes)) / 1e6,
    Memory: Math.max(...files.map(({ memory }) => memory)),
    Copy: middle(files.map(({ total }, nr) => total / (copies[nr]?.total ?? Number.NaN))),
  }
}

/** The last days of the period, as many as make at most so many rows of r1ext. */
function xlsxPeriod({ from, to, plays }: FilledServer, name: string): { from: string; to: string } {
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
  const taken = name === 'r1ext' ? Math.min(days, Math.floor((MAX_XLSX_ROWS * days) / plays)) : days
  return { from: new Date(Date.parse(to) - (taken - 1) * DAY_MS).toISOString().slice(0, 10), to }
}

async function measureReports(server: FilledServer, only: string | null): Promise<Record<string, number>> {
  const values: Record<string, number> = {}
  const runs = RUNS.filter(({ figure }) => only === null || figure === only)
  if (runs.length === 0)
    throw new Error(`--only names one of: ${RUNS.map(({ figure }) => figure).join(', ')}`)
  const database = openFilledDatabase(server)
  try {
    for (const { figure, name, zone } of runs) {
      const run = { name, zone, from: server.from, to: server.to }
      const preview = await previewReport(server, run)
      const csv = await compareCsv(server, database, run)
      const xlsx = await downloadReport(server, { ...run, ...xlsxPeriod(server, name) }, 'xlsx')
      const pdf = await downloadReport(server, run, 'pdf')
      const measured = {
        Preview: preview,
        ...csv,
        ...(xlsx && { XlsxTotal: xlsx.total / 1000, XlsxMemory: xlsx.memory }),
        ...(pdf && { PdfTotal: pdf.total / 1000, PdfMemory: pdf.memory }),
      }
      for (const [key, value] of Object.entries(measured)) values[figure + key] = value
      const words = Object.entries(measured).map(([key, value]) => `${key} ${value.toFixed(2)}`)
      console.error(`${figure}: ${words.join('  ')}`)
    }
  } finally {
    await database.close()
  }
  return values
}

async function measureCharts(
  servers: readonly FilledServer[],
  options: { rounds: number; isPatient: boolean },
): Promise<Record<string, number>> {
  const [large, tenth] = await timeCharts(servers, options)
  const values: Record<string, number> = {}
  for (const [name, times] of large ?? []) {
    values[`${name}Cold`] = times.cold
    values[`${name}P95`] = times.measuredP95
    values[`${name}KeptP95`] = times.keptP95
    const small = tenth?.get(name)
    if (small) values[`${name}Growth`] = times.measuredP50 / small.measuredP50
  }
  return values
}

/** Fills a folder and its tenth, unless the options name filled ones. The caller removes the base folder. */
async function foldersOf(args: readonly string[], base: string): Promise<string[]> {
  const [data, tenth] = [textOption(args, '--data'), textOption(args, '--tenth')]
  if (data !== null) return tenth === null ? [data] : [data, tenth]
  const size = {
    devices: numberOption(args, '--devices', USUAL.devices),
    days: numberOption(args, '--days', USUAL.days),
    plays: numberOption(args, '--plays', USUAL.plays),
  }
  const folders = [join(base, 'whole'), join(base, 'tenth')]
  await fillFolder(join(base, 'whole'), size)
  await fillFolder(join(base, 'tenth'), { ...size, devices: Math.ceil(size.devices / 10) })
  return folders
}

async function run(args: readonly string[]): Promise<Record<string, number>> {
  const base = mkdtempSync(join(tmpdir(), 'floorcast-bench-'))
  const servers: FilledServer[] = []
  try {
    for (const folder of await foldersOf(args, base)) servers.push(await openFilled(folder))
    const [large] = servers
    if (!large) throw new Error('There is no filled folder')
    console.error(`${large.plays} plays from ${large.from} to ${large.to}`)
    const options = { rounds: numberOption(args, '--rounds', 5), isPatient: !args.includes('--quick') }
    const charts = args.includes('--no-charts') ? {} : await measureCharts(servers, options)
    const files = args.includes('--no-files') ? {} : await measureReports(large, textOption(args, '--only'))
    return { ...files, ...charts }
  } finally {
    for (const server of servers) await server.stop()
    rmSync(base, { recursive: true, force: true })
  }
}

const isRolledUp = (figure: string) => figure === 'r2' || figure === 'r3'

const reportFigures = RUNS.flatMap(({ figure, zone }): [string, Figure][] => {
  const name = zone === DEVICE_ZONES ? figure : `${figure.slice(0, 2)} by days of ${zone}`
  return [
    [
      `${figure}First`,
      { what: `${name}, csv: first byte`, unit: 'ms', ...(isRolledUp(figure) && { atMost: 200 }) },
    ],
    [`${figure}Preview`, { what: `${name}: the first rows on the page`, unit: 'ms' }],
    [`${figure}Total`, { what: `${name}, csv: whole`, unit: 's' }],
    [`${figure}Megabytes`, { what: `${name}, csv: size`, unit: 'MB' }],
    [`${figure}Memory`, { what: `${name}, csv: growth of the server's memory`, unit: 'MB', atMost: 64 }],
    [`${figure}Copy`, { what: `${name}, csv beside COPY of the same rows`, unit: '×', atMost: 2 }],
    [`${figure}XlsxTotal`, { what: `${name}, xlsx: whole`, unit: 's' }],
    [`${figure}XlsxMemory`, { what: `${name}, xlsx: growth of the server's memory`, unit: 'MB', atMost: 64 }],
    [`${figure}PdfTotal`, { what: `${name}, pdf: whole`, unit: 's' }],
    [`${figure}PdfMemory`, { what: `${name}, pdf: growth of the server's memory`, unit: 'MB', atMost: 64 }],
  ]
})

const chartFigures = chartNames.flatMap((name): [string, Figure][] => [
  [`${name}Cold`, { what: `${name}: first call after the start`, unit: 'ms' }],
  [`${name}P95`, { what: `${name}: p95 of new figures`, unit: 'ms', atMost: 50 }],
  [`${name}KeptP95`, { what: `${name}: p95 of kept figures`, unit: 'ms', atMost: 50 }],
  [`${name}Growth`, { what: `${name}: p50 of new figures beside a tenth`, unit: '×', atMost: 1.5 }],
])

const bench: Bench = {
  name: 'reports',
  what: 'Every report over all days of a folder that npm run fill filled, beside COPY; the dashboard and its charts, beside a tenth',
  options: ['--quick', '--no-files', '--no-charts'],
  numbers: ['--devices', '--days', '--plays', '--rounds'],
  texts: ['--data', '--tenth', '--only'],
  figures: Object.fromEntries([...reportFigures, ...chartFigures]),
  run,
}
export default bench
