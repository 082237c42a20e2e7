import type { Chart, ChartQuery, ChartRange, HourChart } from '@floorcast/contract/charts.ts'
import { Connectivity } from '@floorcast/contract/devices.ts'
import { MediaType } from '@floorcast/contract/media.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import type { Reads } from '../../platform/database/client-scope.ts'
import { FigureCache } from '../../platform/lib/figure-cache.ts'
import { orNotFound } from '../../platform/lib/errors.ts'
import { findRestoredPlays } from '../redeliveries/redeliveries.ts'
import { refuseUnknownZone } from '../tags/tags.ts'
import { type Buckets, dayBuckets, firstOf, playBuckets, sampleBuckets } from './buckets.ts'
import {
  type ConnectivityCounts,
  countConnectivityNow,
  countPlaysByDay,
  countPlaysByHourOfDay,
  countPlaysByStep,
  countSinglePlays,
  countStateChanges,
  type DeviceChoice,
  existsChoice,
  findConnectivitySamples,
  findServerFigures,
  GROUP_SAMPLE_SECONDS,
  hasGroupSamples,
  isWhole,
  type ServerChart,
  type StateChange,
  sumDayChanges,
  sumDaySamples,
} from './charts-queries.ts'

/** How long figures of a range are kept: a step of a long one is hours. */
export const MIN_AGE_MS: Readonly<Record<ChartRange, number>> = {
  '1h': 5000,
  '24h': 15_000,
  '7d': 60_000,
  '45d': 60_000,
}
/** A chart is at most 30 kB. */
const CHARTS_KEPT = 500

/** Charts that are measured once however many consoles ask. */
export class ChartCache<Figures> {
  readonly #cache = new FigureCache<Figures>(CHARTS_KEPT)

  /** `owner` is the client, or the installation. */
  read(
    ctx: RequestContext,
    { owner, name, query }: { owner: string; name: string; query: { range: ChartRange } },
    measure: () => Promise<Figures>,
  ): Promise<Figures> {
    const key = JSON.stringify([owner, name, query])
    return this.#cache.read(key, { now: ctx.now, minAgeMs: MIN_AGE_MS[query.range] }, measure)
  }
}

type ValueAt = (step: number) => number | null
interface Drawn {
  uid: string
  valueAt: ValueAt
}

const drawChart = (
  ctx: RequestContext,
  { times, stepSeconds }: Buckets,
  { unit, series }: { unit: Chart['unit']; series: readonly Drawn[] },
): Chart => ({
  asOf: ctx.now.toISOString(),
  unit,
  stepSeconds,
  series: series.map(({ uid, valueAt }) => ({
    uid,
    name: uid,
    points: times.map((time, step) => [time.toISOString(), valueAt(step)]),
  })),
})

/** Sums of plays by media type; a type that has none in the whole chart has no series. */
function seriesOfTypes<Row extends { contentType: MediaType; plays: number }>(
  rows: readonly Row[],
  stepOf: (row: Row) => number,
): Drawn[] {
  return MediaType.options.flatMap(uid => {
    const plays = new Map<number, number>()
    for (const row of rows)
      if (row.contentType === uid) plays.set(stepOf(row), (plays.get(stepOf(row)) ?? 0) + row.plays)
    return plays.size === 0 ? [] : [{ uid, valueAt: (step: number) => plays.get(step) ?? 0 }]
  })
}

/** @throws ProblemError 404 */
async function requireChoice(ctx: RequestContext, choice: DeviceChoice): Promise<void> {
  if (isWhole(choice)) return
  orNotFound((await existsChoice(ctx.scope.reads, choice)) || undefined)
}

