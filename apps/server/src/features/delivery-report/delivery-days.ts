import type { PlayReads } from '../archive/archive.ts'
import { type Broadcast, readBroadcast } from '../manifests/manifests.ts'
import { findKeptFrom } from '../statistics/statistics.ts'
import {
  countDeliveries,
  type DeliveryCount,
  type DeliveryQuestion,
  type ScheduledCount,
} from './delivery-counts.ts'
import { daysWithin, type DeliveryPeriod, labelsOf, withKeptPlays } from './delivery-period.ts'
import type { PlayingPublication } from './delivery-report-queries.ts'

/** The counts of a day of a publication, or of one of its devices, as one row. */
export interface DeliveryDay {
  day: string
  deviceUid: string | null
  /** Null: what was scheduled is not known. */
  schedule: ScheduledCount | null
  delivered: number
  /** Delivered before the present program began, if that was on this day. */
  former: number
}

/** Some days of a publication, without gaps from its former ones. */
export interface DeliveryDays {
  publication: PlayingPublication
  firstDay: string
  lastDay: string
  /** The days in order. */
  rows: DeliveryDay[]
}

/** Rows that are held before they are handed on. */
const ROWS_HELD = 5000

/** What is counted of a publication; the rows of its days in order. */
class HeldDays {
  readonly #rows = new Map<string, DeliveryDay>()
  readonly publication: PlayingPublication
  readonly #days: readonly string[]
  #taken = 0

  constructor(publication: PlayingPublication, period: DeliveryPeriod) {
    this.publication = publication
    this.#days = labelsOf(period)
  }

  get size(): number {
    return this.#rows.size
  }

  add({ day, deviceUid, schedule, delivered }: DeliveryCount): void {
    if (day === null) return
    const key = `${day} ${deviceUid}`
    const former = this.#rows.get(key)?.delivered ?? 0
    if (schedule === null) this.#rows.set(key, { day, deviceUid, schedule, delivered, former: 0 })
    else this.#rows.set(key, { day, deviceUid, schedule, delivered, former })
  }

  /** Takes the days up to one, or all: one element, or none if there are none. */
  take(lastDay = this.#days.at(-1) ?? ''): DeliveryDays[] {
    const end = this.#days.findLastIndex(day => day <= lastDay) + 1
    const [firstDay, last] = [this.#days[this.#taken], this.#days[end - 1]]
    if (firstDay === undefined || last === undefined || end <= this.#taken) return []
    this.#taken = end
    const rows: DeliveryDay[] = []
    for (const [key, row] of this.#rows)
      if (row.day <= last) {
        rows.push(row)
        this.#rows.delete(key)
      }
    rows.sort((a, b) => (a.day < b.day ? -1 : Number(a.day !== b.day)))
    return [{ publication: this.publication, firstDay, lastDay: last, rows }]
  }

  /**
   * The last day that is complete when a count of `day` comes. A program begins on up to three dates of different zones, and
   * the counts from before it come first.
   */
  completeBefore(day: string): string {
    return this.#days[this.#days.indexOf(day) - 3] ?? ''
  }
}

/** The counts of publications by day, each day of a publication and device once; some days at a time, at least once for each publication. */
export async function* countDeliveryDays(
  reads: PlayReads,
  question: DeliveryQuestion,
): AsyncGenerator<DeliveryDays> {
  const waiting = question.publications.map(publication => new HeldDays(publication, question.period))
  for await (const count of countDeliveries(reads, question)) {
    while (waiting[0] && waiting[0].publication !== count.publication) yield* waiting.shift()?.take() ?? []
    const [held] = waiting
    if (!held || count.day === null) continue
    if (held.size >= ROWS_HELD) yield* held.take(held.completeBefore(count.day))
    held.add(count)
  }
  for (const held of waiting) yield* held.take()
}

/** Broadcasts that are kept for further days. One has up to some megabytes. */
const BROADCASTS_KEPT = 30

function keepBroadcasts(reads: PlayReads) {
  const kept = new Map<string, Promise<Broadcast | null>>()
  return (groupUid: string) => {
    const broadcast = kept.get(groupUid) ?? readBroadcast(reads, groupUid)
    if (kept.size < BROADCASTS_KEPT) kept.set(groupUid, broadcast)
    return broadcast
  }
}

/** The first days come at once; each further part of a period costs some reads for each publication. */
const MAX_DAYS_TOGETHER = 8

/** The same of every media item, some days of all publications at a time, in the order of the days. */
export async function* countDaysTogether(
  reads: PlayReads,
  question: Pick<DeliveryQuestion, 'publications' | 'period'>,
): AsyncGenerator<DeliveryDays[]> {
  const { publications } = question
  const period = withKeptPlays(question.period, await findKeptFrom(reads))
  const by = { day: true, device: false, media: false }
  const asked = { publications, mediaUid: null, by, broadcastOf: keepBroadcasts(reads) }
  const days = labelsOf(period)
  for (
    let [at, size] = [0, 1];
    at < days.length;
    [at, size] = [at + size, Math.min(2 * size, MAX_DAYS_TOGETHER)]
  ) {
    const [firstDay = '', lastDay = firstDay] = [days[at], days.slice(0, at + size).at(-1)]
    const part: DeliveryDays[] = []
    for await (const some of countDeliveryDays(reads, {
      ...asked,
      period: daysWithin(period, firstDay, lastDay),
    }))
      part.push(some)
    yield part
  }
}
