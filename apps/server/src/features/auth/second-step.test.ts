import { readAudit } from '@floorcast/contract/audit.ts'
import { readSession } from '@floorcast/contract/auth.ts'
import * as contract from '@floorcast/contract/second-factor.ts'
import { acceptLink, changePassword, resetUser } from '@floorcast/contract/users.ts'
import {
  codeAt,
  newAddress,
  problemOf,
  secondFactorOn,
  STEP_MS,
  ticketOf,
  userIn,
} from '@floorcast/testing/test-second-factor.ts'
import { testServer, startAnother, type TestServer } from '@floorcast/testing/test-server.ts'
import { signedInUser } from '@floorcast/testing/test-users.ts'
import { beforeAll, expect, it } from 'vitest'
import { registerMailedLinks } from './mailed-links-routes.ts'
import { registerUsers } from '../tenants/users-routes.ts'
import { registerAudit } from '../audit/audit-routes.ts'

let server: TestServer
let on: ReturnType<typeof secondFactorOn>
beforeAll(async () => {
  server = await testServer({
    hasOwnDatabase: true,
    features: [registerMailedLinks, registerUsers, registerAudit],
  })
  on = secondFactorOn(server)
})

const password = 'a long password'

it('signing in with a second factor takes the password first, which opens nothing by itself', async () => {
  const { email, uid, now } = await on.enrolled()
  const first = await on.signIn(email)
  expect([first.statusCode, problemOf(first).code]).toEqual([403, 'second-factor'])
  expect(problemOf(first).secondStep).toMatchObject({ mustEnroll: false })
  const ticket = ticketOf(first)
  expect((await server.ask(readSession, { token: ticket })).statusCode).toBe(401)
  const second = await on.complete(ticket, now())
  expect(userIn(second)).toMatchObject({ uid, email, role: 'admin' })
  const { token } = userIn(second)
  expect((await server.call(readSession, { token })).uid).toBe(uid)
})

it('signing in with a second factor takes each code once, also the one that confirmed the app, and each ticket once', async () => {
  const { confirmedBy, open, now } = await on.enrolled()
  expect((await on.complete(await open(), confirmedBy)).statusCode).toBe(422)
  const [ticket, other] = [await open(), await open()]
  const code = now()
  expect((await on.complete(ticket, code)).statusCode).toBe(200)
  expect((await on.complete(other, code)).statusCode).toBe(422)
  on.wait(STEP_MS)
  const again = await on.complete(ticket, now())
  expect([again.statusCode, problemOf(again).code]).toEqual([400, 'step-expired'])
  expect((await on.complete(other, now())).statusCode).toBe(200)
})

it('signing in with a second factor takes one of several calls with the same code at once', async () => {
  const { open, now } = await on.enrolled()
  const tickets = [await open(), await open(), await open()]
  const code = now()
  const answers = await Promise.all(tickets.map(ticket => on.complete(ticket, code)))
  expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 422, 422])
})

it('signing in with a second factor takes codes of clocks half a minute off, and none of an hour ago', async () => {
  const { secret, open } = await on.enrolled()
  const at = (offset: number) => codeAt(secret, new Date(server.clock.now.getTime() + offset))
  expect((await on.complete(await open(), at(-3_600_000))).statusCode).toBe(422)
  expect((await on.complete(await open(), at(-STEP_MS))).statusCode).toBe(200)
  expect((await on.complete(await open(), at(STEP_MS))).statusCode).toBe(200)
})

it('signing in with a second factor takes a recovery code instead, once, as it was copied or typed', async () => {
  const { token, recoveryCodes, open } = await on.enrolled()
  const [first = '', second = ''] = recoveryCodes
  expect((await on.complete(await open(), first)).statusCode).toBe(200)
  expect((await on.complete(await open(), first)).statusCode).toBe(422)
  expect((await on.complete(await open(), ` ${second.toLowerCase().replaceAll('-', ' ')} `)).statusCode).toBe(
    200,
  )
  expect((await server.call(contract.readSecondFactor, { token })).recoveryCodesLeft).toBe(8)
  const { recoveryCodes: renewed = [] } = await server.call(contract.renewRecoveryCodes, {
    token,
    body: { password },
  })
  expect((await on.complete(await open(), recoveryCodes[2] ?? '')).statusCode).toBe(422)
  expect((await on.complete(await open(), renewed[2] ?? '')).statusCode).toBe(200)
})

it('signing in with a second factor ends a ticket after five wrong codes and after five minutes', async () => {
  const { secret, open, now } = await on.enrolled()
  const guessed = await open()
  for (let guess = 0; guess < 5; guess++)
    expect((await on.complete(guessed, on.wrongFor(secret))).statusCode).toBe(422)
  expect(problemOf(await on.complete(guessed, now())).code).toBe('step-expired')
  const old = await open()
  on.wait(300_000)
  expect(problemOf(await on.complete(old, now())).code).toBe('step-expired')
})

it('signing in with a second factor slows guesses of codes by user and network; the owner goes on elsewhere', async () => {
  const { secret, open, now, token, uid } = await on.enrolled()
  const address = newAddress()
  const statuses = []
  for (let nr = 0; nr < 3; nr++) {
    const ticket = await open()
    for (let guess = 0; guess < 4; guess++)
      statuses.push((await on.complete(ticket, on.wrongFor(secret), address)).statusCode)
  }
  expect(statuses).toEqual([...Array<number>(10).fill(422), 429, 429])
  expect((await on.complete(await open(), now())).statusCode).toBe(200)
  const audit = await server.call(readAudit, { token, params: { id: uid }, query: { size: 50 } })
  expect(audit.items.filter(entry => entry.class === 'second-factor-failed')).toHaveLength(10)
})

it('signing in with a second factor ends the ticket with the password', async () => {
  const { token, open, now } = await on.enrolled()
  const ticket = await open()
  const body = { current: password, password: 'four unrelated words' }
  await server.call(changePassword, { token, body })
  expect(problemOf(await on.complete(ticket, now())).code).toBe('step-expired')
})

it('signing in with a second factor works on every server of the installation', async () => {
  const { email, now } = await on.enrolled()
  const ticket = ticketOf(await on.signIn(email))
  const another = await startAnother(server)
  const answer = await another.inject({
    method: 'POST',
    url: contract.completeSignIn.path,
    payload: { ticket, code: now() },
  })
  expect(answer.statusCode).toBe(200)
})

it('signing in with a second factor is asked by a reset link too', async () => {
  const admin = await server.newClient()
  const user = await signedInUser(admin.scope)
  const reset = async (chosen = password) => {
    const { link = '' } = await server.call(resetUser, {
      token: admin.token,
      params: { uid: user.uid },
      body: { password },
    })
    const body = { token: link.split('#invite=')[1], password: chosen }
    return server.ask(acceptLink, { address: newAddress(), body })
  }
  const { token } = userIn(await reset())
  const { now } = await on.enroll(token)
  // Who reads the user's mails changes nothing: the password, the sessions and the link stay until the factor was right.
  const answer = await reset('another long phrase')
  expect([answer.statusCode, problemOf(answer).code]).toEqual([403, 'second-factor'])
  expect((await on.complete(ticketOf(answer), '000000')).statusCode).toBe(422)
  await server.call(readSession, { token })
  expect((await on.signIn(user.email)).statusCode).toBe(403)
  expect((await on.complete(ticketOf(answer), now())).statusCode).toBe(200)
  expect((await server.ask(readSession, { token })).statusCode).toBe(401)
  expect((await on.signIn(user.email)).statusCode).toBe(400)
})
