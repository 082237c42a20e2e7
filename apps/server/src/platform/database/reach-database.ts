import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import type { Log } from '../log/log.ts'

/* What could be wrong with the database of DATABASE_URL is found before the start changes anything, and named. */

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '')

/** A refused connection may be of a PostgreSQL that starts after the server. */
const MAX_WAIT_MS = 60_000
const WAIT_MS = 1000
const IS_AWAY = /^(ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|57P03)$/

const WRONG: Readonly<Record<string, string>> = {
  ENOTFOUND: 'there is no machine of this name',
  '28P01': 'the user or the password is wrong',
  '28000': 'PostgreSQL does not let this user in from here (pg_hba.conf)',
  '3D000': 'there is no such database: create it, owned by this user',
  '53300': 'PostgreSQL has no connection left (max_connections); a server opens up to 40',
}

/** The address without its password. */
function nameDatabase(url: string): string {
  const { username, host, pathname } = new URL(url)
  return `${username}@${host}${pathname}`
}

/**
 * Waits up to a minute for the PostgreSQL of DATABASE_URL. @throws Error that names the setting, also for a superuser, who would pass by
 * the isolation of clients
 */
export async function reachDatabase(
  url: string,
  { maySuperuser, log, setting = 'DATABASE_URL', maxWaitMs = MAX_WAIT_MS }: ReachOptions,
): Promise<void> {
  const name = `${setting} (${nameDatabase(url)})`
  const begun = performance.now()
  for (let tries = 1; ; tries += 1) {
    const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
    client.on('error', () => undefined)
    try {
      await client.connect()
      if (!maySuperuser) await refuseSuperuser(client, name)
      return
    } catch (error) {
      if (error instanceof SuperuserError) throw error
      const code = codeOf(error)
      if (!IS_AWAY.test(code) || performance.now() - begun > maxWaitMs)
        throw new Error(
          `${name}: ${WRONG[code] ?? (error instanceof Error ? error.message : String(error))}`,
          { cause: error },
        )
      if (tries % 10 === 1) log.warn({ code }, `${name} does not answer yet; the start waits up to a minute`)
      await pause(WAIT_MS)
    } finally {
      await client.end().catch(() => undefined)
    }
  }
}

export interface ReachOptions {
  maySuperuser: boolean
  log: Log
  /** Which one named the database. */
  setting?: 'DATABASE_URL' | 'DATABASE_READ_URL'
  maxWaitMs?: number
}

export class SuperuserError extends Error {}

async function refuseSuperuser(client: Client, name: string): Promise<void> {
  const { rows } = await client.query<{ passesBy: boolean }>(
    'select rolsuper or rolbypassrls as "passesBy" from pg_roles where rolname = current_user',
  )
  if (rows[0]?.passesBy)
    throw new SuperuserError(
      `${name} names a superuser, or a user with BYPASSRLS, who passes by the isolation of clients. Make a user who owns the database alone, or set ALLOW_SUPERUSER=yes`,
    )
}

/** Clocks that differ by less do no harm. */
const MAX_BEHIND_MS = 5 * 60_000

/**
 * Compares this machine's clock with the newest moment that a server has written. Devices take their time from the server: with a clock
 * that is behind, every shop would open late. A new database has none. @throws Error with both
 */
export async function requireClock(url: string, now: Date): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows: found } = await client.query(
      "select where to_regclass('public.server_samples') is not null",
    )
    if (found.length === 0) return
    const { rows } = await client.query<{ newest: Date | null }>(
      'select max(at) as newest from server_samples',
    )
    const newest = rows[0]?.newest
    if (!newest || newest.getTime() - now.getTime() < MAX_BEHIND_MS) return
    const minutes = Math.round((newest.getTime() - now.getTime()) / 60_000)
    throw new Error(
      `The clock of this machine shows ${now.toISOString()}, ${minutes} minutes before the newest moment in the database (${newest.toISOString()}). Set the clock. If it is right, and a server's clock was wrong before, delete those moments: delete from server_samples where at > now()`,
    )
  } finally {
    await client.end()
  }
}
