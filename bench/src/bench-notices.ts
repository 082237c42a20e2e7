import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { PlayEvent } from '@floorcast/contract/events.ts'
import { startEmbeddedPostgres } from '@floorcast/embedded-postgres/embedded-postgres.ts'
import { openEvents } from '@floorcast/server/features/ingest/events.ts'
import { type Database, openDatabase } from '@floorcast/server/platform/database/database.ts'
import type { Ingest } from '@floorcast/server/platform/database/ingest.ts'
import { migrateDatabase } from '@floorcast/server/platform/database/migrations.ts'
import { notifyAll } from '@floorcast/server/platform/database/notify.ts'
import { makeLog } from '@floorcast/server/platform/log/log.ts'
import { Metrics } from '@floorcast/server/platform/metrics/metrics.ts'
import { makeClient, makeDevice } from '@floorcast/testing/factories.ts'
import { type Bench, type Figure, numberOption } from './bench-types.ts'
import { endWithThisProcess } from './server-process.ts'

/*
 * Eight servers' ingests, each with connections of its own, store plays one by one: each commit is a write to the disk, of which
 * PostgreSQL makes one for all that commit at the same time, unless they wait for the lock of NOTIFY. Now, and as it was: with
 * the notice in the transaction.
 */

const LISTENERS = [2, 8, 16] as const
const SERVERS = 8
const DEVICES_A_SERVER = 8
const PLAY_SECONDS = 20
/** Plays begin so long ago: none is in the future, and none too old. */
const DAYS_AGO = 80
const DAY_MS = 86_400_000
const MODES = ['former', 'collected'] as const
type Mode = (typeof MODES)[number]

interface Player {
  device: { clientId: string; deviceUid: string; groupUid: null; name: string; kind: 'audio' }
  bootId: string
  sequence: number
}

const sample = {
  kind: 'playtrack',
  publicationUid: null,
  playlistUid: null,
  playlistName: 'Songs',
  itemUid: null,
  mediaUid: randomUUID(),
  sha256: 'a'.repeat(64),
  trackName: 'Blue hour',
  contentType: 'melodies',
  secondsPlayed: PLAY_SECONDS,
  durationSeconds: PLAY_SECONDS,
  result: 'complete',
  why: null,
} as const

function nextPlay(player: Player): PlayEvent {
  player.sequence += 1
  const from = Math.floor(Date.now() / DAY_MS - DAYS_AGO) * DAY_MS + player.sequence * PLAY_SECONDS * 1000
  const [startedAt, endedAt] = [from, from + PLAY_SECONDS * 1000].map(at => new Date(at).toISOString())
  const times = {
    at: endedAt ?? '',
    scheduledAt: startedAt ?? '',
    startedAt: startedAt ?? '',
    endedAt: endedAt ?? '',
  }
  return { ...sample, ...times, id: randomUUID(), bootId: player.bootId, sequence: player.sequence }
}

/** The ingest with its commits counted; the former one notifies in the transaction, in which it stores one play. */
function openCounting(ingest: Ingest, mode: Mode, players: readonly Player[]) {
  const counts = { commits: 0 }
  const notices = players.map(({ device }) => [device.clientId, 'play', device.deviceUid])
  let next = 0
  const write: Ingest['write'] = async work => {
    const result = await ingest.write(async writes => {
      const done = await work(writes)
      const notice = notices[(next += 1) % notices.length]
      if (mode === 'former' && notice) await notifyAll(writes, 'live', [notice])
      return done
    })
    counts.commits += 1
    return result
  }
  const silent = { add: () => undefined, flush: () => Promise.resolve() }
  return { counts, ingest: { ...ingest, write, ...(mode === 'former' ? { notices: silent } : {}) } }
}

interface Writer {
  database: Database
  players: readonly Player[]
}

