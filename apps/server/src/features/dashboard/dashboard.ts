import type { Installation, Limits, QuickMetrics } from '@floorcast/contract/dashboard.ts'
import { LRUCache } from 'lru-cache'
import type { Context } from '../../context.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import type { Reads } from '../../platform/database/client-scope.ts'
import { orNotFound } from '../../platform/lib/errors.ts'
import { FigureCache } from '../../platform/lib/figure-cache.ts'
import { readPlays } from '../archive/archive.ts'
import { type ShortAd, findShortAds } from '../delivery-report/delivery-report.ts'
import { listLastPlays } from '../logs/logs.ts'
import { countPublications, readUnready } from '../publications/publications.ts'
import { findRestoredPlays } from '../redeliveries/redeliveries.ts'
import { readStatisticsUse } from '../statistics/statistics.ts'
import { findAttention } from './attention.ts'
import {
  countPlays,
  countMedia,
  findFleetState,
  findPlanUse,
  sumHistory,
  type DeviceCounts,
} from './dashboard-queries.ts'
import { measureInstallation, measureSizes } from './installation-queries.ts'

/** The maximum age of a client's figures, unless measuring them takes long. `asOf` has their time. */
const MIN_AGE_MS = 3000
/** Samples change once a minute. */
const INSTALLATION_MIN_AGE_MS = 10_000
/** Sizes of tables change slowly, and take longer to measure than the rest. No call waits for them but the first in a while. */
const SIZES_MIN_AGE_MS = 300_000
const SIZES_MAX_LAG_MS = 600_000
const CLIENTS_KEPT = 1000

export { NEARLY_FULL_PERCENT, percentOf, SOON_DAYS } from './attention.ts'

/** Caches the metrics of each client for some seconds, however many consoles are open; only admins see the installation. */
export function makeMetricsCache(context: ShortAdsContext) {
  const shortAds = new ShortAds(context)
  const clients = new FigureCache<ClientMetrics>(CLIENTS_KEPT)
  const installation = new FigureCache<Installation>(1)
  const sizes = new FigureCache<Awaited<ReturnType<typeof measureSizes>>>(1)
  const readInstallation = async ({ scope: { reads }, now }: RequestContext) => {
    const asked = { now, minAgeMs: SIZES_MIN_AGE_MS, maxLagMs: SIZES_MAX_LAG_MS }
    return measureInstallation(reads, await sizes.read('', asked, () => measureSizes(reads)), now)
  }
  return async (ctx: RequestContext): Promise<QuickMetrics> => {
    const { now, scope, session } = ctx
    const [metrics, state] = await Promise.all([
      clients.read(scope.clientId, { now, minAgeMs: MIN_AGE_MS }, () =>
        measureClient(ctx, shortAds.read(ctx)),
      ),
      session.role === 'admin'
        ? installation.read('', { now, minAgeMs: INSTALLATION_MIN_AGE_MS }, () => readInstallation(ctx))
        : null,
    ])
    return { ...metrics, isCached: metrics.asOf !== now.toISOString(), installation: state }
  }
}

const HOUR_MS = 3_600_000
const GIGABYTE = 1_000_000_000
const LATEST_PLAYS = 10
const MAX_UNREADY = 5
const MAX_SHORT_ADS = 5

function deviceCountsOf(counts: readonly DeviceCounts[]): QuickMetrics['devices'] {
  const devices = { online: 0, linkdown: 0, linklost: 0, neverup: 0, playing: 0, silent: 0, late: 0 }
  for (const count of counts) {
    devices[count.connectivity] += count.devices
    if (count.activity !== null) devices[count.activity] += count.devices
  }
  return devices
}

const silentCountsOf = (counts: readonly DeviceCounts[]): QuickMetrics['silent'] =>
  counts
    .flatMap(({ silent, devices }) => (silent === null ? [] : [{ reason: silent, devices }]))
    .toSorted((a, b) => b.devices - a.devices || (a.reason < b.reason ? -1 : 1))

