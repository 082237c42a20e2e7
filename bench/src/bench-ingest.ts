import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { PlayEvent } from '@floorcast/contract/events.ts'
import { Pool } from 'pg'
import { type Bench, type Figure, numberOption, textOption } from './bench-types.ts'
import { bindDevices, type FilledDevice } from './chain-fill.ts'
import { type FilledServer, fillFolder, openFilled } from './filled-server.ts'
import { copyPlays } from './play-copies.ts'
import type { IngestOrders } from './ingest-senders.ts'
import { sampleHeartbeat } from './sample-heartbeat.ts'
import { familySeconds } from './processor-time.ts'
import { type ServerProcess, startProgram, startServer } from './server-process.ts'

const DEVICES = 64
const SENDERS = [1, 8, 64] as const
/** How many servers share the database. */
const SERVERS = [1, 2, 3] as const
const BATCHES = [1, 20, 200] as const
const FILL = { devices: DEVICES, days: 1, plays: 20 }

interface Target {
  server: FilledServer
  superuser: Pool
  devices: readonly FilledDevice[]
  play: PlayEvent
}

/** A play of the last filled day, of a track of the filled playlist. */
const SAMPLE_PLAY = `
  select publication_uid as "publicationUid", playlist_uid as "playlistUid", playlist_name as "playlistName",
    item_uid as "itemUid", media_uid as "mediaUid", sha256, track_name as "trackName", content_type as "contentType",
    duration_seconds as "durationSeconds"
  from plays where client_id = $1 and day = $2 limit 1`

async function openTarget(folder: string): Promise<Target> {
  const server = await openFilled(folder)
  const superuser = new Pool({ connectionString: server.superuserUrl, max: 1 })
  superuser.on('error', () => undefined)
  const { rows: devices } = await superuser.query<FilledDevice>(
    `select uid, license_key as "licenseKey", 'ingest-' || uid as token from devices where client_id = $1
     order by name limit $2`,
    [server.clientId, DEVICES],
  )
  await bindDevices(superuser, devices)
  const { rows } = await superuser.query<Omit<PlayEvent, 'kind'>>(SAMPLE_PLAY, [server.clientId, server.to])
  if (!rows[0]) throw new Error('The folder has no plays')
  const at = `${server.to}T21:00:00.000Z`
  const times = { at, scheduledAt: at, startedAt: at, endedAt: at }
  const head = { id: randomUUID(), bootId: randomUUID(), sequence: 1 }
  const heard = { secondsPlayed: rows[0].durationSeconds, result: 'complete', why: null } as const
  return { server, superuser, devices, play: { ...rows[0], ...head, ...times, ...heard, kind: 'playtrack' } }
}

/** What is sent: so many plays in a call, or heartbeats. */
interface Load {
  senders: number
  batch: number | 'heartbeat'
}

const DAY_MS = 86_400_000
/** Each run has days of its own: what a run before has played would be in its way. */
const FIRST_DAYS_AGO = 85
const DAYS_A_RUN = 1
let runs = 0

/** Accepted reports per second, sent by a separate process. */
async function measureRate(
  urls: readonly string[],
  { devices, play }: Target,
  { senders, batch, seconds }: Load & { seconds: number },
) {
  const of = Array.from({ length: senders }, (_, nr) => devices.filter((__, at) => at % senders === nr))
  const orders: IngestOrders = {
    ports: urls.map(url => Number(new URL(url).port)),
    seconds,
    senders: of,
    heartbeat: batch === 'heartbeat' ? sampleHeartbeat : null,
    plays: batch === 'heartbeat' ? null : { batch, play: { ...play, startedAt: nextStart(play) } },
  }
  const program = join(import.meta.dirname, 'ingest-senders.ts')
  const process_ = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] })
  process_.stdin.end(JSON.stringify(orders))
  const rate = Number(await text(process_.stdout))
  if (!(rate > 0)) throw new Error('The senders were not answered')
  return rate
}

function nextStart({ startedAt }: PlayEvent): string {
  const daysAgo = FIRST_DAYS_AGO - runs * DAYS_A_RUN
  runs += 1
  return new Date(Date.parse(startedAt) - Math.max(daysAgo, 2) * DAY_MS).toISOString()
}

const middle = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

interface Turns {
  rounds: number
  seconds: number
}

const nameOf = ({ senders, batch }: Load) =>
  batch === 'heartbeat' ? `heartbeats${senders}` : `plays${senders}By${batch}`
const LOADS: readonly Load[] = SENDERS.flatMap(senders =>
  (['heartbeat', ...BATCHES] as const).map(batch => ({ senders, batch })),
)

/** Each load on the server and on the empty routes in turns, so that other work of the machine affects both; and COPY. */
async function compare(target: Target, empty: string, { rounds, seconds }: Turns) {
  const values: Record<string, number> = {}
  const copies = []
  for (const load of LOADS) {
    const [rates, ofEmpty, ofCopy]: [number[], number[], number[]] = [[], [], []]
    for (let round = 0; round < rounds; round += 1) {
      const emptyRate = await measureRate([empty], target, { ...load, seconds })
      const rate = await measureRate([target.server.url], target, { ...load, seconds })
      const copyRate = await copyPlays(target.superuser, target.server.clientId)
      rates.push(rate)
      copies.push(copyRate)
      ofEmpty.push(rate / emptyRate)
      ofCopy.push(rate / copyRate)
    }
    const name = nameOf(load)
    values[`${name}Rate`] = middle(rates)
    values[`${name}OfEmpty`] = middle(ofEmpty)
    if (load.batch !== 'heartbeat') values[`${name}OfCopy`] = middle(ofCopy)
    const words = `${middle(rates).toFixed(0)}/s, ${middle(ofEmpty).toFixed(2)} of empty, ${middle(ofCopy).toFixed(2)} of COPY`
    console.error(`${name}: ${words}`)
  }
  return { ...values, copyRate: middle(copies) }
}

