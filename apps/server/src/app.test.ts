import { buildPath } from '@floorcast/contract/client.ts'
import type { Endpoint } from '@floorcast/contract/endpoint.ts'
import { endpoints } from '@floorcast/contract/endpoints.ts'
import { addGroup } from '@floorcast/contract/groups.ts'
import { Problem } from '@floorcast/contract/problem.ts'
import { release } from '@floorcast/contract/release.ts'
import { declaredFields } from '@floorcast/contract/unknown-fields.ts'
import { makeDevice } from '@floorcast/testing/factories.ts'
import { newOperator } from '@floorcast/testing/test-operators.ts'
import type { TestServer } from '@floorcast/testing/test-server.ts'
import { wholeServer } from '@floorcast/testing/whole-server.ts'
import { signedInUser } from '@floorcast/testing/test-users.ts'
import { beforeAll, expect, it } from 'vitest'
import { z } from 'zod'

let server: TestServer
let token: string
let streamer: string
let operator: string
let foreign: string
beforeAll(async () => {
  server = await wholeServer()
  const own = await server.newClient()
  token = own.token
  const { uid: linkedDeviceUid } = await makeDevice(own.scope)
  streamer = (await signedInUser(own.scope, { role: 'streamer', linkedDeviceUid })).token
  operator = (await newOperator(server)).token
  const other = await server.newClient()
  const params = { contentType: 'audio' }
  const added = await server.call(addGroup, { token: other.token, params, body: { name: 'Theirs' } })
  foreign = added.uid ?? ''
})

const UNKNOWN = '01933d4e-0000-7000-8000-00000000000f'
const calls = endpoints.map(({ noun, name, endpoint }): [string, Endpoint] => [`${noun}.${name}`, endpoint])
const ofUsers = calls.filter(([, endpoint]) => endpoint.access.by === 'user')
const withBody = calls.filter(([, { bodyForm, access }]) => bodyForm === 'json' && access.by !== 'device')

/** The token of an operator for calls of theirs, of an admin, or of a streamer for what admins may not call. */
const tokenFor = ({ access }: Endpoint) => {
  if (access.by === 'operator') return operator
  return access.by === 'user' && !access.roles.includes('admin') ? streamer : token
}

interface JsonSchema {
  properties?: Record<
    string,
    { enum?: string[]; format?: string; type?: string; anyOf?: { format?: string }[] }
  >
}

/** Parameters that fit the schema, with `uid` wherever one belongs. */
function paramsWith(endpoint: Endpoint, uid: string): Record<string, string> {
  const { properties } = z.toJSONSchema(endpoint.params, {
    io: 'input',
    unrepresentable: 'any',
  }) as JsonSchema
  return Object.fromEntries(
    Object.entries(properties ?? {}).map(([name, { enum: words, format, anyOf }]) => {
      if (words) return [name, words[0] ?? '']
      if ([{ format }, ...(anyOf ?? [])].some(one => one.format === 'uuid')) return [name, uid]
      if (format === 'date') return [name, '2026-11-21']
      if (name === 'zone') return [name, 'UTC']
      if (name === 'startdatetime') return [name, '2099-01-01T09:00:00Z']
      return [name, name === 'sha256' ? 'a'.repeat(64) : '1']
    }),
  )
}
/** The value of a command is a number. */
const COMMAND = { command: 'restart' }
const namesThing = (endpoint: Endpoint) => Object.values(paramsWith(endpoint, UNKNOWN)).includes(UNKNOWN)

async function ask(endpoint: Endpoint, given: { params: object; token?: string; payload?: string }) {
  const answer = await server.http.app.inject({
    method: endpoint.method,
    url: buildPath(endpoint.path, given.params),
    headers: {
      ...(given.token ? { authorization: `Bearer ${given.token}` } : {}),
      ...(given.payload === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(given.payload === undefined ? {} : { payload: given.payload }),
  })
  if (answer.statusCode >= 400 && endpoint.method !== 'HEAD')
    expect(Problem.safeParse(answer.json()).success).toBe(true)
  return answer.statusCode
}

/** Those of the fields that the call has. */
const ownFields = ({ body }: Endpoint, fields: object) => {
  const names = declaredFields(body, [])
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)))
}

it('every call of the contract has a route', () => {
  const missing = calls.filter(([, endpoint]) => !server.http.implemented.has(endpoint))
  expect(missing.map(([name]) => name)).toEqual([])
})

it.each(calls.filter(([, { access }]) => access.by !== 'public'))(
  'every call of the contract %s without a token: 401',
  async (_, endpoint) => {
    expect(await ask(endpoint, { params: paramsWith(endpoint, UNKNOWN) })).toBe(401)
  },
)

it.each(withBody)('every call of the contract %s with a body that is no JSON: 400', async (_, endpoint) => {
  const params = paramsWith(endpoint, UNKNOWN)
  expect(await ask(endpoint, { params, token: tokenFor(endpoint), payload: '{"uid": ' })).toBe(400)
})

it.each(ofUsers.filter(([, endpoint]) => namesThing(endpoint)))(
  'every call of the contract %s of what is not there: 404',
  async (title, endpoint) => {
    for (const uid of [UNKNOWN, foreign]) {
      const texts = { key: 'city', value: 'Oslo', password: 'a long password' }
      const usual = ownFields(endpoint, { ...texts, uid, playlistUid: uid, tracks: [uid] })
      const payload = JSON.stringify(title === 'deviceCommands.sendCommand' ? COMMAND : usual)
      const body = endpoint.bodyForm === 'json' ? { payload } : {}
      expect(await ask(endpoint, { params: paramsWith(endpoint, uid), token, ...body })).toBe(404)
    }
  },
)

