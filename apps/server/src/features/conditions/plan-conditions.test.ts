import { listClientEvents } from '@floorcast/contract/client-events.ts'
import { sendEvents, sendHeartbeat } from '@floorcast/contract/device-protocol.ts'
import { makeMedia } from '@floorcast/testing/factories.ts'
import { addAirDevice, airAt, makeAir } from '@floorcast/testing/test-air.ts'
import { makeHeartbeat } from '@floorcast/testing/test-device.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { signedInUser } from '@floorcast/testing/test-users.ts'
import { expect, it } from 'vitest'
import { registerDeviceHost } from '../../device-host.ts'
import { registerClientEvents } from '../client-events/client-events-routes.ts'
import { registerGroups } from '../groups/groups-routes.ts'
import { registerPlaylists } from '../playlists/playlists-routes.ts'
import { registerPublications } from '../publications/publications-routes.ts'
import { registerSmartPlaylists } from '../smart-playlists/smart-playlists-routes.ts'
import { registerTags } from '../tags/tags-routes.ts'
import { lookAtPlans } from './plan-conditions.ts'

const server = await testServer({
  hasOwnDatabase: true,
  features: [
    registerClientEvents,
    registerGroups,
    registerPlaylists,
    registerSmartPlaylists,
    registerPublications,
    registerTags,
    registerDeviceHost,
  ],
})

const look = (at: Date) => {
  server.clock.now = at
  return lookAtPlans(server.context, at)
}
const read = async (token: string, kind: string) =>
  (await server.call(listClientEvents, { token, query: { kind } })).items

it('an ad that fell short yesterday is told once, in the afternoon of UTC', async () => {
  const air = await makeAir(server)
  const { player, play } = await addAirDevice(server, air)
  server.clock.now = airAt('12:00')
  // Of all its plays the shop made one.
  await server.call(sendEvents, { ...player, body: [play(air.plays[0] ?? 0)] as never })
  await server.call(sendHeartbeat, { token: player.token, body: makeHeartbeat() })
  const next = new Date(airAt('12:00').getTime() + 86_400_000)
  const { token } = await signedInUser(air.shop.scope, { at: next })
  await look(new Date(next.getTime() - 3_600_000))
  expect(await read(token, 'ad.short')).toEqual([])
  await look(next)
  await look(new Date(next.getTime() + 3_600_000))
  const short = await read(token, 'ad.short')
  const of = short.filter(event => 'media' in event && event.media.uid === air.ad)
  expect(of).toMatchObject([{ day: '2026-11-20', planned: air.plays.length, delivered: 1 }])
  // The other three had no play at all.
  expect(short).toHaveLength(4)
})

it('storage that is nearly full is told once, and again when it was emptied meanwhile', async () => {
  const { scope, email } = await server.newClient()
  await server.database.jobs.setSubscription(email, 'professional', new Date('2099-01-01'), new Date())
  const media = await makeMedia(scope)
  const resize = (sizeBytes: number) =>
    scope.write(writes =>
      writes
        .updateTable('mediaItems')
        .set({ previewSizeBytes: sizeBytes })
        .where('uid', '=', media.uid)
        .execute(),
    )
  const hour = (n: number) => new Date(Date.UTC(2026, 10, 21, n))
  const { token } = await signedInUser(scope, { at: hour(0) })
  await look(hour(1))
  expect(await read(token, 'storage.nearly-full')).toEqual([])
  await resize(10 ** 15)
  await look(hour(2))
  await look(hour(3))
  expect(await read(token, 'storage.nearly-full')).toMatchObject([{ limit: 10 ** 12 }])
  await resize(5)
  await look(hour(4))
  await resize(10 ** 15)
  await look(hour(5))
  expect(await read(token, 'storage.nearly-full')).toHaveLength(2)
})
