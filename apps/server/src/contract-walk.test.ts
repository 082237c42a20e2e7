import type { Access } from '@floorcast/contract/endpoint.ts'
import { endpoints } from '@floorcast/contract/endpoints.ts'
import type { Outcome } from '@floorcast/contract/outcomes.ts'
import type { Problem } from '@floorcast/contract/problem.ts'
import { type ClientFixture, makeClientFixture } from '@floorcast/testing/contract-fixture.ts'
import {
  type FixtureUids,
  fixtureAt,
  inputSchema,
  isTaken,
  isUid,
  type NamedEndpoint,
  type SampleCall,
  sampleCall,
} from '@floorcast/testing/sample-calls.ts'
import { type TableChecksums, watchTables } from '@floorcast/testing/table-checksums.ts'
import type { TestServer } from '@floorcast/testing/test-server.ts'
import { wholeServer } from '@floorcast/testing/whole-server.ts'
import { Client } from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { DROP_CLIENT_VIEWS } from './platform/database/client-views.ts'

let server: TestServer
let mine: ClientFixture
let theirs: ClientFixture
let look: (clientId?: string) => Promise<TableChecksums>

/** Two clients on a server whose database was changed first. */
async function openServer(statement = '') {
  server = await wholeServer()
  const owner = new Client({ connectionString: server.superuserUrl })
  await owner.connect()
  await owner.query(statement)
  await owner.end()
  mine = await makeClientFixture(server)
  theirs = await makeClientFixture(server)
  look = await watchTables(server.superuserUrl)
}
beforeAll(() => openServer())

const UNKNOWN = '01933d4e-0000-7000-8000-00000000000f'
const entities: readonly (keyof FixtureUids)[] = [
  'device',
  'binned',
  'track',
  'group',
  'playlist',
  'publication',
  'profile',
  'user',
  'updateFile',
  'updatePackage',
  'updateLink',
  'updateChannel',
  'deployPackage',
  'savedView',
  'webhook',
  'alert',
]
const fixturesWith = (uid: string) =>
  Object.fromEntries(entities.map(entity => [entity, uid])) as unknown as FixtureUids

const titled = endpoints.map(one => ({ ...one, title: `${one.noun}.${one.name}` }))
const withBody = titled.filter(({ endpoint }) => endpoint.bodyForm === 'json')

const isForStreamers = (access: Access) => access.by === 'user' && !access.roles.includes('admin')

const tokenFor = ({ endpoint }: NamedEndpoint, client: ClientFixture) =>
  ({
    user: isForStreamers(endpoint.access) ? client.streamerToken : client.token,
    device: client.deviceToken,
    operator: client.operatorToken,
    public: undefined,
  })[endpoint.access.by]

const ask = (one: NamedEndpoint, call: SampleCall) => {
  const token = tokenFor(one, mine)
  return server.ask(one.endpoint, {
    params: call.params,
    query: call.query,
    body: call.body as object,
    ...(token ? { token } : {}),
  })
}

/** The names of `part` that hold a uid; of a body with several forms, the first one's. */
function uidNames(one: NamedEndpoint, part: 'params' | 'body'): string[] {
  const { properties, anyOf } = inputSchema(one.endpoint[part])
  return Object.entries(properties ?? anyOf?.[0]?.properties ?? {}).flatMap(([name, schema]) =>
    isUid(schema) ? [name] : [],
  )
}

it('every call has a sample that the contract takes', () => {
  const untaken = titled.filter(one => !isTaken(one.endpoint, sampleCall(one, fixturesWith(UNKNOWN))))
  expect(untaken.map(({ title }) => title)).toEqual([])
})

/** Not found, unknown at its field, or not done. */
function isRefused({ statusCode, body }: { statusCode: number; body: string }, name: string): boolean {
  if (statusCode === 404) return true
  const { data, errors } = JSON.parse(body) as { data?: Outcome; errors?: Problem['errors'] }
  if (statusCode === 422) return errors?.length === 1 && errors[0]?.path.split('.')[0] === name
  return statusCode === 200 && data?.code === 400 && (data.done ?? []).length === 0
}

/** Calls whose uids the caller makes: they are stored with the caller's own client or device only. */
const OWN_WORDS = new Set([
  'deviceImport.importDevices',
  'deviceProtocol.sendHeartbeat',
  'deviceProtocol.openDeviceSession',
  'deviceProtocol.openStreamingSession',
  'deviceProtocol.proveServer',
])

const withUid = titled.filter(
  one => !OWN_WORDS.has(one.title) && [...uidNames(one, 'params'), ...uidNames(one, 'body')].length > 0,
)

