import { authenticate, readSession, type SignedIn } from '@floorcast/contract/auth.ts'
import * as contract from '@floorcast/contract/passkeys.ts'
import type { Problem } from '@floorcast/contract/problem.ts'
import * as factor from '@floorcast/contract/second-factor.ts'
import { acceptLink, listUsers, resetUser } from '@floorcast/contract/users.ts'
import { makeAuthenticator } from '@floorcast/testing/test-authenticator.ts'
import { codeAt, secondFactorOn, ticketOf } from '@floorcast/testing/test-second-factor.ts'
import { testServer, type TestServer } from '@floorcast/testing/test-server.ts'
import { beforeAll, expect, it } from 'vitest'
import type { z } from 'zod'
import { registerMailedLinks } from './mailed-links-routes.ts'
import { registerUsers } from '../tenants/users-routes.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer({ features: [registerMailedLinks, registerUsers] })
})

const password = 'a long password'
type Answer = Awaited<ReturnType<TestServer['ask']>>
const problemOf = (answer: Answer) => answer.json<Problem>()
const userIn = (answer: Answer) => answer.json<{ data: z.output<typeof SignedIn> }>().data
const signIn = (email: string) => server.ask(authenticate, { body: { email, password } })
type Authenticator = ReturnType<typeof makeAuthenticator>

/** The challenge for a new passkey. */
const offer = async (token: string) =>
  (await server.call(contract.beginPasskey, { token, body: { password } })).options.challenge
/** The challenge for a sign-in. */
const question = async () => (await server.call(contract.beginPasskeySignIn)).options.challenge
const add = (token: string, credential: object, name = 'My phone') =>
  server.ask(contract.addPasskey, { token, body: { name, credential } })
const enter = (credential: object) => server.ask(contract.signInByPasskey, { body: { credential } })
const enterWith = async (authenticator: Authenticator) => enter(authenticator.get(await question()))

/** A user of a new client with a passkey. */
async function withPasskey() {
  const client = await server.newClient()
  const authenticator = makeAuthenticator()
  const answer = await add(client.token, authenticator.create(await offer(client.token)))
  const { recoveryCodes } = answer.json<{ data: { recoveryCodes: string[] } }>().data
  return { ...client, authenticator, recoveryCodes }
}

it('a passkey signs in its owner only, by the word of the authenticator too', async () => {
  const { authenticator, uid } = await withPasskey()
  const asUser = async (handle: string) => {
    const answer = authenticator.get(await question())
    return enter({
      ...answer,
      response: { ...answer.response, userHandle: Buffer.from(handle).toString('base64url') },
    })
  }
  expect((await asUser((await withPasskey()).uid)).statusCode).toBe(400)
  expect((await asUser(uid)).statusCode).toBe(200)
})

it('a passkey completes the step of a reset link, and sets its password', async () => {
  const { authenticator, token, uid, email } = await withPasskey()
  const { link = '' } = await server.call(resetUser, {
    token,
    params: { uid },
    body: { password: 'a long password' },
  })
  const password = 'another long phrase'
  const body = { token: link.split('#invite=')[1], password }
  const step = await server.ask(acceptLink, { body })
  const { ticket } = step.json<{ secondStep: { ticket: string } }>().secondStep
  await server.call(readSession, { token })
  const credential = authenticator.get(await question())
  expect((await server.ask(contract.signInByPasskey, { body: { credential, ticket } })).statusCode).toBe(200)
  expect((await server.ask(readSession, { token })).statusCode).toBe(401)
  expect((await server.ask(authenticate, { body: { email, password } })).statusCode).toBe(403)
  server.clock.now = new Date(server.clock.now.getTime() + 1000)
  const again = { credential: authenticator.get(await question()), ticket }
  expect((await server.ask(contract.signInByPasskey, { body: again })).json()).toMatchObject({
    code: 'step-expired',
  })
})

it('a passkey signs in without a password, and is a second factor for who gives one', async () => {
  const { uid, email, token, authenticator, recoveryCodes } = await withPasskey()
  const answer = await enterWith(authenticator)
  expect(userIn(answer)).toMatchObject({ uid, email, role: 'admin' })
  expect((await server.call(readSession, { token: userIn(answer).token })).uid).toBe(uid)
  const read = await server.call(factor.readSecondFactor, { token })
  expect(read).toMatchObject({ enrolledAt: null, recoveryCodesLeft: 10, passkeys: [{ name: 'My phone' }] })
  expect(read.passkeys[0]?.lastUsedAt).not.toBeNull()
  const first = await signIn(email)
  expect(problemOf(first)).toMatchObject({
    code: 'second-factor',
    secondStep: { mustEnroll: false, hasPasskey: true },
  })
  const body = { ticket: problemOf(first).secondStep?.ticket ?? '', code: recoveryCodes[0] ?? '' }
  expect((await server.ask(factor.completeSignIn, { body })).statusCode).toBe(200)
  const users = await server.call(listUsers, { token })
  expect(users.items[0]?.hasSecondFactor).toBe(true)
})

