import type { Insertable } from 'kysely'
import type { Writes } from '../../platform/database/client-scope.ts'
import type { Tables } from '../../platform/database/tables.ts'

export async function insertAuditEntry(
  writes: Writes,
  entry: Insertable<Tables['auditEntries']>,
): Promise<void> {
  await writes.insertInto('auditEntries').values(entry).execute()
}
