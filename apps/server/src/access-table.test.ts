import { buildPath } from '@floorcast/contract/client.ts'
import type { Access, Endpoint, Rights, Role } from '@floorcast/contract/endpoint.ts'
import { endpoints } from '@floorcast/contract/endpoints.ts'
import {
  beginRequiredEnrollment,
  confirmRequiredEnrollment,
  requireSecondFactor,
} from '@floorcast/contract/second-factor.ts'
import { makeDevice } from '@floorcast/testing/factories.ts'
import { codeAt, secondFactorOn, ticketOf } from '@floorcast/testing/test-second-factor.ts'
import { openPlayer } from '@floorcast/testing/test-device.ts'
import type { TestServer } from '@floorcast/testing/test-server.ts'
import { wholeServer } from '@floorcast/testing/whole-server.ts'
import { signedInUser } from '@floorcast/testing/test-users.ts'
import { beforeAll, expect, it } from 'vitest'
import { z } from 'zod'

type UserAccess = Extract<Access, { by: 'user' }>
interface Call {
  name: string
  endpoint: Endpoint
  access: UserAccess
}

const calls: Call[] = endpoints.flatMap(({ noun, name, endpoint }) =>
  endpoint.access.by === 'user' ? [{ name: `${noun}.${name}`, endpoint, access: endpoint.access }] : [],
)
const ROLES: readonly Role[] = ['admin', 'manager', 'streamer']
const RIGHTS: readonly Rights[] = ['full', 'view']
const rows = calls.flatMap(call =>
  ROLES.flatMap(role =>
    RIGHTS.map(rights => ({ ...call, role, rights, what: `${call.name} ${role} ${rights}` })),
  ),
)

const UNKNOWN = '01933d4e-0000-7000-8000-00000000000f'

let server: TestServer
let client: Awaited<ReturnType<TestServer['newClient']>>
let ended: Awaited<ReturnType<TestServer['newClient']>>
const tokens = new Map<string, string>()
beforeAll(async () => {
  server = await wholeServer()
  client = await server.newClient()
  ended = await server.newClient()
  for (const role of ROLES)
    for (const rights of RIGHTS) {
      const { token } = await signedInUser(client.scope, { role, rights })
      tokens.set(`${role} ${rights}`, token)
    }
  const now = server.clock.now
  await server.database.jobs.setSubscription(ended.email, 'trial', new Date(now.getTime() - 1000), now)
})

interface Schema {
  properties?: Record<string, { enum?: string[]; format?: string; anyOf?: { format?: string }[] }>
}

function paramsOf(endpoint: Endpoint): Record<string, string> {
  const { properties } = z.toJSONSchema(endpoint.params, { io: 'input', unrepresentable: 'any' }) as Schema
  return Object.fromEntries(
    Object.entries(properties ?? {}).map(([name, { enum: words, format, anyOf }]) => {
      const isUid = [{ format }, ...(anyOf ?? [])].some(one => one.format === 'uuid')
      if (name === 'startdatetime') return [name, '2099-01-01T09:00:00Z']
      return [name, words?.[0] ?? (isUid ? UNKNOWN : name === 'sha256' ? 'a'.repeat(64) : '1')]
    }),
  )
}

/** The access of a caller: refused, refused by the code in the body, or admitted. */
async function outcomeOf(endpoint: Endpoint, token: string | null) {
  const answer = await server.http.app.inject({
    method: endpoint.method,
    url: buildPath(endpoint.path, paramsOf(endpoint)),
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
    ...(endpoint.bodyForm === 'json' ? { payload: {} } : {}),
  })
  if (answer.statusCode === 401 || answer.statusCode === 403) return answer.statusCode
  if (answer.body === '' || !/\bjson\b/.test(String(answer.headers['content-type']))) return 'in'
  const { data } = answer.json<{ data?: { code?: number } }>()
  return data?.code === -1 ? -1 : 'in'
}

function expected({ access, role, rights }: { access: UserAccess; role: Role; rights: Rights }) {
  if (!access.roles.includes(role)) return 403
  if (access.changes && rights === 'view') return access.refusal === 'code' ? -1 : 403
  return 'in'
}

/** A token that the call itself may end. */
async function tokenFor({ name, role, rights }: { name: string; role: Role; rights: Rights }) {
  if (name === 'session.endSession') return (await signedInUser(client.scope, { role, rights })).token
  return tokens.get(`${role} ${rights}`) ?? ''
}

/** A stream of lines has no end: `live.test.ts` follows one. */
const ends = ({ endpoint }: { endpoint: Endpoint }) => endpoint.answerForm !== 'lines'

