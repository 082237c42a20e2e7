import { sql } from 'kysely'
import type { Reads } from '../../platform/database/client-scope.ts'

/** The devices that an import has added for these lines, in the bin or not. */
export async function findImported(
  reads: Reads,
  { importUid, lines }: { importUid: string; lines: readonly number[] },
): Promise<{ uid: string; line: number }[]> {
  const { rows } = await sql<{ uid: string; line: number }>`
    select uid, import_line as line from devices
    where import_uid = ${importUid} and import_line = any(${lines}::int[])`.execute(reads)
  return rows
}

/** The devices outside the bin with the name and store number of one of these, whatever the case; `index` is from 0. */
export async function findNamesakes(
  reads: Reads,
  named: readonly { name: string; storeNumber: string }[],
): Promise<{ uid: string; index: number }[]> {
  const [names, numbers] = [named.map(({ name }) => name), named.map(({ storeNumber }) => storeNumber)]
  // The devices of these names first: 'Till radio' may be the name of each, and a nested loop would compare each pair.
  const { rows } = await sql<{ uid: string; index: number }>`
    with sought as materialized (
      select nr::int - 1 as index, sort_key(name) as sort_name, lower(name) as name, lower(store_number) as store_number
      from unnest(${names}::text[], ${numbers}::text[]) with ordinality as x(name, store_number, nr)
    ),
    namesakes as materialized (
      select uid, lower(name) as name, lower(store_number) as store_number from devices
      where deleted_at is null and sort_name in (select sort_name from sought)
    )
    select distinct on (s.index) d.uid, s.index from sought s
    join namesakes d on d.name = s.name and d.store_number = s.store_number
    order by s.index, d.uid`.execute(reads)
  return rows
}
