import {
  deleteMedia,
  editMedia,
  listMedia,
  listMediaGroups,
  listMediaPlaylists,
  readMedia,
  readMediaFile,
  readMediaPreview,
} from '@floorcast/contract/media.ts'
import { clonePlaylist } from '@floorcast/contract/playlists.ts'
import { makeGroup } from '@floorcast/testing/factories.ts'
import { mp3Fixtures } from '@floorcast/testing/media-fixtures.ts'
import { makeSong } from '@floorcast/testing/media-song.ts'
import { uploader } from '@floorcast/testing/media-upload-form.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { registerLibrary } from '../../library.ts'
import { registerPlaylists } from '../playlists/playlists-routes.ts'

const server = await testServer({ features: [registerLibrary, registerPlaylists] })
const { upload } = uploader(server)
const ads = { contentType: 'ads' as const }

/** A client whose ad `uid` is in the playlist of an active publication. */
async function makeClientWithPublishedAd() {
  const client = await server.newClient()
  const session = await server.database.auth.userByEmail(client.email)
  const scope = server.database.forClient(session?.clientId ?? '')
  const { uid = '' } = await upload(client.token, 'ads', { path: mp3Fixtures.mono.path, name: 'Used.mp3' })
  const groupUid = await makeGroup(scope, { name: 'North shops', state: 'active' })
  const [playlistUid, at] = [uuidV7(), new Date()]
  const row = { clientId: scope.clientId, kind: 'audio' as const, createdAt: at, changedAt: at }
  await scope.write(async writes => {
    await writes
      .insertInto('playlists')
      .values({ ...row, uid: playlistUid, name: 'Daytime' })
      .execute()
    const entry = { uid: uuidV7(), clientId: scope.clientId, playlistUid, mediaUid: uid, position: 1 }
    await writes
      .insertInto('playlistItems')
      .values({ ...entry, repeatCount: 1 })
      .execute()
    const publication = { uid: uuidV7(), name: 'Day', groupUid, playlistUid, state: 'active' as const }
    await writes
      .insertInto('publications')
      .values({ ...row, ...publication, activatedAt: at })
      .execute()
  })
  const readRevision = async () => {
    const row = await scope.reads.selectFrom('publications').select('revision').executeTakeFirstOrThrow()
    return row.revision
  }
  return { ...client, uid, playlistUid, groupUid, readRevision }
}

const errorsOf = (answer: { json: <T>() => T }) => answer.json<{ errors: unknown }>().errors

describe('a list of media', () => {
  let token: string
  const names = async (query: object) => {
    const { items, total } = await server.call(listMedia, {
      token,
      params: { contentType: 'melodies' },
      query,
    })
    return { names: items.map(item => item.name), total }
  }
  beforeAll(async () => {
    token = (await server.newClient()).token
    for (const [i, name] of [
      'Summer sale.mp3',
      'Winter sale.mp3',
      '50 Percent_off.mp3',
      'Morning.mp3',
    ].entries()) {
      server.clock.now = new Date(server.clock.now.getTime() + 1000)
      await upload(token, 'melodies', { bytes: makeSong({ notes: [i], seconds: 4 - i * 0.5 }), name })
    }
  })

  test('begins with the newest, in pages', async () => {
    expect(await names({})).toEqual({
      names: ['Morning', '50 Percent_off', 'Winter sale', 'Summer sale'],
      total: 4,
    })
    expect(await names({ page: 2, size: 3 })).toEqual({ names: ['Summer sale'], total: 4 })
  })

  test('is sorted by what is asked, either way', async () => {
    expect((await names({ sort: 'name' })).names).toEqual([
      '50 Percent_off',
      'Morning',
      'Summer sale',
      'Winter sale',
    ])
    expect((await names({ sort: 'durationSeconds', dir: 'desc' })).names[0]).toBe('Summer sale')
    const wrong = await server.ask(listMedia, {
      token,
      params: { contentType: 'melodies' },
      query: { sort: 'uid' },
    })
    expect([wrong.statusCode, errorsOf(wrong)]).toMatchObject([422, [{ path: 'sort', message: 'unknown' }]])
  })

  test.each([
    { search: 'sale', found: ['Winter sale', 'Summer sale'] },
    { search: 'SALE summer', found: ['Summer sale'] },
    { search: '"er sale"', found: ['Winter sale', 'Summer sale'] },
    { search: '"sale summer"', found: [] },
    { search: 't_o', found: ['50 Percent_off'] },
    { search: 'g%', found: [] },
    { search: 'mp3', found: ['Morning', '50 Percent_off', 'Winter sale', 'Summer sale'] },
  ])('finds $found by $search', async ({ search, found }) => {
    expect(await names({ search })).toEqual({ names: found, total: found.length })
  })

  test('tells used from unused', async () => {
    const { token: owner, uid } = await makeClientWithPublishedAd()
    await upload(owner, 'ads', { path: mp3Fixtures.mpeg2.path, name: 'Unused.mp3' })
    const ask = (used?: string) =>
      server.call(listMedia, { token: owner, params: ads, query: used ? { used } : {} })
    expect((await ask('used')).items.map(item => item.uid)).toEqual([uid])
    expect((await ask('unused')).items.map(item => item.name)).toEqual(['Unused'])
    expect((await ask()).items.map(item => item.isUsed)).toEqual([false, true])
  })
})

