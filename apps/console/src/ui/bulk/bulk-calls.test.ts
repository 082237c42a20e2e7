import type { BulkPlan } from '@floorcast/contract/bulk-calls.ts'
import { expect, it } from 'vitest'
import { itemsOf, planBulk, runBulk, type BulkItems } from './bulk-calls.ts'

const some = (count: number) => {
  const uids = Array.from({ length: count }, (_, n) => `${n}`)
  return itemsOf({ kind: 'some', uids, count }, {})
}
const all = itemsOf({ kind: 'all', except: ['x'], count: 2500 }, { search: 'north', page: 3, size: 10 })

it('the items of a selection are a thousand at most in a call', () => {
  expect(some(2001).map(part => ('uids' in part ? part.uids.length : 0))).toEqual([1000, 1000, 1])
})

it('the items of a selection are those of the filter without the page, except some', () => {
  expect(all).toEqual([{ filter: { search: 'north' }, except: ['x'], all: true }])
})

it('a bulk action goes on behind the last item until nothing remains', async () => {
  const asked: (string | undefined)[] = []
  const run = async (items: BulkItems<object>) => {
    const after = 'uids' in items ? undefined : items.after
    asked.push(after)
    return { code: 200, ...(asked.length < 3 ? { after: `${asked.length}`, remaining: 1 } : {}) }
  }
  for await (const _ of runBulk(all, run));
  expect(asked).toEqual([undefined, '1', '2'])
})

it('a bulk action is counted over all calls, by reason', async () => {
  const plan: BulkPlan = {
    count: 3,
    offline: 1,
    freedBytes: 4_000,
    leftOut: [{ reason: 'in-use', count: 2 }],
  }
  expect(await planBulk(some(1001), async () => plan)).toEqual({
    count: 6,
    offline: 2,
    freedBytes: 8_000,
    leftOut: [{ reason: 'in-use', count: 4 }],
  })
})
