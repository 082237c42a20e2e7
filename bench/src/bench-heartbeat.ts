import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { makeClient as makeCaller } from '@floorcast/contract/client.ts'
import { openDeviceSession } from '@floorcast/contract/device-protocol.ts'
import { release } from '@floorcast/contract/release.ts'
import { openDatabase } from '@floorcast/server/platform/database/database.ts'
import { startEmbeddedPostgres } from '@floorcast/embedded-postgres/embedded-postgres.ts'
import { makeClient, makeDevice } from '@floorcast/testing/factories.ts'
import { Client } from 'pg'
import type { Bench } from './bench-types.ts'
import { sampleHeartbeat } from './sample-heartbeat.ts'
import { startProgram, startServer } from './server-process.ts'

const SENDERS = 64
const ROUNDS = 5
const WARM_SECONDS = 2
const SECONDS = 3

/** Devices of one client with open sessions; resolves to their tokens. */
async function openSessions(databaseUrl: string, origin: string): Promise<string[]> {
  const database = openDatabase({ url: databaseUrl, lost: () => undefined })
  try {
    const { scope } = await makeClient(database)
    const call = makeCaller({ base: origin, token: () => null })
    const tokens: string[] = []
    for (let number = 0; number < SENDERS; number += 1) {
      const { licenseKey } = await makeDevice(scope)
      const body = { licenseKey, boxId: randomUUID(), model: 'bench', version: release.version }
      tokens.push((await call(openDeviceSession, { body })).token)
    }
    return tokens
  } finally {
    await database.close()
  }
}

/** Answered heartbeats per second, sent by a separate process. */
async function measureRate(origin: string, tokens: readonly string[], seconds: number): Promise<number> {
  const program = join(import.meta.dirname, 'bench-heartbeat-senders.ts')
  const senders = spawn(process.execPath, [program, new URL(origin).port, String(seconds)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  senders.stdin.end(JSON.stringify({ tokens, body: JSON.stringify(sampleHeartbeat) }))
  const rate = Number(await text(senders.stdout))
  if (!(rate > 0)) throw new Error('The senders were not answered')
  return rate
}

async function countStored(databaseUrl: string): Promise<number> {
  const superuser = new Client({ connectionString: databaseUrl })
  await superuser.connect()
  const { rows } = await superuser.query<{ stored: string }>(
    `select (select sum(1 + coalesce(omitted_reports, 0)) from heartbeats) + (select sum(omitted_reports) from device_states) as stored`,
  )
  await superuser.end()
  return Number(rows[0]?.stored)
}

const middle = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

async function compare(real: { url: string; tokens: string[] }, empty: string) {
  await measureRate(empty, real.tokens, WARM_SECONDS)
  await measureRate(real.url, real.tokens, WARM_SECONDS)
  const rounds: { emptyRate: number; heartbeatRate: number; ratio: number }[] = []
  // Each round measures both, so that other load of the machine affects both.
  for (let round = 0; round < ROUNDS; round += 1) {
    const emptyRate = await measureRate(empty, real.tokens, SECONDS)
    const heartbeatRate = await measureRate(real.url, real.tokens, SECONDS)
    const ratio = heartbeatRate / emptyRate
    console.error(
      `${emptyRate.toFixed(0)} empty, ${heartbeatRate.toFixed(0)} heartbeats a second: ${ratio.toFixed(2)}`,
    )
    rounds.push({ emptyRate, heartbeatRate, ratio })
  }
  return {
    ratio: middle(rounds.map(({ ratio }) => ratio)),
    emptyRate: middle(rounds.map(({ emptyRate }) => emptyRate)),
    heartbeatRate: middle(rounds.map(({ heartbeatRate }) => heartbeatRate)),
  }
}

async function run(): Promise<Record<string, number>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'floorcast-bench-'))
  const postgres = await startEmbeddedPostgres({ dataDir })
  try {
    const real = await startServer(dataDir, postgres.url)
    const empty = await startProgram('bench/src/bench-heartbeat-empty.ts')
    try {
      const tokens = await openSessions(postgres.url, real.url)
      const figures = await compare({ url: real.url, tokens }, empty.url)
      const superuserUrl = Object.assign(new URL(postgres.superuserUrl), { pathname: '/floorcast' }).href
      console.error(`${await countStored(superuserUrl)} heartbeats are counted in the database`)
      return figures
    } finally {
      await Promise.all([real.stop(), empty.stop()])
    }
  } finally {
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const bench: Bench = {
  name: 'heartbeat',
  what: `Heartbeats committed over HTTP beside an empty POST with the same body, ${SENDERS} senders`,
  figures: {
    ratio: { what: 'heartbeats a second, of empty POSTs a second', unit: '×', atLeast: 0.5 },
    heartbeatRate: { what: 'heartbeats committed', unit: '/s' },
    emptyRate: { what: 'empty POSTs', unit: '/s' },
  },
  run,
}
export default bench