test('one item says where it is used', async () => {
  const { token, uid, playlistUid, groupUid } = await makeClientWithPublishedAd()
  const input = { token, params: { ...ads, uid } }
  expect(await server.call(readMedia, input)).toMatchObject({
    usedInPlaylists: 1,
    usedInGroups: 1,
    isUsed: true,
  })
  expect((await server.call(listMediaPlaylists, input)).items).toEqual([
    { uid: playlistUid, name: 'Daytime' },
  ])
  expect((await server.call(listMediaGroups, input)).items).toEqual([{ uid: groupUid, name: 'North shops' }])
})

test('one item says where it is used by name, from either end, and by nothing else', async () => {
  const { token, uid, playlistUid } = await makeClientWithPublishedAd()
  const params = { ...ads, uid }
  const copy = await server.call(clonePlaylist, { token, params: { id: playlistUid } })
  const used = async (query: object) =>
    (await server.call(listMediaPlaylists, { token, params, query })).items.map(item => item.uid)
  expect(await used({})).toEqual([playlistUid, copy.uid])
  expect(await used({ sort: 'name', dir: 'desc' })).toEqual([copy.uid, playlistUid])
  const query = { sort: 'size' }
  for (const endpoint of [listMediaPlaylists, listMediaGroups])
    expect((await server.ask(endpoint, { token, params, query })).statusCode).toBe(422)
})

test('one item is edited, and a stale edit is refused with 409', async () => {
  const { token } = await server.newClient()
  const { uid = '' } = await upload(token, 'ads', { path: mp3Fixtures.mono.path, name: 'Old name.mp3' })
  const read = () => server.call(readMedia, { token, params: { ...ads, uid } })
  const { version } = await read()
  const body = { uid, name: ' New name ', description: 'For spring', version }
  expect(await server.call(editMedia, { token, params: ads, body })).toEqual({ code: 200, uid })
  expect(await read()).toMatchObject({
    name: 'New name',
    description: 'For spring',
    version: version + 1,
    fileVersion: 1,
  })
  expect((await server.ask(editMedia, { token, params: ads, body })).statusCode).toBe(409)
  const wrong = await server.ask(editMedia, { token, params: ads, body: { uid, name: '<script>' } })
  expect([wrong.statusCode, errorsOf(wrong)]).toMatchObject([
    422,
    [{ path: 'name', message: 'special-characters' }],
  ])
})

test('one item is told to its devices when its name or file changes, and not for a description', async () => {
  const { token, uid, readRevision } = await makeClientWithPublishedAd()
  const edit = (change: object) => server.call(editMedia, { token, params: ads, body: { uid, ...change } })
  const revision = await readRevision()
  await edit({ description: 'Nobody plays this' })
  expect(await readRevision()).toBe(revision)
  await edit({ name: 'Renamed' })
  expect(await readRevision()).toBe(revision + 1)
  await upload(token, 'ads', { path: mp3Fixtures.mpeg2.path, name: 'Used.mp3', fields: { uid } })
  expect(await readRevision()).toBe(revision + 2)
})

test('one item goes to the bin; a used one stays: 921 with the names of its playlists', async () => {
  const { token, uid } = await makeClientWithPublishedAd()
  const remove = (of: string) => server.call(deleteMedia, { token, params: ads, body: { uid: of } })
  expect(await remove(uid)).toEqual({ code: 921, uid, names: ['Daytime'] })
  const unused = await upload(token, 'ads', { path: mp3Fixtures.mpeg2.path, name: 'Unused.mp3' })
  expect(await remove(unused.uid ?? '')).toEqual({ code: 200, uid: unused.uid })
  const gone = await server.ask(readMedia, { token, params: { ...ads, uid: unused.uid } })
  expect(gone.statusCode).toBe(404)
  const again = await upload(token, 'ads', { path: mp3Fixtures.mpeg2.path, name: 'Unused.mp3' })
  expect(again.code).toBe(200)
})

test("one item another client's is not there, whatever is asked of it", async () => {
  const { uid } = await makeClientWithPublishedAd()
  const { token } = await server.newClient()
  const params = { ...ads, uid }
  const answers = await Promise.all([
    server.ask(readMedia, { token, params }),
    server.ask(listMediaPlaylists, { token, params }),
    server.ask(listMediaGroups, { token, params }),
    server.ask(editMedia, { token, params: ads, body: { uid, name: 'Mine' } }),
    server.ask(deleteMedia, { token, params: ads, body: { uid } }),
    server.ask(readMediaFile, { token, params: { uid } }),
    server.ask(readMediaPreview, { token, params: { uid } }),
  ])
  expect(answers.map(answer => answer.statusCode)).toEqual(Array(7).fill(404))
})
