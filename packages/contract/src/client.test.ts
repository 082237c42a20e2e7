import { expect, it } from 'vitest'
import { CallError, makeClient } from './client.ts'
import { readDevice } from './devices.ts'
import { endSession } from './auth.ts'
import { changeGroupState } from './groups.ts'

const uid = '0193a000-0000-7000-8000-000000000001'
const answering = (status: number, body: unknown, headers: Record<string, string> = {}) => {
  const seen: Request[] = []
  const send: typeof fetch = (url, init) => {
    seen.push(new Request(`http://shop.test${String(url)}`, init))
    return Promise.resolve(Response.json(body, { status, headers }))
  }
  return { seen, call: makeClient({ base: '', token: () => 'T', fetch: send }) }
}

it('the typed client sends the token and reads from data', async () => {
  const { call, seen } = answering(200, { data: { code: 200 } })
  expect(await call(endSession, {})).toEqual({ code: 200 })
  expect(seen[0]?.headers.get('authorization')).toBe('Bearer T')
  expect(seen[0]?.method).toBe('POST')
})

it('the typed client fills the path and the query', async () => {
  const { call, seen } = answering(200, { data: { code: 0 } })
  await call(changeGroupState, { params: { id: uid }, query: { from: 'paused' } })
  expect(new URL(seen[0]?.url ?? '').pathname).toBe(`/action/group/${uid}/changestate`)
  expect(new URL(seen[0]?.url ?? '').search).toBe('?from=paused')
})

it('the typed client raises the problem of an HTTP error', async () => {
  const { call } = answering(
    429,
    { type: 'about:blank', title: 'Slow down', status: 429 },
    { 'retry-after': '7' },
  )
  const failure = await call(readDevice, { params: { id: uid } }).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(CallError)
  expect(failure).toMatchObject({ status: 429, retryAfterSeconds: 7, problem: { title: 'Slow down' } })
})

it('the typed client raises an answer without data', async () => {
  const { call } = answering(200, { code: 200 })
  await expect(call(endSession, {})).rejects.toMatchObject({ status: 200, problem: null })
})

it('the typed client raises no answer as status 0', async () => {
  const call = makeClient({
    base: '',
    token: () => null,
    fetch: () => Promise.reject(new TypeError('down')),
  })
  await expect(call(endSession, {})).rejects.toMatchObject({ status: 0 })
})
