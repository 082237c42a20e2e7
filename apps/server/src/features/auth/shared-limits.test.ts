import { randomBytes, randomUUID } from 'node:crypto'
import { authenticate } from '@floorcast/contract/auth.ts'
import { openDeviceSession, proveServer } from '@floorcast/contract/device-protocol.ts'
import type { Endpoint } from '@floorcast/contract/endpoint.ts'
import * as links from '@floorcast/contract/mailed-links.ts'
import { authenticateOperator } from '@floorcast/contract/operator-sign-in.ts'
import { beginEnrollment, completeSignIn } from '@floorcast/contract/second-factor.ts'
import { acceptLink, changePassword, inviteUser } from '@floorcast/contract/users.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { newAddress, secondFactorOn } from '@floorcast/testing/test-second-factor.ts'
import { type CallInput, startAnother, testServer } from '@floorcast/testing/test-server.ts'
import { expect, test } from 'vitest'
import { registerDeviceHost } from '../../device-host.ts'
import { registerOperators } from '../operators/operators-routes.ts'
import { registerUsers } from '../tenants/users-routes.ts'
import { registerMailedLinks } from './mailed-links-routes.ts'

const server = await testServer({
  hasOwnDatabase: true,
  features: [registerDeviceHost, registerMailedLinks, registerOperators, registerUsers],
})
const on = secondFactorOn(server)
const servers = [server.http.app, await startAnother(server), await startAnother(server)]
let calls = 0

/** Calls that the servers answer in turns. @returns the numbers of answers by status */
async function statusesOf(times: number, endpoint: Endpoint, inputOf: (nr: number) => CallInput) {
  const ask = (nr: number) => {
    const { token, address, body } = inputOf(nr)
    const app = servers[calls++ % servers.length] ?? server.http.app
    return app.inject({
      method: endpoint.method,
      url: endpoint.path,
      remoteAddress: address ?? '127.0.0.1',
      headers: token ? { authorization: `Bearer ${token}` } : {},
      payload: body ?? {},
    })
  }
  const answers = await Promise.all(Array.from({ length: times }, (_, nr) => ask(nr)))
  const counts: Record<number, number> = {}
  for (const { statusCode } of answers) counts[statusCode] = (counts[statusCode] ?? 0) + 1
  return counts
}

test('three servers allow together as many wrong passwords as one, and a server that starts knows them', async () => {
  const { email } = await server.newClient()
  const address = newAddress()
  const guess = () => ({ address, body: { email, password: 'a wrong password' } })
  expect(await statusesOf(15, authenticate, guess)).toEqual({ 400: 10, 429: 5 })
  const restarted = await startAnother(server)
  const body = { email, password: 'a long password' }
  const right = () =>
    restarted.inject({ method: 'POST', url: authenticate.path, remoteAddress: address, payload: body })
  const refused = await right()
  expect(refused.statusCode).toBe(429)
  expect(Number(refused.headers['retry-after'])).toBe(300)
  on.wait(300_000)
  expect((await right()).statusCode).toBe(200)
})

test('operators are counted apart from users, on all servers together', async () => {
  const address = newAddress()
  const guess = () => ({ address, body: { email: 'nobody@example.com', password: 'a wrong password' } })
  expect(await statusesOf(12, authenticate, guess)).toEqual({ 400: 10, 429: 2 })
  expect(await statusesOf(12, authenticateOperator, guess)).toEqual({ 400: 10, 429: 2 })
})

test('a sign-in that ends well leaves nothing counted for its account', async () => {
  const { email } = await server.newClient()
  const own = () => ({ address: '203.0.113.77', body: { email, password: 'a long password' } })
  const before = await countRows()
  for (let round = 0; round < 3; round++) expect(await statusesOf(9, authenticate, own)).toEqual({ 200: 9 })
  // The row of the address alone.
  expect(await countRows()).toBe(before + 1)
})

