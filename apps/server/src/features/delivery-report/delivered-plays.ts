import type { PlayReads } from '../archive/archive.ts'
import { listUncountedDays } from '../statistics/statistics.ts'
import type { DeliveryPeriod } from './delivery-period.ts'
import {
  countDelivered,
  type Delivered,
  findQuarterSpans,
  type Grain,
  type PlayingPublication,
  sumDelivered,
} from './delivery-report-queries.ts'

interface Question {
  publications: readonly Pick<PlayingPublication, 'uid' | 'since'>[]
  period: DeliveryPeriod
  /** By device, plays are counted one by one (`countDelivered`). */
  by: Grain & { device: false }
  signal?: AbortSignal
}

const QUARTER_MS = 900_000
const DAY_MS = 86_400_000

const keyOf = ({ publicationUid, isKnown, day, mediaUid }: Delivered) =>
  `${publicationUid} ${isKnown} ${day} ${mediaUid}`

const dayAt = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** The quarter hours that hold an end of the period, or the start of a program in it. Only some of their plays count. */
function cutQuarters({ publications, period }: Question): string[] {
  const [from, until] = [period.from.getTime(), period.until.getTime()]
  const starts = publications.flatMap(({ since }) => (since === null ? [] : [Date.parse(since)]))
  const cuts = [from, until, ...starts.filter(start => start > from && start < until)]
  const quarters = cuts.filter(cut => cut % QUARTER_MS !== 0).map(cut => cut - (cut % QUARTER_MS))
  return [...new Set(quarters)].toSorted((a, b) => a - b).map(quarter => new Date(quarter).toISOString())
}

/** The days (UTC) of the period whose plays may not all be in the roll-up: they or those beside them are to be counted. */
function daysToCount({ from, until }: DeliveryPeriod, uncounted: ReadonlySet<string>): string[] {
  const days: string[] = []
  for (let at = from.getTime() - (from.getTime() % DAY_MS); at < until.getTime(); at += DAY_MS)
    if ([at - DAY_MS, at, at + DAY_MS].some(near => uncounted.has(dayAt(near)))) days.push(dayAt(at))
  return days
}

/** Adds what has the same key; the days in order. */
function mergeDelivered(rows: readonly Delivered[]): Delivered[] {
  const sums = new Map<string, Delivered>()
  for (const row of rows) {
    const plays = row.plays + (sums.get(keyOf(row))?.plays ?? 0)
    sums.set(keyOf(row), { ...row, plays })
  }
  return [...sums.values()].toSorted((a, b) => ((a.day ?? '') < (b.day ?? '') ? -1 : Number(a.day !== b.day)))
}

/**
 * Counts the delivered plays of every media item as `countDelivered` does, from the roll-up by quarter hours. Plays of quarter hours
 * that count in part, and of days that the roll-up does not have yet, are counted one by one.
 * @throws the signal's reason, between two statements
 */
export async function countFromQuarters(reads: PlayReads, question: Question): Promise<Delivered[]> {
  const { publications, period, by, signal } = question
  const days = daysToCount(period, new Set(await listUncountedDays(reads)))
  const quarters = cutQuarters(question).filter(quarter => !days.includes(quarter.slice(0, 10)))
  const rows = await sumDelivered(reads, publications, { period, by, without: { quarters, days } })
  // A play begins on the day before or after that of its schedule at most.
  const startDays = new Set(
    days.flatMap(day => [-1, 0, 1].map(n => dayAt(Date.parse(day) + n * DAY_MS))).toSorted(),
  )
  const some = [
    ...(await findQuarterSpans(reads, quarters)),
    ...[...startDays].map(startDay => ({ startDay, scheduledOn: days })),
  ]
  for (const among of some) {
    signal?.throwIfAborted()
    rows.push(...(await countDelivered(reads, publications, { period, mediaUid: null, by, among })))
  }
  return mergeDelivered(rows)
}