type ClientMetrics = Omit<QuickMetrics, 'installation' | 'isCached'>

/** The first moment of the 24 hours (in UTC) that end with the present one. */
const dayBefore = (now: Date) => new Date((Math.floor(now.getTime() / HOUR_MS) - 23) * HOUR_MS)

/** The dashboard's figures, all of one state of the database. */
function measureClient(ctx: RequestContext, shortAds: readonly ShortAd[]): Promise<ClientMetrics> {
  const { now } = ctx
  return ctx.scope.readTogether(async reads => {
    const { counts, down, changesInSeconds, lateSeconds } = await findFleetState(reads, now)
    const devices = deviceCountsOf(counts)
    const silent = silentCountsOf(counts)
    const history = await sumHistory(reads)
    const databaseSizeBytes = history.reduce((sum, { bytes }) => sum + bytes, 0)
    const unready = await readUnready(reads, now, MAX_UNREADY)
    const limits = await findLimits(reads, now)
    const played = { from: dayBefore(now), until: now }
    return {
      asOf: now.toISOString(),
      changesInSeconds,
      playedCount: await countPlays(reads, played),
      playedRestored: await findRestoredPlays(reads, played, now),
      devices,
      silent,
      attention: findAttention({
        devices,
        silent,
        lateSeconds,
        unready,
        shortAds: shortAds.slice(0, MAX_SHORT_ADS),
        limits,
        now,
      }),
      media: await countMedia(reads),
      publications: await countPublications(reads, now),
      databaseSizeBytes,
      history,
      down,
      latestPlays: await listLastPlays(reads, { count: LATEST_PLAYS, now }),
      limits,
    }
  })
}

async function findLimits(reads: Reads, now: Date): Promise<Limits> {
  const use = orNotFound(await findPlanUse(reads, now))
  return {
    plan: use.plan,
    expiresAt: use.expiresAt,
    isExpired: Date.parse(use.expiresAt) <= now.getTime(),
    devices: { used: use.deviceCount, limit: use.deviceLimit },
    mediaBytes: { used: use.mediaBytes, limit: use.mediaGigabytes * GIGABYTE },
    ...(await readStatisticsUse(reads, use.statisticsGigabytes * GIGABYTE, now)),
  }
}

export const readLimits = ({ scope, now }: Pick<RequestContext, 'scope' | 'now'>): Promise<Limits> =>
  scope.readTogether(reads => findLimits(reads, now))

/** Late plays arrive all day. Counting takes at most a tenth of the time (FigureCache). */
const SHORT_ADS_MIN_AGE_MS = 600_000
/** A count ends after so long; each of its statements has the deadline of users' calls (database.ts). */
const SHORT_ADS_DEADLINE_MS = 60_000

type ShortAdsContext = Pick<Context, 'database' | 'files' | 'log'>

/** Counts the ads that fell short while somebody looks at the dashboard. No call waits for it: each shows what was counted last. */
export class ShortAds {
  readonly #counting = new FigureCache<void>(CLIENTS_KEPT)
  readonly #last = new LRUCache<string, ShortAd[]>({ max: CLIENTS_KEPT })
  readonly #context: ShortAdsContext

  constructor(context: ShortAdsContext) {
    this.#context = context
  }

  /** The last count; empty before the first one ended. */
  read({ scope, now }: RequestContext): readonly ShortAd[] {
    const { clientId } = scope
    const asked = { now, minAgeMs: SHORT_ADS_MIN_AGE_MS }
    void this.#counting.read(clientId, asked, async () => {
      try {
        this.#last.set(
          clientId,
          await readPlays(this.#context, scope, reads =>
            findShortAds(reads, now, AbortSignal.timeout(SHORT_ADS_DEADLINE_MS)),
          ),
        )
      } catch (error) {
        // What is too large to be counted is not counted again at each look at the dashboard.
        this.#context.log.error({ err: error, clientId }, 'count of the ads that fell short')
      }
    })
    return this.#last.get(clientId) ?? []
  }
}
