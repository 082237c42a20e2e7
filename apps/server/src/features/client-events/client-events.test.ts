import { authenticate } from '@floorcast/contract/auth.ts'
import { beginAlert, endAlert } from '@floorcast/contract/alerts.ts'
import { listClientEvents, readClientEvent } from '@floorcast/contract/client-events.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { signedInUser } from '@floorcast/testing/test-users.ts'
import { expect, it } from 'vitest'
import { purgeEvents } from '../../jobs/maintenance-queries.ts'
import { registerAlerts } from '../alerts/alerts-routes.ts'
import { registerUsers } from '../tenants/users-routes.ts'
import { addEvent } from './client-events.ts'
import { registerClientEvents } from './client-events-routes.ts'

const server = await testServer({
  hasOwnDatabase: true,
  features: [registerAlerts, registerUsers, registerClientEvents],
})

const read = (token: string, query: { after?: number; kind?: string; size?: number } = {}) =>
  server.call(listClientEvents, { token, query })

const all = { uid: 'all', alerttype: 'air' } as const

/** Begins and ends an alert: two events. */
async function alarm(token: string): Promise<void> {
  await server.call(beginAlert, { token, params: all })
  await server.call(endAlert, { token, params: all })
}

const kindsOf = ({ items }: { items: readonly { kind: string }[] }) => items.map(({ kind }) => kind)

it('events are read page by page, by kind, and by nobody else', async () => {
  const [shop, other] = [await server.newClient(), await server.newClient()]
  expect(await read(shop.token)).toEqual({ items: [], next: 0, hasMore: false })
  for (let n = 0; n < 3; n += 1) await alarm(shop.token)
  const first = await read(shop.token, { size: 4 })
  expect(kindsOf(first)).toEqual(['alert.begun', 'alert.ended', 'alert.begun', 'alert.ended'])
  expect(first.hasMore).toBe(true)
  const second = await read(shop.token, { after: first.next })
  expect([kindsOf(second), second.hasMore]).toEqual([['alert.begun', 'alert.ended'], false])
  expect(await read(shop.token, { after: second.next })).toEqual({
    items: [],
    next: second.next,
    hasMore: false,
  })
  expect(kindsOf(await read(shop.token, { kind: 'alert.ended' }))).toEqual(Array(3).fill('alert.ended'))
  expect(await read(other.token)).toEqual({ items: [], next: 0, hasMore: false })
  const params = { position: first.items[0]?.position }
  expect(await server.call(readClientEvent, { token: shop.token, params })).toEqual(first.items[0])
  expect((await server.ask(readClientEvent, { token: other.token, params })).statusCode).toBe(404)
  expect(
    (await server.ask(listClientEvents, { token: shop.token, query: { kind: 'alert' } })).statusCode,
  ).toBe(422)
})

it('a reader misses no event of transactions that overlap, and sees none of one that was rolled back', async () => {
  const { scope, token } = await server.newClient()
  const facts = { at: server.clock.now, clientId: scope.clientId }
  const expiresAt = server.clock.now.toISOString()
  const write = (n: number) =>
    scope.write(async writes => {
      addEvent(writes, facts, { kind: 'subscription.ending', expiresAt })
      // The first one ends last.
      await new Promise(resolve => setTimeout(resolve, n % 2 === 0 ? 20 : 0))
      if (n % 5 === 0) throw new Error('rolled back')
    })
  const writing = Promise.allSettled(Array.from({ length: 40 }, (_, n) => write(n)))
  let isWriting = true
  void writing.then(() => (isWriting = false))
  const seen: number[] = []
  for (let after = 0, isLast = false; !isLast;) {
    isLast = !isWriting
    const page = await read(token, { after })
    seen.push(...page.items.map(({ position }) => position))
    after = page.next
  }
  expect(seen).toHaveLength(32)
  expect(seen).toEqual(seen.toSorted((a, b) => a - b))
  expect(new Set(seen).size).toBe(32)
})

it('events are kept for 30 days, and readers of what is gone are told so', async () => {
  const { scope, token } = await server.newClient()
  await alarm(token)
  const { next } = await read(token, { size: 1 })
  const kept = server.clock.now
  server.clock.now = new Date(kept.getTime() + 1)
  await alarm(token)
  await server.database.jobs.forClient(scope.clientId).write(writes => purgeEvents(writes, server.clock.now))
  expect(await server.ask(listClientEvents, { token, query: { after: next } })).toMatchObject({
    statusCode: 410,
  })
  expect(kindsOf(await read(token))).toEqual(['alert.begun', 'alert.ended'])
  await server.database.jobs.forClient(scope.clientId).write(writes => purgeEvents(writes, kept, 1))
  expect(kindsOf(await read(token))).toEqual(['alert.ended'])
})

it('events after a restore have positions that no reader has seen', async () => {
  const { token } = await server.newClient()
  await alarm(token)
  const { next } = await read(token)
  await asSuperuser(server.superuserUrl, superuser =>
    superuser.query('insert into restorations values (gen_random_uuid(), now(), now())'),
  )
  await alarm(token)
  const { items } = await read(token, { after: next + 500_000 })
  expect(items).toHaveLength(2)
})

it('a sign-in from a new network is told to admins alone', async () => {
  const shop = await server.newClient()
  const { token: manager } = await signedInUser(shop.scope, { role: 'manager' })
  const enter = (address: string) =>
    server.call(authenticate, { address, body: { email: shop.email, password: 'a long password' } })
  await enter('203.0.113.7')
  await enter('203.0.113.7')
  const user = { uid: shop.uid, name: shop.email }
  expect((await read(shop.token)).items).toMatchObject([{ kind: 'user.new-network', user }])
  const seen = await read(manager)
  expect([seen.items, seen.next]).toEqual([[], 1])
})
