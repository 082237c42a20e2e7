import { makeHeartbeat, makePlay, openPlayer, openChannel } from '@floorcast/testing/test-device.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { wholeServer } from '@floorcast/testing/whole-server.ts'
import { newShop } from '@floorcast/testing/test-shop.ts'
import { authenticate } from '@floorcast/contract/auth.ts'
import { listMedia } from '@floorcast/contract/media.ts'
import { addDevice, readDevice } from '@floorcast/contract/devices.ts'
import { sendEvents, sendHeartbeat } from '@floorcast/contract/device-protocol.ts'
import { expect, test, vi } from 'vitest'

const server = await wholeServer()
const origin = await server.http.app.listen({ port: 0, host: '127.0.0.1' })
const databaseName = new URL(server.url).pathname.slice(1)

/** Lets nobody into the database and ends who is in, or opens it again. */
const setOpen = (isOpen: boolean) =>
  asSuperuser(
    Object.assign(new URL(server.superuserUrl), { pathname: '/postgres' }).href,
    async superuser => {
      await superuser.query(`alter database ${databaseName} with allow_connections ${isOpen}`)
      if (isOpen) return
      await superuser.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
        databaseName,
      ])
    },
  )

const patience = { timeout: 30_000, interval: 100 }

test('while the database is away every call answers 503, and all of it comes back with it', async () => {
  const shop = await newShop(server)
  const { token } = shop
  const params = { contentType: 'audio' }
  const { uid = '' } = await server.call(addDevice, { token, params, body: { name: 'Till radio' } })
  const { licenseKey } = await server.call(readDevice, { token, params: { id: uid } })
  const player = await openPlayer(server, licenseKey ?? '')
  const channel = await openChannel(origin, uid, player.token)
  const live = await fetch(`${origin}/api/v2/live`, { headers: { authorization: `Bearer ${token}` } })
  const device = { token: player.token, params: player.params }
  const askAll = () =>
    Promise.all([
      server.ask(listMedia, { token, params: { contentType: 'melodies' } }),
      server.ask(authenticate, { body: { email: shop.email, password: 'a long password' } }),
      server.ask(sendHeartbeat, { ...device, body: makeHeartbeat() }),
      server.ask(sendEvents, { ...device, body: [makePlay(1)] }),
    ])

  await setOpen(false)
  for (const answer of await askAll()) {
    expect(answer.statusCode).toBe(503)
    expect(answer.headers['content-type']).toContain('application/problem+json')
    expect(answer.headers['retry-after']).toBe('5')
    expect(answer.json()).toMatchObject({ status: 503, code: 'database-away' })
  }
  await expect(openChannel(origin, uid, player.token)).rejects.toThrow('HTTP 503')

  await setOpen(true)
  // The change feed ends, so that the console reads everything again; the channel stays open and gets changes.
  await vi.waitFor(
    async () => expect((await askAll()).map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]),
    patience,
  )
  expect(await live.text()).toContain('{}\n')
  const groupUid = await shop.group()
  await shop.turnGroup(groupUid)
  await server.http.app.inject({
    url: `/action/add/${uid}/to/${groupUid}`,
    headers: { authorization: `Bearer ${token}` },
  })
  await vi.waitFor(() => expect(channel.heard.some(({ type }) => type === 'manifest')).toBe(true), patience)
})
