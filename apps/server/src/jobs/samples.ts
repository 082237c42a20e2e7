import { createHash } from 'node:crypto'
import { hostname, loadavg } from 'node:os'
import type { Context } from '../context.ts'
import { diskSizeOf } from '../platform/storage/disk-space.ts'
import { watchJob } from '../platform/metrics/watch-job.ts'
import type { ServerSample } from '../platform/database/auth-queries.ts'

/*
 * Once a minute each server stores its load averages and the free space of its data disk, and one of them how many devices of each
 * client are online; every ten minutes also how many of each group. Charts draw what is stored, so a restart leaves a gap of a minute.
 */

const MINUTE_MS = 60_000
const GROUP_SAMPLE_MS = 10 * MINUTE_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** Charts of 24 hours show each minute. */
const THIN_AFTER_MS = 25 * HOUR_MS
const KEPT_MS = 46 * DAY_MS

export type SampleContext = Pick<Context, 'database' | 'now'>
export type ServerState = Omit<ServerSample, 'server' | 'at'>

/**
 * The name of a server's series, which admins of all clients read: it does not say the machine's. A server that moves to another host
 * or port has a new one.
 */
export const nameOf = (host: string, port: number) =>
  `server ${createHash('sha256').update(`${host}:${port}`).digest('hex').slice(0, 4)}`

async function measureServer(dataDir: string): Promise<ServerState> {
  const [one = 0, five = 0, fifteen = 0] = loadavg()
  return { loadAverages: [one, five, fifteen], ...(await diskSizeOf(dataDir)) }
}

/** Stores the samples of this minute; in the first minute of an hour also deletes those that no chart needs. */
export async function takeSamples(
  { database, now }: SampleContext,
  server: string,
  state: ServerState,
): Promise<void> {
  const minute = new Date(Math.floor(now().getTime() / MINUTE_MS) * MINUTE_MS)
  await database.jobs.addServerSample({ ...state, server, at: minute })
  await database.jobs.sampleConnectivity(minute)
  if (minute.getTime() % GROUP_SAMPLE_MS === 0) await database.jobs.sampleGroups(minute)
  if (minute.getTime() % HOUR_MS !== 0) return
  const before = (ageMs: number) => new Date(minute.getTime() - ageMs)
  await database.jobs.thinSamples(before(KEPT_MS), before(THIN_AFTER_MS))
  await database.jobs.purgeGroupSamples(before(KEPT_MS))
}

/** Takes samples now and at each full minute. @returns a function that stops it and waits for the current samples */
export function startSampling(
  context: SampleContext & Pick<Context, 'log' | 'metrics' | 'settings'>,
): () => Promise<void> {
  const { log, metrics, settings } = context
  const run = watchJob(metrics, { name: 'samples', periodMs: MINUTE_MS })
  const server = nameOf(hostname(), settings.port)
  let timer: NodeJS.Timeout | null = null
  let isStopped = false
  let running = Promise.resolve()
  const take = async () => {
    try {
      await run(async () => takeSamples(context, server, await measureServer(settings.dataDir)))
    } catch (error) {
      log.warn({ err: error }, 'the samples of this minute failed')
    }
    if (!isStopped) timer = setTimeout(begin, MINUTE_MS - (Date.now() % MINUTE_MS))
  }
  const begin = () => {
    running = take()
  }
  begin()
  return async () => {
    isStopped = true
    if (timer) clearTimeout(timer)
    await running
  }
}
