import { loadavg } from 'node:os'
import type { Context } from '../context.ts'
import { diskSizeOf } from '../platform/storage/disk-space.ts'
import type { ServerSample } from '../platform/database/auth-queries.ts'
import { version } from '../version.ts'
import type { Jobs } from './jobs.ts'
import { countSilent } from './maintenance-queries.ts'

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
  if ((await database.jobs.sampleConnectivity(minute)) > 0)
    await database.jobs.noteSilent(minute, await countSilent(database.ingest.statements, minute))
  if (minute.getTime() % GROUP_SAMPLE_MS === 0) await database.jobs.sampleGroups(minute)
  if (minute.getTime() % HOUR_MS !== 0) return
  const before = (ageMs: number) => new Date(minute.getTime() - ageMs)
  await database.jobs.thinSamples(before(KEPT_MS), before(THIN_AFTER_MS))
  await database.jobs.purgeGroupSamples(before(KEPT_MS))
}

const nextMinute = (now: Date) => new Date((Math.floor(now.getTime() / MINUTE_MS) + 1) * MINUTE_MS)

/** Takes samples now and at each full minute. @returns a function that stops it and waits for the current samples */
export function startSampling(
  context: SampleContext & Pick<Context, 'log' | 'settings'>,
  jobs: Jobs,
): () => Promise<void> {
  const { log, settings, database, now } = context
  const startedAt = now()
  return jobs.start({
    name: 'samples',
    succeedsWithinMs: MINUTE_MS,
    nextAt: nextMinute,
    run: async () => {
      await takeSamples(context, jobs.server, await measureServer(settings.dataDir))
      const { release, commit } = version
      await database.jobs.runs.noteServer({
        name: jobs.server,
        version: commit === null ? release : `${release} (${commit})`,
        role: settings.role,
        startedAt,
        at: now(),
      })
      return 'done'
    },
    onFailure: error => log.warn({ err: error }, 'the samples of this minute failed'),
  })
}
