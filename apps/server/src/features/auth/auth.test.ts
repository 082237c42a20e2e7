import {
  authenticate,
  endSession,
  makeTicket,
  readProfile,
  readSession,
  register,
  saveProfile,
} from '@floorcast/contract/auth.ts'
import { Client } from 'pg'
import type { Problem } from '@floorcast/contract/problem.ts'
import { beforeAll, expect, it } from 'vitest'
import { makeMedia } from '@floorcast/testing/factories.ts'
import { testServer, type TestServer } from '@floorcast/testing/test-server.ts'
import { splitName } from './auth.ts'
import { registerMailedLinks } from './mailed-links-routes.ts'
import { registerLibrary } from '../../library.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer({ hasOwnDatabase: true, features: [registerMailedLinks, registerLibrary] })
})

const registration = (email: string, more: object = {}) => ({
  body: { fullName: 'Ana María Ruiz', email, password: 'a long password', terms: true, ...more },
})
const wait = (seconds: number) => {
  server.clock.now = new Date(server.clock.now.getTime() + seconds * 1000)
}
const status = async (token: string) => (await server.ask(readSession, { token })).statusCode

it('registering makes a client on a 30-day trial and signs its first user, an admin, in', async () => {
  const user = await server.call(register, registration('Ana@Example.com'))
  expect(user).toMatchObject({
    username: 'ana@example.com',
    role: 'admin',
    rights: 'full',
    firstName: 'Ana',
    lastName: 'María Ruiz',
    linkedDeviceUid: null,
  })
  const days = (Date.parse(user.subscriptionExpiresAt) - server.clock.now.getTime()) / 86_400_000
  expect(days).toBe(30)
  expect(await server.call(readSession, { token: user.token })).toMatchObject({ uid: user.uid })
})

it('registering refuses an email that is taken, however it is written', async () => {
  await server.call(register, registration('taken@example.com'))
  const answer = await server.ask(register, registration(' TAKEN@example.com '))
  expect(answer.statusCode).toBe(422)
  expect(answer.json<Problem>().errors).toMatchObject([{ path: 'email', message: 'email-taken' }])
})

it('registering makes one client of two registrations at once', async () => {
  const answers = await Promise.all(
    [1, 2, 3, 4].map(() => server.ask(register, registration('once@example.com'))),
  )
  expect(answers.map(answer => answer.statusCode).toSorted((a, b) => a - b)).toEqual([200, 422, 422, 422])
})

it.each([
  [{ terms: false }, 'terms', 'terms'],
  [{ password: 'short' }, 'password', 'password-too-short'],
  [{ email: 'nobody' }, 'email', 'email'],
  [{ fullName: '' }, 'fullName', 'empty'],
  [{ fullName: '<b>' }, 'fullName', 'special-characters'],
])('registering names the wrong field: %j', async (more, path, message) => {
  const answer = await server.ask(register, registration('new@example.com', more))
  expect(answer.statusCode).toBe(422)
  expect(answer.json<Problem>().errors).toMatchObject([{ path, message }])
})

it('signing in answers a wrong password and an unknown email alike: 400', async () => {
  const { email } = await server.newClient()
  const wrong = await server.ask(authenticate, { body: { email, password: 'another password' } })
  const unknown = await server.ask(authenticate, { body: { email: 'x@example.com', password: 'b' } })
  expect([wrong.statusCode, wrong.json<Problem>().code]).toEqual([400, 'wrong-login'])
  const ids = { id: expect.any(String) as string, instance: expect.any(String) as string }
  expect(unknown.json<Problem>()).toEqual({ ...wrong.json<Problem>(), ...ids })
  expect(
    (await server.call(authenticate, { body: { email, password: 'a long password' } })).token,
  ).toBeTruthy()
})

it('signing in is limited by account and address: 429 with the seconds to wait', async () => {
  const body = { email: 'guessed@example.com', password: 'guess' }
  const statuses = []
  for (let attempt = 0; attempt < 11; attempt++)
    statuses.push((await server.ask(authenticate, { body })).statusCode)
  expect(statuses).toEqual([...Array<number>(10).fill(400), 429])
  const refused = await server.ask(authenticate, { body: { ...body, email: 'Guessed@example.com ' } })
  expect(refused.statusCode).toBe(429)
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
})

it('signing in counts wrong passwords alone: one account signs in as often as it likes', async () => {
  const { email } = await server.newClient()
  const address = '203.0.113.20'
  const own = { email, password: 'a long password' }
  for (let attempt = 0; attempt < 12; attempt++)
    expect((await server.ask(authenticate, { address, body: own })).statusCode).toBe(200)
  const answers = []
  for (let attempt = 0; attempt < 11; attempt++)
    answers.push((await server.ask(authenticate, { address, body: { email, password: 'guess' } })).statusCode)
  expect(answers).toEqual([...Array<number>(10).fill(400), 429])
  expect((await server.ask(authenticate, { address, body: own })).statusCode).toBe(429)
})

it.each([
  ['203.0.113.7', '203.0.113.8'],
  ['2001:db8:1:2::9', '2001:db8:1:3::9'],
])('signing in goes on for the owner while %s guesses the password', async (attacker, address) => {
  const { email } = await server.newClient()
  const guess = { address: attacker, body: { email, password: 'guess' } }
  const statuses = new Set<number>()
  for (let attempt = 0; attempt < 12; attempt++)
    statuses.add((await server.ask(authenticate, guess)).statusCode)
  expect([...statuses]).toEqual([400, 429])
  const own = { email, password: 'a long password' }
  expect((await server.ask(authenticate, { address, body: own })).statusCode).toBe(200)
})

