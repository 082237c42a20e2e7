import { CallError } from '@floorcast/contract/client.ts'
import { describe, expect, it } from 'vitest'
import { changeEach, gatherUids } from './bulk.ts'
import { Refusal } from './client.ts'

const things = Array.from({ length: 450 }, (_, index) => ({ uid: `u${index}` }))
const read = async (page: number, size: number) => ({
  items: things.slice((page - 1) * size, page * size),
  total: things.length,
})

describe('gathering what matches', () => {
  it('reads every page and leaves out the exceptions', async () => {
    const uids = await gatherUids(read, ['u3', 'u449'])
    expect(uids).toHaveLength(448)
    expect(uids).not.toContain('u3')
  })

  it('ends when things vanish while it reads', async () => {
    const uids = await gatherUids(
      async page => ({ items: page === 1 ? things.slice(0, 200) : [], total: 450 }),
      [],
    )
    expect(uids).toHaveLength(200)
  })
})

describe('changing each', () => {
  it('goes on after a refusal and names it', async () => {
    const refusal = new Refusal({ code: 409 })
    const result = await changeEach(['a', 'b', 'c'], async uid => {
      if (uid === 'b') throw refusal
    })
    expect(result).toEqual({ done: ['a', 'c'], failed: [{ uid: 'b', error: refusal }] })
  })

  it('stops when there is no answer at all', async () => {
    const tried: string[] = []
    const run = async (uid: string) => {
      tried.push(uid)
      throw new CallError(0, null)
    }
    await expect(changeEach(['a', 'b'], run)).rejects.toThrow(CallError)
    expect(tried).toEqual(['a'])
  })
})
