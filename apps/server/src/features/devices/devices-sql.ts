import { type Connectivity, SilentReason } from '@floorcast/contract/devices.ts'
import { type RawBuilder, sql } from 'kysely'

/** In SQL: whether a device is online, which it is for an hour after its last contact. */
export const isOnlineAt = (now: Date) => sql`(s.last_contact_at >= ${now}::timestamptz - interval '1 hour')`

/**
 * In SQL: the connectivity by the age of the last contact: up to one hour, up to a day, longer, or never. `s` is the alias of
 * `device_states`, whose row may be missing.
 */
export const connectivityAt = (now: Date): RawBuilder<Connectivity> => sql<Connectivity>`
  case
    when s.last_contact_at is null then 'neverup'
    when ${isOnlineAt(now)} then 'online'
    when s.last_contact_at >= ${now}::timestamptz - interval '1 day' then 'linkdown'
    else 'linklost'
  end`

/** In SQL: whether an online device has a track that can be heard, by its last heartbeat. */
export const isPlayingAt = (now: Date) => sql`
  (${isOnlineAt(now)} and s.now_playing is not null and coalesce(s.volume, 1) > 0)`

const REPORTED = SilentReason.options.filter(reason => reason !== 'muted' && reason !== 'unknown')

/** In SQL: why an online device is silent; null for any other device. */
export const silentReasonAt = (now: Date): RawBuilder<SilentReason | null> => sql<SilentReason | null>`
  case
    when ${isPlayingAt(now)} or ${isOnlineAt(now)} is not true then null
    when s.now_playing is not null then 'muted'
    else coalesce((
      select z.because from device_silences z
      where z.device_uid = s.device_uid and z.because = any(${REPORTED}::text[])), 'unknown')
  end`

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
