import { type RawBuilder, sql } from 'kysely'
import { byTagPolicy } from '../tags/tags-sql.ts'
import { namesOfCountries, namesOfCountry } from './places.ts'

const valueOf = (key: string) => sql`max(t.value) filter (where t.key = ${sql.lit(key)})`
const PLACE_TAGS = sql`
  ${valueOf('latitude')} as latitude, ${valueOf('longitude')} as longitude, ${valueOf('country')} as country
  from tags t where t.key in ('latitude', 'longitude', 'country')`

/** The value of the level that wins by the device's policy. */
const effective = (key: 'latitude' | 'longitude' | 'country') =>
  byTagPolicy(sql`coalesce(d.tag_policy, (select tag_policy from clients))`, {
    device: sql.ref(`td.${key}`),
    group: sql.ref(`tg.${key}`),
    client: sql.ref(`tc.${key}`),
  })

const degrees = (text: RawBuilder<unknown>) => sql`
  case when ${text} ~ '^-?\\d{1,3}(\\.\\d{1,10})?$' then (${text})::double precision end`

/**
 * In SQL: a select of the devices outside the bin with their effective place: `uid`, `latitude` and `longitude` in degrees (both or
 * none), `country` as its tag says, in lower case.
 */
export const DEVICE_PLACES = sql`
  select uid, case when longitude is not null then latitude end as latitude,
    case when latitude is not null then longitude end as longitude, country
  from (
    select d.uid, ${degrees(effective('latitude'))} as latitude, ${degrees(effective('longitude'))} as longitude,
      lower(btrim(${effective('country')})) as country
    from devices d
    left join (select t.device_uid, ${PLACE_TAGS} and t.device_uid is not null group by 1) td on td.device_uid = d.uid
    left join (select t.group_uid, ${PLACE_TAGS} and t.group_uid is not null group by 1) tg on tg.group_uid = d.group_uid
    cross join (select ${PLACE_TAGS} and t.device_uid is null and t.group_uid is null) tc
    where d.deleted_at is null
  ) placed`

/** In SQL: whether the device of this uid is at a `MapPlace` of the contract. */
export function isAt(deviceUid: RawBuilder<unknown>, place: string): RawBuilder<unknown> {
  return sql`${deviceUid} in (select l.uid from (${DEVICE_PLACES}) l where ${condition(place)})`
}

function condition(place: string): RawBuilder<unknown> {
  const [form, value = ''] = place.split(':')
  if (form === 'country') return sql`l.latitude is null and l.country = any(${namesOfCountry(value)}::text[])`
  if (form === 'area') {
    const [south, west, north, east] = value.split(',').map(Number)
    return sql`l.latitude >= ${south} and l.latitude < ${north} and l.longitude >= ${west} and l.longitude < ${east}`
  }
  return sql`l.latitude is null and coalesce(not l.country = any(${namesOfCountries()}::text[]), true)`
}
