import { readManifest, sendHeartbeat } from '@floorcast/contract/device-protocol.ts'
import { deleteDevice, listDevices } from '@floorcast/contract/devices.ts'
import { addToGroup, removeFromGroup } from '@floorcast/contract/groups.ts'
import { readListening, readListeningMedia } from '@floorcast/contract/listening.ts'
import { PROTOCOL } from '@floorcast/contract/manifest.ts'
import { readMedia } from '@floorcast/contract/media.ts'
import { addTrack } from '@floorcast/contract/playlists.ts'
import { eventually } from '@floorcast/testing/eventually.ts'
import { makeDevice } from '@floorcast/testing/factories.ts'
import { mp3Fixtures } from '@floorcast/testing/media-fixtures.ts'
import { uploader } from '@floorcast/testing/media-upload-form.ts'
import { changedTables, watchTables } from '@floorcast/testing/table-checksums.ts'
import { makeHeartbeat, openPlayer } from '@floorcast/testing/test-device.ts'
import { readPlayerManifest } from '@floorcast/testing/test-manifests.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { newShop } from '@floorcast/testing/test-shop.ts'
import { signedInUser } from '@floorcast/testing/test-users.ts'
import { expect, it } from 'vitest'
import { registerDevices } from '../devices/devices-routes.ts'
import { registerGroups } from '../groups/groups-routes.ts'
import { registerLibrary } from '../../library.ts'
import { registerPlaylists } from '../playlists/playlists-routes.ts'
import { registerPublications } from '../publications/publications-routes.ts'
import { registerDeviceHost } from '../../device-host.ts'

const server = await testServer({
  hasOwnDatabase: true,
  features: [
    registerDevices,
    registerGroups,
    registerLibrary,
    registerPlaylists,
    registerPublications,
    registerDeviceHost,
  ],
})
const hash = await watchTables(server.superuserUrl)

/** Manifests are made when someone asks. */
const MADE_MEANWHILE = ['device_manifests', 'group_manifests', 'programmes']

/** A device that plays a published file, and a manager with the right to view. */
async function playingShop() {
  const shop = await newShop(server)
  const { token } = shop
  const { uid: track = '' } = await uploader(server).upload(token, 'melodies', {
    path: mp3Fixtures.cbrStereo.path,
  })
  const card = () => server.call(readMedia, { token, params: { contentType: 'melodies', uid: track } })
  // The loudness is part of a manifest.
  await eventually(async () => expect((await card()).loudnessState).toBe('measured'))
  const { hash: sha256 } = await card()
  const [group, playlist] = [await shop.group(), await shop.emptyPlaylist()]
  await server.call(addTrack, { token, params: { track, playlist } })
  await shop.turnGroup(group)
  await shop.turnPlaylist(playlist)
  const { uid: publication = '' } = await shop.publish(group, playlist)
  await shop.turn(publication)
  const device = await makeDevice(shop.scope)
  await server.call(addToGroup, { token, params: { device: device.uid, group } })
  const player = await openPlayer(server, device.licenseKey)
  const listener = await signedInUser(shop.scope, { role: 'manager', rights: 'view' })
  const params = { uid: device.uid }
  const file = { mediaUid: track, sha256 }
  return { shop, group, device, player, listener, params, file }
}

