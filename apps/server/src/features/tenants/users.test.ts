import type { Endpoint } from '@floorcast/contract/endpoint.ts'
import type { Problem } from '@floorcast/contract/problem.ts'
import { authenticate, readSession, register } from '@floorcast/contract/auth.ts'
import * as contract from '@floorcast/contract/users.ts'
import { makeDevice } from '@floorcast/testing/factories.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { testServer, type TestServer } from '@floorcast/testing/test-server.ts'
import { newShop } from '@floorcast/testing/test-shop.ts'
import { signedInUser } from '@floorcast/testing/test-users.ts'
import { beforeAll, expect, it } from 'vitest'
import { registerUsers } from './users-routes.ts'
import { registerPlans } from './plans-routes.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer({ hasOwnDatabase: true, features: [registerUsers, registerPlans] })
})

let people = 0
const newEmail = () => `person${++people}@shop.example`
const password = 'a long password'
const tokenOf = (link = '') => link.split('#invite=')[1] ?? ''
const accept = (link: string | undefined, password = 'a new long password') =>
  server.ask(contract.acceptLink, { body: { token: tokenOf(link), password } })
const errorsOf = (answer: { json: <T>() => T }) => answer.json<Problem>().errors

async function staff() {
  const shop = await newShop(server)
  const { token } = shop
  const invite = (body: object) =>
    server.ask(contract.inviteUser, { token, body: { email: newEmail(), role: 'manager', ...body } })
  const invited = async (body: object = {}) =>
    (await invite(body)).json<{ data: { uid: string; link: string; expiresAt: string } }>().data
  const list = async () => (await server.call(contract.listUsers, { token, query: { sort: 'email' } })).items
  const edit = (body: object) => server.call(contract.editUser, { token, body })
  const remove = (uid: string) => server.call(contract.removeUser, { token, body: { uid, password } })
  const reset = (uid: string) =>
    server.call(contract.resetUser, { token, params: { uid }, body: { password } })
  return { ...shop, invite, invited, list, edit, remove, reset }
}

