import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import type { Context } from '../../context.ts'
import { ShortAds } from './dashboard.ts'

it('a count that fails is logged, and not tried again at the next look', async () => {
  const now = new Date('2026-11-23T12:00:00Z')
  const errors: unknown[] = []
  let counts = 0
  const reads = {
    getExecutor: () => {
      counts += 1
      throw new Error('canceling statement due to statement timeout')
    },
  }
  const readTogether = (work: (reads: object) => Promise<unknown>) => work(reads)
  const scope = { clientId: 'client', readTogether }
  const shortAds = new ShortAds({
    log: { error: (entry: unknown) => errors.push(entry) },
  } as unknown as Context)
  const look = async (at: Date) => {
    const ctx = { now: at, scope } as unknown as RequestContext
    expect(shortAds.read(ctx)).toEqual([])
    await nextTurn()
  }
  await look(now)
  await look(new Date(now.getTime() + 3000))
  expect([counts, errors.length]).toEqual([1, 1])
  await look(new Date(now.getTime() + 600_000))
  expect(counts).toBe(2)
})
