import { readAudit } from '@floorcast/contract/audit.ts'
import { readSession } from '@floorcast/contract/auth.ts'
import { addPasskey, beginPasskey, removePasskey } from '@floorcast/contract/passkeys.ts'
import * as contract from '@floorcast/contract/second-factor.ts'
import { makeAuthenticator } from '@floorcast/testing/test-authenticator.ts'
import {
  codeAt,
  newAddress,
  problemOf,
  secondFactorOn,
  STEP_MS,
  ticketOf,
  userIn,
} from '@floorcast/testing/test-second-factor.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { expect, test } from 'vitest'
import { registerMailedLinks } from './mailed-links-routes.ts'
import { registerAudit } from '../audit/audit-routes.ts'

const server = await testServer({ features: [registerMailedLinks, registerAudit] })
const on = secondFactorOn(server)
const password = 'a long password'
const ROUNDS = 12

type Answer = Awaited<ReturnType<typeof on.complete>>
const count = (answers: readonly Answer[], status: number) =>
  answers.filter(({ statusCode }) => statusCode === status).length
const isIn = async (token: string) => (await server.ask(readSession, { token })).statusCode === 200

const offer = async (token: string) =>
  (await server.call(beginPasskey, { token, body: { password } })).options.challenge
const add = (token: string, challenge: string, authenticator = makeAuthenticator()) =>
  server.ask(addPasskey, { token, body: { name: 'Phone', credential: authenticator.create(challenge) } })

test('at once, a code of the app, a recovery code and a ticket each sign in once, in every round', async () => {
  const { recoveryCodes, open, now } = await on.enrolled()
  for (let round = 0; round < ROUNDS; round++) {
    const tickets = [await open(), await open()]
    const code = round % 2 === 0 ? now() : (recoveryCodes[(round - 1) / 2] ?? '')
    const byCode = await Promise.all(tickets.map(ticket => on.complete(ticket, code)))
    expect([count(byCode, 200), count(byCode, 422)]).toEqual([1, 1])
    on.wait(2 * STEP_MS)
    const ticket = await open()
    const byTicket = await Promise.all([on.complete(ticket, now()), on.complete(ticket, now())])
    expect(count(byTicket, 200)).toBe(1)
    on.wait(2 * STEP_MS)
  }
})

test('at once, two first passkeys give one set of recovery codes, and are not both removed where one is required', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { token } = await server.newClient()
    const challenges = [await offer(token)]
    on.wait(1)
    challenges.push(await offer(token))
    const added = await Promise.all(challenges.map(challenge => add(token, challenge)))
    expect(count(added, 200)).toBe(2)
    const { recoveryCodesLeft, passkeys } = await server.call(contract.readSecondFactor, { token })
    expect([passkeys.length, recoveryCodesLeft]).toEqual([2, 10])
    await server.call(contract.requireSecondFactor, { token, body: { isRequired: true } })
    const remove = ({ uid }: { uid: string }) =>
      server.ask(removePasskey, { token, params: { uid }, body: { password } })
    await Promise.all(passkeys.map(remove))
    const left = await server.call(contract.readSecondFactor, { token })
    expect(left).toMatchObject({ passkeys: [{}], recoveryCodesLeft: 10 })
  }
})

test('guesses of codes from many networks, over many tickets and at once, are twenty an hour; the recovery codes go on', async () => {
  const { secret, recoveryCodes, open, now, token, uid } = await on.enrolled()
  const tickets = await Promise.all(Array.from({ length: 24 }, open))
  const wrong = await Promise.all(tickets.map(ticket => on.complete(ticket, on.wrongFor(secret))))
  expect([count(wrong, 422), count(wrong, 429)]).toEqual([20, 4])
  const limited = await on.complete(await open(), now())
  expect(limited.statusCode).toBe(429)
  expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0)
  expect((await on.complete(await open(), recoveryCodes[0] ?? '')).statusCode).toBe(200)
  const audit = await server.call(readAudit, { token, params: { id: uid }, query: { size: 50 } })
  expect(audit.items.filter(entry => entry.class === 'second-factor-failed')).toHaveLength(20)
  on.wait(3_600_000)
  expect((await on.complete(await open(), now())).statusCode).toBe(200)
})

test('guesses of codes are counted alone: a head office signs in as often as it likes', async () => {
  const { open, now } = await on.enrolled()
  const address = newAddress()
  for (let nr = 0; nr < ROUNDS; nr++) {
    expect((await on.complete(await open(), now(), address)).statusCode).toBe(200)
    on.wait(STEP_MS)
  }
})

test('guesses of codes of the password, in a session, are ten in ten minutes from all networks', async () => {
  const { token } = await server.newClient()
  const guess = (given: string) =>
    server.ask(contract.beginEnrollment, { token, address: newAddress(), body: { password: given } })
  const answers = await Promise.all(Array.from({ length: 12 }, (_, nr) => guess(`a wrong password ${nr}`)))
  expect([count(answers, 422), count(answers, 429)]).toEqual([10, 2])
  expect((await guess(password)).statusCode).toBe(429)
  on.wait(600_000)
  expect((await guess(password)).statusCode).toBe(200)
})

test('a challenge for a new passkey makes one passkey', async () => {
  const { token } = await server.newClient()
  const challenge = await offer(token)
  expect((await add(token, challenge)).statusCode).toBe(200)
  const again = await add(token, challenge)
  expect([again.statusCode, problemOf(again).code]).toEqual([400, 'wrong-passkey'])
})

test('other sessions of the user end with the removal of the factor, and of a passkey', async () => {
  const { token, open, now } = await on.enrolled()
  const other = userIn(await on.complete(await open(), now())).token
  await add(token, await offer(token))
  expect(await isIn(other)).toBe(false)
  on.wait(STEP_MS)
  const next = userIn(await on.complete(await open(), now())).token
  const { passkeys } = await server.call(contract.readSecondFactor, { token })
  const uid = passkeys[0]?.uid
  expect((await server.ask(removePasskey, { token, params: { uid }, body: { password } })).statusCode).toBe(
    200,
  )
  expect([await isIn(token), await isIn(next)]).toEqual([true, false])
  on.wait(STEP_MS)
  const last = userIn(await on.complete(await open(), now())).token
  await server.call(contract.removeSecondFactor, { token, body: { password } })
  expect([await isIn(token), await isIn(last)]).toEqual([true, false])
})

test('other sessions of the user end tickets end with the factor that an admin removes', async () => {
  const { token, email, secret } = await on.enrolled()
  const ticket = ticketOf(await on.signIn(email))
  await server.call(contract.removeSecondFactor, { token, body: { password } })
  const begun = await server.ask(contract.beginRequiredEnrollment, { body: { ticket } })
  expect(problemOf(begun).code).toBe('step-expired')
  const completed = await on.complete(ticket, codeAt(secret, server.clock.now))
  expect(problemOf(completed).code).toBe('step-expired')
})
