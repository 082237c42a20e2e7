import type { Context } from '../../context.ts'
import type { ClientScope } from '../../platform/database/client-scope.ts'
import { changePlays } from '../archive/archive.ts'
import { addDays } from './statistics-forecast.ts'
import { correctQuarters, saveScheduledDays } from './delivered-quarters-queries.ts'
import {
  correctDays,
  correctHours,
  correctMediaDays,
  countFormerPlays,
  FIRST_PLACE,
  findKeptFrom,
  listDevicesOf,
  listPlayDays,
  listUncountedDays,
  type PlayPlace,
  removeUncountedDay,
} from './statistics-rebuild-queries.ts'

type RebuildContext = Pick<Context, 'database' | 'files' | 'log'>

/** Who deletes rows and who compares roll-ups with rows must not do it at the same time. */
export const STATISTICS_LOCK = 'statistics'
/** Plays of one transaction: about a quarter of a second. */
const PLAYS_A_BATCH = 5000
/** A device plays some hundred tracks a day. */
const DEVICES_A_BATCH = 25

/**
 * Counts what former versions stored, the newest day first, while devices report: their plays, and the sums that they did not
 * have. An interrupted run goes on where it stopped. Nothing happens while another server does it.
 * @returns the number of days that are complete
 */
export async function countUncounted(
  context: RebuildContext & Pick<Context, 'now'>,
  isStopping: () => boolean,
): Promise<number> {
  const { database, now } = context
  let days = 0
  const clientIds = await database.jobs.uncountedClientIds()
  if (clientIds.length === 0) return 0
  await database.jobs.withAdvisoryLock('uncounted plays', async () => {
    for (const clientId of clientIds) days += await countClient(clientId)
  })
  return days

  async function countClient(clientId: string): Promise<number> {
    const scope = database.jobs.forClient(clientId)
    // During the upgrade, servers of the former version may still store plays of today and tomorrow.
    const lastComplete = addDays(now().toISOString().slice(0, 10), -2)
    let complete = 0
    const keptFrom = await findKeptFrom(scope.reads)
    const uncounted = await listUncountedDays(scope.reads)
    // Plays that were scheduled on a day begin on the neighboring days too.
    for (const day of uncounted) {
      if (isStopping()) return complete
      await scope.write(writes => saveScheduledDays(writes, day))
    }
    for (const day of uncounted) {
      await database.jobs.makeDayPartitions(day, day)
      for (let at: PlayPlace | null = FIRST_PLACE; at;) {
        if (isStopping()) return complete
        const after: PlayPlace = at
        at = await scope.write(writes => countFormerPlays(writes, day, { after, max: PLAYS_A_BATCH }))
      }
      if (keptFrom === null || day >= keptFrom) {
        await changePlays(context, clientId, writes => correctHours(writes, day))
        await changePlays(context, clientId, writes => correctQuarters(writes, day))
      }
      await scope.write(writes => correctMediaDays(writes, day))
      if (day > lastComplete) continue
      await scope.write(writes => removeUncountedDay(writes, day))
      complete += 1
    }
    return complete
  }
}

/** What a rebuild compared and corrected. */
export interface Rebuilt {
  days: number
  wrong: number
}

/**
 * Compares the roll-ups of a client with its plays, day by day, and corrects them while devices report. Days whose plays were
 * deleted keep their sums.
 */
async function rebuildClient(context: RebuildContext, scope: ClientScope): Promise<Rebuilt> {
  const { clientId } = scope
  const keptFrom = await findKeptFrom(scope.reads)
  const utcDays = (await listPlayDays(scope.reads)).filter(day => keptFrom === null || day >= keptFrom)
  const [first, last] = [utcDays[0], utcDays.at(-1)]
  if (first === undefined || last === undefined) return { days: 0, wrong: 0 }
  let sum = { days: 0, wrong: 0 }
  // A local day has plays of its own and of the neighboring days in UTC; plays of the day before `keptFrom` are gone.
  for (let day = addDays(first, -1); day <= addDays(last, 1); day = addDays(day, 1)) {
    let { wrong } = sum
    if (keptFrom === null || day > keptFrom) wrong += await correctDay(context, clientId, day)
    wrong += await scope.write(writes => correctMediaDays(writes, day))
    if (day >= first) wrong += await changePlays(context, clientId, writes => correctHours(writes, day))
    if (keptFrom === null || day >= keptFrom)
      wrong += await changePlays(context, clientId, writes => correctQuarters(writes, day))
    sum = { days: sum.days + 1, wrong }
  }
  return sum
}

async function correctDay(context: RebuildContext, clientId: string, day: string): Promise<number> {
  const devices = await changePlays(context, clientId, reads => listDevicesOf(reads, day))
  let wrong = 0
  for (let from = 0; from < devices.length; from += DEVICES_A_BATCH) {
    const some = devices.slice(from, from + DEVICES_A_BATCH)
    wrong += await changePlays(context, clientId, writes => correctDays(writes, day, some))
  }
  return wrong
}

/**
 * Rebuilds the roll-ups of a client, or of all.
 * @throws Error with advice if the client is unknown, or while rows are deleted or another rebuild runs
 */
export async function rebuildStatistics(
  context: RebuildContext,
  clientId: string | null,
): Promise<Rebuilt & { clients: number }> {
  const { database } = context
  const all = await database.jobs.clientIds()
  if (clientId !== null && !all.includes(clientId)) throw new Error(`There is no client ${clientId}.`)
  const clientIds = clientId === null ? all : [clientId]
  const sum = { clients: clientIds.length, days: 0, wrong: 0 }
  const isMine = await database.jobs.withAdvisoryLock(STATISTICS_LOCK, async () => {
    for (const id of clientIds) {
      const { days, wrong } = await rebuildClient(context, database.jobs.forClient(id))
      sum.days += days
      sum.wrong += wrong
    }
  })
  if (!isMine)
    throw new Error('Statistics are being rebuilt or deleted by another program. Try again in some minutes.')
  return sum
}
