import { readFileSync } from 'node:fs'
import { buildPath } from '@floorcast/contract/client.ts'
import { readDeviceMedia, readDevicePicture, readManifest } from '@floorcast/contract/device-protocol.ts'
import { addToGroup } from '@floorcast/contract/groups.ts'
import { readMedia } from '@floorcast/contract/media.ts'
import { changeProfileState, editProfile } from '@floorcast/contract/device-profiles.ts'
import { addTrack } from '@floorcast/contract/playlists.ts'
import { deletePublication } from '@floorcast/contract/publications.ts'
import { makeDevice } from '@floorcast/testing/factories.ts'
import { imageFixtures, mp3Fixtures } from '@floorcast/testing/media-fixtures.ts'
import { makeSong } from '@floorcast/testing/media-song.ts'
import { uploader } from '@floorcast/testing/media-upload-form.ts'
import { openPlayer } from '@floorcast/testing/test-device.ts'
import { testServer, startAnother } from '@floorcast/testing/test-server.ts'
import { newShop, type Shop } from '@floorcast/testing/test-shop.ts'
import { expect, test, vi } from 'vitest'
import { registerGroups } from '../groups/groups-routes.ts'
import { registerLibrary } from '../../library.ts'
import { registerPlaylists } from '../playlists/playlists-routes.ts'
import { registerPublications } from '../publications/publications-routes.ts'
import { registerDeviceProfiles } from '../device-profiles/device-profiles-routes.ts'
import { registerDeviceHost } from '../../device-host.ts'

const server = await testServer({
  hasOwnDatabase: true,
  features: [
    registerGroups,
    registerLibrary,
    registerPlaylists,
    registerPublications,
    registerDeviceProfiles,
    registerDeviceHost,
  ],
})
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
  const { uid: publication = '' } = await shop.publish(group, playlist)
  await shop.turn(publication)
  const device = await makeDevice(shop.scope)
  await server.call(addToGroup, { token, params: { device: device.uid, group } })
  const player = await openPlayer(server, device.licenseKey)
  return { shop, group, publication, player, uid, hash }
}

/** Uploads another file of the client. @returns its item and its hash */
async function uploadOther({ token }: Shop, note: number) {
  const bytes = makeSong({ notes: [note, 3], seconds: 8 })
  const { uid = '' } = await uploader(server).upload(token, 'melodies', { bytes, name: `${note} notes.mp3` })
  const { hash } = await server.call(readMedia, { token, params: { contentType: 'melodies', uid } })
  return { uid, sha256: hash }
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

test('a device takes the preview image of a file that it plays, and of no other', async () => {
  const [mine, theirs] = [await playingShop(), await playingShop()]
  const preview = imageFixtures[0].path
  const picture = (of: typeof mine) =>
    server.http.app.inject({
      url: buildPath(readDevicePicture.path, { uid: of.uid, sha256: of.hash }),
      headers: { authorization: `Bearer ${mine.player.token}` },
    })
  expect((await picture(mine)).statusCode).toBe(204)
  for (const { shop, uid } of [mine, theirs])
    await uploader(server).upload(shop.token, 'melodies', { fields: { uid }, preview })
  const own = await picture(mine)
  expect([own.statusCode, own.headers['content-type']]).toEqual([200, 'image/png'])
  expect(own.rawPayload.equals(readFileSync(preview))).toBe(true)
  expect((await picture(theirs)).statusCode).toBe(404)
  const other = await uploadOther(mine.shop, 7)
  await uploader(server).upload(mine.shop.token, 'melodies', { fields: { uid: other.uid }, preview })
  expect((await picture({ ...mine, uid: other.uid, hash: other.sha256 })).statusCode).toBe(404)
  expect((await picture({ ...mine, uid: other.uid })).statusCode).toBe(404)
})

test('a device takes no file of another client, and none by another hash', async () => {
  const [mine, theirs] = [await playingShop(), await playingShop()]
  const foreign = await get(mine.player.token, { uid: theirs.uid, sha256: theirs.hash })
  const wrong = await get(mine.player.token, { uid: mine.uid, sha256: 'a'.repeat(64) })
  expect([foreign.statusCode, wrong.statusCode]).toEqual([404, 404])
})

test('a device takes no file that no manifest of its group names', async () => {
  const { shop, player, uid, hash } = await playingShop()
  const other = await uploadOther(shop, 5)
  const statuses = async () => {
    const answers = [await get(player.token, { uid, sha256: hash }), await get(player.token, other)]
    return answers.map(({ statusCode }) => statusCode)
  }
  expect(await statuses()).toEqual([200, 404])
  await server.call(readManifest, player)
  expect(await statuses()).toEqual([200, 404])
  const { licenseKey } = await makeDevice(shop.scope)
  const loner = await openPlayer(server, licenseKey)
  expect((await get(loner.token, { uid, sha256: hash })).statusCode).toBe(404)
})

test('a device takes the sounds of its group’s alerts, and from a server that has just started', async () => {
  const { shop, group, player, uid, hash } = await playingShop()
  const { token } = shop
  const sound = await uploadOther(shop, 6)
  const settings = { airMedia: sound.uid }
  const body = { name: 'Loud alarm', type: 'alert' as const, settings, groupUids: [group] }
  const profile = await server.call(editProfile, { token, body })
  await server.call(changeProfileState, { token, params: { id: profile.uid ?? '' } })
  await server.call(readManifest, player)
  expect((await get(player.token, sound)).statusCode).toBe(200)
  const another = await startAnother(server)
  const headers = { authorization: `Bearer ${player.token}` }
  for (const file of [sound, { uid, sha256: hash }])
    expect((await another.inject({ url: buildPath(readDeviceMedia.path, file), headers })).statusCode).toBe(
      200,
    )
})

test('a device that holds a former manifest still takes its files', async () => {
  const { shop, publication, player, uid, hash } = await playingShop()
  const { token } = shop
  const file = { uid, sha256: hash }
  const status = async () => (await get(player.token, file)).statusCode
  await server.call(readManifest, player)
  await shop.turn(publication)
  await server.call(readManifest, player)
  expect(await status()).toBe(200)
  await server.call(deletePublication, {
    token,
    params: { contentType: 'audio' },
    body: { uid: publication },
  })
  await server.call(readManifest, player)
  expect(await status()).toBe(200)
  // A server that has just started knows no former manifest.
  const another = await startAnother(server)
  const headers = { authorization: `Bearer ${player.token}` }
  expect((await another.inject({ url: buildPath(readDeviceMedia.path, file), headers })).statusCode).toBe(404)
})

test('the right to a file that the manifest names costs no read of the database', async () => {
  const { shop, player, uid, hash } = await playingShop()
  await server.call(readManifest, player)
  const scope = server.database.devices.forClient(shop.scope.clientId)
  const statements = vi.spyOn(scope.reads, 'getExecutor')
  expect((await get(player.token, { uid, sha256: hash })).statusCode).toBe(200)
  expect(statements).not.toHaveBeenCalled()
  expect((await get(player.token, { uid, sha256: 'a'.repeat(64) })).statusCode).toBe(404)
  expect(statements).toHaveBeenCalledOnce()
  statements.mockRestore()
})
