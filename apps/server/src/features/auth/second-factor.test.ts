import { readAudit } from '@floorcast/contract/audit.ts'
import { readSession } from '@floorcast/contract/auth.ts'
import * as contract from '@floorcast/contract/second-factor.ts'
import { listUsers } from '@floorcast/contract/users.ts'
import {
  codeAt,
  problemOf,
  secondFactorOn,
  STEP_MS,
  ticketOf,
  userIn,
} from '@floorcast/testing/test-second-factor.ts'
import { testServer, type TestServer } from '@floorcast/testing/test-server.ts'
import { signedInUser } from '@floorcast/testing/test-users.ts'
import { Secret } from 'otpauth'
import { Client } from 'pg'
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

it('enrollment takes the password, an app and a code of it; recovery codes are shown once', async () => {
  const { token, email, secret, uri, recoveryCodes } = await on.enrolled()
  expect(uri).toMatch(/^otpauth:\/\/totp\/Floorcast:/)
  expect(decodeURIComponent(uri)).toContain(email)
  expect(uri).toContain(secret)
  expect(new Set(recoveryCodes).size).toBe(10)
  for (const code of recoveryCodes) expect(code).toMatch(/^([A-Z2-7]{4}-){6}[A-Z2-7]{2}$/)
  const read = await server.call(contract.readSecondFactor, { token })
  expect(read).toMatchObject({ recoveryCodesLeft: 10, isRequired: false })
  expect(read.enrolledAt).not.toBeNull()
})

it('enrollment of a new phone replaces the former one when its code has come, with other recovery codes', async () => {
  const former = await on.enrolled()
  const { token, open } = former
  const begun = await server.call(contract.beginEnrollment, { token, body: { password } })
  expect((await on.complete(await open(), former.now())).statusCode).toBe(200)
  on.wait(STEP_MS)
  const { secret = '' } = begun
  const body = { code: codeAt(secret, server.clock.now) }
  expect((await on.complete(await open(), body.code)).statusCode).toBe(422)
  const { recoveryCodes = [] } = await server.call(contract.confirmEnrollment, { token, body })
  expect((await server.ask(contract.confirmEnrollment, { token, body })).statusCode).toBe(400)
  on.wait(2 * STEP_MS)
  const statuses = []
  for (const code of [
    former.now(),
    former.recoveryCodes[0],
    recoveryCodes[0],
    codeAt(secret, server.clock.now),
  ])
    statuses.push((await on.complete(await open(), code ?? '')).statusCode)
  expect(statuses).toEqual([422, 422, 200, 200])
})

it('enrollment counts for nothing before a code has confirmed it', async () => {
  const { token, email } = await server.newClient()
  const wrongPassword = { token, body: { password: 'another password' } }
  expect(problemOf(await server.ask(contract.beginEnrollment, wrongPassword)).errors).toMatchObject([
    { path: 'password', message: 'wrong-password' },
  ])
  const { secret = '' } = await server.call(contract.beginEnrollment, { token, body: { password } })
  const answer = await server.ask(contract.confirmEnrollment, {
    token,
    body: { code: on.wrongFor(secret) },
  })
  expect(problemOf(answer).errors).toMatchObject([{ path: 'code', message: 'wrong-code' }])
  expect((await server.call(contract.readSecondFactor, { token })).enrolledAt).toBeNull()
  expect((await on.signIn(email)).statusCode).toBe(200)
})

it('enrollment ends the other sessions of the user', async () => {
  const { token, email } = await server.newClient()
  const other = userIn(await on.signIn(email)).token
  const { secret = '' } = await server.call(contract.beginEnrollment, { token, body: { password } })
  const body = { code: codeAt(secret, server.clock.now) }
  await server.call(contract.confirmEnrollment, { token, body })
  const statuses = [token, other].map(async of => (await server.ask(readSession, { token: of })).statusCode)
  expect(await Promise.all(statuses)).toEqual([200, 401])
})

it('enrollment leaves no secret or recovery code in the database', async () => {
  const { secret, recoveryCodes, open } = await on.enrolled()
  const ticket = await open()
  const superuser = new Client({ connectionString: server.superuserUrl })
  await superuser.connect()
  const texts: string[] = []
  for (const table of ['totp_secrets', 'recovery_codes', 'sign_in_steps', 'audit_entries']) {
    const { rows } = await superuser.query<{ text: string }>(`select t::text as text from ${table} t`)
    texts.push(...rows.map(row => row.text))
  }
  await superuser.end()
  const everything = texts.join('\n').toLowerCase()
  const hex = Buffer.from(Secret.fromBase32(secret).bytes).toString('hex')
  expect(everything).toContain('add-second-factor')
  for (const text of [secret, hex, ticket, ...recoveryCodes])
    expect(everything).not.toContain(text.toLowerCase())
})

it('a second factor is removed by its owner with the password', async () => {
  const { token, email } = await on.enrolled()
  const remove = (given: string) =>
    server.ask(contract.removeSecondFactor, { token, body: { password: given } })
  expect((await remove('another password')).statusCode).toBe(422)
  expect((await on.signIn(email)).statusCode).toBe(403)
  expect((await remove(password)).statusCode).toBe(200)
  expect((await on.signIn(email)).statusCode).toBe(200)
  const renew = await server.call(contract.renewRecoveryCodes, { token, body: { password } })
  expect(renew).toEqual({ code: 400, reason: 'no-second-factor' })
})

