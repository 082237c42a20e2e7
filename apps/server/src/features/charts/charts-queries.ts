import { Connectivity } from '@floorcast/contract/devices.ts'
import { MediaType } from '@floorcast/contract/media.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Reads } from '../../platform/database/client-scope.ts'
import { PLAN_EACH_TIME } from '../../platform/database/scoped-pool.ts'
import { connectivityAt } from '../devices/devices-sql.ts'
import { DEVICE_PLACES } from '../places/places-sql.ts'
import { IS_COUNTED } from '../statistics/statistics-sql.ts'
import { type Buckets, firstOf } from './buckets.ts'

/** The devices of a chart: one, those of a group, or all. */
export interface DeviceChoice {
  device?: string | undefined
  group?: string | undefined
}

const eachTime = sql.raw(PLAN_EACH_TIME)

export const isWhole = ({ device, group }: DeviceChoice) => device === undefined && group === undefined

/** In SQL: whether a device outside the bin is chosen; `d` is the alias of devices. */
function isChosen({ device, group }: DeviceChoice): RawBuilder<unknown> {
  const parts = [sql`d.deleted_at is null`]
  if (device !== undefined) parts.push(sql`d.uid = ${device}`)
  if (group !== undefined) parts.push(sql`d.group_uid = ${group}`)
  return sql.join(parts, sql` and `)
}

/** False if the device or the group is not there, or the device is not in the group. */
export async function existsChoice(reads: Reads, choice: DeviceChoice): Promise<boolean> {
  const { device, group } = choice
  const { rows } = await sql<{ exists: boolean }>`
    select ${device === undefined ? sql`true` : sql`exists (select from devices d where ${isChosen(choice)})`}
      and ${group === undefined ? sql`true` : sql`exists (select from groups where uid = ${group} and deleted_at is null)`}
      as exists`.execute(reads)
  return rows[0]?.exists === true
}

/**
 * The number of the step that holds a moment, from 0; a moment of the first time itself is in the first step. `date_part` counts in
 * double precision, `extract` in numeric, which takes twice as long.
 */
const stepFrom = (moment: RawBuilder<unknown>, { stepSeconds }: Buckets, from: Date) =>
  sql<number>`floor(date_part('epoch', ${moment} - ${from}::timestamptz) / ${stepSeconds})::int`

/** The number of the first time that is not before a moment, from 0. */
const stepUntil = (moment: RawBuilder<unknown>, { stepSeconds }: Buckets, from: Date) =>
  sql<number>`ceil(date_part('epoch', ${moment} - ${from}::timestamptz) / ${stepSeconds})::int`

export interface PlayCount {
  step: number
  contentType: MediaType
  plays: number
}

interface CountedPlays extends DeviceChoice {
  now: Date
}

/** In SQL: which plays are chosen. A play of a group is one of a device that was in it then. */
function isPlayChosen({ device, group }: DeviceChoice): RawBuilder<unknown> {
  if (device !== undefined) return sql`p.device_uid = ${device}`
  return group === undefined ? sql`true` : sql`p.group_uid = ${group}`
}

/** Plays of all devices or of a group by step and media type, until now, from the counts by hour: the steps are whole hours. */
export async function countPlaysByStep(
  reads: Reads,
  buckets: Buckets,
  { group, now }: CountedPlays,
): Promise<PlayCount[]> {
  const from = firstOf(buckets)
  const hours = group === undefined ? sql`play_hours` : sql`play_group_hours`
  const { rows } = await sql<PlayCount>`
    select ${stepFrom(sql`h.hour`, buckets, from)} as step, h.content_type, sum(h.plays)::bigint as plays
    from ${hours} h
    where h.hour >= ${from} and h.hour <= ${now} and ${group === undefined ? sql`true` : sql`h.group_uid = ${group}`}
    group by 1, 2`.execute(reads)
  return rows
}

/** Those of a device from the counts by its local day: the steps are days. It may be a day ahead of UTC. */
export async function countPlaysByDay(
  reads: Reads,
  buckets: Buckets,
  { device, now }: { device: string; now: Date },
): Promise<PlayCount[]> {
  const { rows } = await sql<PlayCount>`${eachTime}
    select p.local_day - (${firstOf(buckets)}::timestamptz at time zone 'UTC')::date as step, p.content_type,
      sum(p.plays)::bigint as plays
    from play_days p
    where p.local_day >= (${firstOf(buckets)}::timestamptz at time zone 'UTC')::date
      and p.local_day <= (${now}::timestamptz at time zone 'UTC')::date + 1 and p.device_uid = ${device}
    group by 1, 2`.execute(reads)
  return rows
}

/** The same from single plays: for the last hours. */
export async function countSinglePlays(
  reads: Reads,
  buckets: Buckets,
  { now, ...choice }: CountedPlays,
): Promise<PlayCount[]> {
  const from = firstOf(buckets)
  const { rows } = await sql<PlayCount>`${eachTime}
    select ${stepFrom(sql`p.started_at`, buckets, from)} as step, p.content_type, count(*) as plays
    from plays p
    where p.started_at >= ${from} and p.started_at <= ${now} and ${IS_COUNTED}
      and p.day between (${from}::timestamptz at time zone 'UTC')::date - 1
        and (${now}::timestamptz at time zone 'UTC')::date + 1
      and ${isPlayChosen(choice)}
    group by 1, 2`.execute(reads)
  return rows
}