it('a passkey is not passed by the set-up of an app with the password alone', async () => {
  const { email } = await withPasskey()
  const ticket = problemOf(await signIn(email)).secondStep?.ticket ?? ''
  const begun = await server.ask(factor.beginRequiredEnrollment, { body: { ticket } })
  expect([begun.statusCode, problemOf(begun).code]).toEqual([400, 'step-expired'])
})

it('a passkey that is added while a set-up waits ends the set-up', async () => {
  const on = secondFactorOn(server)
  const admin = await withPasskey()
  const user = await on.join(admin.token)
  const require = (isRequired: boolean) =>
    server.call(factor.requireSecondFactor, { token: admin.token, body: { isRequired } })
  await require(true)
  const ticket = ticketOf(await on.signIn(user.email))
  const { secret } = await server.call(factor.beginRequiredEnrollment, { body: { ticket } })
  await require(false)
  const { token } = userIn(await on.signIn(user.email))
  await add(token, makeAuthenticator().create(await offer(token)))
  const body = { ticket, code: codeAt(secret, server.clock.now) }
  const answer = await server.ask(factor.confirmRequiredEnrollment, { body })
  expect([answer.statusCode, problemOf(answer).code]).toEqual([400, 'step-expired'])
})

it('a passkey is added with the password alone, and ends the other sessions', async () => {
  const { token, email } = await server.newClient()
  const other = userIn(await signIn(email)).token
  const wrong = await server.ask(contract.beginPasskey, { token, body: { password: 'another password' } })
  expect(problemOf(wrong).errors).toMatchObject([{ path: 'password', message: 'wrong-password' }])
  await add(token, makeAuthenticator().create(await offer(token)))
  const statuses = [token, other].map(async of => (await server.ask(readSession, { token: of })).statusCode)
  expect(await Promise.all(statuses)).toEqual([200, 401])
})

it('a passkey answers each challenge once, within five minutes, and only challenges of this server for this use', async () => {
  const { token, authenticator } = await withPasskey()
  const wrong = async (credential: object) => {
    const answer = await enter(credential)
    expect([answer.statusCode, problemOf(answer).code]).toEqual([400, 'wrong-passkey'])
  }
  const credential = authenticator.get(await question())
  expect((await enter(credential)).statusCode).toBe(200)
  await wrong(credential)
  await wrong(authenticator.get(Buffer.from('a challenge of my own').toString('base64url')))
  await wrong(authenticator.get(await offer(token)))
  const old = await question()
  server.clock.now = new Date(server.clock.now.getTime() + 300_000)
  await wrong(authenticator.get(old))
})

it.each([
  ['another site', () => makeAuthenticator({ origin: 'https://shop.evil.example' })],
  ['no PIN or finger', () => makeAuthenticator({ isVerified: false })],
])('a passkey is refused with %s', async (_, make) => {
  const { token } = await server.newClient()
  const answer = await add(token, make().create(await offer(token)))
  expect([answer.statusCode, problemOf(answer).code]).toEqual([400, 'wrong-passkey'])
})

it('a passkey belongs to one user: another challenge, key or owner does not fit', async () => {
  const [one, other] = [await withPasskey(), await withPasskey()]
  const challenge = await offer(one.token)
  expect((await add(other.token, makeAuthenticator().create(challenge))).statusCode).toBe(400)
  const again = one.authenticator.create(await offer(other.token))
  expect((await add(other.token, again)).statusCode).toBe(400)
  const forged = { ...one.authenticator.get(await question()), id: other.authenticator.get('').id }
  expect((await enter(forged)).statusCode).toBe(400)
  expect((await enterWith(makeAuthenticator())).statusCode).toBe(400)
})

it('a passkey is removed by its owner with the password; with the last one the password alone signs in', async () => {
  const [{ token, email, authenticator }, stranger] = [await withPasskey(), await server.newClient()]
  const { passkeys } = await server.call(factor.readSecondFactor, { token })
  const remove = (as: string, given = password) =>
    server.ask(contract.removePasskey, {
      token: as,
      params: { uid: passkeys[0]?.uid },
      body: { password: given },
    })
  expect((await remove(stranger.token)).statusCode).toBe(404)
  expect((await remove(token, 'another password')).statusCode).toBe(422)
  await server.call(factor.requireSecondFactor, { token, body: { isRequired: true } })
  expect((await remove(token)).json()).toMatchObject({ data: { reason: 'second-factor-required' } })
  await server.call(factor.requireSecondFactor, { token, body: { isRequired: false } })
  expect((await remove(token)).json()).toMatchObject({ data: { code: 200 } })
  expect((await enterWith(authenticator)).statusCode).toBe(400)
  expect((await signIn(email)).statusCode).toBe(200)
})