it('an invitation lets a user in by its link, once', async () => {
  const { invited, list } = await staff()
  const email = newEmail()
  const { uid, link } = await invited({ email, rights: 'view', firstName: 'Ola' })
  expect(link).toMatch(/^https:\/\/shop\.example\/login#invite=[\w-]{43}$/)
  expect((await list()).find(user => user.uid === uid)).toMatchObject({
    email,
    isInvited: true,
    rights: 'view',
  })
  const entered = await accept(link)
  expect(entered.json()).toMatchObject({ data: { uid, role: 'manager', rights: 'view', firstName: 'Ola' } })
  const { token } = entered.json<{ data: { token: string } }>().data
  expect((await server.call(readSession, { token })).email).toBe(email)
  expect((await list()).find(user => user.uid === uid)?.isInvited).toBe(false)
  const again = await accept(link)
  expect([again.statusCode, again.json<Problem>().code]).toEqual([400, 'link-expired'])
  const body = { email, password: 'a new long password' }
  expect((await server.ask(authenticate, { body })).statusCode).toBe(200)
})

it('an invitation ends after 72 hours', async () => {
  const { invited } = await staff()
  const { link, expiresAt } = await invited()
  const began = server.clock.now
  expect(Date.parse(expiresAt) - began.getTime()).toBe(72 * 3_600_000)
  server.clock.now = new Date(began.getTime() + 72 * 3_600_000)
  expect((await accept(link)).statusCode).toBe(400)
  server.clock.now = began
})

it('an invitation is for an email that nobody of the client has', async () => {
  const { invite, email } = await staff()
  const invited = newEmail()
  expect((await invite({ email: invited })).statusCode).toBe(200)
  for (const taken of [email, invited]) {
    const answer = await invite({ email: taken })
    expect(answer.statusCode).toBe(422)
    expect(errorsOf(answer)).toMatchObject([{ path: 'email', message: 'email-taken' }])
  }
})

it('an invitation answers the same for an email that another client has; its owner still signs in, and joins no second client', async () => {
  const [mine, theirs] = [await staff(), await staff()]
  const shapeOf = async (email: string) => {
    const answer = await mine.invite({ email })
    return [answer.statusCode, Object.keys(answer.json<{ data: object }>().data)]
  }
  expect(await shapeOf(theirs.email)).toEqual(await shapeOf(newEmail()))
  const listed = (await mine.list()).find(user => user.email === theirs.email)
  expect(listed).toMatchObject({ isInvited: true, lastSeenAt: null })
  const { link } = await mine.reset(listed?.uid ?? '')
  const answer = await accept(link)
  expect([answer.statusCode, answer.json<Problem>().code]).toEqual([422, 'email-taken'])
  const body = { email: theirs.email, password: 'a long password' }
  expect((await server.call(authenticate, { body })).uid).toBe(theirs.uid)
})

it('an invitation holds no email: its owner registers, or accepts one of several invitations', async () => {
  const [one, other] = [await staff(), await staff()]
  const [registered, invited] = [newEmail(), newEmail()]
  await one.invited({ email: registered })
  const body = { fullName: 'Olga Owner', email: registered, password: 'a long password', terms: true }
  expect((await server.ask(register, { body })).statusCode).toBe(200)
  const [first, second] = [await one.invited({ email: invited }), await other.invited({ email: invited })]
  expect((await accept(second.link)).json()).toMatchObject({ data: { uid: second.uid } })
  expect((await accept(first.link)).json<Problem>().code).toBe('email-taken')
})

it('an invitation is one of at most a hundred an hour; other clients invite on', async () => {
  const [mine, theirs] = [await staff(), await staff()]
  const { email } = mine
  const answers = await Promise.all(Array.from({ length: 101 }, () => mine.invite({ email })))
  const limited = answers.filter(({ statusCode }) => statusCode === 429)
  expect(limited).toHaveLength(1)
  expect(Number(limited[0]?.headers['retry-after'])).toBeGreaterThan(0)
  expect((await theirs.invite({})).statusCode).toBe(200)
})

it('an invitation lets nobody in before it is accepted, whatever the password', async () => {
  const { invited } = await staff()
  const email = newEmail()
  await invited({ email })
  const body = { email, password: 'none' }
  expect((await server.ask(authenticate, { body })).statusCode).toBe(400)
})

it('an invitation of a streamer needs a device of its client', async () => {
  const [mine, theirs] = [await staff(), await staff()]
  const role = 'streamer'
  expect(errorsOf(await mine.invite({ role }))).toMatchObject([{ path: 'linkedDeviceUid', message: 'empty' }])
  const foreign = (await makeDevice(theirs.scope)).uid
  expect(errorsOf(await mine.invite({ role, linkedDeviceUid: foreign }))).toMatchObject([
    { path: 'linkedDeviceUid', message: 'unknown' },
  ])
  const linkedDeviceUid = (await makeDevice(mine.scope)).uid
  const { link } = await mine.invited({ role, linkedDeviceUid })
  expect((await accept(link)).json()).toMatchObject({ data: { role, linkedDeviceUid } })
  const { uid } = await mine.invited({ linkedDeviceUid })
  expect((await mine.list()).find(user => user.uid === uid)?.linkedDevice).toBeNull()
})

it('users change at once, and their sessions end with them', async () => {
  const { scope, edit, remove } = await staff()
  const user = await signedInUser(scope)
  const session = () => server.ask(readSession, { token: user.token })
  expect(
    (await edit({ uid: user.uid, role: 'admin', rights: 'view', lastName: 'Nordmann', password })).code,
  ).toBe(200)
  expect((await session()).json()).toMatchObject({
    data: { role: 'admin', rights: 'view', lastName: 'Nordmann' },
  })
  expect((await remove(user.uid)).code).toBe(200)
  expect((await session()).statusCode).toBe(401)
})

it('users keep an admin with full rights, even when two admins remove each other at once', async () => {
  const shop = await staff()
  const { uid, token, scope } = shop
  expect(await shop.remove(uid)).toEqual({ code: 400, reason: 'last-admin' })
  expect((await shop.edit({ uid, rights: 'view', password })).reason).toBe('last-admin')
  const other = await signedInUser(scope, { role: 'admin', password })
  const answers = await Promise.all([
    server.ask(contract.removeUser, { token, body: { uid: other.uid, password } }),
    server.ask(contract.removeUser, { token: other.token, body: { uid, password } }),
  ])
  const done = answers.filter(answer => answer.json<{ data?: { code: number } }>().data?.code === 200)
  expect(done).toHaveLength(1)
  const left = await scope.reads.selectFrom('users').select('uid').where('role', '=', 'admin').execute()
  expect(left).toHaveLength(1)
})

it('users get a new password by a link that ends their sessions', async () => {
  const { scope, reset } = await staff()
  const user = await signedInUser(scope)
  const [former, newest] = [await reset(user.uid), await reset(user.uid)]
  expect((await accept(former.link)).statusCode).toBe(400)
  expect((await server.ask(readSession, { token: user.token })).statusCode).toBe(200)
  expect((await accept(newest.link)).statusCode).toBe(200)
  expect((await server.ask(readSession, { token: user.token })).statusCode).toBe(401)
})

it('users have one link, however many are made at once', async () => {
  const { reset, invited } = await staff()
  for (let round = 0; round < 10; round += 1) {
    const { uid } = await invited()
    await Promise.all([1, 2, 3].map(() => reset(uid)))
    const { rowCount } = await asSuperuser(server.superuserUrl, superuser =>
      superuser.query('select from user_links where user_uid = $1', [uid]),
    )
    expect(rowCount).toBe(1)
  }
})

it('users are made, unmade, removed and reset by the password of the admin: a stolen session does none of it', async () => {
  const { token, uid, scope, list } = await staff()
  const [manager, admin] = [await signedInUser(scope), await signedInUser(scope, { role: 'admin' })]
  const change = (endpoint: Endpoint, input: { body: object; params?: object }) => (own: object) =>
    server.ask(endpoint, { token, ...input, body: { ...input.body, ...own } })
  const edit = (body: object) => change(contract.editUser, { body })
  const changes = {
    'an invited admin': change(contract.inviteUser, { body: { email: newEmail(), role: 'admin' } }),
    'a manager made an admin': edit({ uid: manager.uid, role: 'admin' }),
    'an admin made a manager': edit({ uid: admin.uid, role: 'manager' }),
    'fewer rights of an admin': edit({ uid: admin.uid, rights: 'view' }),
    'fewer own rights': edit({ uid, rights: 'view' }),
    'another password of a manager': change(contract.resetUser, { params: { uid: manager.uid }, body: {} }),
    'another password of an admin': change(contract.resetUser, { params: { uid: admin.uid }, body: {} }),
    'a removed manager': change(contract.removeUser, { body: { uid: manager.uid } }),
    'a removed admin': change(contract.removeUser, { body: { uid: admin.uid } }),
  }
  const before = await list()
  const refusals = [
    [{}, 'empty'],
    [{ password: 'not my password' }, 'wrong-password'],
  ] as const
  for (const [what, attempt] of Object.entries(changes))
    for (const [own, message] of refusals) {
      const answer = await attempt(own)
      expect([what, answer.statusCode, errorsOf(answer)]).toMatchObject([
        what,
        422,
        [{ path: 'password', message }],
      ])
    }
  expect(await list()).toEqual(before)
  // Wrong passwords of all of them are one count, which the right one does not pass.
  expect((await changes['a removed admin']({ password: 'a tenth wrong one' })).statusCode).toBe(422)
  expect((await changes['another password of an admin']({ password })).statusCode).toBe(429)
})

it('users have names, and roles that are no admin’s, without the password', async () => {
  const { edit, invited } = await staff()
  const { uid } = await invited()
  expect((await edit({ uid, rights: 'view', firstName: 'Vera', language: 'fr' })).code).toBe(200)
})

it('users change their own password; other sessions end, this one goes on', async () => {
  const { email, token } = await staff()
  const signIn = async (password: string) => server.ask(authenticate, { body: { email, password } })
  const other = (await signIn('a long password')).json<{ data: { token: string } }>().data.token
  const change = (current: string) =>
    server.ask(contract.changePassword, { token, body: { current, password: 'another long one' } })
  expect(errorsOf(await change('not my password'))).toMatchObject([
    { path: 'current', message: 'wrong-password' },
  ])
  expect((await change('a long password')).statusCode).toBe(200)
  expect((await server.ask(readSession, { token })).statusCode).toBe(200)
  expect((await server.ask(readSession, { token: other })).statusCode).toBe(401)
  expect((await signIn('a long password')).statusCode).toBe(400)
  expect((await signIn('another long one')).statusCode).toBe(200)
})

it('users are seen and changed by admins of their client only', async () => {
  const [mine, theirs] = [await staff(), await staff()]
  const manager = await signedInUser(mine.scope)
  expect((await server.ask(contract.listUsers, { token: manager.token })).statusCode).toBe(403)
  const body = { uid: theirs.uid, firstName: 'Mine' }
  expect((await server.ask(contract.editUser, { token: mine.token, body })).statusCode).toBe(404)
  expect((await mine.list()).map(({ uid }) => uid)).not.toContain(theirs.uid)
})
