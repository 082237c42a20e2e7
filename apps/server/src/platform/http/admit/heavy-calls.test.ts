import { once } from 'node:events'
import { connect } from 'node:net'
import { PassThrough } from 'node:stream'
import { editors, endpoint } from '@floorcast/contract/endpoint.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { Session } from '../../auth/session.ts'
import type { ClientScope } from '../../database/client-scope.ts'
import { makeLog } from '../../log/log.ts'
import { Admission } from './admission.ts'
import { HeavyCalls } from './heavy-calls.ts'
import { makeHttpServer } from '../http-server.ts'
import { Http } from '../http.ts'
import { readLargeBody } from '../receive/large-body.ts'

const load = endpoint({
  path: '/load',
  summary: 'l',
  access: editors,
  isHeavy: true,
  body: z.object({ name: z.string() }),
  answer: z.object({ name: z.string() }),
})
const save = endpoint({
  path: '/save',
  summary: 's',
  access: editors,
  isHeavy: true,
  answer: z.unknown(),
  answerForm: 'bytes',
})
const look = endpoint({ path: '/look', summary: 'k', access: editors, answer: z.object({}) })

const closings: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closings.splice(0)) await close()
})

/** A server on a port with two slots and two waiting calls, one of a client. The token is the client. */
async function makeServer(maxWaitMs = 60_000) {
  const address = 'http://localhost'
  const origins = { publicUrl: address, streamUrl: address, logsUrl: address }
  const app = await makeHttpServer({
    log: makeLog('info', new PassThrough().resume()),
    trustProxy: false,
    origins,
  })
  const admission = new Admission({ steady: () => performance.now(), random: () => 0 })
  const heavyCalls = new HeavyCalls({ places: 2, maxWaiting: 2, maxWaitingAClient: 1 }, { maxWaitMs })
  const sessionOf = async (clientId: string) =>
    ({ clientId, role: 'admin', rights: 'full', subscriptionExpiresAt: '2099-01-01T00:00:00Z' }) as Session
  const callers = {
    openScope: () => ({}) as ClientScope,
    authenticator: {
      userByToken: sessionOf,
      userByTicket: async () => null,
      deviceByToken: async () => null,
    },
  }
  const http = new Http({ app, admission, now: () => new Date(), ...callers, alerts: callers, heavyCalls })
  const ends = new Map<string, PromiseWithResolvers<void>>()
  const signals = new Map<string, AbortSignal | undefined>()
  http.forLargeBodies(load, { read: sent => readLargeBody(load, sent), bodyLimit: 1000 }, async call => {
    const { name } = call.body
    signals.set(name, call.signal)
    const end = Promise.withResolvers<void>()
    ends.set(name, end)
    await end.promise
    return { name }
  })
  http.streamToUsers(save, async ({ reply }) => {
    const endless = new PassThrough()
    endless.write('first line')
    return reply.send(endless)
  })
  http.forUsers(look, async () => ({}))
  await app.listen({ port: 0, host: '127.0.0.1' })
  const bound = app.server.address()
  const port = typeof bound === 'object' ? (bound?.port ?? 0) : 0
  closings.push(async () => {
    for (const { resolve } of ends.values()) resolve()
    app.server.closeAllConnections()
    await app.close()
  })
  const post = (client: string, name: string) =>
    fetch(`http://127.0.0.1:${port}/load`, {
      method: 'POST',
      headers: { authorization: `Bearer ${client}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name }),
    })
  /** Sends the head of a call with a body that never comes. */
  const begin = async (client: string) => {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write(
      `POST /load HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${client}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n`,
    )
    return socket
  }
  const isAt = (inWork: number, waiting: number) =>
    vi.waitFor(() => expect(heavyCalls.state).toEqual({ inWork, waiting }))
  const hasBegun = (name: string) => vi.waitFor(() => expect(ends.has(name)).toBe(true))
  return { port, post, begin, isAt, hasBegun, signals, end: (name: string) => ends.get(name)?.resolve() }
}

test('a heavy call has its slot before its body comes, and one more of its client waits', async () => {
  const { post, begin, isAt, hasBegun, end } = await makeServer()
  const unsent = await begin('a')
  await isAt(1, 0)
  const own = post('a', 'own')
  await isAt(1, 1)
  const other = post('b', 'other')
  await hasBegun('other')
  await isAt(2, 1)
  end('other')
  expect(await (await other).json()).toEqual({ data: { name: 'other' } })
  unsent.destroy()
  await hasBegun('own')
  end('own')
  expect((await own).status).toBe(200)
  await isAt(0, 0)
})

test('what the queue does not take is told when to come back, and other calls go on', async () => {
  const { port, post, begin, isAt, hasBegun, end } = await makeServer()
  await begin('a')
  const b = post('b', 'b')
  await isAt(2, 0)
  await hasBegun('b')
  // It waits until the server closes.
  post('a', 'a2').catch(() => undefined)
  const c = post('c', 'c1')
  await isAt(2, 2)
  for (const client of ['a', 'c', 'd']) {
    const refused = await post(client, 'refused')
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(await refused.json()).toMatchObject({
      code: 'heavy-busy',
      detail: expect.stringContaining('imports') as string,
    })
  }
  const looked = await fetch(`http://127.0.0.1:${port}/look`, { headers: { authorization: 'Bearer a' } })
  expect(looked.status).toBe(200)
  end('b')
  await hasBegun('c1')
  end('c1')
  expect([(await b).status, (await c).status]).toEqual([200, 200])
})

test('a call that waits too long is told when to come back', async () => {
  const { post, begin, isAt } = await makeServer(20)
  await begin('a')
  await isAt(1, 0)
  expect((await post('a', 'late')).status).toBe(429)
  await isAt(1, 0)
})

test('a caller that hangs up leaves its slot, and its work hears of it', async () => {
  const { begin, isAt, hasBegun, signals, end } = await makeServer()
  const socket = await begin('a')
  const body = JSON.stringify({ name: 'gone' })
  socket.write(body.padEnd(100))
  await hasBegun('gone')
  expect(signals.get('gone')?.aborted).toBe(false)
  socket.destroy()
  await vi.waitFor(() => expect(signals.get('gone')?.aborted).toBe(true))
  // Its work is not over yet.
  await isAt(1, 0)
  end('gone')
  await isAt(0, 0)
})

test('an export keeps its slot until it begins to be sent: a slow reader holds none', async () => {
  const { port, isAt } = await makeServer()
  const socket = connect(port, '127.0.0.1')
  closings.unshift(async () => socket.destroy())
  socket.write('GET /save HTTP/1.1\r\nhost: x\r\nauthorization: Bearer a\r\n\r\n')
  const [head] = (await once(socket, 'data')) as [Buffer]
  expect(head.toString()).toContain('HTTP/1.1 200')
  await isAt(0, 0)
})

test('a body that is refused leaves its slot: too large, no JSON, wrong fields, none', async () => {
  const { port, isAt } = await makeServer()
  const send = async (body: string) => {
    const headers = { authorization: 'Bearer a', 'content-type': 'application/json' }
    return (await fetch(`http://127.0.0.1:${port}/load`, { method: 'POST', headers, body })).status
  }
  const statuses = [
    await send('x'.repeat(1001)),
    await send('{"name": nothing}'),
    await send('{}'),
    await send(''),
  ]
  expect(statuses).toEqual([413, 400, 422, 400])
  await isAt(0, 0)
})
