import type { FilterValue, ValuedDeviceFilter } from '@floorcast/contract/device-filters.ts'
import type { Reference } from '@floorcast/contract/fields.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Reads } from '../../platform/database/client-scope.ts'
import { hasTerms } from '../../platform/database/list-source.ts'
import { findNames } from '../../platform/database/names.ts'
import { PROGRAM_VERSION } from './device-set-sql.ts'

/** The values that are offered at once. */
const MAX_OFFERED = 20

/** Rows of value, name and count whose names have the terms of a search. */
const VALUES: Record<ValuedDeviceFilter, (search: string) => RawBuilder<unknown>> = {
  group: search => sql`
    select g.uid::text as value, g.name, null::int as count from groups g
    where g.deleted_at is null and ${hasTerms(search, [sql`g.name`])} order by g.sort_name, g.uid`,
  playlist: search => sql`
    select l.uid::text as value, l.name, null::int as count from playlists l
    where l.deleted_at is null and ${hasTerms(search, [sql`l.name`])} order by l.sort_name, l.uid`,
  version: search => sql`
    select value, value as name, count from (
      select ${PROGRAM_VERSION} as value, count(*)::int as count
      from devices d left join device_states s on s.device_uid = d.uid
      where d.deleted_at is null group by 1) version
    where ${hasTerms(search, [sql`value`])} order by count desc, value`,
}

const TABLES = { group: 'groups', playlist: 'playlists' } as const

export async function listFilterValues(
  reads: Reads,
  filter: ValuedDeviceFilter,
  search: string,
): Promise<{ values: FilterValue[]; more: boolean }> {
  const { rows } = await sql<FilterValue>`${VALUES[filter](search)} limit ${MAX_OFFERED + 1}`.execute(reads)
  return { values: rows.slice(0, MAX_OFFERED), more: rows.length > MAX_OFFERED }
}

/** The names of those groups or playlists that exist. */
export const findChosenValues = async (
  reads: Reads,
  filter: ValuedDeviceFilter,
  uids: readonly string[],
): Promise<Reference[]> =>
  filter === 'version' || uids.length === 0 ? [] : findNames(reads, { table: TABLES[filter] }, uids)
