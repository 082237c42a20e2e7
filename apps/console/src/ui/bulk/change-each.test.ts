import { CallError } from '@floorcast/contract/client.ts'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../../platform/client.ts'
import { changeEach } from './change-each.ts'

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
