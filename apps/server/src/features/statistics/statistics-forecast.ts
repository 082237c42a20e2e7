import type { StatisticsUse } from '@floorcast/contract/dashboard.ts'

/** What a client's plays, device logs and heartbeats of one day (UTC, YYYY-MM-DD) take. */
export interface DayBytes {
  day: string
  bytes: number
  /** The part of single heartbeats, which are folded later. Absent: none. */
  singleHeartbeats?: number
}

/** The heartbeats of today and of so many days before are single ones. Those of former days are folded into one row a device and day. */
export const SINGLE_HEARTBEAT_DAYS = 8
/** What is left of the bytes of a day's heartbeats: docs/decisions/0352 has the figures. */
const FOLDED_SHARE = 0.03
/** Single plays, device logs, heartbeats and changes of connectivity are kept at most so many days; sums by day stay. */
export const KEPT_DAYS = 400
/** Nothing is deleted before the dashboard has said so for these days. */
export const NOTICE_DAYS = 7
/** The dashboard says so many days before the storage is full that days will be deleted. */
const ANNOUNCED_AHEAD_DAYS = 14
/** Sums by day of the last days stay. Late plays reach 90 of them. */
export const FRESH_SUMS_DAYS = 100
/** Older sums may take so much of a plan's statistics storage, beside it. */
const SUMS_SHARE = 0.25
/** The rate is the mean of the last days. */
const RATE_DAYS = 7

const DAY_MS = 86_400_000
export const addDays = (day: string, days: number) =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)
const daysBetween = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS)
const later = (a: string, b: string) => (a > b ? a : b)

/** Why days are deleted. */
export type DeletionReason = StatisticsUse['statisticsDeletions'][number]['reason']

/** A client's statistics, the oldest day first, and what decides how long they stay. */
export interface StatisticsState {
  days: readonly DayBytes[]
  limit: number
  today: string
  /** Since when the dashboard has said that days will be deleted, by reason; null: it has not. */
  announcedOn: Readonly<Record<DeletionReason, string | null>>
  /** The days (local) of older sums, and the first day of which all single plays are kept; null: of all. */
  sums: { days: readonly DayBytes[]; playsKeptFrom: string | null }
}

const sumOf = (days: readonly DayBytes[]) => days.reduce((sum, { bytes }) => sum + bytes, 0)

/** What goes when a day's heartbeats are folded. */
const foldedAway = ({ singleHeartbeats = 0 }: DayBytes) => Math.round(singleHeartbeats * (1 - FOLDED_SHARE))

/** Bytes a day that stay, and those that stay for some days: the mean of the last seven whole days, or of as many as there are. */
function rateOf({ days, today }: Pick<StatisticsState, 'days' | 'today'>) {
  const oldest = days[0]?.day
  if (oldest === undefined || oldest >= today) return { perDay: 0, awayPerDay: 0 }
  const recent = days.filter(({ day }) => day >= addDays(today, -RATE_DAYS) && day < today)
  const count = Math.min(RATE_DAYS, daysBetween(oldest, today))
  const away = recent.reduce((sum, day) => sum + foldedAway(day), 0)
  return { perDay: Math.round((sumOf(recent) - away) / count), awayPerDay: Math.round(away / count) }
}

/** Days until the limit at this rate, with what is folded and what grows too old meanwhile; null: never. */
function daysUntilFull(
  { days, limit, today }: Pick<StatisticsState, 'days' | 'limit' | 'today'>,
  { perDay, awayPerDay }: ReturnType<typeof rateOf>,
  keptDays = KEPT_DAYS,
): number | null {
  let used = sumOf(days)
  let [next, nextToFold] = [0, 0]
  for (let inDays = 0; inDays <= KEPT_DAYS; inDays += 1) {
    const foldedBefore = addDays(today, inDays - SINGLE_HEARTBEAT_DAYS)
    for (let day = days[nextToFold]; day && day.day < foldedBefore; day = days[(nextToFold += 1)])
      used -= foldedAway(day)
    const keptFrom = addDays(today, inDays - keptDays)
    for (let day = days[next]; day && day.day < keptFrom; day = days[(next += 1)])
      used -= day.bytes - foldedAway(day)
    if (used >= limit) return inDays
    // Of the days that come the first is folded when it is nine days old, and so on.
    used += perDay + (inDays < SINGLE_HEARTBEAT_DAYS ? awayPerDay : 0)
  }
  return null
}

