import { deleteDevice } from '@floorcast/contract/devices.ts'
import { editProfile } from '@floorcast/contract/profiles.ts'
import { makeDevice, makeMedia } from './factories.ts'
import type { Cast } from './sample-calls.ts'
import { openBox } from './test-device.ts'
import type { TestServer } from './test-server.ts'
import { newShop } from './test-shop.ts'
import { signedInUser } from './test-users.ts'

/** A client with one of each thing that a call can speak of, and a token for each way to call. */
export async function stageClient(server: TestServer) {
  const shop = await newShop(server)
  const { token, scope } = shop
  const now = server.clock.now
  await server.database.jobs.setSubscription(shop.email, 'professional', new Date('2099-01-01'), now)
  const { uid: device, licenseKey } = await makeDevice(scope)
  const { uid: binned } = await makeDevice(scope, { name: 'Binned' })
  await server.call(deleteDevice, { token, body: { uid: binned } })
  const { uid: track } = await makeMedia(scope)
  const [group, playlist] = [await shop.group(), await shop.playlist()]
  const made = { name: 'Quiet hours', type: 'audio', settings: {} }
  const profile = (await server.call(editProfile, { token, body: made })).uid ?? ''
  const publication = (await shop.publish(group, playlist)).uid ?? ''
  const { uid: user } = await signedInUser(scope)
  const cast: Cast = { device, binned, track, group, playlist, publication, profile, user }
  const box = await openBox(server, licenseKey)
  return { ...shop, cast, deviceToken: box.token }
}
export type StagedClient = Awaited<ReturnType<typeof stageClient>>
