import type { Access } from '@floorcast/contract/endpoint.ts'
import { buildPath } from '@floorcast/contract/client.ts'
import { listDevices } from '@floorcast/contract/devices.ts'
import { endpoints } from '@floorcast/contract/endpoints.ts'
import { deleteManyGroups } from '@floorcast/contract/groups.ts'
import type { Problem } from '@floorcast/contract/problem.ts'
import { addPackage } from '@floorcast/contract/update-packages.ts'
import { makeClientFixture } from '@floorcast/testing/contract-fixture.ts'
import { type NamedEndpoint, type SampleCall, sampleCall } from '@floorcast/testing/sample-calls.ts'
import { wholeServer } from '@floorcast/testing/whole-server.ts'
import { expect, it } from 'vitest'

const server = await wholeServer()
const mine = await makeClientFixture(server)
const UNKNOWN = '01933d4e-0000-7000-8000-00000000000f'
const fixturesWith = (uid: string) => ({
  ...mine.fixtures,
  ...Object.fromEntries(Object.keys(mine.fixtures).map(name => [name, uid])),
})

const titled = endpoints.map(one => ({ ...one, title: `${one.noun}.${one.name}` }))
const isForStreamers = (access: Access) => access.by === 'user' && !access.roles.includes('admin')
const tokenFor = ({ endpoint }: NamedEndpoint) =>
  ({
    user: isForStreamers(endpoint.access) ? mine.streamerToken : mine.token,
    device: mine.deviceToken,
    operator: mine.operatorToken,
    public: undefined,
  })[endpoint.access.by]
const ask = (one: NamedEndpoint, call: SampleCall) => {
  const token = tokenFor(one)
  return server.ask(one.endpoint, { ...call, body: call.body as object, ...(token ? { token } : {}) })
}

it.each([
  ['POST', '/deploy/deleteunused', 'GET'],
  ['POST', '/group/deleteunused', 'GET'],
  ['POST', '/playlist/deleteunused', 'GET'],
  ['GET', '/api/v2/views/add', 'POST'],
  ['GET', '/configuration/profile/edit', 'POST'],
] as const)('%s %s: 405, though it fits the address of another call too', async (method, url, allowed) => {
  const headers = { authorization: `Bearer ${mine.token}` }
  const answer = await server.http.app.inject({ method, url, headers })
  expect([answer.statusCode, answer.headers.allow]).toEqual([405, allowed])
})

/** Each of the objects in a value, with its path and a copy of the value in which it has one field more. */
function spoiled(value: unknown, path: string[] = []): { path: string; value: unknown }[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.entries(value).flatMap(([name, part]) =>
    spoiled(part, [...path, name]).map(one => {
      const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...value }) as Record<
        string,
        unknown
      >
      copy[name] = one.value
      return { path: one.path, value: copy }
    }),
  )
  const own = { path: [...path, 'nonsense'].join('.'), value: { ...value, nonsense: 1 } }
  return Array.isArray(value) ? inner : [own, ...inner]
}

/** What browsers, the wizard and the client's own words add: `looseObject` and records of the contract. */
const FREE = /credential\.(clientExtensionResults\.|response\.)?nonsense/

const errorsOf = (answer: { body: string }) => (JSON.parse(answer.body) as Problem).errors
const strict = titled.filter(({ endpoint }) => endpoint.unknownFields === 'refused')

it('a field that a call does not know is ignored by the calls of devices alone', () => {
  const open = titled.filter(({ endpoint }) => endpoint.unknownFields === 'ignored')
  expect(open.filter(({ endpoint }) => endpoint.access.by !== 'device').map(({ title }) => title)).toEqual([
    'deviceProtocol.openDeviceSession',
    'deviceProtocol.proveServer',
    'deviceProtocol.openStreamingSession',
  ])
  expect(strict.filter(({ endpoint }) => endpoint.access.by === 'device')).toEqual([])
})

it.each(strict)(
  'a field that a call does not know in the query of $title is refused by its name',
  async one => {
    const call = sampleCall(one, fixturesWith(UNKNOWN))
    for (const name of ['nonsense', 'search[]', 'search[a]']) {
      const answer = await ask(one, { ...call, query: { ...call.query, [name]: '1' } })
      expect(answer.statusCode).toBe(422)
      if (one.endpoint.method !== 'HEAD')
        expect(errorsOf(answer)).toMatchObject([{ path: name, message: 'unknown' }])
    }
  },
)

const takesJson = strict.filter(
  ({ endpoint }) =>
    endpoint.bodyForm === 'json' || (endpoint.bodyForm === 'none' && endpoint.method === 'POST'),
)
it.each(takesJson)(
  'a field that a call does not know in the body of $title is refused by its name, at each depth',
  async one => {
    const call = sampleCall(one, fixturesWith(UNKNOWN))
    const bodies = spoiled(call.body ?? {}).filter(({ path }) => !FREE.test(`${one.title} ${path}`))
    expect(bodies.length).toBeGreaterThan(0)
    for (const { path, value } of bodies) {
      const answer = await server.http.app.inject({
        method: 'POST',
        url: buildPath(one.endpoint.path, call.params, call.query),
        headers: { authorization: `Bearer ${tokenFor(one) ?? ''}` },
        payload: value as object,
      })
      expect([answer.statusCode, errorsOf(answer)]).toMatchObject([422, [{ path, message: 'unknown' }]])
    }
  },
)