/** Plays by hour of day in a zone and media type. @throws if PostgreSQL does not know the zone */
export async function countPlaysByHourOfDay(
  reads: Reads,
  { from, until, zone }: { from: Date; until: Date; zone: string },
): Promise<{ hour: number; contentType: MediaType; plays: number }[]> {
  const { rows } = await sql<{ hour: number; contentType: MediaType; plays: number }>`
    select extract(hour from h.hour at time zone ${zone})::int as hour, h.content_type, sum(h.plays)::bigint as plays
    from play_hours h where h.hour >= ${from} and h.hour <= ${until} group by 1, 2`.execute(reads)
  return rows
}

export type ConnectivityCounts = Record<Connectivity, number>

/** Groups are sampled at each tenth minute. */
export const GROUP_SAMPLE_SECONDS = 600

/** Whether the samples of a group begin before a moment, or with the group itself. */
export async function hasGroupSamples(reads: Reads, group: string, from: Date): Promise<boolean> {
  const { rows } = await sql<{ isCovered: boolean }>`
    select exists (
      select from group_connectivity_samples c where c.group_uid = g.uid
        and c.at <= greatest(${from}, g.created_at + make_interval(secs => ${GROUP_SAMPLE_SECONDS}))) as is_covered
    from groups g where g.uid = ${group}`.execute(reads)
  return rows[0]?.isCovered === true
}

/** In SQL: the samples of a group, or of all devices; `c` is their alias. */
const samplesOf = (group: string | undefined) =>
  group === undefined
    ? sql`connectivity_samples c where true`
    : sql`group_connectivity_samples c where c.group_uid = ${group}`

const timesOf = ({ times }: Buckets) => sql`unnest(${times}::timestamptz[]) with ordinality as t(at, nr)`

/** The newest sample of each step that ends at its time. A look-up for each takes a tenth of sorting all samples. */
export async function findConnectivitySamples(
  reads: Reads,
  buckets: Buckets,
  group: string | undefined,
): Promise<(ConnectivityCounts & { step: number })[]> {
  const { rows } = await sql<ConnectivityCounts & { step: number }>`
    select t.nr::int - 1 as step, newest.*
    from ${timesOf(buckets)} cross join lateral (
      select c.online, c.linkdown, c.linklost, c.neverup from ${samplesOf(group)}
        and c.at > t.at - make_interval(secs => ${buckets.stepSeconds}) and c.at <= t.at
      order by c.at desc limit 1) newest`.execute(reads)
  return rows
}

export async function countConnectivityNow(
  reads: Reads,
  choice: DeviceChoice,
  now: Date,
): Promise<ConnectivityCounts> {
  const { rows } = await sql<{ state: Connectivity; devices: number }>`
    select ${connectivityAt(now)} as state, count(*) as devices
    from devices d left join device_states s on s.device_uid = d.uid where ${isChosen(choice)} group by 1`.execute(
    reads,
  )
  const counts = { online: 0, linkdown: 0, linklost: 0, neverup: 0 }
  for (const { state, devices } of rows) counts[state] = devices
  return counts
}

/**
 * In SQL: each change of a chosen device's connectivity after `from`: `at`, `state` and the `former` one ('none' before the device
 * was added). Thresholds that passed since the last contact are no rows yet: they are derived from it.
 */
const changesAfter = (from: Date, choice: DeviceChoice, now: Date) => sql`
  with member as materialized (
    select d.uid, d.created_at, s.last_contact_at, ${connectivityAt(now)} as state
    from devices d left join device_states s on s.device_uid = d.uid where ${isChosen(choice)}),
  event as (
    select t.device_uid, t.at, t.state from device_transitions t join member m on m.uid = t.device_uid
    where t.at > ${from} and t.at <= ${now}
    union all select m.uid, m.last_contact_at + interval '1 hour', 'linkdown' from member m
    where m.state in ('linkdown', 'linklost') and m.last_contact_at + interval '1 hour' > ${from}
    union all select m.uid, m.last_contact_at + interval '1 day', 'linklost' from member m
    where m.state = 'linklost' and m.last_contact_at + interval '1 day' > ${from}
    union all select m.uid, m.created_at, 'added' from member m where m.created_at > ${from} and m.created_at <= ${now}),
  change as (
    select e.at, case e.state when 'added' then 'neverup' else e.state end as state,
      case e.state
        when 'linkdown' then 'online' when 'linklost' then 'linkdown' when 'added' then 'none'
        else coalesce(
          replace(lag(e.state) over (partition by e.device_uid order by e.at), 'added', 'neverup'),
          (select p.state from device_transitions p where p.device_uid = e.device_uid and p.at <= ${from}
            order by p.at desc limit 1), 'neverup')
      end as former
    from event e)`

