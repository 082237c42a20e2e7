import { type RawBuilder, sql } from 'kysely'

type Expression = RawBuilder<unknown>

/** In SQL: the value of the level that wins by the policy; the levels are expressions, null where they have none. */
export const byTagPolicy = (policy: Expression, of: Record<'device' | 'group' | 'client', Expression>) => sql`
  case ${policy}
    when 'group' then coalesce(${of.group}, ${of.device}, ${of.client})
    when 'client' then coalesce(${of.client}, ${of.group}, ${of.device})
    else coalesce(${of.device}, ${of.group}, ${of.client})
  end`

/** In SQL: whose effective time zone is wanted, as columns of a statement. */
interface ZoneOwner {
  policy: Expression
  device: Expression
  group: Expression
  client: Expression
}

/** In SQL: the time zone by effective tags as in the device's manifest; UTC without one that PostgreSQL knows. */
export function effectiveZone({ policy, device, group, client }: ZoneOwner): RawBuilder<string> {
  const tagOf = (owner: Expression) => sql`
    (select t.value from tags t where t.client_id = ${client} and t.key = 'timeZone' and ${owner})`
  return sql`zone_or_utc(${byTagPolicy(policy, {
    device: tagOf(sql`t.device_uid = ${device} and t.group_uid is null`),
    group: tagOf(sql`t.device_uid is null and t.group_uid = ${group}`),
    client: tagOf(sql`t.device_uid is null and t.group_uid is null`),
  })})`
}

/** In SQL: the time zones of a client's tags. There are few: to look for those of each of many devices takes far longer. */
const taggedZones = sql`(
  select device_uid, group_uid, zone_or_utc(value) as zone from tags where key = 'timeZone' offset 0)`

/** In SQL: `effectiveZone` of many devices: joins for a `from` with the device as `d` and its client as `c`, and the zone. */
export const zoneOfEach = {
  joins: sql`
    left join ${taggedZones} of_device on of_device.device_uid = d.uid
    left join ${taggedZones} of_group on of_group.device_uid is null and of_group.group_uid = d.group_uid
    left join ${taggedZones} of_client on of_client.device_uid is null and of_client.group_uid is null`,
  zone: sql`coalesce(${byTagPolicy(sql`coalesce(d.tag_policy, c.tag_policy)`, {
    device: sql`of_device.zone`,
    group: sql`of_group.zone`,
    client: sql`of_client.zone`,
  })}, 'UTC')`,
}