it('a second factor that is lost is removed by an admin of the client for another user, on record; the sessions end', async () => {
  const admin = await server.newClient()
  const stranger = await server.newClient()
  const { token, uid, email } = await on.join(admin.token)
  await on.enroll(token)
  const hasFactor = async () =>
    (await server.call(listUsers, { token: admin.token })).items.find(user => user.uid === uid)
      ?.hasSecondFactor
  expect(await hasFactor()).toBe(true)
  const remove = (as: string, of = uid, by = password) =>
    server.ask(contract.removeUserSecondFactor, { token: as, params: { uid: of }, body: { password: by } })
  const guess = await remove(admin.token, uid, 'not the admin’s')
  expect([guess.statusCode, problemOf(guess).errors]).toMatchObject([
    422,
    [{ path: 'password', message: 'wrong-password' }],
  ])
  expect(await hasFactor()).toBe(true)
  expect([(await remove(token)).statusCode, (await remove(stranger.token)).statusCode]).toEqual([403, 404])
  expect((await remove(admin.token, admin.uid)).json()).toMatchObject({
    data: { code: 400, reason: 'own-second-factor' },
  })
  expect((await remove(admin.token)).json()).toMatchObject({ data: { code: 200 } })
  expect(await hasFactor()).toBe(false)
  expect((await server.ask(readSession, { token })).statusCode).toBe(401)
  expect((await on.signIn(email)).statusCode).toBe(200)
  const audit = await server.call(readAudit, { token: admin.token, params: { id: uid } })
  expect(audit.items.some(entry => entry.class === 'remove-second-factor')).toBe(true)
})

const require = (token: string, isRequired: boolean) =>
  server.ask(contract.requireSecondFactor, { token, body: { isRequired } })

it('a client that requires it leads users without one to enrollment, and opens nothing before', async () => {
  const admin = await on.enrolled()
  const { email, uid, token } = await on.join(admin.token)
  const other = await on.enrolled()
  expect((await require(admin.token, true)).json()).toMatchObject({ data: { code: 200 } })
  const tokens = [token, admin.token, other.token]
  const read = tokens.map(async of => (await server.ask(readSession, { token: of })).statusCode)
  expect(await Promise.all(read)).toEqual([401, 200, 200])
  const first = await on.signIn(email)
  expect([first.statusCode, problemOf(first).secondStep?.mustEnroll]).toEqual([403, true])
  const ticket = ticketOf(first)
  expect((await on.complete(ticket, '000000')).statusCode).toBe(422)
  const { secret } = await server.call(contract.beginRequiredEnrollment, { body: { ticket } })
  const confirm = (code: string) => server.ask(contract.confirmRequiredEnrollment, { body: { ticket, code } })
  expect((await confirm(on.wrongFor(secret))).statusCode).toBe(422)
  const done = await confirm(codeAt(secret, server.clock.now))
  const data = done.json<{ data: { token: string; uid: string; recoveryCodes: string[] } }>().data
  expect(data).toMatchObject({ uid })
  expect(data.recoveryCodes).toHaveLength(10)
  expect((await server.call(contract.readSecondFactor, { token: data.token })).isRequired).toBe(true)
  on.wait(2 * STEP_MS)
  const next = ticketOf(await on.signIn(email))
  expect((await on.complete(next, codeAt(secret, server.clock.now))).statusCode).toBe(200)
  const kept = await server.call(contract.removeSecondFactor, { token: data.token, body: { password } })
  expect(kept).toEqual({ code: 400, reason: 'second-factor-required' })
})

it('a client that requires it gives a ticket of a user with a factor no way around it', async () => {
  const { token, open } = await on.enrolled()
  await require(token, true)
  const ticket = await open()
  const begun = await server.ask(contract.beginRequiredEnrollment, { body: { ticket } })
  expect([begun.statusCode, problemOf(begun).code]).toEqual([400, 'step-expired'])
})

it('a client that requires it is asked by its admins with full rights and a factor alone, and only for their own client', async () => {
  const [mine, theirs] = [await on.enrolled(), await server.newClient()]
  const manager = await signedInUser(mine.scope)
  const reader = await signedInUser(mine.scope, { role: 'admin', rights: 'view' })
  expect((await require(manager.token, true)).statusCode).toBe(403)
  expect((await require(reader.token, true)).statusCode).toBe(403)
  expect((await require(theirs.token, true)).json()).toMatchObject({
    data: { code: 400, reason: 'no-second-factor' },
  })
  const colleague = await on.join(mine.token)
  await require(mine.token, true)
  expect((await on.signIn(theirs.email)).statusCode).toBe(200)
  expect((await on.signIn(colleague.email)).statusCode).toBe(403)
  await require(mine.token, false)
  expect((await on.signIn(colleague.email)).statusCode).toBe(200)
})

it('a client that requires it leaves the sessions of streamers, whose pages play in shops', async () => {
  const mine = await on.enrolled()
  const [streamer, manager] = [
    await signedInUser(mine.scope, { role: 'streamer' }),
    await signedInUser(mine.scope),
  ]
  await require(mine.token, true)
  const read = [streamer, manager].map(
    async ({ token }) => (await server.ask(readSession, { token })).statusCode,
  )
  expect(await Promise.all(read)).toEqual([200, 401])
})
