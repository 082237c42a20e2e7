import { changePublicationState } from '@floorcast/contract/publications.ts'
import { addToGroup } from '@floorcast/contract/groups.ts'
import { addTrack } from '@floorcast/contract/playlists.ts'
import { changeProfileState, editProfile } from '@floorcast/contract/device-profiles.ts'
import { makeDevice, makeMedia } from '@floorcast/testing/factories.ts'
import { racer } from '@floorcast/testing/race.ts'
import { manifestReader } from '@floorcast/testing/test-manifests.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { newShop, readyPublication } from '@floorcast/testing/test-shop.ts'
import { filesOf } from '@floorcast/playback/cue.ts'
import { expect, test } from 'vitest'
import type { Writes } from '../../platform/database/client-scope.ts'
import { invalidateManifests } from './manifests.ts'
import { registerGroups } from '../groups/groups-routes.ts'
import { registerPlaylists } from '../playlists/playlists-routes.ts'
import { registerPublications } from '../publications/publications-routes.ts'
import { registerDeviceProfiles } from '../device-profiles/device-profiles-routes.ts'
import { registerDeviceHost } from '../../device-host.ts'

/*
 * An item is assigned to a device in the instant in which the item changes. The change does not see the device's new
 * assignment, and the transaction that makes the device's manifest does not see the change yet.
 */

const server = await testServer({
  hasOwnDatabase: true,
  features: [
    registerGroups,
    registerPlaylists,
    registerPublications,
    registerDeviceProfiles,
    registerDeviceHost,
  ],
})
const shop = await newShop(server)
const { scope, token } = shop
await server.database.jobs.setSubscription(shop.email, 'professional', new Date('2099-01-01'), new Date())
const { call, race } = racer(server, token)
const now = new Date()
const readManifest = manifestReader(server)

/** The hashes of files and the tags in a device's manifest. */
async function readTold(deviceUid: string) {
  const { manifest } = await readManifest(scope, deviceUid)
  return { files: [...filesOf(manifest)], tags: manifest.tags }
}

/** A new file of an item, as an upload stores it. */
async function replaceFile(writes: Writes, uid: string, sha256: string): Promise<void> {
  await writes
    .insertInto('mediaFiles')
    .values({
      mediaUid: uid,
      fileVersion: 2,
      clientId: scope.clientId,
      sha256,
      mimeType: 'audio/mpeg',
      sizeBytes: 4_000_000,
      durationSeconds: 180,
      uploadedAt: now,
    })
    .execute()
  await writes.updateTable('mediaItems').set({ fileVersion: 2 }).where('uid', '=', uid).execute()
  await invalidateManifests(writes, { media: [uid] })
}

const NEW_FILE = 'f'.repeat(64)

/** A song on a playlist on a group, and a device that is in none. */
async function makeRound(isOn: boolean) {
  const { uid: publication, group, playlist } = await readyPublication(shop)
  const media = await makeMedia(scope)
  await shop.turnPlaylist(playlist)
  await server.call(addTrack, { token, params: { track: media.uid, playlist } })
  await shop.turnPlaylist(playlist)
  const device = await makeDevice(scope)
  if (isOn) await shop.turn(publication)
  else await server.call(addToGroup, { token, params: { device: device.uid, group } })
  return {
    media,
    deviceUid: device.uid,
    bond: isOn
      ? call(addToGroup, { params: { device: device.uid, group } })
      : call(changePublicationState, { params: { id: publication }, query: { from: 'disabled' } }),
  }
}

/** Runs `change` in a transaction that commits when the function it resolves to is called. */
async function begin(change: (writes: Writes) => Promise<void>): Promise<() => Promise<void>> {
  const { promise: done, resolve: isDone } = Promise.withResolvers<void>()
  const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>()
  const transaction = scope.write(async writes => {
    await change(writes)
    isDone()
    await mayCommit
  })
  await Promise.race([done, transaction])
  return async () => {
    commit()
    await transaction
  }
}

test.each([
  ['a device joins a group', true],
  ['a publication is turned on', false],
])('%s while a file that it plays is replaced: the device is told of the new one', async (_, isOn) => {
  const { media, deviceUid, bond } = await makeRound(isOn)
  const commit = await begin(writes => replaceFile(writes, media.uid, NEW_FILE))
  await bond()
  expect((await readTold(deviceUid)).files).toContain(media.sha256)
  await commit()
  expect((await readTold(deviceUid)).files).toContain(NEW_FILE)
  expect((await readTold(deviceUid)).files).not.toContain(media.sha256)
})

test('a profile is put on a group while the sound that it names is replaced: the device is told of the new one', async () => {
  const media = await makeMedia(scope)
  const group = await shop.group()
  const device = await makeDevice(scope, { groupUid: group })
  const draft = { name: 'Loud', type: 'alert', settings: { airMedia: media.uid } }
  const { uid } = await server.call(editProfile, { token, body: draft })
  await server.call(changeProfileState, { token, params: { id: uid } })
  await readTold(device.uid)
  const commit = await begin(writes => replaceFile(writes, media.uid, NEW_FILE))
  await server.call(editProfile, { token, body: { uid, groupUids: [group] } })
  expect((await readTold(device.uid)).files).toEqual([media.sha256])
  await commit()
  expect((await readTold(device.uid)).files).toEqual([NEW_FILE])
})

test('a device is added while its client gets a tag: the device has it', async () => {
  const commit = await begin(async writes => {
    await writes
      .insertInto('tags')
      .values({
        uid: crypto.randomUUID(),
        clientId: scope.clientId,
        key: 'timeZone',
        value: 'Asia/Tokyo',
        createdAt: now,
        changedAt: now,
      })
      .execute()
    await invalidateManifests(writes, { client: true })
  })
  const { uid } = await makeDevice(scope)
  expect((await readTold(uid)).tags).toEqual({})
  await commit()
  expect((await readTold(uid)).tags).toEqual({ timeZone: 'Asia/Tokyo' })
})

test('all at once, and the device asks meanwhile: it is told of the new file in the end', async () => {
  const rounds: Awaited<ReturnType<typeof makeRound>>[] = []
  const ends = await race(async () => {
    const round = await makeRound(rounds.length % 2 === 0)
    rounds.push(round)
    const ask = async () => {
      for (let asked = 0; asked < 5; asked += 1) await readManifest(scope, round.deviceUid)
      return 200
    }
    const replace = async () => {
      await scope.write(writes => replaceFile(writes, round.media.uid, NEW_FILE))
      return 200
    }
    return [round.bond, replace, ask]
  })
  expect(ends.flat().filter(end => end !== 200 && end !== 0)).toEqual([])
  for (const { media, deviceUid } of rounds) {
    const { files } = await readTold(deviceUid)
    expect(files).toContain(NEW_FILE)
    expect(files).not.toContain(media.sha256)
  }
})
