import type { Chart, ChartRange, HourChart } from '@floorcast/contract/charts.ts'
import type { Format } from '../../platform/format.ts'
import type { ChartFormat, ChartSeries } from '../../ui/charts/chart-option.ts'

const daySeconds = 86_400
const hourMs = 3_600_000
const rangeMs: Record<ChartRange, number> = {
  '1h': hourMs,
  '24h': 24 * hourMs,
  '7d': 168 * hourMs,
  '45d': 1080 * hourMs,
}

type Tone = NonNullable<ChartSeries['tone']>

/** The states of the connection in the colors of their badges. Both that are offline are red: the shorter one is striped, as in the fleet bar. */
const tones: Readonly<Record<string, Tone>> = {
  online: 'good',
  linkdown: 'down',
  linklost: 'down',
  neverup: 'none',
}

/** Media types in the order of their colors. */
export const kinds = ['melodies', 'ads', 'videos', 'videosAds'] as const

/** The place of a media type among the colors; undefined for another series. */
function placeOf(uid: string): number | undefined {
  const place = kinds.findIndex(kind => kind === uid)
  return place < 0 ? undefined : place
}

const byPlace = (a: ChartSeries, b: ChartSeries) => (a.place ?? 0) - (b.place ?? 0)

type NameOf = (uid: string, name: string) => string

/** The series of a chart over time; `nameOf` gives a series its name in the reader's language. */
export const toSeries = (chart: Chart, nameOf: NameOf): ChartSeries[] =>
  chart.series
    .map(({ uid, name, points }) => ({
      id: uid,
      name: nameOf(uid, name),
      tone: tones[uid],
      isStriped: uid === 'linkdown',
      place: placeOf(uid),
      points: points.map(([time, value]) => [Date.parse(time), value] as const),
    }))
    .toSorted(byPlace)

/** The series of a chart by hour of day. */
export const toHourSeries = (chart: HourChart, nameOf: NameOf): ChartSeries[] =>
  chart.series
    .map(({ uid, name, points }) => ({ id: uid, name: nameOf(uid, name), place: placeOf(uid), points }))
    .toSorted(byPlace)

/** The sum of all figures. */
export const sumOf = (
  series: readonly { points: readonly (readonly [at: unknown, value: number | null])[] }[],
): number =>
  series.reduce((sum, { points }) => sum + points.reduce((part, [, value]) => part + (value ?? 0), 0), 0)

/** The latest figure of a series; null: none. */
export const latestOf = (series: ChartSeries | undefined): number | null =>
  series?.points.findLast(([, value]) => value !== null)?.[1] ?? null

/** The mean of the figures of all series; null: none. */
export function meanOf(series: readonly ChartSeries[]): number | null {
  const known = series
    .flatMap(({ points }) => points.map(([, value]) => value))
    .filter(value => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length
}

/** The period that a chart shows, in ms since the epoch. */
export function periodOf(chart: Chart | undefined, range: ChartRange): readonly [number, number] {
  if (!chart) return [0, 1]
  const until = Date.parse(chart.asOf)
  return [until - rangeMs[range], until]
}

/** The hour of day with most plays; null: no plays. */
export function busiestHour(series: readonly ChartSeries[]): number | null {
  const sums = new Map<number, number>()
  for (const { points } of series)
    for (const [hour, value] of points) sums.set(hour, (sums.get(hour) ?? 0) + (value ?? 0))
  const [hour, sum] = [...sums].toSorted(([, a], [, b]) => b - a)[0] ?? [0, 0]
  return sum === 0 ? null : hour
}

interface Figures {
  value: (value: number) => string
  axisValue: (value: number) => string
}

/** How times and figures of a chart are written. Steps of a day are days of UTC. */
export function toChartFormat(format: Format, chart: Chart | undefined, figures: Figures): ChartFormat {
  const stepSeconds = chart?.stepSeconds ?? 0
  const iso = (at: number) => new Date(at).toISOString()
  if (stepSeconds >= daySeconds)
    return { ...figures, tick: at => format.shortUtcDay(iso(at)), moment: at => format.shortUtcDay(iso(at)) }
  const isDays = chart !== undefined && spanOf(chart) > 2 * daySeconds * 1000
  return {
    ...figures,
    tick: at => (isDays ? format.shortDay(iso(at)) : format.clock(iso(at))),
    moment: at => format.dateTime(iso(at)),
  }
}

/** The time from the first point to the last, in ms. */
function spanOf(chart: Chart): number {
  const times = chart.series.flatMap(({ points }) => points.map(([time]) => Date.parse(time)))
  return Math.max(...times) - Math.min(...times)
}