/** The day before which everything must go so that at least `bytes` are free; never today or yesterday. */
function dayBeforeWhich(days: readonly DayBytes[], bytes: number, today: string): string | null {
  let freed = 0
  let before: string | null = null
  for (const { day, bytes: ofDay } of days) {
    if (freed >= bytes || day >= addDays(today, -1)) break
    freed += ofDay
    before = addDays(day, 1)
  }
  return before
}

/** The end of the notice. */
const noticeEnd = ({ announcedOn, today }: StatisticsState, reason: DeletionReason) =>
  addDays(announcedOn[reason] ?? today, NOTICE_DAYS)

/** What the plan's limit deletes next; null if it is not full within two weeks. */
function deletionByPlan(state: StatisticsState, use: StatisticsUse['statisticsBytes']) {
  const { perDay, fullInDays, used } = use
  const { days, today, limit } = state
  if (fullInDays === null || fullInDays > ANNOUNCED_AHEAD_DAYS) return null
  const from = later(addDays(today, fullInDays), noticeEnd(state, 'plan'))
  const freeBytes = Math.max(1, used + Math.max(0, daysBetween(today, from)) * perDay - limit)
  const before = dayBeforeWhich(days, freeBytes, later(today, from))
  return before === null ? null : { reason: 'plan' as const, from, before }
}

/** What grows too old within two weeks. */
function deletionByAge(state: StatisticsState) {
  const { days, today } = state
  const oldest = days[0]?.day
  if (oldest === undefined || oldest >= addDays(today, ANNOUNCED_AHEAD_DAYS - KEPT_DAYS)) return null
  const from = later(later(today, addDays(oldest, KEPT_DAYS + 1)), noticeEnd(state, 'age'))
  return { reason: 'age' as const, from, before: addDays(from, -KEPT_DAYS) }
}

const NEVER_DAYS = 100_000

/**
 * The older sums that are deleted next. Sums become older 100 days after their day: these days are reckoned as if they were today.
 * A day's sums go after its single plays: those before `playsKeptFrom` may lack the neighboring day's in UTC.
 */
function deletionOfSums({ sums, limit, today, announcedOn }: StatisticsState) {
  const { days, playsKeptFrom } = sums
  const [oldest] = days
  if (!oldest || playsKeptFrom === null) return null
  const older = { days, limit: limit * SUMS_SHARE, today: addDays(today, -FRESH_SUMS_DAYS) }
  const rate = rateOf(older)
  const { perDay } = rate
  const fullInDays = daysUntilFull(older, rate, NEVER_DAYS)
  if (fullInDays === null || fullInDays > ANNOUNCED_AHEAD_DAYS) return null
  const noticed = addDays(announcedOn.sums ?? today, NOTICE_DAYS)
  const from = later(later(today, addDays(today, fullInDays)), noticed)
  const freeBytes = Math.max(1, sumOf(days) + daysBetween(today, from) * perDay - older.limit)
  const due = dayBeforeWhich(days, freeBytes, addDays(older.today, 1))
  const possible = addDays(playsKeptFrom, -1)
  if (due === null || possible <= oldest.day) return null
  return { reason: 'sums' as const, from, before: due < possible ? due : possible }
}

/** How much a client's statistics take, when they are full at this rate, and what is deleted next. */
export function forecastStatistics(state: StatisticsState): StatisticsUse {
  const rate = rateOf(state)
  const fullInDays = daysUntilFull(state, rate)
  const statisticsBytes = { used: sumOf(state.days), limit: state.limit, perDay: rate.perDay, fullInDays }
  const statisticsDeletions = [
    deletionByPlan(state, statisticsBytes),
    deletionByAge(state),
    deletionOfSums(state),
  ]
    .filter(deletion => deletion !== null)
    .toSorted((a, b) => (a.from < b.from ? -1 : 1))
  return { statisticsBytes, statisticsDeletions }
}