export interface StateChange {
  step: number
  former: Connectivity | 'none'
  state: Connectivity
  devices: number
}

/** Changes of connectivity by the number of the first time that is not before them; those after the last time have its number + 1. */
export async function countStateChanges(
  reads: Reads,
  buckets: Buckets,
  { now, ...choice }: DeviceChoice & { now: Date },
): Promise<StateChange[]> {
  const from = firstOf(buckets)
  const { rows } = await sql<StateChange>`
    ${changesAfter(from, choice, now)}
    select ${stepUntil(sql`c.at`, buckets, from)} as step, c.former, c.state, count(*) as devices
    from change c where c.former <> c.state group by 1, 2, 3`.execute(reads)
  return rows
}

/** Changes of a day: of how many devices were online, and were known at all; and the seconds that this added until the day's end. */
export interface DayChange {
  step: number
  online: number
  onlineSeconds: number
  known: number
  knownSeconds: number
}

const isKnown = (state: RawBuilder<unknown>) => sql`(${state} not in ('neverup', 'none'))::int`

export async function sumDayChanges(
  reads: Reads,
  buckets: Buckets,
  { now, ...choice }: DeviceChoice & { now: Date },
): Promise<DayChange[]> {
  const from = firstOf(buckets)
  const { rows } = await sql<DayChange>`
    ${changesAfter(from, choice, now)},
    day_change as (
      select ${stepFrom(sql`c.at`, buckets, from)} as step, c.at,
        (c.state = 'online')::int - (c.former = 'online')::int as online,
        ${isKnown(sql`c.state`)} - ${isKnown(sql`c.former`)} as known
      from change c)
    select x.step, sum(x.online)::int as online, sum(x.known)::int as known,
      sum(x.online * x.rest)::double precision as online_seconds,
      sum(x.known * x.rest)::double precision as known_seconds
    from (
      select d.*, extract(epoch from
        least(${now}::timestamptz, ${from}::timestamptz + make_interval(secs => (d.step + 1) * ${buckets.stepSeconds}::int))
        - d.at) as rest
      from day_change d) x
    group by 1`.execute(reads)
  return rows
}

/** Sums of the samples of each day: of the devices that were online, and of those that were known. One in ten minutes counts. */
export async function sumDaySamples(
  reads: Reads,
  buckets: Buckets,
  { now, group }: { now: Date; group: string | undefined },
): Promise<{ step: number; online: number; known: number }[]> {
  const { rows } = await sql<{ step: number; online: number; known: number }>`
    select t.nr::int - 1 as step, sums.online, sums.known
    from ${timesOf(buckets)} cross join lateral (
      select sum(c.online)::bigint as online, sum(c.online + c.linkdown + c.linklost)::bigint as known
      from ${samplesOf(group)} and c.at >= t.at and c.at < t.at + make_interval(secs => ${buckets.stepSeconds})
        and c.at <= ${now} and c.at = date_bin('10 minutes', c.at, '2000-01-01Z')) sums
    where sums.known is not null`.execute(reads)
  return rows
}

/** A figure of each server by the number of its time. */
export interface ServerFigure {
  server: string
  step: number
  value: number
}

const FIGURES = {
  'la-1min': sql`avg(s.load_one)`,
  'la-5min': sql`avg(s.load_five)`,
  'la-15min': sql`avg(s.load_fifteen)`,
  'free-space': sql`round(avg(s.free_bytes))`,
} as const
export type ServerChart = keyof typeof FIGURES

/** The mean of a figure in each step that ends at its time. Unordered: to sort thousands of samples by name takes longer. */
export async function findServerFigures(
  reads: Reads,
  chart: ServerChart,
  buckets: Buckets,
): Promise<ServerFigure[]> {
  const from = firstOf(buckets)
  const { rows } = await sql<ServerFigure>`
    select s.server, ${stepUntil(sql`s.at`, buckets, from)} as step, (${FIGURES[chart]})::double precision as value
    from server_samples s
    where s.at > ${from}::timestamptz - make_interval(secs => ${buckets.stepSeconds}) and s.at <= ${buckets.times.at(-1)}
    group by 1, 2`.execute(reads)
  return rows
}

/** A device with its effective place: coordinates (both or none) and the country as its tag says. */
export interface PlacedDevice {
  uid: string
  name: string
  connectivity: Connectivity
  latitude: number | null
  longitude: number | null
  country: string | null
}

/** The devices outside the bin by name, of one group or all. */
export async function findPlaces(
  reads: Reads,
  group: string | undefined,
  now: Date,
): Promise<PlacedDevice[]> {
  const { rows } = await sql<PlacedDevice>`
    select d.uid, d.name, ${connectivityAt(now)} as connectivity, l.latitude, l.longitude, l.country
    from (${DEVICE_PLACES}) l
    join devices d on d.uid = l.uid
    left join device_states s on s.device_uid = l.uid
    where ${group === undefined ? sql`true` : sql`d.group_uid = ${group}`}
    order by d.sort_name, d.uid`.execute(reads)
  return rows
}
