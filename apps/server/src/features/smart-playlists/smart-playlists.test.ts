import { deleteMedia, listMediaGroups, listMediaPlaylists, readMedia } from '@floorcast/contract/media.ts'
import * as playlists from '@floorcast/contract/playlists.ts'
import { listDependents, purge, restore } from '@floorcast/contract/recycle-bin.ts'
import { makeDay, publishDay } from '@floorcast/testing/smart-shop.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { expect, test } from 'vitest'
import { registerGroups } from '../groups/groups-routes.ts'
import { registerLibrary } from '../../library.ts'
import { registerPlaylists } from '../playlists/playlists-routes.ts'
import { registerSmartPlaylists } from './smart-playlists-routes.ts'
import { registerPublications } from '../publications/publications-routes.ts'
import { registerRecycleBin } from '../recycle-bin/recycle-bin-routes.ts'

const server = await testServer({
  features: [
    registerGroups,
    registerLibrary,
    registerPlaylists,
    registerSmartPlaylists,
    registerPublications,
    registerRecycleBin,
  ],
})

test('a smart playlist shows its day block by block, in pages', async () => {
  const { draft, tracks } = await makeDay(server)
  const total = draft.finishList.length
  const first = await tracks({ size: 3 })
  expect(first).toMatchObject({ form: 'smart', items: [], blocks: { total, page: 1, size: 3 } })
  const names = new Map(draft.melList.map(({ uid }, n) => [uid, `melodies ${n}`]))
  for (const [n, block] of (first.blocks?.items ?? []).entries()) {
    const planned = draft.finishList[n]
    expect(block).toMatchObject({
      position: n + 1,
      kind: planned?.kind,
      startSeconds: planned?.start,
      durationSeconds: planned?.duration,
      playCount: planned?.items.length,
    })
    expect(block.plays.map(({ mediaUid }) => mediaUid)).toEqual(planned?.items.map(({ uid }) => uid))
  }
  expect(first.blocks?.items[0]?.plays[0]).toEqual({
    position: 1,
    mediaUid: draft.finishList[0]?.items[0]?.uid,
    name: names.get(draft.finishList[0]?.items[0]?.uid ?? ''),
    contentType: 'melodies',
    startSeconds: 0,
    durationSeconds: draft.finishList[0]?.items[0]?.duration,
  })
  const last = await tracks({ size: 50, page: Math.ceil(total / 50) })
  expect(last.blocks?.items.at(-1)?.position).toBe(total)
  expect((await tracks({ page: 1000 })).blocks?.items).toEqual([])
})

test('a smart playlist shows the first hundred plays of a long block, and the others when asked', async () => {
  const { draft, tracks } = await makeDay(server, { melTime: 1200, melMode: 'manual' })
  const long = draft.finishList[0]?.items ?? []
  expect(long.length).toBeGreaterThan(200)
  const [block] = (await tracks()).blocks?.items ?? []
  expect([block?.playCount, block?.plays.length]).toEqual([long.length, 100])
  const asked = await tracks({ block: 1, page: 5, size: 50 })
  expect(asked.blocks).toMatchObject({ total: 1, page: 5, size: 50 })
  expect(asked.blocks?.items[0]?.plays.map(({ mediaUid }) => mediaUid)).toEqual(
    long.slice(200, 250).map(({ uid }) => uid),
  )
})

test('a smart playlist has no block after its last', async () => {
  const { token, uid } = await makeDay(server)
  const query = { block: 100_000 }
  const answer = await server.ask(playlists.readPlaylistWithTracks, { token, params: { id: uid }, query })
  expect(answer.statusCode).toBe(404)
})

