import { exportLicenseKeys, importDevices } from '@floorcast/contract/device-import.ts'
import { listDevices } from '@floorcast/contract/devices.ts'
import { addGroup } from '@floorcast/contract/groups.ts'
import type { Problem } from '@floorcast/contract/problem.ts'
import { uuidV7 } from '@floorcast/server/platform/lib/uuid-v7.ts'
import { expect } from 'vitest'
import type { TestServer } from './test-server.ts'

export interface ImportRow {
  line?: number
  name: string
  storeNumber?: string
  group?: string
  groupUid?: string
  tags?: Record<string, string>
}
interface ImportOptions {
  importUid?: string
  kind?: 'audio' | 'video'
  existing?: 'skip'
}

/** Rows of different shops, numbered from `from`. */
export const importRows = (count: number, from = 1): ImportRow[] =>
  Array.from({ length: count }, (_, n) => ({ name: `Shop ${n + from}`, storeNumber: `${n + from}` }))

/** A new client with its admin signed in who imports devices. */
export async function newImportShop(server: TestServer, planKey = 'professional') {
  const client = await server.newClient()
  const { token } = client
  await server.database.jobs.setSubscription(client.email, planKey, new Date('2099-01-01'), server.clock.now)
  const bodyOf = (rows: readonly ImportRow[], { importUid = uuidV7(), existing }: ImportOptions = {}) => ({
    importUid,
    ...(existing ? { existing } : {}),
    rows: rows.map((row, n) => ({ line: n + 1, ...row })),
  })
  const ask = (rows: readonly ImportRow[], options: ImportOptions = {}) =>
    server.ask(importDevices, {
      token,
      params: { contentType: options.kind ?? 'audio' },
      body: bodyOf(rows, options),
    })
  const add = async (rows: readonly ImportRow[], options: ImportOptions = {}) => {
    const answer = await ask(rows, options)
    expect([answer.statusCode, answer.body.slice(0, 200)]).toEqual([200, expect.anything()])
    return answer.json<{
      data: { code: number; done?: string[]; added?: number; skipped?: number; limit?: number }
    }>().data
  }
  const faults = async (rows: readonly ImportRow[], options: ImportOptions = {}) => {
    const answer = await ask(rows, options)
    expect(answer.statusCode).toBe(422)
    return answer.json<Problem>().errors?.map(({ path, message }) => `${path} ${message}`)
  }
  const newGroup = async (name: string, kind: 'audio' | 'video' = 'audio') =>
    (await server.call(addGroup, { token, params: { contentType: kind }, body: { name } })).uid ?? ''
  const list = (query = {}) => server.call(listDevices, { token, query: { size: 200, ...query } })
  const keys = (selection: object) => server.ask(exportLicenseKeys, { token, body: selection })
  return { ...client, ask, add, faults, newGroup, list, keys }
}
