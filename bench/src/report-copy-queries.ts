import { DEVICE_ZONES } from '@floorcast/contract/reports.ts'
import { makers } from '@floorcast/server/features/reports/report-makers.ts'
import { type Database, openDatabase } from '@floorcast/server/platform/database/database.ts'
import { sql } from 'kysely'
import type { FilledServer } from './filled-server.ts'
import { paramsOf, type ReadReport, type ReportRun } from './report-runs.ts'

/** Copies the rows of a report's own statement out of the database, in its order, without the cells of a file. */
export async function copyReport(
  database: Database,
  server: FilledServer,
  run: ReportRun,
): Promise<ReadReport> {
  const { zone, ...rest } = run
  const begun = performance.now()
  const { reads } = database.forClient(server.clientId)
  const { zone: _, from: __, to: ___, ...filters } = paramsOf(run)
  const query = await makers[run.name](reads, { ...rest, zone, filters, now: new Date() })
  if ('parts' in query) throw new Error(`no statement counts the rows of ${run.name}`)
  const session = await database.exports
    .forClient(server.clientId)
    .open({ timeZone: zone === DEVICE_ZONES ? 'UTC' : zone })
  try {
    const rows = await session.copy(sql`select * from (${query.rows}) q order by ${query.order}`, 'csv')
    const firstByte = performance.now() - begun
    let bytes = 0
    for await (const chunk of rows) bytes += (chunk as Buffer).byteLength
    return { firstByte, total: performance.now() - begun, bytes }
  } finally {
    session.close()
  }
}

/** The database as the server opens it. */
export const openFilledDatabase = ({ databaseUrl }: FilledServer): Database =>
  openDatabase({ url: databaseUrl, lost: () => undefined })
