import { readFileSync } from 'node:fs'
import { buildPath } from '@floorcast/contract/client.ts'
import { readDeviceMedia } from '@floorcast/contract/device-protocol.ts'
import { addToGroup } from '@floorcast/contract/groups.ts'
import { readMedia } from '@floorcast/contract/media.ts'
import { addTrack } from '@floorcast/contract/playlists.ts'
import { makeDevice } from '@floorcast/testing/factories.ts'
import { mp3Fixtures } from '@floorcast/testing/media-fixtures.ts'
import { uploader } from '@floorcast/testing/media-upload-form.ts'
import { openPlayer } from '@floorcast/testing/test-device.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { newShop } from '@floorcast/testing/test-shop.ts'
import { expect, test } from 'vitest'

const server = await testServer()
const bytes = readFileSync(mp3Fixtures.cbrStereo.path)

/** A device in a group, and an uploaded file in a playlist that is on the air there. */
async function playingShop() {
  const shop = await newShop(server)
  const { token } = shop
  const { uid = '' } = await uploader(server).upload(token, 'melodies', { path: mp3Fixtures.cbrStereo.path })
  const { hash } = await server.call(readMedia, { token, params: { contentType: 'melodies', uid } })
  const [group, playlist] = [await shop.group(), await shop.emptyPlaylist()]
  await server.call(addTrack, { token, params: { track: uid, playlist } })
  await shop.turnGroup(group)
  await shop.turnPlaylist(playlist)
  await shop.turn((await shop.publish(group, playlist)).uid ?? '')
  const device = await makeDevice(shop.scope)
  await server.call(addToGroup, { token, params: { device: device.uid, group } })
  const player = await openPlayer(server, device.licenseKey)
  return { player, uid, hash }
}

const get = (token: string, file: { uid: string; sha256: string }, headers: Record<string, string> = {}) =>
  server.http.app.inject({
    url: buildPath(readDeviceMedia.path, file),
    headers: { authorization: `Bearer ${token}`, ...headers },
  })

test('a device takes the files that are published to its client, whole or from where it stopped', async () => {
  const { player, uid, hash } = await playingShop()
  const whole = await get(player.token, { uid, sha256: hash })
  expect([whole.statusCode, whole.headers['etag']]).toEqual([200, `"${hash}"`])
  expect(whole.rawPayload.equals(bytes)).toBe(true)
  const rest = await get(player.token, { uid, sha256: hash }, { range: 'bytes=1000-' })
  expect([rest.statusCode, rest.rawPayload.equals(bytes.subarray(1000))]).toEqual([206, true])
})

test('a device takes no file of another client, and none by another hash', async () => {
  const [mine, theirs] = [await playingShop(), await playingShop()]
  const foreign = await get(mine.player.token, { uid: theirs.uid, sha256: theirs.hash })
  const wrong = await get(mine.player.token, { uid: mine.uid, sha256: 'a'.repeat(64) })
  expect([foreign.statusCode, wrong.statusCode]).toEqual([404, 404])
})