it('a manager gets what the device plays, its manifest and its files', async () => {
  const { device, player, listener, params, file } = await playingShop()
  const { token } = listener
  const nowPlaying = {
    name: 'Song',
    mediaUid: file.mediaUid,
    contentType: 'melodies' as const,
    startedAt: server.clock.now.toISOString(),
    offsetSeconds: 0,
    durationSeconds: 20,
  }
  await server.call(sendHeartbeat, { ...player, body: makeHeartbeat({ nowPlaying }) })
  const state = await server.call(readListening, { token, params })
  expect(state).toMatchObject({ connectivity: 'online', nowPlaying, silentBecause: null })
  expect(state.serverTime).toBe(server.clock.now.toISOString())
  const own = await readPlayerManifest(server, player)
  expect(state.manifest?.etag).toBe(own.etag)
  expect(state.manifest?.content).toEqual(own.sent)
  const [programme] = own.sent.publications
  const text = state.manifest?.programmes[programme?.programme ?? ''] ?? 'null'
  expect(JSON.parse(text)).toMatchObject({ files: [{ sha256: file.sha256 }] })
  const held = { token, params, query: { held: own.etag } }
  expect((await server.call(readListening, held)).manifest).toBeNull()
  const bytes = await server.ask(readListeningMedia, { token, params: { uid: device.uid, ...file } })
  expect([bytes.statusCode, bytes.headers['content-type'], bytes.headers['etag']]).toEqual([
    200,
    'audio/mpeg',
    `"${file.sha256}"`,
  ])
})

it('changes nothing: the device reports on, and a device that was never up stays so', async () => {
  const { shop, device, player, listener, params, file } = await playingShop()
  const { token } = listener
  await server.call(sendHeartbeat, { ...player, body: makeHeartbeat() })
  await readPlayerManifest(server, player)
  const silent = await makeDevice(shop.scope, { name: 'Never up' })
  await server.call(readListening, { token, params: { uid: silent.uid } })
  const before = await hash()
  const { connectivity } = await server.call(readListening, { token, params: { uid: silent.uid } })
  await server.call(readListening, { token, params })
  await server.ask(readListeningMedia, { token, params: { uid: device.uid, ...file } })
  const changed = changedTables(before, await hash()).filter(table => !MADE_MEANWHILE.includes(table))
  expect([connectivity, changed]).toEqual(['neverup', []])
  expect((await server.ask(sendHeartbeat, { ...player, body: makeHeartbeat() })).statusCode).toBe(200)
  const query = { connectivity: 'neverup' }
  expect((await server.call(listDevices, { token, query })).items).toMatchObject([{ uid: silent.uid }])
})

it('the device’s own token and a streamer open nothing; nor does a listener’s token open the device’s calls', async () => {
  const { shop, device, player, listener, params, file } = await playingShop()
  const streamer = await signedInUser(shop.scope, { role: 'streamer', linkedDeviceUid: device.uid })
  const statuses = async (token: string) => [
    (await server.ask(readListening, { token, params })).statusCode,
    (await server.ask(readListeningMedia, { token, params: { uid: device.uid, ...file } })).statusCode,
  ]
  expect(await statuses(player.token)).toEqual([401, 401])
  expect(await statuses(streamer.token)).toEqual([403, 403])
  const { token } = listener
  expect((await server.ask(sendHeartbeat, { token, body: makeHeartbeat() })).statusCode).toBe(401)
  const query = { protocol: PROTOCOL }
  expect((await server.ask(readManifest, { token, params: player.params, query })).statusCode).toBe(401)
})

it('another client’s device and file, one that left its group and one in the recycle bin are not found', async () => {
  const [mine, theirs] = [await playingShop(), await playingShop()]
  const { token } = mine.listener
  const status = async (params: object) => (await server.ask(readListening, { token, params })).statusCode
  const fileStatus = async (uid: string, file: object) =>
    (await server.ask(readListeningMedia, { token, params: { uid, ...file } })).statusCode
  const { uid } = mine.device
  expect([await status(mine.params), await status(theirs.params)]).toEqual([200, 404])
  expect(await fileStatus(uid, mine.file)).toBe(200)
  expect([await fileStatus(uid, theirs.file), await fileStatus(theirs.device.uid, theirs.file)]).toEqual([
    404, 404,
  ])
  const admin = mine.shop.token
  await server.call(removeFromGroup, { token: admin, params: { device: uid, group: mine.group } })
  expect([await status(mine.params), await fileStatus(uid, mine.file)]).toEqual([200, 404])
  await server.call(deleteDevice, { token: admin, body: { uid } })
  expect(await status(mine.params)).toBe(404)
})
