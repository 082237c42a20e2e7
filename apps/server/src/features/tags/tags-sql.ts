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

/** The same for the device of the alias `d`. */
export const zoneOfDevice = effectiveZone({
  policy: sql`coalesce(d.tag_policy, (select c.tag_policy from clients c where c.uid = d.client_id))`,
  device: sql`d.uid`,
  group: sql`d.group_uid`,
  client: sql`d.client_id`,
})
