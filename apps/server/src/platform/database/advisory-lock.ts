import type { Pool } from 'pg'

/**
 * Runs work that only one server at a time may do, under a lock that PostgreSQL releases when its holder dies. The connection
 * is idle meanwhile and in no transaction. @returns false if another server holds the lock; then the work did not run
 */
export async function withAdvisoryLock(
  pool: Pool,
  name: string,
  work: () => Promise<void>,
): Promise<boolean> {
  const holder = await pool.connect()
  let failure: Error | undefined
  try {
    const { rows } = await holder.query<{ isMine: boolean }>(
      'select pg_try_advisory_lock(hashtextextended($1, 0)) as "isMine"',
      [`floorcast ${name}`],
    )
    if (!rows[0]?.isMine) return false
    try {
      await work()
    } finally {
      await holder
        .query('select pg_advisory_unlock(hashtextextended($1, 0))', [`floorcast ${name}`])
        .catch((error: Error) => (failure = error))
    }
    return true
  } finally {
    // A connection that could not release the lock must not be used again.
    holder.release(failure)
  }
}
