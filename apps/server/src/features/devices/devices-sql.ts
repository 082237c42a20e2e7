import {
  type Activity,
  type Connectivity,
  type NowPlaying,
  SilentReason,
} from '@floorcast/contract/devices.ts'
import { type RawBuilder, sql } from 'kysely'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** The instant `ms` before. PostgreSQL would subtract an interval again for every row. */
const before = (now: Date, ms: number) => sql`${new Date(now.getTime() - ms)}::timestamptz`

/** In SQL: whether a device is online, which it is for an hour after its last contact. */
export const isOnlineAt = (now: Date) => sql`(s.last_contact_at >= ${before(now, HOUR_MS)})`

/**
 * In SQL: the connectivity by the age of the last contact: up to one hour, up to a day, longer, or never. `s` is the alias of
 * `device_states`, whose row may be missing.
 */
export const connectivityAt = (now: Date): RawBuilder<Connectivity> => sql<Connectivity>`
  case
    when s.last_contact_at is null then 'neverup'
    when ${isOnlineAt(now)} then 'online'
    when s.last_contact_at >= ${before(now, DAY_MS)} then 'linkdown'
    else 'linklost'
  end`

/** In SQL: whether the track of the last heartbeat can still run, or its end be unreported. It has no end if its length is unknown. */
const mayTrackRunAt = (now: Date) => sql`
  (s.now_playing is not null and (s.playing_until is null or s.playing_until > ${now}))`

/** In SQL: when three heartbeats are missed. Of devices that have not reported since the column exists, after a minute each. */
const overdueAt = sql`coalesce(s.overdue_at, s.last_contact_at + interval '199 seconds')`

/**
 * In SQL: what an online device does, by its last heartbeat; null for any other device. This is the only place that decides it. A
 * device that has reported since the end of its track, and named no other one, is silent.
 */
export const activityAt = (now: Date): RawBuilder<Activity | null> => sql<Activity | null>`
  case
    when ${isOnlineAt(now)} is not true then null
    when ${overdueAt} <= ${now} then 'late'
    when ${mayTrackRunAt(now)} then case when coalesce(s.volume, 1) > 0 then 'playing' else 'silent' end
    when s.now_playing is not null and s.last_contact_at < s.playing_until then 'late'
    else 'silent'
  end`

/** In SQL: the track that a device plays, or would if it were not muted. */
export const nowPlayingAt = (now: Date): RawBuilder<NowPlaying | null> => sql<NowPlaying | null>`
  case when ${activityAt(now)} <> 'late' and ${mayTrackRunAt(now)} then s.now_playing end`

/** Shops are silent at these times by their own opening hours and playlists, or for a short time. */
export const GOOD_REASONS: SilentReason[] = ['closed', 'outside-window', 'starting', 'downloading', 'alert']

const REPORTED = SilentReason.options.filter(reason => reason !== 'muted' && reason !== 'unknown')

/**
 * In SQL: why a device is silent, by its heartbeat, or by its log if its program is older; null for any other device.
 * @param activity its `activityAt`, where that is known
 */
export const silentReasonAt = (
  now: Date,
  activity: RawBuilder<Activity | null> = activityAt(now),
): RawBuilder<SilentReason | null> => sql<SilentReason | null>`
  case
    when ${activity} is distinct from 'silent' then null
    when ${mayTrackRunAt(now)} then 'muted'
    when s.silence = any(${REPORTED}::text[]) then s.silence
    else coalesce((
      select z.because from device_silences z
      where z.device_uid = s.device_uid and z.because = any(${REPORTED}::text[])), 'unknown')
  end`

/**
 * In SQL: the seconds until the first instant at which activity or connectivity change if a device does not report.
 * @param pick an instant if it is after the other one
 */
const secondsUntilChange = (
  now: Date,
  pick: (instant: RawBuilder<unknown>, after: RawBuilder<unknown>) => RawBuilder<unknown>,
) => sql<number | null>`extract(epoch from least(
    ${pick(overdueAt, sql`${now}`)},
    ${pick(sql`s.playing_until`, sql`${now}`)},
    ${pick(sql`s.last_contact_at`, before(now, HOUR_MS))} + interval '1 hour',
    ${pick(sql`s.last_contact_at`, before(now, DAY_MS))} + interval '24 hours') - ${now}::timestamptz)::float8`

/** In SQL: the seconds after which activity or connectivity are others if the device does not report. */
export const changesInSecondsAt = (now: Date): RawBuilder<number | null> =>
  secondsUntilChange(now, (instant, after) => sql`case when ${instant} > ${after} then ${instant} end`)

/** The least `changesInSecondsAt` of all rows, as an aggregate: faster than to calculate it for each row. */
export const leastChangeInSecondsAt = (now: Date): RawBuilder<number | null> =>
  secondsUntilChange(now, (instant, after) => sql`min(${instant}) filter (where ${instant} > ${after})`)

/** In SQL: instants between which the intervals of one device are asked for, its uid and its last contact. */
export interface IntervalBounds {
  deviceUid: RawBuilder<unknown>
  lastContactAt: RawBuilder<unknown>
  from: RawBuilder<unknown>
  until: RawBuilder<unknown>
}

/**
 * In SQL: the connectivity of one device from one instant until another that is not in the future, as a table for `cross join
 * lateral`: state, from_at, until_at. The intervals follow one another without gaps. Stored transitions end with the last contact; what
 * follows from the time since then is not stored before the next one.
 */
export function connectivityIntervals({ deviceUid, lastContactAt, from, until }: IntervalBounds) {
  const down = sql`${lastContactAt} + interval '1 hour'`
  // A day of a session in another zone than UTC has 25 hours when its clocks go back.
  const lost = sql`${lastContactAt} + interval '24 hours'`
  return sql`(
    select changed.state, changed.at as from_at,
      coalesce(lead(changed.at) over (order by changed.at), ${until}) as until_at
    from (
      select every.state, every.at, lag(every.state) over (order by every.at) as former
      from (
        select ${from} as at, case when ${lost} <= ${from} then 'linklost' when ${down} <= ${from} then 'linkdown'
          else coalesce((select t.state from device_transitions t
            where t.device_uid = ${deviceUid} and t.at <= ${from} order by t.at desc limit 1), 'neverup') end as state
        where ${from} < ${until}
        union all
        select t.at, t.state from device_transitions t
        where t.device_uid = ${deviceUid} and t.at > ${from} and t.at < ${until}
        union all
        select passed.at, passed.state from (values (${down}, 'linkdown'), (${lost}, 'linklost')) passed(at, state)
        where passed.at > ${from} and passed.at < ${until}
      ) every
    ) changed
    where changed.former is distinct from changed.state)`
}