/** State and fields that a call needs before the server looks up its uid. */
const PREPARED: Record<string, () => Promise<unknown>> = {
  'deployments.replacePublicationPlaylist': async () => {
    await mine.turnGroup(mine.fixtures.group)
    await mine.turnPlaylist(mine.fixtures.playlist)
    expect(await mine.turn(mine.fixtures.publication)).toEqual({ code: 0 })
  },
}
const SAID_TOO: Record<string, object> = {
  'users.inviteUser': { role: 'streamer' },
  'users.editUser': { role: 'streamer' },
}

const WITHOUT_ROW_LEVEL_SECURITY = `
  do $$ declare protected regclass; begin
    for protected in select oid from pg_class where relrowsecurity loop
      execute format('alter table %s disable row level security, no force row level security', protected);
    end loop;
  end $$`

/** Each barrier between clients (docs/decisions/0192) holds alone. */
const barriers: [string, string][] = [
  ['row-level security alone', DROP_CLIENT_VIEWS],
  ["the clients' views alone", WITHOUT_ROW_LEVEL_SECURITY],
]

describe.each(barriers)('behind %s, a uid of another client', (_, statement) => {
  beforeAll(() => openServer(statement))

  it.each(withUid)('is refused by $title, and nothing of theirs changes', async one => {
    const before = await look(theirs.scope.clientId)
    await PREPARED[one.title]?.()
    for (const part of ['params', 'body'] as const)
      for (const name of uidNames(one, part)) {
        const call = structuredClone(sampleCall(one, mine.fixtures))
        const foreign = theirs.fixtures[fixtureAt(one.noun, name)]
        const values = call[part] as Record<string, unknown>
        if (part === 'body') Object.assign(values, SAID_TOO[one.title])
        values[name] = Array.isArray(values[name]) ? [foreign] : foreign
        const answer = await ask(one, call)
        expect({ name, isRefused: isRefused(answer, name), answer: answer.body }).toEqual({
          name,
          isRefused: true,
          answer: answer.body,
        })
      }
    expect(await look(theirs.scope.clientId)).toEqual(before)
  })

  // Operators see names and counts of all clients: operators.test.ts says which.
  it.each(
    titled.filter(
      ({ endpoint: { method, answerForm, access } }) =>
        method === 'GET' && answerForm === 'json' && access.by !== 'operator',
    ),
  )('is in no answer of $title', async one => {
    const { body } = await ask(one, sampleCall(one, mine.fixtures))
    const told = Object.entries({ ...theirs.fixtures, client: theirs.scope.clientId }).filter(([, uid]) =>
      body.includes(uid),
    )
    expect(told).toEqual([])
  })
})

it.each(titled.filter(one => one.endpoint.method !== 'HEAD' && uidNames(one, 'params').length > 0))(
  'a malformed uid in the path of $title: 422 at its name',
  async one => {
    for (const name of uidNames(one, 'params'))
      for (const wrong of ['7', 'not-a-uid', `${UNKNOWN}0`, "' or 1=1 --"]) {
        const call = sampleCall(one, mine.fixtures)
        const answer = await ask(one, { ...call, params: { ...call.params, [name]: wrong } })
        expect([answer.statusCode, answer.json<Problem>().errors?.map(({ path }) => path)]).toEqual([
          422,
          [name],
        ])
      }
  },
)

it.each(withBody.filter(one => uidNames(one, 'body').length > 0))(
  'a malformed uid in the body of $title: 422 at its name',
  async one => {
    for (const name of uidNames(one, 'body')) {
      const call = structuredClone(sampleCall(one, mine.fixtures))
      const values = call.body as Record<string, unknown>
      const isList = Array.isArray(values[name])
      values[name] = isList ? ['not-a-uid'] : 'not-a-uid'
      const answer = await ask(one, call)
      const path = isList ? `${name}.0` : name
      expect([answer.statusCode, answer.json<Problem>().errors]).toMatchObject([
        422,
        [{ path, message: 'wrong' }],
      ])
    }
  },
)

const required = withBody.filter(one => (inputSchema(one.endpoint.body).required ?? []).length > 0)

it.each(required)('a field missing from $title: 422 at its name', async one => {
  for (const name of inputSchema(one.endpoint.body).required ?? []) {
    const call = sampleCall(one, mine.fixtures)
    const { [name]: _, ...rest } = call.body as Record<string, unknown>
    const answer = await ask(one, { ...call, body: rest })
    expect([answer.statusCode, answer.json<Problem>().errors]).toMatchObject([
      422,
      [{ path: name, message: name === 'terms' ? 'terms' : 'empty' }],
    ])
  }
})
