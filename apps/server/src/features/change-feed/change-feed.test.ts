import { beginAlert, endAlert } from '@floorcast/contract/alerts.ts'
import { addGroup } from '@floorcast/contract/groups.ts'
import { endSession } from '@floorcast/contract/auth.ts'
import { inviteUser } from '@floorcast/contract/users.ts'
import { followFeed } from '@floorcast/testing/test-feed.ts'
import { testServer, type TestServer } from '@floorcast/testing/test-server.ts'
import { beforeAll, expect, it, vi } from 'vitest'
import { registerGroups } from '../groups/groups-routes.ts'
import { registerUsers } from '../tenants/users-routes.ts'
import { registerAlerts } from '../alerts/alerts-routes.ts'
import { registerChangeFeed } from './change-feed-routes.ts'

const features = [registerGroups, registerUsers, registerAlerts, registerChangeFeed]

let server: TestServer
let address: string
beforeAll(async () => {
  server = await testServer({ hasOwnDatabase: true, features })
  address = await server.http.app.listen({ host: '127.0.0.1', port: 0 })
})
const follow = (token: string, query = '', at = address) =>
  followFeed({ origin: at, token, losses: server.losses, query })

const newGroup = async (token: string) =>
  (await server.call(addGroup, { token, params: { contentType: 'audio' }, body: { name: 'North shops' } }))
    .uid

it("the live stream tells each of a client's consoles what changed, and no other client", async () => {
  const [shop, other] = [await server.newClient(), await server.newClient()]
  const [one, two, foreign] = [await follow(shop.token), await follow(shop.token), await follow(other.token)]
  const uid = await newGroup(shop.token)
  expect(await one.next()).toEqual({ thing: 'group', uid })
  expect(await two.next()).toEqual({ thing: 'group', uid })
  const theirs = await newGroup(other.token)
  expect(await foreign.next()).toEqual({ thing: 'group', uid: theirs })
})

it('the live stream says what changed while its reader read already, and nothing of other clients', async () => {
  const [shop, other] = [await server.newClient(), await server.newClient()]
  // The server has listened for a minute.
  const real = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => real() + 60_000)
  const before = await follow(shop.token)
  const uid = await newGroup(shop.token)
  expect(await before.next()).toEqual({ thing: 'group', uid })
  await newGroup(other.token)
  const { next } = await follow(shop.token, '?readingForMs=0')
  expect(await next()).toEqual({ thing: 'group' })
  const later = await newGroup(shop.token)
  expect(await next()).toEqual({ thing: 'group', uid: later })
})

it('the live stream takes everything as changed for a reader who began before the server', async () => {
  const { token } = await server.newClient()
  const { next } = await follow(token, '?readingForMs=60000')
  const things = [await next(), await next(), await next(), await next()]
  expect(things).toEqual(['device', 'group', 'media', 'playlist'].map(thing => ({ thing })))
})

it('the live stream names alerts that begin and end, and users', async () => {
  const { token } = await server.newClient()
  const { next } = await follow(token)
  const air = { token, params: { uid: 'all', alerttype: 'air' } }
  const { uid } = await server.call(beginAlert, air)
  expect(await next()).toEqual({ thing: 'alert', uid })
  await server.call(endAlert, air)
  expect(await next()).toEqual({ thing: 'alert', uid })
  const body = { email: 'rita@shop.example', role: 'manager' }
  const invited = await server.call(inviteUser, { token, body })
  expect(await next()).toEqual({ thing: 'user', uid: invited.uid })
})

it('the live stream ends when the session does', async () => {
  const shop = await server.newClient()
  const { next } = await follow(shop.token)
  await server.call(endSession, { token: shop.token })
  expect(await next()).toBeUndefined()
})

it('the live stream is for those who are signed in', async () => {
  expect((await fetch(`${address}/api/v2/live`)).status).toBe(401)
})

it('the live stream does not keep the server from closing', async () => {
  const closing = await testServer({ hasOwnDatabase: true, features })
  const at = await closing.http.app.listen({ host: '127.0.0.1', port: 0 })
  const { token } = await closing.newClient()
  const response = await fetch(`${at}/api/v2/live`, { headers: { authorization: `Bearer ${token}` } })
  const text = response.text()
  await closing.http.app.close()
  expect(await text).toMatch(/^\{\}\n\{"retryAfterMs":\d+\}\n$/)
})

it('a server that stops tells each live stream when to connect again, also one that comes meanwhile', async () => {
  const stopping = await testServer({ hasOwnDatabase: true, features })
  const at = await stopping.http.app.listen({ host: '127.0.0.1', port: 0 })
  const { token } = await stopping.newClient()
  const streams = [await follow(token, '', at), await follow(token, '', at)]
  await stopping.http.shutdown.leave(new AbortController().signal)
  for (const { next } of [...streams, await follow(token, '', at)]) {
    const { retryAfterMs } = (await next()) as { retryAfterMs: number }
    expect(retryAfterMs).toBeLessThanOrEqual(1000)
    expect(await next()).toBeUndefined()
  }
})
