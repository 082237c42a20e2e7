import { Writable } from 'node:stream'
import {
  byDevice,
  editors,
  endpoint,
  openToAll,
  readers,
  statusEditors,
} from '@floorcast/contract/endpoint.ts'
import { Name, Uid } from '@floorcast/contract/fields.ts'
import { Outcome } from '@floorcast/contract/outcomes.ts'
import type { Problem } from '@floorcast/contract/problem.ts'
import { beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import type { ClientScope } from '../database/client-scope.ts'
import { OutcomeError, notFound } from '../lib/errors.ts'
import { makeLog } from '../log/log.ts'
import type { Authenticator } from '../auth/authenticator.ts'
import type { Session } from '../auth/session.ts'
import { Admission } from './admit/admission.ts'
import { serveConsole } from './routes/console-files.ts'
import { makeHttpServer } from './http-server.ts'
import { Http } from './http.ts'

const uid = '01933d4e-0000-7000-8000-000000000001'
const now = new Date('2026-11-21T10:00:00Z')
const address = 'http://localhost:8080'
const admin: Session = {
  sessionUid: uid,
  clientId: uid,
  userUid: uid,
  role: 'admin',
  rights: 'full',
  email: 'a@example.com',
  firstName: '',
  lastName: '',
  linkedDeviceUid: null,
  subscriptionExpiresAt: '2026-12-01T00:00:00.000Z',
  expiresAt: '2026-12-01T00:00:00.000Z',
}
const people: Record<string, Session> = {
  admin,
  viewer: { ...admin, rights: 'view' },
  streamer: { ...admin, role: 'streamer' },
  expired: { ...admin, subscriptionExpiresAt: '2026-11-21T10:00:00.000Z' },
}

const byUid = z.object({ uid: Uid })
const read = endpoint({
  path: '/item/read/{uid}',
  summary: 'r',
  access: readers,
  params: byUid,
  query: z.object({ ticket: z.string().optional() }),
  answer: z.object({ name: z.string() }),
})
const change = endpoint({
  path: '/item/edit',
  summary: 'e',
  access: editors,
  body: z.object({ name: Name }),
  answer: Outcome,
})
const toggle = endpoint({
  path: '/item/{uid}/changestate',
  summary: 't',
  access: statusEditors,
  params: byUid,
  answer: Outcome,
})
const open = endpoint({ path: '/item/open', summary: 'o', access: openToAll, answer: z.object({}) })
const broken = endpoint({ path: '/item/broken', summary: 'b', access: openToAll, answer: z.object({}) })
const beat = endpoint({ path: '/item/beat', summary: 'h', access: byDevice, answer: z.object({ uid: Uid }) })

async function makeFixture() {
  const lines: string[] = []
  const destination = new Writable({
    write: (chunk: Buffer, _, done) => {
      lines.push(chunk.toString())
      done()
    },
  })
  const app = await makeHttpServer({
    log: makeLog('info', destination),
    trustProxy: false,
    origins: { publicUrl: address, streamUrl: address, logsUrl: address },
  })
  const authenticator: Authenticator = {
    userByToken: async token => people[token] ?? null,
    userByTicket: async (ticket, path) =>
      (ticket === 'good' && path === `/item/read/${uid}`) || ticket === path ? admin : null,
    deviceByToken: async token =>
      token === 'player'
        ? { clientId: uid, deviceUid: uid, kind: 'audio', name: 'Shop', groupUid: null, reporterUid: null }
        : null,
  }
  const admission = new Admission({ steady: () => 0, random: () => 0 })
  const callers = { openScope: () => ({}) as ClientScope, authenticator }
  const http = new Http({ app, admission, now: () => now, ...callers, alerts: callers })
  http.forUsers(read, async call => {
    if (call.params.uid !== uid) throw notFound()
    return { name: 'Shop', secret: 'column' }
  })
  http.forUsers(change, async call => {
    if (call.body.name === 'taken') throw new OutcomeError('nameExists', { names: ['taken'] })
    return { code: 200, uid }
  })
  http.forUsers(toggle, async () => ({ code: 0 }))
  http.forAll(open, async () => ({}))
  http.forAll(broken, () => Promise.reject(new Error('the disk is on fire at /secret/place')))
  http.forDevices(beat, async call => ({ uid: call.device.deviceUid }))
  await serveConsole(app, null)
  return { app, lines }
}

let fixture: Awaited<ReturnType<typeof makeFixture>>
beforeEach(async () => {
  fixture = await makeFixture()
  return () => fixture.app.close()
})

const as = (token: string) => ({ authorization: `Bearer ${token}` })
const get = (url: string, token?: string) => fixture.app.inject({ url, headers: token ? as(token) : {} })
const post = (payload: unknown, headers: Record<string, string> = as('admin')) =>
  fixture.app.inject({
    method: 'POST',
    url: '/item/edit',
    headers: { 'content-type': 'application/json', ...headers },
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
  })

it('an answer wraps its content in data, drops columns that the contract does not name, and is not stored', async () => {
  const answer = await get(`/item/read/${uid}`, 'admin')
  expect(answer.json()).toEqual({ data: { name: 'Shop' } })
  expect(answer.headers['cache-control']).toBe('no-store')
  expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
})

it('an answer tells an outcome under HTTP 200', async () => {
  const answer = await post({ name: 'taken' })
  expect(answer.statusCode).toBe(200)
  expect(answer.json()).toEqual({ data: { code: 902, names: ['taken'] } })
})

it.each([
  ['nobody', undefined, 401],
  ['a wrong token', 'wrong', 401],
  ['a streamer', 'streamer', 403],
  ['a viewer', 'viewer', 200],
  ['an expired subscription', 'expired', 200],
])('the server answers a read by %s', async (_, token, status) => {
  expect((await get(`/item/read/${uid}`, token)).statusCode).toBe(status)
})

it.each([
  ['viewer', 403, 'rights'],
  ['expired', 403, 'subscription-expired'],
])('a change by %s is refused before its body is read', async (token, status, code) => {
  const answer = await post('no json at all', as(token))
  expect([answer.statusCode, answer.json<Problem>().code]).toEqual([status, code])
})

it('the server refuses a status change with code -1', async () => {
  expect((await get(`/item/${uid}/changestate`, 'viewer')).json()).toEqual({ data: { code: -1 } })
  expect((await get(`/item/${uid}/changestate`, 'expired')).json()).toEqual({
    data: { code: -1, reason: 'subscription-expired' },
  })
})

it('the server takes a ticket for its own path only', async () => {
  expect((await get(`/item/read/${uid}?ticket=good`)).statusCode).toBe(200)
  expect((await get(`/item/${uid}/changestate?ticket=good`)).statusCode).toBe(401)
})

it('the server takes no ticket for a change, not even one for its path', async () => {
  const path = `/item/${uid}/changestate`
  expect((await get(`${path}?ticket=${path}`)).statusCode).toBe(401)
})

it('the server tells devices from users', async () => {
  expect((await get('/item/beat', 'player')).json()).toEqual({ data: { uid } })
  expect((await get('/item/beat', 'admin')).statusCode).toBe(401)
  expect((await get(`/item/read/${uid}`, 'player')).statusCode).toBe(401)
})

it('the server answers HEAD wherever GET is, but for the GETs that change data', async () => {
  const head = (url: string) => fixture.app.inject({ method: 'HEAD', url, headers: as('admin') })
  const read = await head(`/item/read/${uid}`)
  const whole = await get(`/item/read/${uid}`, 'admin')
  expect([read.statusCode, read.body, read.headers['content-length']]).toEqual([
    200,
    '',
    whole.headers['content-length'],
  ])
  const change = await head(`/item/${uid}/changestate`)
  expect([change.statusCode, change.headers.allow]).toEqual([405, 'GET'])
})

it('the server tells a wrong method which ones there are', async () => {
  const answer = await fixture.app.inject({ method: 'PUT', url: '/item/edit', headers: as('admin') })
  expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'POST'])
  expect(answer.json()).toMatchObject({ code: 'method-not-allowed', detail: 'This address takes POST.' })
  expect((await fixture.app.inject({ method: 'PUT', url: '/item/nothing' })).statusCode).toBe(404)
})