it.each(rows.filter(row => ends(row) || expected(row) !== 'in'))(
  'every call by every role and right $what',
  async row => {
    expect(await outcomeOf(row.endpoint, await tokenFor(row))).toBe(expected(row))
  },
)

it('every call of users needs a token: none, a made-up one and an ended one are 401', async () => {
  const { token } = await signedInUser(client.scope, { role: 'admin' })
  const end = calls.find(({ name }) => name === 'session.endSession')
  if (end) await outcomeOf(end.endpoint, token)
  for (const { name, endpoint } of calls)
    for (const wrong of [null, 'made-up', token])
      expect({ name, outcome: await outcomeOf(endpoint, wrong) }).toEqual({ name, outcome: 401 })
})

it('every call of users is closed to who lacks the second factor that the client requires, with the ticket and the former session', async () => {
  const on = secondFactorOn(server)
  const admin = await on.enrolled()
  const { email, token } = await on.join(admin.token, 'admin')
  await server.call(requireSecondFactor, { token: admin.token, body: { isRequired: true } })
  const ticket = ticketOf(await on.signIn(email))
  expect(ticket).not.toBe('')
  for (const { name, endpoint } of calls)
    for (const wrong of [ticket, token])
      expect({ name, outcome: await outcomeOf(endpoint, wrong) }).toEqual({ name, outcome: 401 })
  const { secret } = await server.call(beginRequiredEnrollment, { body: { ticket } })
  const body = { ticket, code: codeAt(secret, server.clock.now) }
  expect((await server.call(confirmRequiredEnrollment, { body })).role).toBe('admin')
})

it('every call of users is closed to devices', async () => {
  const { licenseKey } = await makeDevice(client.scope)
  const { token } = await openPlayer(server, licenseKey)
  for (const { name, endpoint } of calls)
    expect({ name, outcome: await outcomeOf(endpoint, token) }).toEqual({ name, outcome: 401 })
})

it('every call of users changes nothing once the subscription has ended, but what must go on', async () => {
  for (const { name, endpoint, access } of calls.filter(ends)) {
    // The client whose subscription has ended calls as its admin.
    if (name === 'session.endSession' || !access.roles.includes('admin')) continue
    const refused = access.refusal === 'code' ? -1 : 403
    const outcome = access.changes && !access.evenExpired ? refused : 'in'
    expect({ name, outcome: await outcomeOf(endpoint, ended.token) }).toEqual({ name, outcome })
  }
})

const pathsOf = (role: Role) =>
  calls.filter(({ access }) => access.roles.includes(role)).map(c => c.endpoint.path)

it('roles leave to admins what is theirs alone', () => {
  const adminsOnly =
    /^(\/update\/|\/configuration\/|\/tag\/.+\/(add|edit|delete)$|\/policy\/|\/tagext\/|\/audit\/|\/device\/logs\/|\/chart\/(free-space|la-)|\/api\/v2\/(update|configuration|users|recycle|webhooks)\b|\/api\/v2\/bulk\/recycle\/{x}\/(preview|purge)$|\/api\/v2\/(plan\/(request|withdraw)|proof\/key(\/compromised)?|device\/{uid}\/sentlog)$)/
  const own = ['/api/v2/users/password', '/recycle/{contentType}/{uid}/restore']
  const managers = new Set(pathsOf('manager'))
  for (const { endpoint, access } of calls) {
    const { path } = endpoint
    if (!access.roles.includes('admin')) continue
    const isTheirs = (adminsOnly.test(path) || path.startsWith('/recycle/')) && !own.includes(path)
    expect({ path, isOpen: managers.has(path) }).toEqual({ path, isOpen: !isTheirs })
  }
})

it('roles leave a streamer its stream, sessions, profile, password and second factor', () => {
  expect(pathsOf('streamer').toSorted()).toEqual([
    '/api/v2/installation/state',
    '/api/v2/plans',
    '/api/v2/profile/read/{id}',
    '/api/v2/profile/save',
    '/api/v2/second-factor',
    '/api/v2/second-factor/begin',
    '/api/v2/second-factor/confirm',
    '/api/v2/second-factor/passkeys/add',
    '/api/v2/second-factor/passkeys/begin',
    '/api/v2/second-factor/passkeys/{uid}/remove',
    '/api/v2/second-factor/recovery-codes',
    '/api/v2/second-factor/remove',
    '/api/v2/session',
    '/api/v2/session/end',
    '/api/v2/sessions',
    '/api/v2/sessions/endothers',
    '/api/v2/sessions/{uid}/end',
    '/api/v2/streaming/session',
    '/api/v2/ticket',
    '/api/v2/users/password',
  ])
})
