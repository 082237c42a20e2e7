import type { Limits } from '@floorcast/contract/dashboard.ts'
import type { Context } from '../../context.ts'
import type { ClientScope } from '../../platform/database/client-scope.ts'
import { readPlays } from '../archive/archive.ts'
import { addEvent, type NewEvent } from '../client-events/client-events.ts'
import { NEARLY_FULL_PERCENT, percentOf, readLimits, SOON_DAYS } from '../dashboard/dashboard.ts'
import { findShortAds } from '../delivery-report/delivery-report.ts'
import { eachClient } from './each-client.ts'
import { settleGiven } from './item-conditions-queries.ts'

/* Once an hour: the plan of each client, and once a day the ads that fell short. */

const DAY_MS = 86_400_000
/** The day before has ended in every zone, and its plays have had some hours to come. */
const ADS_HOUR = 12
const ADS_DEADLINE_MS = 60_000
const MAX_SHORT_ADS = 100

function subscriptionOf({ expiresAt, isExpired }: Limits, now: Date): NewEvent | null {
  if (isExpired) return { kind: 'subscription.ended', expiresAt }
  const isSoon = Date.parse(expiresAt) - now.getTime() <= SOON_DAYS * DAY_MS
  return isSoon ? { kind: 'subscription.ending', expiresAt } : null
}

function eventsOfPlan(limits: Limits, now: Date) {
  const full = (
    kind: 'storage.nearly-full' | 'statistics.nearly-full',
    use: { used: number; limit: number },
  ) => {
    const percent = percentOf(use)
    return percent >= NEARLY_FULL_PERCENT ? { kind, percent, ...use } : null
  }
  return {
    subscription: subscriptionOf(limits, now),
    storage: full('storage.nearly-full', limits.mediaBytes),
    statistics: full('statistics.nearly-full', limits.statisticsBytes),
  }
}

async function lookAtPlan(scope: ClientScope, now: Date): Promise<void> {
  const found = eventsOfPlan(await readLimits({ scope, now }), now)
  await scope.write(async writes => {
    for (const [about, event] of Object.entries(found)) {
      const current = event ? [{ uid: scope.clientId, state: event.kind }] : []
      const [change] = await settleGiven(writes, { about, now }, current)
      if (event && change) addEvent(writes, { clientId: scope.clientId, at: now }, event)
    }
  })
}

async function lookAtAds(context: AdsContext, scope: ClientScope, now: Date): Promise<void> {
  if (now.getUTCHours() < ADS_HOUR) return
  const today = now.toISOString().slice(0, 10)
  const isNew = await scope.write(async writes => {
    const current = [{ uid: scope.clientId, state: today }]
    return (await settleGiven(writes, { about: 'ads', now }, current)).length > 0
  })
  if (!isNew) return
  const short = await readPlays(context, scope, reads =>
    findShortAds(reads, now, AbortSignal.timeout(ADS_DEADLINE_MS)),
  )
  await scope.write(async writes => {
    for (const { uid, name, day, planned, delivered } of short.slice(0, MAX_SHORT_ADS)) {
      const media = { uid, name }
      addEvent(
        writes,
        { clientId: scope.clientId, at: now },
        { kind: 'ad.short', media, day, planned, delivered },
      )
    }
  })
}

type AdsContext = Pick<Context, 'database' | 'files' | 'log'>

/** Makes the events of each client's plan and ads. */
export async function lookAtPlans(context: AdsContext, now: Date): Promise<void> {
  await eachClient(context, await context.database.jobs.clientIds(), async scope => {
    await lookAtPlan(scope, now)
    await lookAtAds(context, scope, now)
  })
}
