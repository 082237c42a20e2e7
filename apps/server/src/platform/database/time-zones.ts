import { isTimeZone } from '@floorcast/contract/tags.ts'
import { offsetAt } from '@floorcast/playback/zone.ts'
import { sql } from 'kysely'
import { Client } from 'pg'
import type { Reads } from './client-scope.ts'

/*
 * PostgreSQL and Node have a copy of the IANA time zones each, of the version that each was built with. Wall times of publications and the
 * days of reports are by PostgreSQL's, the schedules of devices by Node's, whose offsets the manifest has.
 */

const DAY_MS = 86_400_000
/** Rules that differ do so for weeks at least. */
const STEP_DAYS = 10
const [DAYS_BEFORE, DAYS_AFTER] = [200, 550]

/** True if Node and PostgreSQL both know this time zone: each knows some names that the other does not. */
export async function knowsTimeZone(reads: Reads, zone: string): Promise<boolean> {
  if (!isTimeZone(zone)) return false
  const { rows } = await sql`
    select from pg_timezone_names where lower(name) = lower(${zone}) limit 1`.execute(reads)
  return rows.length > 0
}

/**
 * The zones in which PostgreSQL's rules differ from Node's at some time from half a year ago until in a year and a half. `offsetOf` returns
 * Node's offset in milliseconds.
 */
export async function findZoneDifferences(url: string, now: Date, offsetOf = offsetAt): Promise<string[]> {
  const instants: Date[] = []
  for (let day = -DAYS_BEFORE; day <= DAYS_AFTER; day += STEP_DAYS)
    instants.push(new Date(Math.floor(now.getTime() / DAY_MS + day) * DAY_MS))
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string; offsets: number[] }>(
      `select z.name, array_agg(extract(epoch from (t at time zone z.name) - (t at time zone 'UTC'))::int order by t) as offsets
        from pg_timezone_names z, unnest($1::timestamptz[]) t where z.name like '%/%' and z.name !~ '^(posix|right)/' group by z.name`,
      [instants],
    )
    return rows
      .filter(({ name }) => isTimeZone(name))
      .filter(({ name, offsets }) =>
        instants.some((at, index) => offsetOf(name, at.getTime()) !== (offsets[index] ?? 0) * 1000),
      )
      .map(({ name }) => name)
      .toSorted()
  } finally {
    await client.end()
  }
}
