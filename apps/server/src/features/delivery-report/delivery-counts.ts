import { type GapReason, gapReasons } from '@floorcast/contract/delivery-report.ts'
import type { PlayReads } from '../archive/archive.ts'
import { type Broadcast, readBroadcast } from '../manifests/manifests.ts'
import { findKeptFrom } from '../statistics/statistics.ts'
import { countFromQuarters } from './delivered-plays.ts'
import { DEVICE_ZONES, type DeliveryPeriod, labelsOf, withKeptPlays } from './delivery-period.ts'
import {
  countDelivered,
  countOutcomes,
  type Delivered,
  type Grain,
  type PlayingPublication,
} from './delivery-report-queries.ts'
import { type Member, type ScheduledPart, schedulesOf, slotsOf } from './delivery-schedules.ts'
import { onAirFrom, playsByMedia, playsFrom } from './schedule.ts'

/*
 * Promised against delivered: the one count behind the ad's page, the report of publications by day, and proofs. A play belongs to
 * the day for which it was scheduled. Only plays that were heard whole are delivered.
 */

export interface DeliveryQuestion {
  publications: readonly PlayingPublication[]
  /** Null: every media item; gaps are not counted then. */
  mediaUid: string | null
  period: DeliveryPeriod
  /** One count for each day, device and media item, or for the whole publication. */
  by: Grain
  /** Counting ends at this many scheduled plays of a publication's devices; the period must have one zone then. */
  maxPlays?: number
  /** The program of a group, if it is read already. */
  broadcastOf?: (groupUid: string) => Promise<Broadcast | null>
  /** Aborted: counting throws the signal's reason between two statements. */
  signal?: AbortSignal
}

/** Scheduled plays; `promised` − all gaps + `unscheduled` = `delivered`. */
export interface ScheduledCount {
  /** Plays of the playlist on these devices. */
  promised: number
  /** Those of them in the devices' schedules: the shops are open. */
  scheduled: number
  onAirMs: number
  /** Promised plays that were not heard whole, by reason; empty without a media item. */
  gaps: ReadonlyMap<GapReason, number>
  /** Delivered outside the schedule; 0 without a media item. */
  unscheduled: number
}

export interface DeliveryCount {
  publication: PlayingPublication
  /** Null unless counted by day; by device and media item likewise. */
  day: string | null
  deviceUid: string | null
  mediaUid: string | null
  /** Null before the publication's present program began, and while it is off: its schedule is not known. */
  schedule: ScheduledCount | null
  delivered: number
  /** The end of what was counted. */
  until: Date
}

interface CellKey {
  day: string | null
  deviceUid: string | null
  mediaUid: string | null
}

interface Cell extends CellKey {
  promised: number
  scheduled: number
  onAirMs: number
  outcomes: Map<GapReason | 'made', number>
  delivered: number
}

class Cells {
  readonly #cells = new Map<string, Cell>()
  readonly #by: Grain

  constructor(by: Grain) {
    this.#by = by
  }

  at(place: CellKey): Cell {
    const day = this.#by.day ? place.day : null
    const deviceUid = this.#by.device ? place.deviceUid : null
    const mediaUid = this.#by.media ? place.mediaUid : null
    const key = `${day} ${deviceUid} ${mediaUid}`
    const known = this.#cells.get(key)
    if (known) return known
    const counts = { promised: 0, scheduled: 0, onAirMs: 0, outcomes: new Map(), delivered: 0 }
    const cell: Cell = { day, deviceUid, mediaUid, ...counts }
    this.#cells.set(key, cell)
    return cell
  }