/** Plays by media type over time. @throws ProblemError 404 */
export async function measurePlays(ctx: RequestContext, { range, ...choice }: ChartQuery): Promise<Chart> {
  await requireChoice(ctx, choice)
  const { device } = choice
  if (device !== undefined && (range === '7d' || range === '45d'))
    return measurePlaysByDay(ctx, { range, device })
  const buckets = playBuckets(ctx.now, range)
  const count = device === undefined && range !== '1h' ? countPlaysByStep : countSinglePlays
  const rows = await count(ctx.scope.reads, buckets, { ...choice, now: ctx.now })
  return {
    ...drawChart(ctx, buckets, { unit: 'plays', series: seriesOfTypes(rows, ({ step }) => step) }),
    ...(await readRestored(ctx, buckets, choice)),
  }
}

/** What the plays of a chart may lack since a restore. */
async function readRestored({ scope, now }: RequestContext, buckets: Buckets, choice: DeviceChoice = {}) {
  const period = { from: firstOf(buckets), until: now, ...choice }
  const restored = await findRestoredPlays(scope.reads, period, now)
  return restored === null ? {} : { restored }
}

/** Plays of a device by its local day; tomorrow is shown where it has begun there. */
async function measurePlaysByDay(
  ctx: RequestContext,
  { range, device }: { range: ChartRange; device: string },
): Promise<Chart> {
  const { stepSeconds, times } = dayBuckets(ctx.now, range)
  const rows = await countPlaysByDay(ctx.scope.reads, { stepSeconds, times }, { device, now: ctx.now })
  const tomorrow = new Date((times.at(-1)?.getTime() ?? 0) + stepSeconds * 1000)
  const shown = rows.some(({ step }) => step === times.length) ? [...times, tomorrow] : times
  const buckets = { stepSeconds, times: shown }
  return {
    ...drawChart(ctx, buckets, { unit: 'plays', series: seriesOfTypes(rows, ({ step }) => step) }),
    ...(await readRestored(ctx, buckets, { device })),
  }
}

/** @throws ProblemError 422 for a zone that is unknown */
export async function readPlaysByHour(
  ctx: RequestContext,
  { range, zone }: { range: '24h' | '7d' | '45d'; zone: string },
): Promise<HourChart> {
  const { reads } = ctx.scope
  await refuseUnknownZone(reads, { key: 'timeZone', value: zone, path: 'zone' })
  const buckets = playBuckets(ctx.now, range)
  const rows = await countPlaysByHourOfDay(reads, { from: firstOf(buckets), until: ctx.now, zone })
  const series = seriesOfTypes(rows, ({ hour }) => hour).map(({ uid, valueAt }) => ({
    uid,
    name: uid,
    points: Array.from({ length: 24 }, (_, hour): [number, number | null] => [hour, valueAt(hour)]),
  }))
  return { asOf: ctx.now.toISOString(), unit: 'plays', series, ...(await readRestored(ctx, buckets)) }
}

/** Counts at each time, from those of now back over the changes. */
function countBack(
  buckets: Buckets,
  now: ConnectivityCounts,
  changes: readonly StateChange[],
): ConnectivityCounts[] {
  const counts = { ...now }
  const byStep = Map.groupBy(changes, ({ step }) => step)
  const atTimes: ConnectivityCounts[] = []
  for (let step = buckets.times.length; step > 0; step -= 1) {
    for (const { former, state, devices } of byStep.get(step) ?? []) {
      counts[state] -= devices
      if (former !== 'none') counts[former] += devices
    }
    atTimes.unshift({ ...counts })
  }
  return atTimes
}

/**
 * Whether samples tell the connectivity of the choice at all times of a chart: always of all devices, never of one. Those of a group
 * begin with the upgrade that brought them, or with the group, and are not dense enough for an hour.
 */
async function isSampled(reads: Reads, buckets: Buckets, { device, group }: DeviceChoice): Promise<boolean> {
  if (device !== undefined) return false
  if (group === undefined) return true
  return buckets.stepSeconds >= GROUP_SAMPLE_SECONDS && hasGroupSamples(reads, group, firstOf(buckets))
}

/**
 * Devices by connectivity: of all and of a group from samples, of a device from its transitions. Where samples of a group are
 * missing, the transitions of the devices that are in it now. @throws ProblemError 404
 */
