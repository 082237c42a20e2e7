import type { Limits, QuickMetrics } from '@floorcast/contract/dashboard.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import { orNotFound } from '../../platform/lib/errors.ts'
import { countPlays, readLatestPlays } from '../logs/logs.ts'
import { countPublications } from '../publications/publications.ts'
import {
  countConnectivity,
  countMedia,
  findDownDevices,
  findPlanUse,
  sumHistoryBytes,
  type DeviceCounts,
} from './dashboard-queries.ts'

/** The maximum age of figures, unless measuring them takes long. `asOf` has their time. */
const MIN_AGE_MS = 3000
/** Measuring takes at most a tenth of the time: figures that took a second are cached for ten. */
const DEARNESS = 10
const CLIENTS_KEPT = 1000

interface Measured {
  at: number
  maxAgeMs: number
  metrics: Promise<QuickMetrics>
}

/** Caches the metrics of each client for some seconds, however many consoles are open. */
export function makeMetricsCache() {
  const kept = new Map<string, Measured>()
  return (ctx: RequestContext): Promise<QuickMetrics> => {
    const { clientId } = ctx.scope
    const at = ctx.now.getTime()
    const known = kept.get(clientId)
    if (known && Math.abs(at - known.at) < known.maxAgeMs) return known.metrics
    if (kept.size >= CLIENTS_KEPT) kept.clear()
    const begun = performance.now()
    const measured = { at, maxAgeMs: MIN_AGE_MS, metrics: measureClient(ctx) }
    kept.set(clientId, measured)
    measured.metrics.then(
      () => {
        measured.maxAgeMs = Math.max(MIN_AGE_MS, DEARNESS * (performance.now() - begun))
      },
      // A failed measurement is not cached: the next call measures again.
      () => kept.delete(clientId),
    )
    return measured.metrics
  }
}

const DAY_MS = 86_400_000
const GIGABYTE = 1_000_000_000
const LATEST_PLAYS = 10
function deviceCountsOf(counts: readonly DeviceCounts[]): QuickMetrics['devices'] {
  const devices = { online: 0, linkdown: 0, linklost: 0, neverup: 0, playing: 0 }
  for (const count of counts) {
    devices[count.connectivity] = count.devices
    devices.playing += count.playing
  }
  return devices
}

/** The dashboard's figures, all of one state of the database. */
export async function measureClient(ctx: RequestContext): Promise<QuickMetrics> {
  const { now } = ctx
  return ctx.scope.readTogether(async reads => ({
    asOf: now.toISOString(),
    playedCount: await countPlays(reads, new Date(now.getTime() - DAY_MS)),
    devices: deviceCountsOf(await countConnectivity(reads, now)),
    media: await countMedia(reads),
    publications: await countPublications(reads, now),
    databaseSizeBytes: await sumHistoryBytes(reads),
    down: await findDownDevices(reads, now),
    latestPlays: await readLatestPlays(reads, { count: LATEST_PLAYS }),
  }))
}

export async function readPlanLimits(ctx: RequestContext): Promise<Limits> {
  return ctx.scope.readTogether(async reads => {
    const use = orNotFound(await findPlanUse(reads, ctx.now))
    return {
      plan: use.plan,
      expiresAt: use.expiresAt,
      isExpired: Date.parse(use.expiresAt) <= ctx.now.getTime(),
      devices: { used: use.deviceCount, limit: use.deviceLimit },
      mediaBytes: { used: use.mediaBytes, limit: use.mediaGigabytes * GIGABYTE },
      statisticsBytes: { used: await sumHistoryBytes(reads), limit: use.statisticsGigabytes * GIGABYTE },
    }
  })
}
