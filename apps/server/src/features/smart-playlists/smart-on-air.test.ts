import { readMedia } from '@floorcast/contract/media.ts'
import * as playlists from '@floorcast/contract/playlists.ts'
import { purge } from '@floorcast/contract/recycle-bin.ts'
import { uploader } from '@floorcast/testing/media-upload-form.ts'
import { planDraft } from '@floorcast/testing/smart-draft.ts'
import { goOnAir, makeDay } from '@floorcast/testing/smart-shop.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { expect, test } from 'vitest'
import { registerGroups } from '../groups/groups-routes.ts'
import { registerLibrary } from '../../library.ts'
import { registerPlaylists } from '../playlists/playlists-routes.ts'
import { registerSmartPlaylists } from './smart-playlists-routes.ts'
import { registerPublications } from '../publications/publications-routes.ts'
import { registerRecycleBin } from '../recycle-bin/recycle-bin-routes.ts'
import { registerDeviceHost } from '../../device-host.ts'

const server = await testServer({
  features: [
    registerGroups,
    registerLibrary,
    registerPlaylists,
    registerSmartPlaylists,
    registerPublications,
    registerRecycleBin,
    registerDeviceHost,
  ],
})
const { storedFiles } = uploader(server)

test('on the air it is in the manifest as it was planned; the same state is the same bytes', async () => {
  const day = await makeDay(server)
  const { manifest } = await goOnAir(server, day)
  const first = await manifest()
  const playlist = first.publications[0]?.playlist
  if (playlist?.form !== 'smart') throw new Error('not a smart playlist')
  expect(playlist).toMatchObject({ startDay: '09:00', endDay: '10:00', uid: day.uid })
  expect(first.files).toHaveLength(5)
  const uidOf = (file: number) => first.files[file]?.mediaUid
  const heard = playlist.blocks.map(block => ({
    kind: block.kind,
    items: block.items.map(({ file, start }) => [uidOf(file), start]),
  }))
  expect(heard).toEqual(
    day.draft.finishList.map(({ kind, items }) => ({
      kind,
      items: items.map(({ uid, start }) => [uid, Math.round(start * 1000) / 1000]),
    })),
  )
  await day.shop.scope.write(writes =>
    writes.updateTable('deviceManifests').set({ ownRevision: 9 }).execute(),
  )
  expect((await manifest()).etag).toBe(first.etag)
})

test('on the air it keeps the file it was planned with when another of a new length replaces it, until it is planned again', async () => {
  const day = await makeDay(server)
  const { token, draft, card, source, shop } = day
  const air = await goOnAir(server, day)
  const before = await air.manifest()
  const [song = ''] = draft.melList.map(each => each.uid)
  const former = before.files.find(file => file.mediaUid === song)?.sha256 ?? ''
  expect((await day.replace('melodies', song, 6)).code).toBe(200)
  // Its bytes are as they were, for devices that have yet to fetch them.
  expect((await air.manifest()).etag).toBe(before.etag)
  expect((await air.file(song, former)).statusCode).toBe(200)
  const changedMedia = [
    {
      uid: song,
      name: 'melodies 0',
      contentType: 'melodies',
      plannedSeconds: 3,
      durationSeconds: 6,
      isInBin: false,
    },
  ]
  expect(await card()).toMatchObject({ planState: 'plan-again', smart: { changedMedia } })
  const list = await server.call(playlists.listPlaylists, { token, params: { x: 'audio' } })
  expect(list.items).toMatchObject([{ planState: 'plan-again' }])
  const old = await day.send({ ...draft, smartPlUid: day.uid })
  expect(old).toMatchObject({ reason: 'active-cannot-be-edited' })

  expect(await shop.turn(air.publication)).toMatchObject({ code: 9 })
  await shop.turnPlaylist(day.uid)
  expect(await day.send({ ...draft, smartPlUid: day.uid })).toMatchObject({
    reason: 'media-not-as-planned',
    names: ['melodies 0'],
  })
  const { draft: fresh, changedMedia: changed } = await source()
  expect(changed).toEqual(changedMedia)
  expect(fresh?.melList[0]).toEqual({ uid: song, duration: 6, weight: 1 })
  const again = planDraft({ melList: fresh?.melList ?? [], adsList: draft.adsList }, { smartPlUid: day.uid })
  expect((await day.send(again)).code).toBe(200)
  expect(await card()).toMatchObject({ planState: 'fits', smart: { changedMedia: [] } })
  expect(storedFiles()).not.toContain(former)
  await shop.turnPlaylist(day.uid)
  expect(await shop.turn(air.publication)).toMatchObject({ code: 0 })
  const after = (await air.manifest()).files.find(file => file.mediaUid === song)
  expect(after?.durationSeconds).toBe(6)
})

test('on the air it follows at once a new file that is as long as the planned one', async () => {
  const day = await makeDay(server)
  const { manifest } = await goOnAir(server, day)
  const [song = ''] = day.draft.melList.map(each => each.uid)
  const before = await manifest()
  expect((await day.replace('melodies', song, 3)).code).toBe(200)
  const after = await manifest()
  const hashes = [before, after].map(({ files }) => files.find(file => file.mediaUid === song)?.sha256)
  expect(hashes[1]).not.toBe(hashes[0])
  expect(after.publications[0]?.revision).toBe((before.publications[0]?.revision ?? 0) + 1)
  expect(storedFiles()).not.toContain(hashes[0])
  expect(await day.card()).toMatchObject({ planState: 'fits' })
})

test('its copy is of the media as they are now; one that they allow no more says why', async () => {
  const day = await makeDay(server)
  const { token, draft, uid } = day
  const clone = () => server.call(playlists.clonePlaylist, { token, params: { id: uid } })
  const [song = ''] = draft.melList.map(each => each.uid)
  await day.replace('melodies', song, 6)
  const copy = await clone()
  expect((await day.source(copy.uid)).draft?.melList[0]?.duration).toBe(6)
  await day.shop.scope.write(writes =>
    writes.updateTable('mediaFiles').set({ durationSeconds: 4000 }).where('mediaUid', '=', song).execute(),
  )
  expect(await clone()).toMatchObject({
    code: 400,
    reason: 'plan-refused',
    faults: [{ path: 'melList.0', code: 'longer-than-window', name: 'melodies 0' }],
  })
})

test('a purge takes the former file that it alone had kept', async () => {
  const day = await makeDay(server)
  const { token, uid, draft } = day
  const [song = ''] = draft.melList.map(each => each.uid)
  const params = { contentType: 'melodies', uid: song }
  const { hash } = await server.call(readMedia, { token, params })
  await day.replace('melodies', song, 6)
  expect(storedFiles()).toContain(hash)
  await server.call(playlists.deletePlaylist, { token, body: { uid } })
  await server.call(purge, { token, params: { x: 'playlists', uid } })
  expect(storedFiles()).not.toContain(hash)
})

test('dates and kinds must fit as those of any playlist', async () => {
  const day = await makeDay(server)
  const { token, uid, shop } = day
  const ended = { uid, endDate: '2020-01-01' }
  await server.call(playlists.editPlaylist, { token, body: ended })
  await shop.turnPlaylist(uid)
  const group = await shop.group()
  await shop.turnGroup(group)
  const publication = (await shop.publish(group, uid)).uid ?? ''
  expect(await shop.turn(publication)).toMatchObject({ code: -2, reason: 'outside-dates' })
  const video = await shop.publish(await shop.group('video'), await shop.playlist('video'), 'audio')
  expect(video).toMatchObject({ code: 400, reason: 'kind-does-not-fit' })
})