it.each([
  { what: 'no JSON', payload: '{"name": ', status: 400, code: 'malformed' },
  { what: 'no body', payload: '', status: 400, code: 'malformed' },
  { what: 'null', payload: 'null', status: 400, code: 'malformed' },
  { what: 'a prototype', payload: '{"name":"abc","__proto__":{}}', status: 400, code: 'malformed' },
  { what: 'a list', payload: '[]', status: 422, code: 'wrong-fields' },
  { what: 'too much', payload: JSON.stringify('x'.repeat(1_100_000)), status: 413, code: 'too-large' },
])('bad input $what', async ({ payload, status, code }) => {
  const answer = await post(payload)
  expect([answer.statusCode, answer.json<Problem>().code]).toEqual([status, code])
  expect(answer.headers['content-type']).toContain('application/problem+json')
})

it.each([
  [{}, 'empty', 'Cannot be empty'],
  [{ name: '' }, 'empty', 'Cannot be empty'],
  [{ name: 'ab' }, 'too-short', 'At least 3 characters'],
  [{ name: 'a<b>' }, 'special-characters', 'Only letters, digits and common punctuation'],
  [{ name: 7 }, 'wrong', 'This value is not valid'],
])('bad input names the field and the reason of %j', async (payload, message, detail) => {
  const answer = await post(payload)
  expect(answer.statusCode).toBe(422)
  expect(answer.json<Problem>().errors).toMatchObject([{ path: 'name', message, detail }])
})