/** How many times as long a play takes beside many stored ones as beside few. */
async function measureGrowth([large, small]: readonly Target[], { rounds, seconds }: Turns): Promise<object> {
  if (!large || !small) return {}
  const load = { senders: 64, batch: 20, seconds }
  const ratios: number[] = []
  for (let round = -1; round < Math.max(rounds, 5); round += 1) {
    const fast = await measureRate([small.server.url], small, load)
    const rate = await measureRate([large.server.url], large, load)
    console.error(`${fast.toFixed(0)} and ${rate.toFixed(0)} plays a second`)
    if (round >= 0) ratios.push(fast / rate)
  }
  return { costGrowth: middle(ratios) }
}

/** Reports a second that one, two and three servers of a database commit, and PostgreSQL's share of the cores meanwhile. */
async function measureServers(target: Target, { folder, rounds, seconds }: Turns & { folder: string }) {
  const { server } = target
  const others: ServerProcess[] = []
  const taken = new Map(SERVERS.map(count => [count, { rates: [] as number[], shares: [] as number[] }]))
  try {
    while (others.length < Math.max(...SERVERS) - 1)
      others.push(await startServer(folder, server.databaseUrl))
    const all = [server, ...others].map(({ url }) => url)
    for (let round = 0; round < rounds; round += 1)
      for (const [count, { rates, shares }] of taken) {
        const [before, startedAt] = [familySeconds(server.postgresPid), performance.now()]
        rates.push(await measureRate(all.slice(0, count), target, { senders: 64, batch: 20, seconds }))
        const passed = (performance.now() - startedAt) / 1000
        shares.push((familySeconds(server.postgresPid) - before) / passed / cpus().length)
      }
  } finally {
    await Promise.all(others.map(({ stop }) => stop()))
  }
  return Object.fromEntries(
    [...taken].flatMap(([count, { rates, shares }]) => [
      [`servers${count}Rate`, middle(rates)],
      [`servers${count}Postgres`, middle(shares)],
    ]),
  )
}

async function run(args: readonly string[]): Promise<Record<string, number>> {
  const base = mkdtempSync(join(tmpdir(), 'floorcast-bench-'))
  const turns = { rounds: numberOption(args, '--rounds', 3), seconds: numberOption(args, '--seconds', 2) }
  const targets: Target[] = []
  const empty = await startProgram('bench/src/bench-heartbeat-empty.ts')
  try {
    const data = textOption(args, '--data')
    const fresh = join(base, 'fresh')
    await fillFolder(fresh, FILL)
    for (const folder of data === null ? [fresh] : [data, fresh]) targets.push(await openTarget(folder))
    const [target] = targets
    if (!target) throw new Error('There is no filled folder')
    return {
      ...(await compare(target, empty.url, turns)),
      ...(await measureServers(target, { folder: data ?? fresh, ...turns })),
      ...(await measureGrowth(targets, turns)),
    }
  } finally {
    await empty.stop()
    for (const { server, superuser } of targets) {
      await superuser.end()
      await server.stop()
    }
    rmSync(base, { recursive: true, force: true })
  }
}

const figures = LOADS.flatMap((load): [string, Figure][] => {
  const { senders, batch } = load
  const [name, isMany] = [nameOf(load), senders === 64]
  const isBatched = batch === 20 || batch === 200
  const what =
    batch === 'heartbeat' ? `heartbeats, ${senders} senders` : `plays by ${batch}, ${senders} senders`
  const rate: [string, Figure] = [`${name}Rate`, { what: `${what}: committed`, unit: '/s' }]
  const goal = batch === 'heartbeat' && isMany ? { atLeast: 0.6 } : {}
  const ofEmpty: [string, Figure] = [
    `${name}OfEmpty`,
    { what: `${what}: of an empty route`, unit: '×', ...goal },
  ]
  if (batch === 'heartbeat') return [rate, ofEmpty]
  const copyGoal = isBatched && isMany ? { atLeast: 0.3 } : {}
  return [
    rate,
    ofEmpty,
    [`${name}OfCopy`, { what: `${what}: of COPY of the same rows`, unit: '×', ...copyGoal }],
  ]
})

const bench: Bench = {
  name: 'ingest',
  what: 'Heartbeats and plays committed over HTTP, roll-ups included, beside empty routes and COPY; with --data also beside few stored plays',
  numbers: ['--rounds', '--seconds'],
  texts: ['--data'],
  figures: {
    ...Object.fromEntries(figures),
    ...Object.fromEntries(
      SERVERS.flatMap((count): [string, Figure][] => [
        [`servers${count}Rate`, { what: `plays by 20, 64 senders, at ${count} servers`, unit: '/s' }],
        [`servers${count}Postgres`, { what: 'share of PostgreSQL of all cores meanwhile', unit: '' }],
      ]),
    ),
    copyRate: { what: 'COPY of plays into a table with the same indexes', unit: '/s' },
    costGrowth: {
      what: 'the time of a play beside many stored ones, of that beside few',
      unit: '×',
      atMost: 1.2,
    },
  },
  run,
}
export default bench