export async function measureActiveDevices(
  ctx: RequestContext,
  { range, ...choice }: ChartQuery,
): Promise<Chart> {
  await requireChoice(ctx, choice)
  const buckets = sampleBuckets(ctx.now, range)
  const counts = await ctx.scope.readTogether(async reads => {
    if (await isSampled(reads, buckets, choice)) {
      const samples = await findConnectivitySamples(reads, buckets, choice.group)
      return new Map(samples.map(sample => [sample.step, sample]))
    }
    const changes = await countStateChanges(reads, buckets, { ...choice, now: ctx.now })
    const back = countBack(buckets, await countConnectivityNow(reads, choice, ctx.now), changes)
    return new Map(back.entries())
  })
  const series = Connectivity.options.map(uid => ({
    uid,
    valueAt: (step: number) => counts.get(step)?.[uid] ?? null,
  }))
  return drawChart(ctx, buckets, { unit: 'devices', series })
}

const PERCENT_DIGITS = 3

const toPercent = (online: number, known: number): number | null =>
  known > 0 ? Number(((100 * online) / known).toFixed(PERCENT_DIGITS)) : null

/** Online time of the time since the first contact, by day, from the transitions of the chosen devices. */
async function shareOnlineTime(
  reads: Reads,
  buckets: Buckets,
  { now, ...choice }: DeviceChoice & { now: Date },
): Promise<Map<number, number | null>> {
  const changes = await sumDayChanges(reads, buckets, { ...choice, now })
  const counts = await countConnectivityNow(reads, choice, now)
  const byStep = new Map(changes.map(change => [change.step, change]))
  let [online, known] = [counts.online, counts.online + counts.linkdown + counts.linklost]
  const shares = new Map<number, number | null>()
  for (const [step, begin] of [...buckets.times.entries()].toReversed()) {
    const endMs = Math.min(now.getTime(), begin.getTime() + buckets.stepSeconds * 1000)
    const seconds = (endMs - begin.getTime()) / 1000
    const change = byStep.get(step)
    online -= change?.online ?? 0
    known -= change?.known ?? 0
    const onlineSeconds = online * seconds + (change?.onlineSeconds ?? 0)
    shares.set(step, toPercent(onlineSeconds, known * seconds + (change?.knownSeconds ?? 0)))
  }
  return shares
}

/** Availability by day, from samples or transitions as the active devices. @throws ProblemError 404 */
export async function measureAvailability(
  ctx: RequestContext,
  { range, ...choice }: ChartQuery,
): Promise<Chart> {
  await requireChoice(ctx, choice)
  const { now } = ctx
  const buckets = dayBuckets(now, range)
  const shares = await ctx.scope.readTogether(async reads => {
    if (!(await isSampled(reads, buckets, choice))) return shareOnlineTime(reads, buckets, { ...choice, now })
    const sums = await sumDaySamples(reads, buckets, { now, group: choice.group })
    return new Map(sums.map(({ step, online, known }) => [step, toPercent(online, known)]))
  })
  const series = [{ uid: 'availability', valueAt: (step: number) => shares.get(step) ?? null }]
  return drawChart(ctx, buckets, { unit: 'percent', series })
}

/** A figure of the installation's servers, one series each. */
export async function measureServers(
  ctx: RequestContext,
  chart: ServerChart,
  range: ChartRange,
): Promise<Chart> {
  const buckets = sampleBuckets(ctx.now, range)
  const figures = await findServerFigures(ctx.scope.reads, chart, buckets)
  const byServer = Map.groupBy(figures, ({ server }) => server)
  const servers = [...byServer].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const series = servers.map(([uid, own]) => {
    const values = new Map(own.map(({ step, value }) => [step, value]))
    return { uid, valueAt: (step: number) => values.get(step) ?? null }
  })
  return drawChart(ctx, buckets, { unit: chart === 'free-space' ? 'bytes' : 'load', series })
}
