import { addToGroup, deleteGroup } from '@floorcast/contract/groups.ts'
import { deletePublication } from '@floorcast/contract/publications.ts'
import { deleteDevice } from '@floorcast/contract/devices.ts'
import { deleteMedia } from '@floorcast/contract/media.ts'
import { addTrack, deletePlaylist } from '@floorcast/contract/playlists.ts'
import { editProfile } from '@floorcast/contract/device-profiles.ts'
import { purge, restore } from '@floorcast/contract/recycle-bin.ts'
import { makeDevice, makeMedia } from '@floorcast/testing/factories.ts'
import { racer } from '@floorcast/testing/race.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { newShop, readyPublication } from '@floorcast/testing/test-shop.ts'
import { expect, it } from 'vitest'
import { registerDevices } from '../devices/devices-routes.ts'
import { registerGroups } from '../groups/groups-routes.ts'
import { registerLibrary } from '../../library.ts'
import { registerPlaylists } from '../playlists/playlists-routes.ts'
import { registerPublications } from '../publications/publications-routes.ts'
import { registerDeviceProfiles } from '../device-profiles/device-profiles-routes.ts'
import { registerRecycleBin } from './recycle-bin-routes.ts'

const server = await testServer({
  hasOwnDatabase: true,
  features: [
    registerDevices,
    registerGroups,
    registerLibrary,
    registerPlaylists,
    registerPublications,
    registerDeviceProfiles,
    registerRecycleBin,
  ],
})
const shop = await newShop(server)
await server.database.jobs.setSubscription(shop.email, 'professional', new Date('2099-01-01'), new Date())
const { call, race } = racer(server, shop.token)

const back = (contentType: string, uid: string) => call(restore, { params: { contentType, uid } })
const gone = (x: string, uid: string) => call(purge, { params: { x, uid } })
const melodies = { params: { contentType: 'melodies' } }

it('a group is taken back while its device joins another group, or goes: the device is in one, or in none', async () => {
  const rounds = await race(async () => {
    const [device, leaver] = [(await makeDevice(shop.scope)).uid, (await makeDevice(shop.scope)).uid]
    const [group, other] = [await shop.group(), await shop.group()]
    for (const one of [device, leaver]) await call(addToGroup, { params: { device: one, group } })()
    await call(deleteGroup, { body: { uid: group } })()
    return [
      back('groups', group),
      call(addToGroup, { params: { device, group: other } }),
      call(deleteDevice, { body: { uid: leaver } }),
    ]
  })
  for (const [restored, joined, left] of rounds) {
    expect(restored).toBe(200)
    expect([200, 409]).toContain(joined)
    expect([200, 409]).toContain(left)
  }
})

it('a playlist is taken back while its track is purged: it has the track, or stays in the bin', async () => {
  const rounds = await race(async () => {
    const [track, playlist] = [(await makeMedia(shop.scope)).uid, await shop.emptyPlaylist()]
    await call(addTrack, { params: { track, playlist } })()
    await call(deletePlaylist, { body: { uid: playlist } })()
    await call(deleteMedia, { ...melodies, body: { uid: track } })()
    return [back('playlists', playlist), back('media', track), gone('media', track)]
  })
  for (const [restored, track, purged] of rounds) {
    expect([200, 400]).toContain(restored)
    expect(track).toBe(200)
    expect([921, 'HTTP 404']).toContain(purged)
  }
})

it('a publication is taken back while its group is purged, and turned on nowhere', async () => {
  const rounds = await race(async () => {
    const { uid, group } = await readyPublication(shop)
    await call(deletePublication, { body: { uid } })()
    await call(deleteGroup, { body: { uid: group } })()
    return [
      back('publications', uid),
      back('groups', group),
      gone('groups', group),
      gone('publications', uid),
    ]
  })
  for (const [restored, group, purged, lost] of rounds) {
    expect([200, 400, 'HTTP 404']).toContain(restored)
    expect([restored === 200 ? 'HTTP 404' : 200]).toContain(lost)
    expect([group, purged].filter(end => end === 200)).toHaveLength(1)
  }
})

it('two edits of one version of a profile: one is done, the other is stale', async () => {
  const rounds = await race(async () => {
    const draft = { name: 'Quiet hours', type: 'audio', settings: {} }
    const { uid } = await server.call(editProfile, { token: shop.token, body: draft })
    const edit = (name: string) => call(editProfile, { body: { uid, name, version: 1 } })
    return [edit('First name'), edit('Second name')]
  })
  for (const ends of rounds) expect(new Set(ends)).toEqual(new Set([200, 'HTTP 409']))
})

it('media of one file name are taken back at once: each gets its own', async () => {
  const uids: string[] = []
  const rounds = await race(async () => {
    const [one, other] = [(await makeMedia(shop.scope)).uid, (await makeMedia(shop.scope)).uid]
    uids.push(one, other)
    for (const uid of [one, other]) {
      await call(deleteMedia, { ...melodies, body: { uid } })()
      await shop.scope.write(writes =>
        writes
          .updateTable('mediaItems')
          .set({ originalName: `${one}.mp3` })
          .where('uid', '=', uid)
          .execute(),
      )
    }
    return [back('media', one), back('media', other)]
  })
  expect(rounds.flat().filter(end => end !== 200)).toEqual([])
  const rows = await shop.scope.reads
    .selectFrom('mediaItems')
    .where('uid', 'in', uids)
    .select('originalName')
    .execute()
  expect(new Set(rows.map(({ originalName }) => originalName)).size).toBe(uids.length)
})
