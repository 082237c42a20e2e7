import { readAudit } from '@floorcast/contract/audit.ts'
import { sendHeartbeat } from '@floorcast/contract/device-protocol.ts'
import { readMedia } from '@floorcast/contract/media.ts'
import { readDevice, resetHeartbeat, resetLicense } from '@floorcast/contract/devices.ts'
import { addToGroup, deleteGroup } from '@floorcast/contract/groups.ts'
import { restore } from '@floorcast/contract/recycle-bin.ts'
import { addTag, editTag, deleteTag, importTags } from '@floorcast/contract/tag-calls.ts'
import { makeDevice } from '@floorcast/testing/factories.ts'
import { imageFixtures, mp3Fixtures } from '@floorcast/testing/media-fixtures.ts'
import { uploader } from '@floorcast/testing/media-upload-form.ts'
import { makeHeartbeat, openPlayer } from '@floorcast/testing/test-device.ts'
import { testServer, type TestServer } from '@floorcast/testing/test-server.ts'
import { newShop, readyPublication } from '@floorcast/testing/test-shop.ts'
import { beforeAll, expect, it } from 'vitest'
import { registerDevices } from '../devices/devices-routes.ts'
import { registerGroups } from '../groups/groups-routes.ts'
import { registerLibrary } from '../../library.ts'
import { registerPlaylists } from '../playlists/playlists-routes.ts'
import { registerPublications } from '../publications/publications-routes.ts'
import { registerTags } from '../tags/tags-routes.ts'
import { registerRecycleBin } from '../recycle-bin/recycle-bin-routes.ts'
import { registerAudit } from './audit-routes.ts'
import { registerDeviceHost } from '../../device-host.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer({
    features: [
      registerDevices,
      registerGroups,
      registerLibrary,
      registerPlaylists,
      registerPublications,
      registerTags,
      registerRecycleBin,
      registerAudit,
      registerDeviceHost,
    ],
  })
})

/** The newest entries of an entity, newest first. */
async function written(token: string, id: string, size = 1) {
  const { items } = await server.call(readAudit, { token, params: { id }, query: { size } })
  return items.map(({ class: action, changes }) => ({ action, changes }))
}

it('the audit has before and after of a delayed start that is moved, and of its end', async () => {
  const shop = await newShop(server)
  const { uid } = await readyPublication(shop)
  const [wall, instant] = ['2040-01-02T09:00:00', '2040-01-03T09:00:00.000Z']
  await shop.delay(uid, wall)
  await shop.delay(uid, instant)
  await shop.turn(uid)
  expect(await written(shop.token, uid, 3)).toEqual([
    { action: 'turn-off', changes: { state: ['delayed', 'disabled'], startsAt: [instant, null] } },
    { action: 'delay', changes: { startsAt: [wall, instant] } },
    { action: 'delay', changes: { state: ['disabled', 'delayed'], startsAt: [null, wall] } },
  ])
})

it('the audit has before and after of a tag’s description', async () => {
  const { token, scope } = await newShop(server)
  const { uid } = await makeDevice(scope)
  const params = { contentType: 'device', uid }
  const tag = { key: 'city', value: 'Rome' }
  await server.call(addTag, { token, params, body: { ...tag, description: 'Its seat' } })
  await server.call(editTag, { token, params, body: { key: 'city', description: 'The seat' } })
  const entry = { contentType: 'device' as const, uid, ...tag, description: 'The shop' }
  await server.call(importTags, { token, body: [entry] })
  await server.call(deleteTag, { token, params, body: { key: 'city' } })
  const of = 'city (description)'
  expect(await written(token, uid, 4)).toEqual([
    { action: 'delete-tag', changes: { city: ['Rome', null], [of]: ['The shop', null] } },
    { action: 'edit-tag', changes: { [of]: ['The seat', 'The shop'] } },
    { action: 'edit-tag', changes: { [of]: ['Its seat', 'The seat'] } },
    { action: 'add-tag', changes: { city: [null, 'Rome'], [of]: [null, 'Its seat'] } },
  ])
})

