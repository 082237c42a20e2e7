import type { DeviceFilter } from '@floorcast/contract/devices.ts'
import type { KindFilter } from '@floorcast/contract/fields.ts'
import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { isAt } from '../places/places-sql.ts'
import { publicationStateAt } from '../publication-state/publication-state-sql.ts'
import { activityAt, connectivityAt, silentReasonAt } from './devices-sql.ts'

type Filter = z.output<typeof DeviceFilter>

/** A filter of devices. */
export interface DeviceSet extends Pick<
  Filter,
  'connectivity' | 'files' | 'group' | 'place' | 'playlist' | 'silent' | 'version'
> {
  kind: KindFilter
  /** In no group. */
  isFree?: boolean
}

/** In SQL: the version of the program as a filter names it: without commas, which separate values; `none` if it is not reported. */
export const PROGRAM_VERSION = sql<string>`
  coalesce(nullif(translate(s.program_version, E',\\t\\n\\r', '    '), ''), 'none')`

const anyOf = (parts: readonly RawBuilder<unknown>[]) => sql`(${sql.join(parts, sql` or `)})`

/** Some uids, or `none`. */
function hasOneOf(
  values: readonly string[],
  { one, none }: { one: (uids: readonly string[]) => RawBuilder<unknown>; none: RawBuilder<unknown> },
): RawBuilder<unknown> {
  const uids = values.filter(value => value !== 'none')
  if (uids.length === values.length) return one(uids)
  return uids.length === 0 ? none : anyOf([one(uids), none])
}

function hasConnectivity(values: NonNullable<Filter['connectivity']>, now: Date): RawBuilder<unknown> {
  const isIn = sql`${connectivityAt(now)} = any(${values}::text[])`
  return values.includes('late') ? anyOf([isIn, sql`${activityAt(now)} = 'late'`]) : isIn
}

function isSilent(values: NonNullable<Filter['silent']>, now: Date): RawBuilder<unknown> {
  const activities = [
    ...(values.includes('any') ? ['silent'] : []),
    ...(values.includes('none') ? ['playing'] : []),
  ]
  return anyOf([
    ...(activities.length > 0 ? [sql`${activityAt(now)} = any(${activities}::text[])`] : []),
    sql`${silentReasonAt(now)} = any(${values}::text[])`,
  ])
}

const isInGroup = (values: readonly string[]) =>
  hasOneOf(values, {
    // The index has the devices of one group by name; of several it would have to sort them.
    one: uids =>
      uids.length === 1 ? sql`d.group_uid = ${uids[0]}` : sql`d.group_uid = any(${uids}::uuid[])`,
    none: sql`d.group_uid is null`,
  })

/**
 * In SQL: a value is in a set. `is true` keeps PostgreSQL from making a join of it: it underestimates the sets below, and would read
 * one again for each device; of an array it would compare each element. So it hashes the set once.
 */
const isOneOf = (value: RawBuilder<unknown>, set: RawBuilder<unknown>) => sql`(${value} in (${set})) is true`

const groupsInForce = (now: Date, which: RawBuilder<unknown>) => sql`
  select p.group_uid from publications p
  where ${which} and p.state <> 'disabled' and ${publicationStateAt(now)} = 'active'`

const playsOneOf = (values: readonly string[], now: Date) =>
  hasOneOf(values, {
    one: uids => isOneOf(sql`d.group_uid`, groupsInForce(now, sql`p.playlist_uid = any(${uids}::uuid[])`)),
    none: sql`not (${isOneOf(sql`d.group_uid`, groupsInForce(now, sql`true`))})`,
  })

const missesFiles = (now: Date) =>
  isOneOf(
    sql`d.uid`,
    sql`
      select h.device_uid from publications p
      join publication_holdings h on h.publication_uid = p.uid and h.revision = p.revision
      where p.state <> 'disabled' and h.missing > 0 and ${publicationStateAt(now)} <> 'disabled'`,
  )

/** In SQL: the device `d`, with its state `s` where `fromFiltered` joins it, is in the set. */
export function isInSet(set: DeviceSet, now: Date): RawBuilder<unknown> {
  const parts = [sql`d.deleted_at is null`]
  if (set.kind !== 'all') parts.push(sql`d.kind = ${set.kind}`)
  if (set.group) parts.push(isInGroup(set.group))
  if (set.isFree) parts.push(sql`d.group_uid is null`)
  if (set.playlist) parts.push(playsOneOf(set.playlist, now))
  if (set.files) parts.push(missesFiles(now))
  if (set.version) parts.push(sql`${PROGRAM_VERSION} = any(${set.version}::text[])`)
  if (set.connectivity) parts.push(hasConnectivity(set.connectivity, now))
  if (set.silent) parts.push(isSilent(set.silent, now))
  if (set.place !== undefined) parts.push(isAt(sql`d.uid`, set.place))
  return sql.join(parts, sql` and `)
}

/** The set has more conditions than a kind. */
export const isFiltered = (set: DeviceSet): boolean =>
  set.isFree === true ||
  [set.connectivity, set.files, set.group, set.place, set.playlist, set.silent, set.version].some(
    values => values !== undefined,
  )

/** `from devices d`, with the states `s` if the set's condition reads them. */
export const fromFiltered = ({ connectivity, silent, version }: DeviceSet): RawBuilder<unknown> =>
  connectivity || silent || version
    ? sql`from devices d left join device_states s on s.device_uid = d.uid`
    : sql`from devices d`
