import { type RawBuilder, sql } from 'kysely'

interface ChangedField {
  clientId: RawBuilder<unknown>
  uid: RawBuilder<unknown>
  field: string
}

/**
 * In SQL: the newest change of a field of one item, with its moment, its user and the values before and after as text; no row
 * if there is none. It reads the item's own entries from the newest one on. @param uid in SQL: the item's uid
 */
export const newestChange = ({ clientId, uid, field }: ChangedField): RawBuilder<unknown> => sql`(
  select a.at, a.user_uid, a.changes->${field}::text->>0 as before, a.changes->${field}::text->>1 as after
  from audit_entries a
  where a.client_id = ${clientId} and a.thing_uid = ${uid} and a.changes ? ${field}::text
  order by a.at desc, a.uid desc limit 1)`
