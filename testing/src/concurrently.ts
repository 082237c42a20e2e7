import type { Client } from 'pg'
import { vi } from 'vitest'
import { asSuperuser } from './test-database.ts'
import type { TestServer } from './test-server.ts'

/** How many connections wait for a lock now. A transaction would see those of its first look again. */
export async function countWaiting(superuser: Client): Promise<number> {
  await superuser.query('select pg_stat_clear_snapshot()')
  const { rowCount } = await superuser.query(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rowCount ?? 0
}

/**
 * Starts `call` while the rows that `lock` names are held, does `change` once the call waits for one of them, and lets
 * it go on: a call that looked before and acts after. Resolves with what the call does.
 */
export async function meanwhile<T>(
  server: TestServer,
  steps: { lock: string; call: () => Promise<T>; change: (superuser: Client) => Promise<unknown> },
): Promise<T> {
  return asSuperuser(server.superuserUrl, async superuser => {
    await superuser.query('begin')
    await superuser.query(steps.lock)
    const pending = steps.call()
    await vi.waitFor(
      async () => {
        if ((await countWaiting(superuser)) === 0) throw new Error('nobody waits yet')
      },
      { timeout: 30_000, interval: 10 },
    )
    await steps.change(superuser)
    await superuser.query('commit')
    return pending
  })
}
