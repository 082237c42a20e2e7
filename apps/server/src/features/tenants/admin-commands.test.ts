import { readAudit } from '@floorcast/contract/audit.ts'
import { authenticate, readSession } from '@floorcast/contract/auth.ts'
import { addPasskey, beginPasskey } from '@floorcast/contract/passkeys.ts'
import { acceptLink } from '@floorcast/contract/users.ts'
import { makeClient, TEST_NOW } from '@floorcast/testing/factories.ts'
import { makeAuthenticator } from '@floorcast/testing/test-authenticator.ts'
import { secondFactorOn } from '@floorcast/testing/test-second-factor.ts'
import { signedInUser } from '@floorcast/testing/test-users.ts'
import { testServer, type TestServer } from '@floorcast/testing/test-server.ts'
import { beforeAll, expect, test } from 'vitest'
import { readCommand, runCommand } from './admin-commands.ts'
import { registerUsers } from './users-routes.ts'
import { registerPlans } from './plans-routes.ts'
import { registerAudit } from '../audit/audit-routes.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer({ features: [registerUsers, registerPlans, registerAudit] })
})

const run = (args: string[], now = TEST_NOW) =>
  runCommand(
    {
      database: server.database,
      openFiles: () => Promise.resolve(server.context.files),
      log: server.context.log,
      publicUrl: 'https://shop.example',
      now,
    },
    readCommand(args),
  )

test('a subscription is given to the client of a user, and to no other', async () => {
  const { database } = server
  const [one, other] = [await makeClient(database, { planKey: 'trial' }), await makeClient(database)]
  expect(await run(['subscription', one.email, 'medium', '2027-12-31'])).toContain('medium until 2027-12-31')
  const read = (scope: typeof one.scope) =>
    scope.reads.selectFrom('clients').select(['planKey', 'subscriptionExpiresAt']).execute()
  expect(await read(one.scope)).toEqual([
    { planKey: 'medium', subscriptionExpiresAt: '2027-12-31T23:59:59.999Z' },
  ])
  expect(await read(other.scope)).toMatchObject([{ planKey: 'professional' }])
})

test('a subscription of nobody, to no plan, until no day: each is said', async () => {
  const { email } = await makeClient(server.database)
  await expect(run(['subscription', 'nobody@example.com', 'basic', '2027-12-31'])).rejects.toThrow('Nobody')
  await expect(run(['subscription', email, 'golden', '2027-12-31'])).rejects.toThrow("no plan 'golden'")
  for (const args of [[], ['dance'], ['subscription', email], ['subscription', email, 'basic', '2027-02-30']])
    expect(() => readCommand(args)).toThrow(Error)
})

const linkIn = (says: string) => /https:\/\/shop\.example\/login#invite=([\w-]{43})$/.exec(says)?.[1] ?? ''
const accept = (token: string) => server.ask(acceptLink, { body: { token, password: 'a new long password' } })

test('a reset password is set by the link, once; the newest link alone is good, and sessions end with it', async () => {
  const { email, token, uid } = await server.newClient()
  const reset = async () => linkIn(await run(['reset-password', email.toUpperCase()], server.clock.now))
  const [former, newest] = [await reset(), await reset()]
  const signIn = async (password: string) =>
    (await server.ask(authenticate, { body: { email, password } })).statusCode
  expect(await signIn('a long password')).toBe(200)
  expect((await accept(former)).statusCode).toBe(400)
  expect((await server.ask(readSession, { token })).statusCode).toBe(200)
  const entered = await accept(newest)
  expect(entered.json()).toMatchObject({ data: { uid, role: 'admin' } })
  expect((await server.ask(readSession, { token })).statusCode).toBe(401)
  expect((await accept(newest)).statusCode).toBe(400)
  expect([await signIn('a long password'), await signIn('a new long password')]).toEqual([400, 200])
  const own = entered.json<{ data: { token: string } }>().data.token
  const audit = await server.call(readAudit, { token: own, params: { id: uid } })
  const resets = audit.items.filter(entry => entry.class === 'reset-password')
  expect(resets).toHaveLength(2)
  expect(resets[0]).toMatchObject({ userUid: null, userName: 'operator', thingName: email })
})

test('a reset password ends after 72 hours', async () => {
  const { email } = await server.newClient()
  const began = server.clock.now
  const token = linkIn(await run(['reset-password', email], began))
  server.clock.now = new Date(began.getTime() + 72 * 3_600_000)
  expect((await accept(token)).statusCode).toBe(400)
  server.clock.now = began
})

test('a reset password of nobody, and of no email, is said', async () => {
  await expect(run(['reset-password', 'nobody@example.com'])).rejects.toThrow('Nobody')
  for (const args of [
    ['reset-password'],
    ['reset-password', 'no email'],
    ['reset-password', 'a@b.example', 'x'],
  ])
    expect(() => readCommand(args)).toThrow('one address')
})

const remove = (email: string) => run(['remove-second-factor', email], server.clock.now)

test('a second factor is removed for who has lost it, with its passkeys and sessions, and the audit says so', async () => {
  const on = secondFactorOn(server)
  const { email, token, uid, scope } = await on.enrolled()
  const { token: colleague } = await signedInUser(scope, { role: 'admin' })
  const password = 'a long password'
  const { options } = await server.call(beginPasskey, { token, body: { password } })
  const credential = makeAuthenticator().create(options.challenge)
  await server.call(addPasskey, { token, body: { name: 'Phone', credential } })
  expect((await on.signIn(email)).statusCode).toBe(403)
  expect(await remove(email.toUpperCase())).toContain('no second factor')
  expect((await on.signIn(email)).statusCode).toBe(200)
  expect((await server.ask(readSession, { token })).statusCode).toBe(401)
  const audit = await server.call(readAudit, { token: colleague, params: { id: uid } })
  const entry = audit.items.find(one => one.class === 'remove-second-factor')
  expect(entry).toMatchObject({ userUid: null, userName: 'operator' })
  await expect(remove('nobody@shop.example')).rejects.toThrow('Nobody')
  expect(() => readCommand(['remove-second-factor'])).toThrow('EMAIL')
})

test('a rebuild of statistics compares one client or all, and says what it corrected', async () => {
  const { clientId } = (await makeClient(server.database)).scope
  expect(await run(['rebuild-statistics'])).toMatch(/^Compared .* corrected 0 sums\.$/)
  expect(await run(['rebuild-statistics', '--client', clientId])).toMatch(/of 1 clients/)
})

test.each([
  [['--client', 'Shop'], /uid of one client/],
  [['01933d4e-0000-7000-8000-000000000002'], /uid of one client/],
  [['--client', '01933d4e-0000-7000-8000-000000000002'], /There is no client/],
])('a rebuild of statistics refuses %j with words', async (args, words) => {
  await expect((async () => run(['rebuild-statistics', ...args]))()).rejects.toThrow(words)
})