  /** Empties it. @returns the cells, the days in order */
  take(): Cell[] {
    const cells = [...this.#cells.values()]
    this.#cells.clear()
    return cells.toSorted((a, b) => ((a.day ?? '') < (b.day ?? '') ? -1 : Number(a.day !== b.day)))
  }
}

/** Members that count alike: each one, if they are counted apart, else those that count from one moment. */
function membersAlike(members: readonly Member[], isApart: boolean): (Member & { count: number })[] {
  if (isApart) return members.map(member => ({ ...member, count: 1 }))
  const byMoment = Map.groupBy(members, ({ from }) => from)
  return [...byMoment.values()].flatMap(([first, ...others]) =>
    first ? [{ ...first, count: 1 + others.length }] : [],
  )
}

/** Costs what the counts are: not the plays of each device, unless they are counted by device. */
function addSchedules(cells: Cells, { variants }: ScheduledPart, by: Grain): void {
  for (const { members, days } of variants)
    for (const { uid, from, count } of membersAlike(members, by.device))
      for (const { day, promised, planned } of days) {
        const at = { day, deviceUid: uid, mediaUid: null }
        cells.at(at).onAirMs += count * onAirFrom(planned, from)
        for (const [kind, schedule] of [
          ['promised', promised],
          ['scheduled', planned],
        ] as const)
          if (by.media)
            for (const [mediaUid, plays] of playsByMedia(schedule, from))
              cells.at({ ...at, mediaUid })[kind] += count * plays
          else cells.at(at)[kind] += count * playsFrom(schedule, from)
      }
}

function addDelivered(cells: Cells, delivered: readonly Delivered[]): void {
  for (const row of delivered) cells.at(row).delivered += row.plays
}

function toSchedule(
  { promised, scheduled, onAirMs, outcomes, delivered }: Cell,
  hasGaps: boolean,
): ScheduledCount {
  const gaps = new Map<GapReason, number>()
  if (!hasGaps) return { promised, scheduled, onAirMs, gaps, unscheduled: 0 }
  for (const reason of gapReasons) {
    const plays = (outcomes.get(reason) ?? 0) + (reason === 'closed' ? promised - scheduled : 0)
    if (plays > 0) gaps.set(reason, plays)
  }
  return { promised, scheduled, onAirMs, gaps, unscheduled: delivered - (outcomes.get('made') ?? 0) }
}

/** A publication with what is asked of it. */
interface Asked extends Omit<DeliveryQuestion, 'publications'> {
  reads: PlayReads
  publication: PlayingPublication
  /** What was counted beforehand for all publications; null: it is counted with the schedules. */
  counted: readonly Delivered[] | null
}

/** The delivered plays of a publication in a period. */
async function deliveredIn(asked: Asked, period: DeliveryPeriod, isKnown: boolean): Promise<Delivered[]> {
  const { reads, publication, mediaUid, by, counted } = asked
  const { firstDay, lastDay } = period
  const rows = counted ?? (await countDelivered(reads, [publication], { period, mediaUid, by }))
  return rows.filter(
    row =>
      row.isKnown === isKnown &&
      (counted === null || row.day === null || (row.day >= firstDay && row.day <= lastDay)),
  )
}

/** Plays before the present program, or of a publication that is off: what was scheduled is not known. */
async function* countUnknown(asked: Asked): AsyncGenerator<DeliveryCount> {
  const { publication, period, by } = asked
  const { since } = publication
  const until = since === null ? period.until : new Date(Math.min(Date.parse(since), period.until.getTime()))
  if (until <= period.from) return
  const parts = by.day && by.device && asked.counted === null ? labelsOf(period) : [null]
  for (const day of parts) {
    const part = { ...period, until, ...(day === null ? {} : { firstDay: day, lastDay: day }) }
    for (const row of await deliveredIn(asked, part, false))
      yield {
        publication,
        until,
        schedule: null,
        day: row.day,
        deviceUid: row.deviceUid,
        mediaUid: row.mediaUid,
        delivered: row.plays,
      }
  }
}

async function addOutcomes(cells: Cells, asked: Asked, part: ScheduledPart): Promise<void> {
  const { reads, publication, mediaUid, by, period } = asked
  if (mediaUid === null) return
  const between = { from: new Date(part.from), until: new Date(part.until) }
  const isOwnZone = period.zone === DEVICE_ZONES
  const counted = { publicationUid: publication.uid, mediaUid, by, isOwnZone, ...between }
  for (const { outcome, day, deviceUid, plays } of await countOutcomes(reads, counted, slotsOf(part))) {
    const { outcomes } = cells.at({ day, deviceUid, mediaUid: null })
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + plays)
  }
}

/** The parts of a period in order, the last one up to the end of what is counted; null: all of it, without a schedule. */
async function* partsOf(asked: Asked, period: DeliveryPeriod) {
  const { reads, publication, mediaUid, maxPlays = Infinity } = asked
  const broadcastOf = asked.broadcastOf ?? (groupUid => readBroadcast(reads, groupUid))
  const broadcast = await broadcastOf(publication.groupUid)
  const parts = broadcast && schedulesOf(reads, broadcast, { publication, mediaUid, period, maxPlays })
  let hasParts = false
  for await (const part of parts ?? []) {
    hasParts = true
    const until = part.isCut ? new Date(part.until) : period.until
    yield { part, period: { ...period, firstDay: part.firstDay, lastDay: part.lastDay, until } }
  }
  if (!hasParts) yield { part: null, period }
}

/** Plays since the present program began. */
async function* countKnown(asked: Asked, since: string): AsyncGenerator<DeliveryCount> {
  const { publication, by, mediaUid } = asked
  const from = new Date(Math.max(asked.period.from.getTime(), Date.parse(since)))
  if (from >= asked.period.until) return
  const cells = new Cells(by)
  const isWhole = !by.day && !by.device && !by.media
  const take = (until: Date) =>
    cells.take().flatMap(cell => {
      const { day, deviceUid, mediaUid: ofMedia, delivered, promised, onAirMs } = cell
      if (!isWhole && delivered === 0 && promised === 0 && onAirMs === 0) return []
      const schedule = toSchedule(cell, mediaUid !== null)
      return [{ publication, day, deviceUid, mediaUid: ofMedia, delivered, until, schedule }]
    })
  let { until } = asked.period
  for await (const { part, period } of partsOf(asked, { ...asked.period, from })) {
    ;({ until } = period)
    if (part) addSchedules(cells, part, by)
    if (part) await addOutcomes(cells, asked, part)
    addDelivered(cells, await deliveredIn(asked, period, true))
    if (by.day) yield* take(until)
  }
  if (isWhole) cells.at({ day: null, deviceUid: null, mediaUid: null })
  yield* take(until)
}

/**
 * Counts the promised, scheduled and delivered plays of publications, one publication after another, and of each the days in order. Of
 * the day on which the present program began there are two counts: the first without a schedule. Days whose plays were deleted are left
 * out.
 */
export async function* countDeliveries(
  reads: PlayReads,
  question: DeliveryQuestion,
): AsyncGenerator<DeliveryCount> {
  const { publications, ...wanted } = question
  const asked = { ...wanted, period: withKeptPlays(question.period, await findKeptFrom(reads)) }
  const { by, mediaUid, period } = asked
  const isSummed = mediaUid === null && !by.device && (by.day || period.firstDay === period.lastDay)
  const all = isSummed
    ? await countFromQuarters(reads, { ...asked, publications, by: { ...by, device: false } })
    : null
  const byPublication = all && Map.groupBy(all, ({ publicationUid }) => publicationUid)
  for (const publication of publications) {
    asked.signal?.throwIfAborted()
    const counted = byPublication && (byPublication.get(publication.uid) ?? [])
    const each = { ...asked, reads, publication, counted }
    yield* countUnknown(each)
    if (publication.since !== null) yield* countKnown(each, publication.since)
  }
}
