import { readAudit } from '@floorcast/contract/audit.ts'
import { authenticate } from '@floorcast/contract/auth.ts'
import { eventually } from '@floorcast/testing/eventually.ts'
import { testServer, type TestServer } from '@floorcast/testing/test-server.ts'
import { beforeAll, expect, it } from 'vitest'
import { registerMailedLinks } from './mailed-links-routes.ts'
import { registerAudit } from '../audit/audit-routes.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer({ features: [registerMailedLinks, registerAudit] })
})

let networks = 0
/** Guesses a password from an address, each time from another network. */
const guess = (email: string) =>
  server.ask(authenticate, { address: `10.1.${++networks}.1`, body: { email, password: 'a wrong password' } })

async function failuresOf(token: string) {
  const { items } = await server.call(readAudit, { token, params: { id: 'all' }, query: { size: 100 } })
  return items.filter(entry => entry.class === 'sign-in-failed')
}

it('a failed sign-in stands in the audit of the account’s client, with the account and the address, and in no other', async () => {
  const [shop, other] = [await server.newClient(), await server.newClient()]
  expect((await guess(shop.email)).statusCode).toBe(400)
  await eventually(async () => expect(await failuresOf(shop.token)).toHaveLength(1))
  expect(await failuresOf(shop.token)).toMatchObject([
    {
      thingUid: shop.uid,
      thingName: shop.email,
      userUid: null,
      changes: { address: [null, `10.1.${networks}.1`] },
    },
  ])
  expect(await failuresOf(other.token)).toEqual([])
})

it('a failed sign-in is recorded five times an hour for an account, however many guess', async () => {
  const shop = await server.newClient()
  await Promise.all(Array.from({ length: 8 }, () => guess(shop.email)))
  await eventually(async () => expect(await failuresOf(shop.token)).toHaveLength(5))
  const { now } = server.clock
  server.clock.now = new Date(now.getTime() + 3_601_000)
  await guess(shop.email)
  await eventually(async () => expect(await failuresOf(shop.token)).toHaveLength(6))
  server.clock.now = now
})

it('a failed sign-in of an email that nobody has answers alike', async () => {
  const shop = await server.newClient()
  const [known, unknown] = [await guess(shop.email), await guess('nobody@example.com')]
  expect(unknown.statusCode).toBe(known.statusCode)
  const ids = { id: expect.any(String) as string, instance: expect.any(String) as string }
  expect(unknown.json()).toEqual({ ...known.json<object>(), ...ids })
})
