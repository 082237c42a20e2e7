import type { Client } from 'pg'
import { vi } from 'vitest'
import { asSuperuser } from './test-database.ts'
import type { TestServer } from './test-server.ts'

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
        const { rowCount } = await superuser.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
        if (rowCount === 0) throw new Error('nobody waits yet')
      },
      { timeout: 30_000, interval: 10 },
    )
    await steps.change(superuser)
    await superuser.query('commit')
    return pending
  })
}