test('a smart playlist is not changed track by track; its name and dates are', async () => {
  const { token, uid, draft, card } = await makeDay(server)
  const [track = ''] = draft.melList.map(each => each.uid)
  const refused = { code: 400, reason: 'only-simple-playlists' }
  const at = { track, playlist: uid }
  const moved = { ...at, position: 1, mode: 'down' }
  expect(await server.call(playlists.addTrack, { token, params: at })).toEqual(refused)
  expect(await server.call(playlists.removeTrack, { token, params: { ...at, position: 1 } })).toEqual(refused)
  expect(await server.call(playlists.moveTrack, { token, params: moved })).toEqual(refused)
  const edit = (change: object) => server.call(playlists.editPlaylist, { token, body: { uid, ...change } })
  expect(await edit({ crossfadeSeconds: 3 })).toEqual(refused)
  expect(await edit({ items: [{ uid: track, repeatCount: 2 }] })).toEqual(refused)
  const change = { name: 'Summer day', startDate: '2027-06-01', endDate: '2027-08-31', crossfadeSeconds: 0 }
  expect(await edit(change)).toEqual({ code: 200 })
  expect(await card()).toMatchObject({ ...change, version: 2 })
})

test('a smart playlist is copied with a new plan', async () => {
  const { token, uid, draft, source } = await makeDay(server)
  const made = await server.call(playlists.clonePlaylist, { token, params: { id: uid } })
  expect(made.code).toBe(200)
  const copy = await source(made.uid)
  const { seed, finishList, ...rest } = (await source()).draft ?? draft
  expect(copy.draft).toMatchObject({
    ...rest,
    smartPlUid: made.uid,
    smartPlName: 'Spring day - copy',
    version: 1,
  })
  expect(copy.draft?.seed).not.toBe(seed)
  expect(copy.draft?.finishList).not.toEqual(finishList)
  expect(copy.draft?.finishList).toHaveLength(finishList.length)
})

test('the source names every track that the plan was made of', async () => {
  const { draft, source } = await makeDay(server)
  const { tracks } = await source()
  expect(tracks.map(({ uid, plannedSeconds, weight }) => [uid, plannedSeconds, weight])).toEqual(
    [...draft.melList, ...draft.adsList].map(({ uid, duration, weight = 1 }) => [uid, duration, weight]),
  )
  expect(tracks.map(({ name, contentType }) => `${contentType}: ${name}`)).toEqual([
    'melodies: melodies 0',
    'melodies: melodies 1',
    'melodies: melodies 2',
    'ads: ads 0',
    'ads: ads 1',
  ])
})

test('a smart playlist uses its media: they are not deleted, and say where they are', async () => {
  const day = await makeDay(server)
  const { token, draft, uid } = day
  const { group } = await publishDay(day)
  const [ad = ''] = draft.adsList.map(each => each.uid)
  const params = { contentType: 'ads', uid: ad }
  expect(await server.call(deleteMedia, { token, params, body: { uid: ad } })).toMatchObject({
    code: 921,
    names: ['Spring day'],
  })
  const playlistsOf = await server.call(listMediaPlaylists, { token, params })
  expect(playlistsOf.items).toEqual([{ uid, name: 'Spring day' }])
  expect((await server.call(listMediaGroups, { token, params })).items).toMatchObject([{ uid: group }])
  expect(await server.call(readMedia, { token, params })).toMatchObject({
    isUsed: true,
    usedInPlaylists: 1,
  })
  const dependents = await server.call(listDependents, { token, params: { x: 'media', uid: ad } })
  expect(dependents).toMatchObject([{ kind: 'playlists', uid, isBlocking: true }])
})

test('a smart playlist goes to the bin, comes back whole, and is purged with its day', async () => {
  const { token, uid, shop, source } = await makeDay(server)
  const before = await source()
  const remove = () => server.call(playlists.deletePlaylist, { token, body: { uid } })
  const params = { contentType: 'playlists', uid }
  expect((await remove()).code).toBe(200)
  expect((await server.call(restore, { token, params })).code).toBe(200)
  const { version, ...back } = (await source()).draft ?? {}
  expect(version).toBe(3)
  expect({ ...back, version: 1 }).toEqual(before.draft)
  await remove()
  expect((await server.call(purge, { token, params: { x: 'playlists', uid } })).code).toBe(200)
  expect(await shop.scope.reads.selectFrom('playlistBlocks').select('position').execute()).toEqual([])
})
