import type { Reads } from '@floorcast/server/platform/database/client-scope.ts'
import type { Tables } from '@floorcast/server/database/tables.ts'
import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely'
import type { Pool } from 'pg'

/** Kysely as its manual sets it up: an ordinary pool, no client set. */
export function plainKysely(pool: Pool): Kysely<Tables> {
  return new Kysely({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })
}

/** A page of the device list, as the console asks for it; the scope needs no `where`, and the plain one does. */
export const devicePage = (reads: Reads | Kysely<Tables>) =>
  (reads as Reads)
    .selectFrom('devices')
    .leftJoin('deviceStates', 'deviceStates.deviceUid', 'devices.uid')
    .select([
      'devices.uid',
      'devices.name',
      'devices.kind',
      'devices.changedAt',
      'deviceStates.lastContactAt',
    ])
    .where('devices.deletedAt', 'is', null)
    .orderBy('devices.name')
    .limit(10)