it('the server answers a body of another type with 415, a malformed uid with 422, an unknown one with 404', async () => {
  expect((await post('name=abc', { ...as('admin'), 'content-type': 'text/plain' })).statusCode).toBe(415)
  expect((await get('/item/read/7', 'admin')).statusCode).toBe(422)
  expect((await get('/item/read/01933d4e-0000-7000-8000-00000000000f', 'admin')).statusCode).toBe(404)
})

it('what nobody expected is answered with an id that the log has too, and with nothing of the cause', async () => {
  const answer = await get('/item/broken')
  expect(answer.statusCode).toBe(500)
  const id: unknown = answer.json<Problem>().id
  expect(answer.json()).toEqual({
    type: '/problems/internal',
    title: 'Internal Server Error',
    status: 500,
    detail: 'The server failed.',
    code: 'internal',
    instance: `urn:uuid:${String(id)}`,
    id,
  })
  const logged = fixture.lines.filter(line => line.includes(String(id)))
  expect(logged.join()).toContain('the disk is on fire')
})

it.each([
  [401, () => get(`/item/read/${uid}`)],
  [404, () => get('/nowhere')],
  [405, () => fixture.app.inject({ method: 'DELETE', url: `/item/read/${uid}` })],
  [400, () => get('/%')],
  [422, () => post({ name: '' })],
])('a refusal with %i carries the id of its request, which its line in the log has', async (status, ask) => {
  const answer = await ask()
  expect(answer.statusCode).toBe(status)
  const { id } = answer.json<Problem>()
  expect(answer.headers['x-request-id']).toBe(id)
  expect(fixture.lines.map(line => JSON.parse(line) as object)).toMatchObject([{ requestId: id, status }])
})

it('the log has one line for an address that cannot be read', async () => {
  await get('/%')
  expect(fixture.lines.map(line => JSON.parse(line) as object)).toMatchObject([
    { method: 'GET', path: '/%', status: 400, outcome: 'malformed' },
  ])
})

it('the log has one line a request, with the outcome and without secrets', async () => {
  await post({ name: 'taken' })
  await get(`/item/read/${uid}?ticket=good`)
  expect(fixture.lines.map(line => JSON.parse(line) as object)).toMatchObject([
    { method: 'POST', path: '/item/edit', status: 200, outcome: 902, userUid: uid, clientId: uid },
    { method: 'GET', path: `/item/read/${uid}`, status: 200 },
  ])
  expect(fixture.lines.join()).not.toMatch(/good|Bearer|admin/)
})