/** Stores plays until the time is over. @returns commits a second */
async function measureCommits(writers: readonly Writer[], mode: Mode, seconds: number): Promise<number> {
  const begun = performance.now()
  const until = begun + seconds * 1000
  const counted = await Promise.all(
    writers.map(async ({ database, players }) => {
      const { counts, ingest } = openCounting(database.ingest, mode, players)
      const events = openEvents({
        database: { ...database, ingest },
        log: makeLog('silent'),
        metrics: new Metrics(),
        now: () => new Date(),
      })
      for (let at = 0; performance.now() < until; at += 1) {
        const player = players[at % players.length]
        if (!player) continue
        const { accepted } = await events.receive(player.device, [nextPlay(player)])
        if (accepted !== 1) throw new Error('A play was not stored')
      }
      return counts.commits
    }),
  )
  const passed = (performance.now() - begun) / 1000
  return counted.reduce((sum, commits) => sum + commits, 0) / passed
}

/** Buses of a separate process. `stop` resolves to how many notices they have heard. */
async function startListeners(url: string, count: number) {
  const program = join(import.meta.dirname, 'bench-notice-listeners.ts')
  const listeners = spawn(process.execPath, [program, String(count)], {
    env: { ...process.env, DATABASE_URL: url },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  endWithThisProcess(listeners)
  const lines = createInterface({ input: listeners.stdout })[Symbol.asyncIterator]()
  if ((await lines.next()).value !== 'listening') throw new Error('The listeners ended')
  return {
    stop: async () => {
      listeners.stdin.end()
      return Number((await lines.next()).value)
    },
  }
}

const middle = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

async function openWriters(url: string): Promise<Writer[]> {
  const writers: Writer[] = []
  for (let server = 0; server < SERVERS; server += 1) {
    const database = openDatabase({ url, lost: () => undefined })
    const { scope } = await makeClient(database)
    const players: Player[] = []
    for (let number = 0; number < DEVICES_A_SERVER; number += 1) {
      const { uid } = await makeDevice(scope)
      const device = {
        clientId: scope.clientId,
        deviceUid: uid,
        groupUid: null,
        name: 'Till radio',
        kind: 'audio' as const,
      }
      players.push({ device, bootId: randomUUID(), sequence: 0 })
    }
    writers.push({ database, players })
  }
  return writers
}

async function run(args: readonly string[]): Promise<Record<string, number>> {
  const [rounds, seconds] = [numberOption(args, '--rounds', 5), numberOption(args, '--seconds', 3)]
  const dataDir = mkdtempSync(join(tmpdir(), 'floorcast-bench-'))
  const postgres = await startEmbeddedPostgres({ dataDir })
  let writers: Writer[] = []
  try {
    await migrateDatabase(postgres.url)
    writers = await openWriters(postgres.url)
    const values: Record<string, number> = {}
    for (const count of LISTENERS) {
      const listeners = await startListeners(postgres.url, count)
      const rates: Record<Mode, number[]> = { former: [], collected: [] }
      // The first round warms up.
      for (let round = -1; round < rounds; round += 1)
        for (const mode of MODES) {
          const rate = await measureCommits(writers, mode, seconds)
          if (round >= 0) rates[mode].push(rate)
        }
      const heard = await listeners.stop()
      const [former, collected] = [middle(rates.former), middle(rates.collected)]
      console.error(
        `${count} listeners: ${former.toFixed(0)} and ${collected.toFixed(0)} commits a second; ${heard} notices heard`,
      )
      Object.assign(values, {
        [`former${count}`]: former,
        [`collected${count}`]: collected,
        [`gain${count}`]: collected / former,
      })
    }
    return values
  } finally {
    await Promise.all(writers.map(({ database }) => database.close()))
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const figures = LISTENERS.flatMap((count): [string, Figure][] => [
  [`former${count}`, { what: `${count} listeners, notices in the transaction: commits`, unit: '/s' }],
  [`collected${count}`, { what: `${count} listeners, notices collected: commits`, unit: '/s' }],
  [
    `gain${count}`,
    {
      what: `${count} listeners: one beside the other`,
      unit: '×',
      // With few listeners the lock is short, and both differ by less than two runs do.
      ...(count === 16 ? { atLeast: 1 } : {}),
    },
  ],
])

const bench: Bench = {
  name: 'notices',
  what: 'Commits of single plays by eight servers, with their notices in the transaction and collected, beside 2, 8 and 16 servers that listen',
  numbers: ['--rounds', '--seconds'],
  figures: Object.fromEntries(figures),
  run,
}
export default bench
