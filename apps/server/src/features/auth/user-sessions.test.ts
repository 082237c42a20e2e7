import { readAudit } from '@floorcast/contract/audit.ts'
import { authenticate, readSession } from '@floorcast/contract/auth.ts'
import * as contract from '@floorcast/contract/sessions.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { testServer, type TestServer } from '@floorcast/testing/test-server.ts'
import { signedInUser } from '@floorcast/testing/test-users.ts'
import { beforeAll, expect, it } from 'vitest'
import { registerMailedLinks } from './mailed-links-routes.ts'
import { registerAudit } from '../audit/audit-routes.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer({ hasOwnDatabase: true, features: [registerMailedLinks, registerAudit] })
})

async function newShop() {
  const shop = await server.newClient()
  const signIn = async (userAgent: string, remoteAddress: string) => {
    const answer = await server.http.app.inject({
      method: 'POST',
      url: authenticate.path,
      remoteAddress,
      headers: { 'user-agent': userAgent },
      payload: { email: shop.email, password: 'a long password' },
    })
    return answer.json<{ data: { token: string } }>().data.token
  }
  const list = (token = shop.token) => server.call(contract.listOwnSessions, { token })
  const isValid = async (token: string) => (await server.ask(readSession, { token })).statusCode === 200
  return { ...shop, signIn, list, isValid }
}
const later = (seconds: number) => {
  server.clock.now = new Date(server.clock.now.getTime() + seconds * 1000)
}

it('the sessions of a user are listed with browser, address, last use, and which one this is', async () => {
  const shop = await newShop()
  const began = server.clock.now.toISOString()
  later(1)
  const phone = await shop.signIn('Phone/1.0', '10.2.0.1')
  expect(await shop.list(phone)).toMatchObject([
    { userAgent: 'Phone/1.0', address: '10.2.0.1', isCurrent: true },
    { isCurrent: false, address: '127.0.0.1', createdAt: began },
  ])
  expect((await shop.list()).map(({ isCurrent }) => isCurrent)).toEqual([false, true])
})

it('the sessions of a user store their last use, with its address, at most once a minute', async () => {
  const shop = await newShop()
  const use = (address: string) => server.ask(readSession, { token: shop.token, address })
  const stored = () =>
    asSuperuser(server.superuserUrl, async superuser => {
      const { rows } = await superuser.query<{ address: string; last_used_at: Date }>(
        'select address, last_used_at from sessions where user_uid = $1',
        [shop.uid],
      )
      return rows[0]
    })
  const first = await stored()
  later(59)
  await use('10.2.0.2')
  expect(await stored()).toEqual(first)
  later(2)
  await use('10.2.0.3')
  const second = await stored()
  expect(second).toMatchObject({ address: '10.2.0.3' })
  await use('10.2.0.4')
  expect(await stored()).toEqual(second)
})

it('the sessions of a user end one by one, or all others at once, and the audit says so', async () => {
  const shop = await newShop()
  const [phone, tablet] = [
    await shop.signIn('Phone/1.0', '10.2.0.1'),
    await shop.signIn('Tablet', '10.2.0.1'),
  ]
  const uid = (await shop.list()).find(({ userAgent }) => userAgent === 'Phone/1.0')?.uid ?? ''
  await server.call(contract.endOwnSession, { token: shop.token, params: { uid } })
  expect([await shop.isValid(phone), await shop.isValid(tablet)]).toEqual([false, true])
  const again = await server.ask(contract.endOwnSession, { token: shop.token, params: { uid } })
  expect(again.statusCode).toBe(404)
  await server.call(contract.endOtherSessions, { token: shop.token })
  expect([await shop.isValid(tablet), await shop.isValid(shop.token)]).toEqual([false, true])
  expect(await shop.list()).toHaveLength(1)
  const { items } = await server.call(readAudit, { token: shop.token, params: { id: shop.uid } })
  expect(items.map(entry => entry.class).slice(0, 2)).toEqual(['end-sessions', 'end-session'])
})

it('the sessions of a user are the user’s own: nobody else ends them', async () => {
  const [shop, other] = [await newShop(), await newShop()]
  const colleague = await signedInUser(shop.scope)
  const [session] = await shop.list()
  for (const { token } of [colleague, other]) {
    const params = { uid: session?.uid ?? '' }
    expect((await server.ask(contract.endOwnSession, { token, params })).statusCode).toBe(404)
  }
  expect(await shop.isValid(shop.token)).toBe(true)
})

it('the sessions of a user are listed and ended by an admin of the client, and by no other', async () => {
  const [shop, other] = [await newShop(), await newShop()]
  const colleague = await signedInUser(shop.scope)
  const params = { uid: colleague.uid }
  const body = { password: 'a long password' }
  expect(await server.call(contract.listUserSessions, { token: shop.token, params })).toHaveLength(1)
  for (const [token, status] of [
    [colleague.token, 403],
    [other.token, 404],
  ] as const) {
    expect((await server.ask(contract.listUserSessions, { token, params })).statusCode).toBe(status)
    expect((await server.ask(contract.endUserSessions, { token, params, body })).statusCode).toBe(status)
  }
  const viewer = await signedInUser(shop.scope, { role: 'admin', rights: 'view' })
  const refused = await server.ask(contract.endUserSessions, { token: viewer.token, params, body })
  expect(refused.statusCode).toBe(403)
  expect(await shop.isValid(colleague.token)).toBe(true)
  for (let guess = 0; guess < 10; guess += 1) {
    const wrong = { token: shop.token, params, body: { password: 'a wrong password' } }
    expect((await server.ask(contract.endUserSessions, wrong)).statusCode).toBe(422)
  }
  expect((await server.ask(contract.endUserSessions, { token: shop.token, params, body })).statusCode).toBe(
    429,
  )
  expect(await shop.isValid(colleague.token)).toBe(true)
  later(11 * 60)
  await server.call(contract.endUserSessions, { token: shop.token, params, body })
  expect(await shop.isValid(colleague.token)).toBe(false)
  expect(await shop.isValid(shop.token)).toBe(true)
})
