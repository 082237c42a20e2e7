import type { PublicationState } from '@floorcast/contract/publications.ts'
import { type RawBuilder, sql } from 'kysely'

/*
 * A delayed publication is in force once its moment has passed, and its predecessor is not any more. No job stores this:
 * these fragments derive it from the time (docs/decisions/0053). `p` is the alias of the publications table.
 */

const tagValue = (level: RawBuilder<unknown>) =>
  sql`(select t.value from tags t where t.key = 'timeZone' and t.client_id = p.client_id and ${level} limit 1)`

/** The zone for wall times of a group: the group's, else the client's. Each device switches by its own zone. */
const zone = sql`coalesce(${tagValue(sql`t.group_uid = p.group_uid`)},
  ${tagValue(sql`t.group_uid is null and t.device_uid is null`)}, 'UTC')`

const moment = sql`coalesce(p.starts_at, p.starts_at_wall at time zone ${zone})`

/** In SQL: whether its moment has passed. */
const hasBegun = (now: Date) => sql`(p.state = 'delayed' and ${moment} <= ${now})`

/** `active`, `delayed` or `disabled`, as of now. */
export const publicationStateAt = (now: Date) => sql<PublicationState>`
  case
    when ${hasBegun(now)} then 'active'
    when p.state = 'active' and exists (
      select from publications later
      where later.group_uid = p.group_uid and later.state = 'delayed'
        and coalesce(later.starts_at, later.starts_at_wall at time zone ${zone}) <= ${now}) then 'disabled'
    else p.state
  end`

/**
 * In SQL: whether it is in force or waiting on some device: not turned off, and no successor has begun in every zone. A wall
 * time is another instant in each zone; after two days it has passed in all of them.
 */
export const isOnSomewhere = (
  now: Date,
) => sql<boolean>`(p.state = 'delayed' or p.state = 'active' and not exists (
  select from publications later where later.group_uid = p.group_uid and later.state = 'delayed'
    and (later.starts_at <= ${now}
      or later.starts_at_wall <= (${now}::timestamptz at time zone 'UTC') - interval '2 days')))`

/** `left join lateral … on true`: the publication in force for a group, as `p` with uid, name and playlist_uid. */
export const joinInForce = (groupUid: RawBuilder<unknown>, now: Date) => sql`
  left join lateral (
    select p.uid, p.name, p.playlist_uid from publications p
    where p.group_uid = ${groupUid} and (p.state = 'active' or ${hasBegun(now)})
    order by p.state = 'delayed' desc limit 1
  ) p on true`
