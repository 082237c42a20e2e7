import { DAY, parseDay } from '@floorcast/playback/instant.ts'
import { instantOfWall } from '@floorcast/playback/zone.ts'
import type { Reads } from '../../platform/database/client-scope.ts'
import { DEVICE_ZONES, type DeliveryPeriod } from './delivery-period.ts'
import {
  countDelivered,
  type Delivered,
  findZones,
  type Grain,
  type PlayingPublication,
} from './delivery-report-queries.ts'

interface Question {
  publications: readonly PlayingPublication[]
  period: DeliveryPeriod
  by: Grain
  signal?: AbortSignal
}

const keyOf = ({ publicationUid, isKnown, day, deviceUid, mediaUid }: Delivered) =>
  `${publicationUid} ${isKnown} ${day} ${deviceUid} ${mediaUid}`

/**
 * Counts the delivered plays of every media item in the order of their days. Plays lie by the day (UTC) of their start, and the days
 * of a zone overlap two of these: one statement reads each of them once, and what it has of later days is held.
 */
export class DeliveredDays {
  readonly #reads: Reads
  readonly #question: Question
  /** The zones that days can be of. */
  readonly #zones: readonly string[]
  readonly #held = new Map<string, Delivered>()
  /** The next day (UTC) to read, as a number. */
  #next: number

  private constructor(reads: Reads, question: Question, zones: readonly string[]) {
    this.#reads = reads
    this.#question = question
    this.#zones = zones
    this.#next = Math.min(...zones.map(zone => startIn(zone, parseDay(question.period.firstDay)))) - 1
  }

  static async open(reads: Reads, question: Question): Promise<DeliveredDays> {
    const { zone } = question.period
    const zones = zone === DEVICE_ZONES ? ['UTC', ...(await findZones(reads))] : [zone]
    return new DeliveredDays(reads, question, zones)
  }

  /** Takes the counts of the days up to this one. Without a count by day, it is the last one. */
  async take(lastDay: string): Promise<Delivered[]> {
    // A play begins on the day after its schedule at the latest.
    const end = Math.max(...this.#zones.map(zone => endIn(zone, parseDay(lastDay)))) + 1
    for (; this.#next <= end; this.#next += 1) await this.#readDay(this.#next)
    const taken: Delivered[] = []
    for (const [key, row] of this.#held)
      if (row.day === null || row.day <= lastDay) {
        taken.push(row)
        this.#held.delete(key)
      }
    return taken
  }

  async #readDay(day: number): Promise<void> {
    const { publications, period, by, signal } = this.#question
    signal?.throwIfAborted()
    const startDay = new Date(day * DAY).toISOString().slice(0, 10)
    const asked = { period, by, mediaUid: null, startDay }
    for (const row of await countDelivered(this.#reads, publications, asked)) {
      const known = this.#held.get(keyOf(row))
      this.#held.set(keyOf(row), { ...row, plays: row.plays + (known?.plays ?? 0) })
    }
  }
}

const dayOf = (ms: number) => Math.floor(ms / DAY)
/** The day (UTC) on which a day of a zone begins. */
const startIn = (zone: string, day: number) => dayOf(instantOfWall(zone, day * DAY))
/** The day (UTC) on which it ends. */
const endIn = (zone: string, day: number) => dayOf(instantOfWall(zone, (day + 1) * DAY, 'last') - 1)