it('the audit has before and after of a contact that is forgotten, and of a license that is taken from its player', async () => {
  const { token, scope } = await newShop(server)
  const { uid, licenseKey } = await makeDevice(scope)
  const player = await openPlayer(server, licenseKey)
  await server.call(sendHeartbeat, { token: player.token, body: makeHeartbeat() })
  const { lastContactAt, licenseBoundAt } = await server.call(readDevice, { token, params: { id: uid } })
  await server.call(resetHeartbeat, { token, params: { id: uid } })
  const { licenseKey: renewed } = await server.call(resetLicense, { token, params: { uid } })
  expect(await written(token, uid, 2)).toEqual([
    { action: 'reset-license', changes: { licenseBoundAt: [licenseBoundAt, null] } },
    { action: 'reset-heartbeat', changes: { lastContactAt: [lastContactAt, null] } },
  ])
  expect(JSON.stringify(await written(token, uid, 2))).not.toContain(renewed)
})

it('the audit has before and after of the devices that a deleted group lets go, and of those that come back with it', async () => {
  const { token, scope, group } = await newShop(server)
  const uid = await group()
  const device = await makeDevice(scope)
  await server.call(addToGroup, { token, params: { device: device.uid, group: uid } })
  await server.call(deleteGroup, { token, body: { uid } })
  await server.call(restore, { token, params: { contentType: 'groups', uid } })
  expect(await written(token, uid, 2)).toEqual([
    { action: 'restore', changes: { deviceCount: [0, 1] } },
    { action: 'delete', changes: { deviceCount: [1, 0] } },
  ])
  expect(await written(token, device.uid, 3)).toEqual([
    { action: 'join-group', changes: { groupUid: [null, uid] } },
    { action: 'leave-group', changes: { groupUid: [uid, null] } },
    { action: 'join-group', changes: { groupUid: [null, uid] } },
  ])
})

it('the audit has before and after of a media item’s file, its description and its preview', async () => {
  const { token } = await newShop(server)
  const { upload } = uploader(server)
  const { uid = '' } = await upload(token, 'ads', { path: mp3Fixtures.mono.path, name: 'Spring.mp3' })
  const params = { contentType: 'ads', uid }
  const first = await server.call(readMedia, { token, params })
  const fields = { uid, description: 'Louder' }
  await upload(token, 'ads', { path: mp3Fixtures.mpeg2.path, name: 'Spring 2.mp3', fields })
  const second = await server.call(readMedia, { token, params })
  await upload(token, 'ads', { preview: imageFixtures[0]?.path ?? '', fields: { uid } })
  const pair = (field: 'originalName' | 'hash' | 'sizeBytes') => ({
    [field]: [first[field], second[field]],
  })
  // Both files are of the same length, which is then no change.
  const replaced = {
    ...pair('originalName'),
    ...pair('hash'),
    ...pair('sizeBytes'),
    version: [1, 2],
    description: ['', 'Louder'],
  }
  const credits = ['artist', 'title', 'isrc', 'composer', 'publisher', 'invalidIsrc']
  const added = {
    ...Object.fromEntries(credits.map(credit => [credit, [null, '']])),
    contentType: [null, 'ads'],
    name: [null, 'Spring'],
    description: [null, ''],
    originalName: [null, 'Spring.mp3'],
    hash: [null, first.hash],
    sizeBytes: [null, first.sizeBytes],
    durationSeconds: [null, first.durationSeconds],
    version: [null, 1],
  }
  expect(await written(token, uid, 3)).toEqual([
    { action: 'preview', changes: { preview: [null, expect.stringMatching(/^[0-9a-f]{64}$/)] } },
    { action: 'replace', changes: replaced },
    { action: 'add', changes: added },
  ])
})
