import type { Pool } from 'pg'
import { Batcher } from '../lib/batcher.ts'
import type { CountStore } from '../lib/count-limit.ts'
import { callFunction } from './auth-queries.ts'

interface CountRow {
  keyHash: Buffer
  count: number
  endsAt: string
}

/** Reads counts in batches: each session of a device asks. A batch has one moment, that of its first question. */
function batchReads(pool: Pool) {
  const read = async (asked: { key: Buffer; at: Date }[]) => {
    const keys = [...new Map(asked.map(({ key }) => [key.toString('hex'), key])).values()]
    const rows = await callFunction<CountRow>(pool, 'auth_counts', [keys, asked[0]?.at])
    const counts = new Map(rows.map(row => [row.keyHash.toString('hex'), row]))
    return asked.map(({ key }) => {
      const row = counts.get(key.toString('hex'))
      return row ? { count: row.count, endsAt: new Date(row.endsAt) } : null
    })
  }
  return new Batcher(read, { maxWaitMs: 0, maxBatch: 1000, concurrency: 1, mayBeItemsFault: () => false })
}

/** The counts of the table `limit_counts`, by the role `floorcast_auth`. */
export function openCountStore(pool: Pool): CountStore {
  const reads = batchReads(pool)
  return {
    take: async (key, { max, windowSeconds, at }) => {
      const values = [key, max, windowSeconds, at]
      const rows = await callFunction<{ authTakeCount: string | null }>(pool, 'auth_take_count', values)
      const endsAt = rows[0]?.authTakeCount ?? null
      return endsAt === null ? null : new Date(endsAt)
    },
    giveBack: async (key, at) => void (await callFunction(pool, 'auth_give_back_count', [key, at])),
    read: (key, at) => reads.add({ key, at }),
  }
}

/**
 * Deletes the counts whose window has ended, and of more than `max` those that end first, by the role `floorcast_jobs`.
 * @returns how many
 */
export async function purgeCounts(pool: Pool, at: Date, max: number): Promise<number> {
  const rows = await callFunction<{ jobsPurgeCounts: number }>(pool, 'jobs_purge_counts', [at, max])
  return rows[0]?.jobsPurgeCounts ?? 0
}