it.each(ofUsers.filter(([, endpoint]) => namesThing(endpoint)))(
  'every call of the contract %s with a malformed uid: 422 or 404',
  async (_, endpoint) => {
    for (const uid of ['7', 'x'.repeat(190), "'; drop table users --", '%00', '../..']) {
      const status = await ask(endpoint, { params: paramsWith(endpoint, uid), token })
      expect([422, 404]).toContain(status)
    }
  },
)

it.each(withBody)('every call of the contract %s with wrong fields: 422', async (_, endpoint) => {
  const params = paramsWith(endpoint, UNKNOWN)
  const status = await ask(endpoint, { params, token: tokenFor(endpoint), payload: '[7]' })
  expect(status).toBe(422)
})

/** Input that no form sends: each must be refused or accepted, and never end in a server error. */
const HOSTILE: readonly unknown[] = [
  'a\u0000b',
  '\ud800 half a character',
  '0000-01-01',
  '9999-12-31',
  '0000-01-01T00:00:00Z',
  "' or 1=1 --",
  '%_\\',
  '\u202eright to left',
  'x'.repeat(100_000),
  -1,
  2 ** 31,
  2 ** 53,
  1e308,
  null,
  true,
  [],
  {},
  [{ uid: UNKNOWN }],
]
const namesOf = (schema: z.ZodType) =>
  Object.keys(
    (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema).properties ?? {},
  )

// A value of `until` that is taken would make the installation read only for the tests after it.
it.each(withBody.filter(([name, { access }]) => access.by !== 'public' && name !== 'operator.setReadOnly'))(
  'hostile values in the body of %s',
  async (_, endpoint) => {
    const params = paramsWith(endpoint, UNKNOWN)
    const some = { uid: UNKNOWN, name: 'North shops', groupUid: UNKNOWN, playlistUid: UNKNOWN }
    const usual = ownFields(endpoint, some)
    for (const name of namesOf(endpoint.body))
      for (const value of HOSTILE) {
        const status = await ask(endpoint, {
          params,
          token: tokenFor(endpoint),
          payload: JSON.stringify({ ...usual, [name]: value }),
        })
        expect({ name, value, isFault: status >= 500 }).toEqual({ name, value, isFault: false })
      }
  },
)

it.each(
  ofUsers.filter(([, endpoint]) => namesOf(endpoint.query).length > 0 && endpoint.answerForm === 'json'),
)('hostile values in the query of %s', async (_, endpoint) => {
  const params = paramsWith(endpoint, UNKNOWN)
  for (const name of namesOf(endpoint.query))
    for (const value of HOSTILE.filter(one => typeof one !== 'object' && String(one).length < 10_000)) {
      const query = { [name]: String(value).toWellFormed() }
      const { statusCode } = await server.ask(endpoint, { params, query, token })
      expect({ name, value, isFault: statusCode >= 500 }).toEqual({ name, value, isFault: false })
    }
})

const get = (url: string, headers: Record<string, string> = {}) => server.http.app.inject({ url, headers })

it('besides the contract answers health', async () => {
  server.clock.now = new Date()
  expect((await get('/health/live')).json()).toEqual({ status: 'live' })
  expect((await get('/health/ready')).json()).toEqual({ status: 'ready' })
  const head = await server.http.app.inject({ method: 'HEAD', url: '/health/ready' })
  expect([head.statusCode, head.body]).toEqual([200, ''])
})

it('besides the contract tells the console where it is', async () => {
  expect((await get('/config.json')).json()).toEqual({
    version: release.version,
    commit: expect.stringMatching(/^[0-9a-f]{8}$/) as string,
    apiBase: '',
    logsBase: '',
    manualBase: '',
    termsUrl: null,
    supportEmail: null,
    supportBot: null,
    registration: 'open',
    sendsMail: false,
  })
})

it('besides the contract describes every call in OpenAPI, to be browsed at /docs', async () => {
  const { paths } = (await get('/openapi.json')).json<{ paths: Record<string, Record<string, unknown>> }>()
  for (const [, { path, method }] of calls) expect(paths[path]?.[method.toLowerCase()]).toBeDefined()
  const docs = await get('/docs/')
  expect([docs.statusCode, docs.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect(docs.body).not.toMatch(/<script(?![^>]*\ssrc=)/)
})

it.each([
  ['/%', 400],
  ['/%E0%A4%A', 400],
  ['/device/qcard/%ff', 400],
  [`/device/qcard/${'x'.repeat(201)}`, 400],
  ['//', 404],
  ['/api/v2/device/qlist?page=%E0%A4%A', 422],
  ['/api/v2/device/qlist?page=1&page=2', 422],
  ['/api/v2/device/qlist?__proto__=1', 422],
])('besides the contract answers the address %s in its own words: %i', async (url, status) => {
  const answer = await get(url, { accept: 'application/json', authorization: `Bearer ${token}` })
  expect(answer.statusCode).toBe(status)
  if (status !== 200) expect(Problem.safeParse(answer.json()).success).toBe(true)
})

it.each(['/api/v2/nothing', '/nothing/qlist', '/device/nothing', '/'])(
  'besides the contract has nothing at %s: 404',
  async url => {
    const answer = await get(url, { accept: 'application/json', authorization: `Bearer ${token}` })
    expect([answer.statusCode, answer.json<Problem>().code]).toEqual([404, 'no-such-call'])
  },
)
