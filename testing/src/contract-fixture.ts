import { addWebhook } from '@floorcast/contract/webhooks.ts'
import { beginAlert, endAlert } from '@floorcast/contract/alerts.ts'
import { deleteDevice } from '@floorcast/contract/devices.ts'
import { editProfile } from '@floorcast/contract/device-profiles.ts'
import { addSavedView } from '@floorcast/contract/saved-views.ts'
import { makeDevice, makeMedia } from './factories.ts'
import type { FixtureUids } from './sample-calls.ts'
import { openPlayer } from './test-device.ts'
import { newOperator } from './test-operators.ts'
import type { TestServer } from './test-server.ts'
import { newUpdateShop, type UpdateShop } from './test-updates.ts'
import { signedInUser } from './test-users.ts'

/** A client with one item of each kind that calls name, and a token for each kind of caller. */
export async function makeClientFixture(server: TestServer) {
  const shop = await newUpdateShop(server)
  const { token, scope } = shop
  const now = server.clock.now
  await server.database.jobs.setSubscription(shop.email, 'professional', new Date('2099-01-01'), now)
  const { uid: device, licenseKey } = await makeDevice(scope)
  const { uid: binned } = await makeDevice(scope, { name: 'Binned' })
  await server.call(deleteDevice, { token, body: { uid: binned } })
  const { uid: track } = await makeMedia(scope)
  const [group, playlist] = [await shop.group(), await shop.playlist()]
  const quiet = { name: 'Quiet hours', type: 'audio', settings: {} }
  const profile = (await server.call(editProfile, { token, body: quiet })).uid ?? ''
  const publication = (await shop.publish(group, playlist)).uid ?? ''
  const { uid: user } = await signedInUser(scope)
  const view = { list: 'devices', name: 'Late shops' }
  const savedView = (await server.call(addSavedView, { token, body: view })).uid ?? ''
  // Its events do not happen.
  const hook = { name: 'Tickets', url: 'https://shop.example/events', kinds: ['webhook.disabled' as const] }
  const webhook = (await server.call(addWebhook, { token, body: hook })).uid ?? ''
  const nuclear = { token, params: { uid: group, alerttype: 'nuclear' } }
  const alert = (await server.call(beginAlert, nuclear)).uid ?? ''
  await server.call(endAlert, nuclear)
  const made = {
    device,
    binned,
    track,
    group,
    playlist,
    publication,
    profile,
    user,
    savedView,
    webhook,
    alert,
  }
  const fixtures: FixtureUids = { ...made, ...(await addUpdateFixtures(shop)) }
  const player = await openPlayer(server, licenseKey)
  const streamer = await signedInUser(scope, { role: 'streamer', linkedDeviceUid: fixtures.device })
  const operator = await newOperator(server)
  const tokens = { deviceToken: player.token, streamerToken: streamer.token, operatorToken: operator.token }
  return { ...shop, fixtures, ...tokens }
}

/** Adds a draft with a file, deployed on a channel. */
async function addUpdateFixtures(shop: UpdateShop) {
  const updatePackage = await shop.addPackage()
  const { uid: updateFile = '', linkUid: updateLink = '' } = await shop.upload(updatePackage, {
    bytes: Buffer.from('a player'),
  })
  const updateChannel = await shop.addChannel()
  const deployPackage = await shop.deploy(updatePackage, updateChannel)
  return { updatePackage, updateFile, updateLink, updateChannel, deployPackage }
}
export type ClientFixture = Awaited<ReturnType<typeof makeClientFixture>>