it.each(strict.filter(({ endpoint }) => endpoint.bodyForm === 'multipart'))(
  'a field that a call does not know in the form of $title is refused by its name',
  async one => {
    const draft = { name: 'Spring update', category: 'player', version: '3.0.0' }
    const { uid } = await server.call(addPackage, { token: mine.token, body: draft })
    const call = sampleCall(one, { ...mine.fixtures, updatePackage: String(uid) })
    const form = new FormData()
    form.append('descripton', 'Played all day')
    const request = new Request('http://shop', { method: 'POST', body: form })
    const answer = await server.http.app.inject({
      method: 'POST',
      url: buildPath(one.endpoint.path, call.params),
      headers: {
        authorization: `Bearer ${tokenFor(one) ?? ''}`,
        'content-type': request.headers.get('content-type') ?? '',
      },
      payload: Buffer.from(await request.arrayBuffer()),
    })
    const fault = { path: 'descripton', message: 'unknown', didYouMean: 'description' }
    expect([answer.statusCode, errorsOf(answer)]).toMatchObject([422, [fault]])
  },
)

it('a field that a call does not know of a device is ignored: a newer player sends more', async () => {
  const one = titled.find(({ title }) => title === 'deviceProtocol.sendHeartbeat')
  if (!one) throw new Error('no heartbeat')
  const call = sampleCall(one, mine.fixtures)
  const body = { ...(call.body as object), mood: 'fine' }
  expect((await ask(one, { ...call, query: { mood: 'fine' }, body })).statusCode).toBe(200)
})

it.each<[string, string, object, object]>([
  [
    'publish',
    'publish.publish',
    { startAt: 'x' },
    { path: 'startAt', message: 'unknown', didYouMean: 'startsAt' },
  ],
  [
    'publish',
    'publish.publish',
    { startsat: 1 },
    { path: 'startsat', message: 'unknown', didYouMean: 'startsAt' },
  ],
  [
    'a group',
    'groups.editGroup',
    { descripton: 'x' },
    { path: 'descripton', message: 'unknown', didYouMean: 'description' },
  ],
  [
    'a playlist',
    'playlists.editPlaylist',
    { starDate: 'x' },
    { path: 'starDate', message: 'unknown', didYouMean: 'startDate' },
  ],
  [
    'all beside uids',
    'groups.deleteManyGroups',
    { uids: [UNKNOWN], all: true },
    { path: 'all', message: 'unknown' },
  ],
  [
    'a filter beside uids',
    'groups.deleteManyGroups',
    { uids: [UNKNOWN], filter: { search: 'x' } },
    { path: 'filter', message: 'unknown' },
  ],
])(
  'a field that a call does not know of %s is told with what was meant',
  async (_, ...[title, more, fault]) => {
    const one = titled.find(each => each.title === title)
    if (!one) throw new Error(`no ${title}`)
    const call = sampleCall(one, mine.fixtures)
    const answer = await ask(one, { ...call, body: { ...(call.body as object), ...more } })
    expect([answer.statusCode, errorsOf(answer)]).toMatchObject([422, [fault]])
  },
)

it.each([
  [{}, 'uids', 'empty'],
  [{ uids: null }, 'uids', 'empty'],
  [{ all: true }, 'filter', 'empty'],
  [{ filter: {} }, 'all', 'all-items'],
  [[], '', 'wrong'],
])('a field that a call does not know or a bulk call of %j: at %j', async (payload, path, message) => {
  const answer = await server.http.app.inject({
    method: 'POST',
    url: buildPath(deleteManyGroups.path, {}),
    headers: { authorization: `Bearer ${mine.token}` },
    payload,
  })
  expect([answer.statusCode, errorsOf(answer)]).toMatchObject([422, [{ path, message }]])
})

it.each<[string, Record<string, string>, object]>([
  [
    'a filter',
    { connectivty: 'online' },
    { path: 'connectivty', message: 'unknown', didYouMean: 'connectivity' },
  ],
  [
    'a value',
    { connectivity: 'online,linkdwn' },
    { path: 'connectivity', message: 'wrong', didYouMean: 'linkdown' },
  ],
  ['a sort', { sort: 'nane' }, { path: 'sort', message: 'unknown', didYouMean: 'name' }],
  ['a number', { size: '1e2' }, { path: 'size', message: 'wrong' }],
])(
  'a field that a call does not know or %s of a list is told with what was meant',
  async (_, query, fault) => {
    const answer = await server.ask(listDevices, { token: mine.token, query })
    expect([answer.statusCode, errorsOf(answer)]).toMatchObject([422, [expect.objectContaining(fault)]])
  },
)
