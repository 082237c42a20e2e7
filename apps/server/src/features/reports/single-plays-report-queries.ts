import { DEVICE_ZONES } from '@floorcast/contract/reports.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Reads } from '../../platform/database/client-scope.ts'
import type { PlayReads } from '../archive/archive.ts'
import { IS_BELIEVED } from '../statistics/statistics-sql.ts'
import { notesOfRawPlays, notesOfRestores } from './plays-report-queries.ts'
import { fallbackZone, reportDevices } from './report-devices-sql.ts'
import type { MakeReport, ReportRequest } from './report.ts'

/*
 * The report with a row for each play, up to some ten million of them. Plays lie by the day (UTC) of their start, so one such day
 * after another gives all in their order: the first rows come at once, and an index has each day's almost sorted.
 */

interface PlaysDevice {
  uid: string
  storeNumber: string
  zone: string
}

/**
 * In SQL: the store numbers and the zones of devices, `{uid: text}` each. They are values, because a join with the devices gives up
 * the order of the index, and PostgreSQL, which takes a day for fewer plays, may find all zones again for each play.
 */
async function devicesOf(reads: Reads, request: ReportRequest) {
  const { rows } = await sql<PlaysDevice>`
    select uid, store_number, zone from ${reportDevices(request)} device`.execute(reads)
  const valuesOf = (read: (device: PlaysDevice) => string) =>
    sql`${JSON.stringify(Object.fromEntries(rows.map(device => [device.uid, read(device)])))}::jsonb`
  return { storeNumbers: valuesOf(device => device.storeNumber), zones: valuesOf(device => device.zone) }
}
type PlaysDevices = Awaited<ReturnType<typeof devicesOf>>

const uidFilter = (column: string, uid: string | undefined) =>
  uid === undefined || uid === 'all' ? sql`true` : sql`${sql.ref(`p.${column}`)} = ${uid}::uuid`

/** What the statements here name. */
const PLAY_COLUMNS =
  'day device_uid boot_uid sequence device_name group_name playlist_uid playlist_name media_uid track_name content_type scheduled_at started_at seconds_played result local_day is_clock_doubted left_out'.split(
    ' ',
  )

/** The plays that the filters may leave. */
function chosenOf({ filters: { track, playpoint } }: ReportRequest) {
  const chosen = (uid: string | undefined) => (uid === 'all' ? undefined : uid)
  return { mediaUid: chosen(track), deviceUid: chosen(playpoint), columns: PLAY_COLUMNS }
}

/** An order below the cells, so that PostgreSQL reads an index in it. `offset 0`: the device is looked up once for each play. */
const IN_ORDER = sql`order by p.started_at, p.device_name, p.device_uid, p.boot_uid, p.sequence offset 0`

interface Wanted {
  /** A condition. */
  plays: RawBuilder<unknown>
  isInOrder: boolean
}

/** In SQL: single plays. One with an implausible clock is in no period, and one that is left out in no report. */
function playsOf(request: ReportRequest, { storeNumbers, zones }: PlaysDevices, wanted: Wanted) {
  const { track, playpoint, playlist } = request.filters
  return sql`
    select p.device_name as "device", p.store_number as "storeNumber", p.group_name as "group",
      p.playlist_name as "playlist", p.track_name as "track", p.content_type as "contentType",
      p.scheduled_at as "scheduledAt", p.started_at as "startedAt", p.seconds_played as "secondsPlayed",
      p.result as "result", p.zone as "zone"
    from (
      select p.device_name, p.group_name, p.playlist_name, p.track_name, p.content_type, p.scheduled_at, p.started_at,
        p.seconds_played, p.result, ${storeNumbers} ->> p.device_uid::text as store_number,
        coalesce(${zones} ->> p.device_uid::text, ${fallbackZone(request)}) as zone
      from plays p
      where ${wanted.plays} and ${IS_BELIEVED} and ${uidFilter('media_uid', track)}
        and ${uidFilter('device_uid', playpoint)} and ${uidFilter('playlist_uid', playlist)}
      ${wanted.isInOrder ? IN_ORDER : sql`offset 0`}) p`
}

/** A day without plays is left out: the store numbers and zones of all devices would be sent to PostgreSQL for it. */
async function hasPlays(reads: PlayReads, day: string, request: ReportRequest): Promise<boolean> {
  await reads.showPlays({ from: day, to: day, ...chosenOf(request) })
  const { rows } = await sql<{ has: boolean }>`
    select exists(select from plays p where p.day = ${day}::date) as has`.execute(reads)
  return rows[0]?.has === true
}

const DAY_MS = 86_400_000
const dayAfter = (day: string, days: number) =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)

/** One row for each play. */
export const r1ext: MakeReport = async (reads, request) => {
  const { from, to, zone } = request
  const { playpoint } = request.filters
  let found: Promise<PlaysDevices> | undefined
  const findDevices = () => (found ??= devicesOf(reads, request))
  // PostgreSQL takes two days of an expression for one in two hundred rows, and would sort them; of `coalesce` it assumes half.
  const isInPeriod = ({ zones }: PlaysDevices) => {
    const localDay =
      zone === DEVICE_ZONES
        ? sql`coalesce(p.local_day, (p.started_at at time zone coalesce(${zones} ->> p.device_uid::text, 'UTC'))::date)`
        : sql`(p.started_at at time zone ${zone})::date`
    return sql`coalesce(${localDay} between ${from}::date and ${to}::date, false)`
  }
  // No zone is farther from UTC than 14 hours.
  const [first, last] = [dayAfter(from, -1), dayAfter(to, 1)]
  const isOfDay = (devices: PlaysDevices, day: string) =>
    day > from && day < to
      ? sql`p.day = ${day}::date`
      : sql`p.day = ${day}::date and p.started_at >= ${from}::timestamp at time zone 'UTC' - interval '14 hours'
          and p.started_at < ${to}::timestamp at time zone 'UTC' + interval '38 hours' and ${isInPeriod(devices)}`
  return {
    rows: async () => {
      const devices = await findDevices()
      await reads.showPlays({ from: first, to: last, ...chosenOf(request) })
      const plays = sql`p.day between ${first}::date and ${last}::date and ${isInPeriod(devices)}`
      return playsOf(request, devices, { plays, isInOrder: false })
    },
    parts: async function* () {
      for (let day = first; day <= last; day = dayAfter(day, 1))
        if (await hasPlays(reads, day, request)) {
          const devices = await findDevices()
          const plays = isOfDay(devices, day)
          yield { rows: playsOf(request, devices, { plays, isInOrder: true }), isTotals: false }
        }
    },
    readsPlays: true,
    order: sql`"startedAt", "device"`,
    notes: [
      ...(await notesOfRawPlays(reads, request, 'playsGone')),
      ...(await notesOfRestores(reads, request, playpoint === 'all' ? undefined : playpoint)),
    ],
  }
}
