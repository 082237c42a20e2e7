import { pipeline } from 'node:stream/promises'
import { Readable } from 'node:stream'
import type { Pool } from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'

const ROWS = 10_000
const NEWEST = `select * from plays where client_id = '%' order by started_at desc limit ${ROWS}`

/** Rows a second of COPY of stored plays into an empty table with the same indexes, in one transaction. */
export async function copyPlays(superuser: Pool, clientId: string): Promise<number> {
  const client = await superuser.connect()
  try {
    await client.query(
      'drop table if exists bench_plays; create table bench_plays (like plays including all)',
    )
    const rows = await client.query(copyTo(`copy (${NEWEST.replace('%', clientId)}) to stdout`)).toArray()
    const begun = performance.now()
    const into = client.query(copyFrom('copy bench_plays from stdin'))
    await pipeline(Readable.from(rows as Buffer[]), into)
    const seconds = (performance.now() - begun) / 1000
    await client.query('drop table bench_plays')
    return into.rowCount / seconds
  } finally {
    client.release()
  }
}