it('signing in counts the addresses of one IPv6 subscriber as one', async () => {
  const { email } = await server.newClient()
  const statuses = []
  for (let attempt = 1; attempt <= 11; attempt++) {
    const address = `2001:db8:7:7:${attempt}::${attempt}`
    statuses.push(
      (await server.ask(authenticate, { address, body: { email, password: 'guess' } })).statusCode,
    )
  }
  expect(statuses).toEqual([...Array<number>(10).fill(400), 429])
})

it('a session ends when told, at once', async () => {
  const { token } = await server.newClient()
  await server.call(endSession, { token })
  const answer = await server.ask(readSession, { token })
  expect([answer.statusCode, answer.json<Problem>().code]).toEqual([401, 'session-expired'])
})

it('a session ends after 12 idle hours; each use restarts them', async () => {
  const { token } = await server.newClient()
  wait(11 * 3600)
  expect(await status(token)).toBe(200)
  wait(11 * 3600)
  expect(await status(token)).toBe(200)
  wait(12 * 3600 + 1)
  expect(await status(token)).toBe(401)
})

it('a session ends after 30 days, however much it is used', async () => {
  const { token } = await server.newClient()
  for (let days = 0; days < 59; days++) {
    wait(12 * 3600 - 1)
    expect(await status(token)).toBe(200)
  }
  wait(12 * 3600)
  expect(await status(token)).toBe(401)
})

it('a session leaves no token or password in the database', async () => {
  const { token, scope } = await server.newClient()
  const path = `/api/v2/media/${(await makeMedia(scope)).uid}/file`
  const { ticket } = await server.call(makeTicket, { token, body: { path } })
  const superuser = new Client({ connectionString: server.superuserUrl })
  await superuser.connect()
  const texts: string[] = []
  for (const table of ['users', 'sessions', 'tickets', 'audit_entries']) {
    const { rows } = await superuser.query<{ text: string }>(`select t::text as text from ${table} t`)
    texts.push(...rows.map(row => row.text))
  }
  await superuser.end()
  const everything = texts.join('\n')
  expect(everything).toContain('owner')
  for (const secret of [token, ticket, 'a long password']) expect(everything).not.toContain(secret)
})

it('a ticket opens its path while its session lives, for 10 minutes, and nothing else', async () => {
  const { token, scope } = await server.newClient()
  // It has none: the caller is known, or not.
  const path = `/api/v2/media/${(await makeMedia(scope)).uid}/preview`
  const { ticket } = await server.call(makeTicket, { token, body: { path } })
  const open = async (url: string) => (await server.http.app.inject({ url })).statusCode
  expect(await open(`${path}?ticket=${ticket}`)).toBe(404)
  expect(await open(`${path}?ticket=${ticket}`)).toBe(404)
  expect(await open(`/api/v2/session?ticket=${ticket}`)).toBe(401)
  wait(601)
  expect(await open(`${path}?ticket=${ticket}`)).toBe(401)
  const { ticket: other } = await server.call(makeTicket, { token, body: { path } })
  await server.call(endSession, { token })
  expect(await open(`${path}?ticket=${other}`)).toBe(401)
})

it('a ticket is made for files and channels only, and not without end', async () => {
  const { token, uid, scope } = await server.newClient()
  const media = await makeMedia(scope)
  const make = async (path: string) => (await server.ask(makeTicket, { token, body: { path } })).statusCode
  const others = ['/users/authenticate', '/api/v2/session', `/api/v2/profile/read/${uid}`, '/api/v2/live']
  for (const path of others) expect(await make(path)).toBe(422)
  for (const path of [`/api/v2/media/${media.uid}/preview`, `/api/v2/media/${media.uid}/file`])
    expect(await make(path)).toBe(200)
  const statuses = new Map<number, number>()
  for (let n = 0; n < 600; n += 1) {
    const status = await make(`/api/v2/media/${media.uid}/file`)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  expect([...statuses]).toEqual([
    [200, 598],
    [429, 2],
  ])
})

it('the profile keeps what is saved and leaves the rest', async () => {
  const { token, uid } = await server.newClient()
  const read = () => server.call(readProfile, { token, params: { id: uid } })
  expect(await read()).toEqual({ color: 'info', mode: 'auto', menuType: 'full', language: 'en' })
  await server.call(saveProfile, { token, body: { mode: 'dark' } })
  await server.call(saveProfile, { token, body: { color: 'citrus', firstName: 'Olya' } })
  expect(await read()).toEqual({ color: 'citrus', mode: 'dark', menuType: 'full', language: 'en' })
  expect(await server.call(readSession, { token })).toMatchObject({ firstName: 'Olya', lastName: 'Owner' })
})

it("the profile is one's own", async () => {
  const one = await server.newClient()
  const other = await server.newClient()
  const answer = await server.ask(readProfile, { token: one.token, params: { id: other.uid } })
  expect(answer.statusCode).toBe(404)
})

it.each([
  ['Ana María Ruiz', 'Ana', 'María Ruiz'],
  ['王 小明', '小明', '王'],
  ['王 小 明', '小明', '王'],
  ['王小明', '王小明', ''],
  ['Anna 王', 'Anna', '王'],
])('takes %s apart', (fullName, firstName, lastName) => {
  expect(splitName(fullName)).toEqual({ firstName, lastName })
})
