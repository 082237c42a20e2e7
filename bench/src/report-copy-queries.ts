import { DEVICE_ZONES } from '@floorcast/contract/reports.ts'
import { hotPlays } from '@floorcast/server/features/archive/archive.ts'
import { makers } from '@floorcast/server/features/reports/report-makers.ts'
import { type Database, openDatabase } from '@floorcast/server/platform/database/database.ts'
import { sql } from 'kysely'
import type { FilledServer } from './filled-server.ts'
import { paramsOf, type ReadReport, type ReportRun } from './report-runs.ts'

/** Copies the rows of a report's own statement, or of its parts, out of the database, in its order, without the cells of a file. */
export async function copyReport(
  database: Database,
  server: FilledServer,
  run: ReportRun,
): Promise<ReadReport> {
  const { zone, ...rest } = run
  const begun = performance.now()
  const { zone: _, from: __, to: ___, ...filters } = paramsOf(run)
  const session = await database.exports
    .forClient(server.clientId)
    .open({ timeZone: zone === DEVICE_ZONES ? 'UTC' : zone })
  try {
    const query = await makers[run.name](hotPlays(session.reads), { ...rest, zone, filters, now: new Date() })
    const whole = 'parts' in query ? await query.rows?.() : query.rows
    const statements = whole === undefined && 'parts' in query ? query.parts() : [{ rows: whole }]
    let [firstByte, bytes] = [0, 0]
    for await (const { rows } of statements) {
      const copied = await session.copy(sql`select * from (${rows}) q order by ${query.order}`, 'comma')
      firstByte ||= performance.now() - begun
      for await (const chunk of copied) bytes += (chunk as Buffer).byteLength
    }
    return { firstByte, total: performance.now() - begun, bytes }
  } finally {
    session.close()
  }
}

/** The database as the server opens it. */
export const openFilledDatabase = ({ databaseUrl }: FilledServer): Database =>
  openDatabase({ url: databaseUrl, lost: () => undefined })
