import { makeClient, makeDevice, makeGroup, makeMedia, TEST_NOW } from '@floorcast/testing/factories.ts'
import { manifestReader } from '@floorcast/testing/test-manifests.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { expect, test } from 'vitest'
import type { ClientScope } from '../../platform/database/client-scope.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { type ManifestChange, invalidateManifests } from './manifests.ts'
import { registerDeviceHost } from '../../device-host.ts'

const server = await testServer({ features: [registerDeviceHost] })
const readManifest = manifestReader(server)

/** A playlist of one song, published on a group with one device. */
async function makeShop() {
  const { scope } = await makeClient(server.database)
  const groupUid = await makeGroup(scope, { state: 'active' })
  const device = await makeDevice(scope, { groupUid })
  const media = await makeMedia(scope, { name: 'First song' })
  const [playlistUid, publicationUid] = [uuidV7(), uuidV7()]
  const head = { clientId: scope.clientId, kind: 'audio' as const, createdAt: TEST_NOW, changedAt: TEST_NOW }
  await scope.write(async writes => {
    await writes
      .insertInto('playlists')
      .values({ uid: playlistUid, name: 'Songs', ...head })
      .execute()
    await writes
      .insertInto('playlistItems')
      .values({
        uid: uuidV7(),
        clientId: scope.clientId,
        playlistUid,
        mediaUid: media.uid,
        position: 1,
        repeatCount: 2,
        startTime: '09:30',
      })
      .execute()
    await writes
      .insertInto('publications')
      .values({
        uid: publicationUid,
        name: 'On air',
        groupUid,
        playlistUid,
        state: 'active',
        activatedAt: TEST_NOW,
        ...head,
      })
      .execute()
  })
  return { scope, deviceUid: device.uid, groupUid, playlistUid, publicationUid, media }
}

const touch = (scope: ClientScope, change: ManifestChange) =>
  scope.write(writes => invalidateManifests(writes, change))

test('a manifest holds the group’s publication with its items and files', async () => {
  const { scope, deviceUid, publicationUid, media } = await makeShop()
  const { manifest } = await readManifest(scope, deviceUid)
  expect(manifest).toMatchObject({ generation: 1, tags: {}, device: { uid: deviceUid, volume: 70 } })
  expect(manifest.files).toEqual([])
  expect(manifest.publications).toMatchObject([
    {
      uid: publicationUid,
      files: [{ mediaUid: media.uid, sha256: media.sha256, name: 'First song' }],
      revision: 1,
      startsAt: null,
      playlist: { items: [{ file: 0, plays: 2, startTime: '09:30' }] },
    },
  ])
})

test('marked without a change it stays the same, byte for byte', async () => {
  const { scope, deviceUid } = await makeShop()
  const first = await readManifest(scope, deviceUid)
  await touch(scope, { devices: [deviceUid] })
  expect(await readManifest(scope, deviceUid)).toEqual(first)
})

test.each([
  ['playlist', 2],
  ['publication', 2],
  ['media', 2],
  ['loudness', 1],
  ['group', 1],
  ['client', 1],
])('a change of %s reaches the device; readiness is counted by revision %i', async (cause, revision) => {
  const { scope, deviceUid, groupUid, playlistUid, publicationUid, media } = await makeShop()
  const first = await readManifest(scope, deviceUid)
  const changes: Record<string, ManifestChange> = {
    playlist: { playlists: [playlistUid] },
    publication: { publications: [publicationUid] },
    media: { media: [media.uid] },
    loudness: { loudness: [media.uid] },
    group: { groups: [groupUid] },
    client: { client: true },
  }
  await scope.write(async writes => {
    await writes
      .updateTable('devices')
      .set({ name: `By ${cause}` })
      .where('uid', '=', deviceUid)
      .execute()
    await invalidateManifests(writes, changes[cause] ?? {})
  })
  const { manifest, etag } = await readManifest(scope, deviceUid)
  expect(etag).not.toBe(first.etag)
  expect(manifest.generation).toBe(2)
  expect(manifest.publications[0]?.revision).toBe(revision)
})

test('a change elsewhere marks nothing of this device, nor of another client', async () => {
  const { scope, deviceUid, groupUid } = await makeShop()
  const other = await makeShop()
  const readRow = () =>
    scope.reads
      .selectFrom('deviceManifests as m')
      .innerJoin('devices as d', 'd.uid', 'm.deviceUid')
      .leftJoin('groupManifests as g', 'g.groupUid', 'd.groupUid')
      .leftJoin('clientManifests as c', 'c.clientId', 'd.clientId')
      .where('m.deviceUid', '=', deviceUid)
      .select(['m.etag', 'm.ownRevision', 'g.revision as groupRevision', 'c.revision as clientRevision'])
      .executeTakeFirstOrThrow()
  await readManifest(scope, deviceUid)
  const before = await readRow()
  await touch(scope, { groups: [other.groupUid], devices: [other.deviceUid], media: [other.media.uid] })
  await touch(other.scope, { client: true, groups: [groupUid] })
  expect(await readRow()).toEqual(before)
})

test('a change that commits while a manifest is made is not lost', async () => {
  const { scope, deviceUid } = await makeShop()
  await readManifest(scope, deviceUid)
  const { promise: changed, resolve: goOn } = Promise.withResolvers<void>()
  const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>()
  const change = scope.write(async writes => {
    await writes.updateTable('devices').set({ name: 'Renamed' }).where('uid', '=', deviceUid).execute()
    goOn()
    await mayCommit
    await invalidateManifests(writes, { devices: [deviceUid] })
  })
  await changed
  await touch(scope, { groups: [uuidV7()], devices: [deviceUid] })
  expect((await readManifest(scope, deviceUid)).manifest.device.name).toBe('Till radio')
  commit()
  await change
  expect((await readManifest(scope, deviceUid)).manifest.device.name).toBe('Renamed')
})
