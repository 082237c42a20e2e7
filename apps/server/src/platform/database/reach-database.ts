import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import type { Log } from '../log/log.ts'
import { isConnectionError } from './database-errors.ts'
import { PoolerError, POOLS_TRANSACTIONS, standbyError } from './prepare-session.ts'

/* What could be wrong with the database of DATABASE_URL is found before the start changes anything, and named. */

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '')

/** A refused connection may be of a PostgreSQL that starts after the server. */
const MAX_WAIT_MS = 60_000
const WAIT_MS = 1000
/** Words have to come at once for a wrong name, and for a PostgreSQL that is full. */
const IS_WRONG = /^(ENOTFOUND|53300)$/

const WRONG: Readonly<Record<string, string>> = {
  ENOTFOUND: 'there is no machine of this name',
  '28P01': 'the user or the password is wrong',
  '28000': 'PostgreSQL does not let this user in from here (pg_hba.conf)',
  '3D000': 'there is no such database: create it, owned by this user',
  '25006': 'it is a standby and takes no writes. Name the primary, or a proxy that follows it',
  '53300': 'PostgreSQL has no connection left (max_connections); a server opens up to 40',
}

/** The address without its password. */
function nameDatabase(url: string): string {
  const { username, host, pathname } = new URL(url)
  return `${username}@${host}${pathname}`
}

/**
 * Waits up to a minute for the PostgreSQL of DATABASE_URL, also while a standby becomes the primary. @throws Error that names the setting, also
 * for a superuser, who would pass by the isolation of clients, and for a pooler that loses it
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
      if (setting === 'DATABASE_URL') await refuseStandby(client)
      await refuseSharedSessions(client, { url, name })
      return
    } catch (error) {
      if (isRefusal(error)) throw error
      const code = codeOf(error)
      if (!isConnectionError(error) || IS_WRONG.test(code) || performance.now() - begun > maxWaitMs)
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

/** True for what no waiting mends, and what a standby is refused for too. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof SuperuserError || error instanceof PoolerError

async function refuseStandby(client: Client): Promise<void> {
  const { rows } = await client.query<{ isStandby: boolean }>('select pg_is_in_recovery() as "isStandby"')
  if (rows[0]?.isStandby) throw standbyError()
}

/** PgBouncer's error for `begin` where it pools statements. */
const POOLS_STATEMENTS = '08P01'
/** A session of PostgreSQL that ended with its connection has given back its locks after this time. */
const RELEASE_MS = 10_000
const RELEASE_PAUSE_MS = 20
/** Several standbys behind one address answer in turn. */
const MAX_SERVERS = 10

/**
 * Proves that a connection is a session of PostgreSQL of its own, whatever else uses the pooler: the connection takes a lock of its session,
 * still has it when another one has begun a transaction, and ends. The other one may not have the lock before that end, and has it soon after.
 * A pooler of transactions gives it the session with the lock, or another one, which waits for a lock that nobody gives back.
 */
async function refuseSharedSessions(client: Client, { url, name }: { url: string; name: string }) {
  const refusal = new PoolerError(`${name}: ${POOLS_TRANSACTIONS}`)
  const key = randomInt(2 ** 47)
  const { rows } = await client.query<{ server: string }>(
    `select ${SERVER} as server, pg_advisory_lock(${key})`,
  )
  const other = await connectTo({ url, server: rows[0]?.server })
  try {
    if (!(await begins(other)) || (await takesLock(other, key))) throw refusal
    if (!(await takesLock(client, key))) throw refusal
    await client.end()
    const until = performance.now() + RELEASE_MS
    while (!(await takesLock(other, key))) {
      if (performance.now() > until) throw refusal
      await pause(RELEASE_PAUSE_MS)
    }
  } finally {
    // A pooler closes the session of a connection that ends in a transaction: another server's lock would be given back.
    await other.query('rollback').catch(() => undefined)
    await other.end().catch(() => undefined)
  }
}

/** Tells the machines of a pair from each other. */
const SERVER = 'pg_postmaster_start_time()::text'

/** Connects to the same PostgreSQL. @throws Error if others answer each time */
async function connectTo({ url, server }: { url: string; server: string | undefined }): Promise<Client> {
  for (let tries = 1; ; tries += 1) {
    const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
    client.on('error', () => undefined)
    await client.connect()
    const { rows } = await client
      .query<{ server: string }>(`select ${SERVER} as server`)
      .catch(async (error: unknown) => {
        await client.end().catch(() => undefined)
        throw error
      })
    if (rows[0]?.server === server) return client
    await client.end()
    if (tries === MAX_SERVERS) throw new Error('each connection is to another PostgreSQL: name one')
  }
}

async function takesLock(client: Client, key: number): Promise<boolean> {
  const { rows } = await client.query<{ isTaken: boolean }>(
    `select pg_try_advisory_lock(${key}) as "isTaken"`,
  )
  return rows[0]?.isTaken ?? false
}

async function begins(client: Client): Promise<boolean> {
  try {
    await client.query('begin')
    return true
  } catch (error) {
    if (codeOf(error) !== POOLS_STATEMENTS) throw error
    return false
  }
}

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