test('three servers allow together as many wrong codes, passwords in a session and sign-ins of an address as one', async () => {
  const { secret, open, token } = await on.enrolled()
  const tickets = await Promise.all(Array.from({ length: 24 }, open))
  const guessOf = (nr: number) => ({
    address: newAddress(),
    body: { ticket: tickets[nr], code: on.wrongFor(secret) },
  })
  expect(await statusesOf(24, completeSignIn, guessOf)).toEqual({ 422: 20, 429: 4 })
  const passwordOf = () => ({ token, address: newAddress(), body: { password: 'a wrong password' } })
  expect(await statusesOf(14, beginEnrollment, passwordOf)).toEqual({ 422: 10, 429: 4 })
  const changeOf = () => ({ token, body: { current: 'a wrong password', password: 'quite another one' } })
  expect(await statusesOf(14, changePassword, changeOf)).toMatchObject({ 429: 4 })
  const address = newAddress()
  const accountOf = (nr: number) => ({
    address,
    body: { email: `guess${nr}@example.com`, password: 'guessed' },
  })
  expect(await statusesOf(66, authenticate, accountOf)).toEqual({ 400: 60, 429: 6 })
})

test('three servers allow together as many wrong keys, links, mails and invitations as one', async () => {
  const address = newAddress()
  const keyOf = (nr: number) => ({
    address,
    body: { licenseKey: `GUESS ${nr}`, boxId: randomUUID(), model: 'test', version: '1' },
  })
  expect(await statusesOf(60, openDeviceSession, keyOf)).toEqual({ 404: 60 })
  expect(await statusesOf(6, openDeviceSession, keyOf)).toEqual({ 429: 6 })
  const playerOf = () => ({
    address,
    body: {
      playpointid: randomUUID(),
      address: 'https://shop.example',
      nonce: randomBytes(32).toString('hex'),
    },
  })
  expect(await statusesOf(60, proveServer, playerOf)).toEqual({ 404: 60 })
  expect(await statusesOf(6, proveServer, playerOf)).toEqual({ 429: 6 })
  const linkOf = () => ({ address, body: { token: 'a'.repeat(43) } })
  expect(await statusesOf(66, links.readLink, linkOf)).toMatchObject({ 429: 6 })
  const acceptOf = () => ({ address, body: { token: 'a'.repeat(43), password: 'quite another one' } })
  expect(await statusesOf(66, acceptLink, acceptOf)).toMatchObject({ 429: 6 })
  const mailOf = (nr: number) => ({ address, body: { email: `somebody${nr}@example.com` } })
  expect(await statusesOf(33, links.forgotPassword, mailOf)).toMatchObject({ 429: 3 })
  const { token } = await server.newClient()
  const inviteOf = () => ({
    token,
    body: { email: `guest${calls}@shop.example`, role: 'manager', password: 'a long password' },
  })
  // Each one with the admin's password, of which ten are tried at once and thirty in ten minutes.
  for (let round = 0; round < 3; round++)
    expect(await statusesOf(10, inviteUser, inviteOf)).toEqual({ 200: 10 })
  expect(await statusesOf(6, inviteUser, inviteOf)).toEqual({ 429: 6 })
})

test('the counts whose time has ended go, and of too many those that end first', async () => {
  await server.database.jobs.purgeCounts(new Date(server.clock.now.getTime() + 3_600_001), 1_000_000)
  expect(await countRows()).toBe(0)
  const at = server.clock.now
  for (const [nr, windowSeconds] of [60, 600, 3600].entries())
    await server.database.counts.take(Buffer.alloc(32, nr), { max: 1, windowSeconds, at })
  expect(await server.database.jobs.purgeCounts(new Date(at.getTime() + 60_000), 1)).toBe(2)
  expect(await server.database.counts.read(Buffer.alloc(32, 2), at)).toMatchObject({ count: 1 })
})

const countRows = () =>
  asSuperuser(server.superuserUrl, async superuser => {
    const { rows } = await superuser.query<{ count: number }>(
      'select count(*)::integer as count from limit_counts',
    )
    return rows[0]?.count ?? 0
  })
