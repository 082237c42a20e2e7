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
import { makeTicket } from '@floorcast/contract/session.ts'
import { buildPath } from '@floorcast/contract/client.ts'
import { makeGroup } from '@floorcast/testkit/factories.ts'
import { imageFixtures, mp3Fixtures, mp4Fixtures } from '@floorcast/testkit/media-fixtures.ts'
import { makeSong } from '@floorcast/testkit/media-song.ts'
import { uploader } from '@floorcast/testkit/media-upload-form.ts'
import { testServer } from '@floorcast/testkit/test-server.ts'
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { uuidV7 } from '../../platform/uuid-v7.ts'

const server = await testServer()
const { upload } = uploader(server)
const ads = { contentType: 'ads' as const }

/** A client whose ad `uid` stands in an active publication's playlist on a group. */
async function makeClientWithPublishedAd() {
  const client = await server.newClient()
  const session = await server.database.door.userByEmail(client.email)
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
    expect([wrong.statusCode, errorsOf(wrong)]).toEqual([400, [{ path: 'sort', message: 'invalid' }]])
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

describe('one item', () => {
  test('says where it is used', async () => {
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
    expect((await server.call(listMediaGroups, input)).items).toEqual([
      { uid: groupUid, name: 'North shops' },
    ])
  })

  test('is edited, and a stale edit is refused with 409', async () => {
    const { token } = await server.newClient()
    const { uid = '' } = await upload(token, 'ads', { path: mp3Fixtures.mono.path, name: 'Old name.mp3' })
    const read = () => server.call(readMedia, { token, params: { ...ads, uid } })
    const { recordVersion: version } = await read()
    const body = { uid, name: ' New name ', description: 'For spring', version }
    expect(await server.call(editMedia, { token, params: ads, body })).toEqual({ code: 200, uid })
    expect(await read()).toMatchObject({
      name: 'New name',
      description: 'For spring',
      recordVersion: version + 1,
    })
    expect((await server.ask(editMedia, { token, params: ads, body })).statusCode).toBe(409)
    const wrong = await server.ask(editMedia, { token, params: ads, body: { uid, name: '<script>' } })
    expect([wrong.statusCode, errorsOf(wrong)]).toEqual([
      422,
      [{ path: 'name', message: 'special-characters' }],
    ])
  })

  test('is told to its devices when its name or file changes, and not for a description', async () => {
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

  test('goes to the bin; a used one stays: 921 with the names of its playlists', async () => {
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

  test("another client's is not there, whatever is asked of it", async () => {
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
})

describe('the bytes of an item', () => {
  const bytes = readFileSync(mp3Fixtures.cbrStereo.path)
  let [token, uid, etag] = ['', '', '']
  const get = (headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
    server.http.app.inject({
      method,
      url: buildPath(readMediaFile.path, { uid }),
      headers: { authorization: `Bearer ${token}`, ...headers },
    })
  beforeAll(async () => {
    token = (await server.newClient()).token
    const parts = { path: mp3Fixtures.cbrStereo.path, name: 'أغنية "1".mp3', preview: imageFixtures[0].path }
    uid = (await upload(token, 'melodies', parts)).uid ?? ''
    etag = String((await get({}, 'HEAD')).headers.etag)
  })

  test('come whole, with their type, hash and name', async () => {
    const answer = await get()
    expect(answer.statusCode).toBe(200)
    expect(answer.rawPayload.equals(bytes)).toBe(true)
    const { hash } = await server.call(readMedia, { token, params: { contentType: 'melodies', uid } })
    expect(answer.headers).toMatchObject({
      'content-type': 'audio/mpeg',
      'content-length': String(bytes.length),
      'accept-ranges': 'bytes',
      etag: `"${hash}"`,
      'x-content-type-options': 'nosniff',
    })
    expect(answer.headers['content-disposition']).toBe(
      `inline; filename="_____ _1_.mp3"; filename*=UTF-8''%D8%A3%D8%BA%D9%86%D9%8A%D8%A9%20%221%22.mp3`,
    )
  })

  const size = bytes.length
  test.each([
    { range: 'bytes=0-99', from: 0, to: 99 },
    { range: 'bytes=100-', from: 100, to: size - 1 },
    { range: 'bytes=-50', from: size - 50, to: size - 1 },
    { range: `bytes=10-${size + 1000}`, from: 10, to: size - 1 },
  ])('come in ranges: $range', async ({ range, from, to }) => {
    const answer = await get({ range })
    expect([answer.statusCode, answer.headers['content-range']]).toEqual([206, `bytes ${from}-${to}/${size}`])
    expect(answer.rawPayload.equals(bytes.subarray(from, to + 1))).toBe(true)
  })

  test.each([`bytes=${size}-`, 'bytes=-0'])('past the end: 416 for %s', async range => {
    const answer = await get({ range })
    expect([answer.statusCode, answer.headers['content-range']]).toEqual([416, `bytes */${size}`])
  })

  test.each(['bytes=5-1', 'bytes=0-1,4-5', 'lines=0-3', 'bytes=a-b'])('come whole for %s', async range => {
    expect((await get({ range })).rawPayload.length).toBe(size)
  })

  test('are continued only if they are still the same', async () => {
    expect((await get({ range: 'bytes=5-', 'if-range': etag })).statusCode).toBe(206)
    expect((await get({ range: 'bytes=5-', 'if-range': '"another"' })).statusCode).toBe(200)
    expect((await get({ range: 'bytes=5-', 'if-range': 'Sat, 21 Nov 2026 10:00:00 GMT' })).statusCode).toBe(
      200,
    )
  })

  test('are not sent to who has them, nor to HEAD', async () => {
    expect((await get({ 'if-none-match': etag })).statusCode).toBe(304)
    expect((await get({ 'if-none-match': `"x", W/${etag}` })).statusCode).toBe(304)
    const head = await get({}, 'HEAD')
    expect([head.statusCode, head.rawPayload.length, head.headers['content-length']]).toEqual([
      200,
      0,
      String(size),
    ])
  })

  test('come by a ticket where no header can be sent, and not without', async () => {
    const path = buildPath(readMediaFile.path, { uid })
    const { ticket } = await server.call(makeTicket, { token, body: { path } })
    const open = async (url: string) => (await server.http.app.inject({ url })).statusCode
    expect(await open(`${path}?ticket=${ticket}`)).toBe(200)
    expect(await open(path)).toBe(401)
    expect(await open(`${buildPath(readMediaPreview.path, { uid })}?ticket=${ticket}`)).toBe(401)
  })

  test('of its preview come as the image they are; without one there is none', async () => {
    const preview = await server.ask(readMediaPreview, { token, params: { uid } })
    expect(preview.headers['content-type']).toBe('image/png')
    expect(preview.rawPayload.equals(readFileSync(imageFixtures[0].path))).toBe(true)
    const other = await upload(token, 'videos', { path: mp4Fixtures.silent.path, name: 'Plain.mp4' })
    expect((await server.ask(readMediaPreview, { token, params: { uid: other.uid } })).statusCode).toBe(404)
  })
})
