import type { MediaType } from '@floorcast/contract/media.ts'
import type { Outcome } from '@floorcast/contract/outcomes.ts'
import * as contract from '@floorcast/contract/playlists.ts'
import { makeMedia } from '@floorcast/testing/factories.ts'
import { uuidV7 } from '@floorcast/server/platform/lib/uuid-v7.ts'
import { testServer, type TestServer } from '@floorcast/testing/test-server.ts'
import { newShop } from '@floorcast/testing/test-shop.ts'
import { beforeAll, expect, it } from 'vitest'
import { registerPlaylists } from './playlists-routes.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer({ features: [registerPlaylists] })
})

async function listShop() {
  const shop = await newShop(server)
  const { token } = shop
  const one = await makeMedia(shop.scope, { name: 'First tune' })
  const two = await makeMedia(shop.scope, { name: 'Second tune', contentType: 'ads' })
  const upload = async (text: string | Uint8Array, fileName = 'Winter mix.m3u8', fields: object = {}) => {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
    form.append('file', new Blob([typeof text === 'string' ? text : new Uint8Array(text)]), fileName)
    const encoded = new Response(form)
    const answer = await server.http.app.inject({
      method: 'POST',
      url: contract.uploadM3u.path,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': encoded.headers.get('content-type') ?? '',
      },
      payload: Buffer.from(await encoded.arrayBuffer()),
    })
    type Said = { data: Outcome & { uid: string }; detail?: string }
    const { data, detail } = answer.json<Said>()
    return { status: answer.statusCode, data, detail }
  }
  const tracks = (id: string) => server.call(contract.readPlaylistWithTracks, { token, params: { id } })
  const source = (id: string) => server.call(contract.readPlaylistSource, { token, params: { id } })
  const rename = (uid: string, originalName: string) =>
    shop.scope.write(writes =>
      writes.updateTable('mediaItems').set({ originalName }).where('uid', '=', uid).execute(),
    )
  const make = async (originalName: string, contentType: MediaType = 'melodies') => {
    const { uid } = await makeMedia(shop.scope, { name: `Tune ${uuidV7()}`, contentType })
    await rename(uid, originalName)
    return uid
  }
  const uidsOf = async (id: string) => (await tracks(id)).items.map(({ mediaUid }) => mediaUid)
  return { ...shop, one, two, upload, tracks, uidsOf, source, rename, make }
}

it('an M3U upload makes a paused playlist of files that are there, by name alone', async () => {
  const { one, two, upload, tracks, source } = await listShop()
  const text = `\uFEFF#EXTM3U\r\nC:\\Music\\${one.uid}.mp3\r\n../ads/${two.uid}.MP3\r\nhttps://host/${one.uid}.mp3?x=1\r\n`
  const { data } = await upload(text)
  expect(data.code).toBe(200)
  const card = await tracks(data.uid)
  expect(card).toMatchObject({ name: 'Winter mix', kind: 'audio', state: 'paused', form: 'simple' })
  expect(card.items.map(({ mediaUid }) => mediaUid)).toEqual([one.uid, two.uid, one.uid])
  const { m3u8, form } = await source(data.uid)
  expect(form).toBe('simple')
  const again = await upload(m3u8 ?? '', 'again.m3u8', { name: 'Once more', kind: 'audio' })
  expect((await tracks(again.data.uid)).items).toHaveLength(3)
  expect((await tracks(again.data.uid)).name).toBe('Once more')
})

it('an M3U upload finds files by percent-encoded names, and what does not decode as it stands', async () => {
  const { scope, one, two, upload, tracks, rename } = await listShop()
  const third = await makeMedia(scope, { name: 'Third tune' })
  const names = new Map([
    [one.uid, 'My first café.mp3'],
    [two.uid, '50% off now.mp3'],
    [third.uid, 'My%20first café.mp3'],
  ])
  for (const [uid, originalName] of names) await rename(uid, originalName)
  const lines = [
    'music/My first caf%C3%A9.mp3',
    'MY%20FIRST%20CAF%c3%a9.mp3',
    '50% off%20now.mp3',
    // A name that has the signs itself is found by them.
    'My%20first café.mp3',
  ]
  const { data } = await upload(lines.join('\n'))
  expect(data.code).toBe(200)
  const found = (await tracks(data.uid)).items.map(({ mediaUid }) => mediaUid)
  expect(found).toEqual([one.uid, one.uid, two.uid, third.uid])
  expect((await upload('not%20there%GG.mp3')).data).toEqual({ code: 912, names: ['not%20there%GG.mp3'] })
  for (const path of ['zero%00.mp3', 'http://music.example/zero%00.mp3'])
    expect((await upload(path)).data).toEqual({ code: 912, names: ['zero%00.mp3'] })
})

it.each([
  ['ΟΔΟΣ ΕΡΜΟΥ.mp3', 'οδος ερμου.mp3'],
  ['οδος.mp3', 'ΟΔΟΣ.MP3'],
  ['Işık.mp3', 'IŞIK.mp3'],
  ['İzmir.mp3', 'izmir.mp3'],
  ['Straße.mp3', 'STRASSE.MP3'],
])('an M3U upload finds %s by %s, and not without its accents', async (originalName, entry) => {
  const { one, upload, tracks, rename } = await listShop()
  await rename(one.uid, originalName)
  const { data } = await upload(entry)
  expect(data.code).toBe(200)
  expect((await tracks(data.uid)).items.map(({ mediaUid }) => mediaUid)).toEqual([one.uid])
  const accented = entry.replace('.', 'é.')
  expect((await upload(`${accented}\n`, 'other.m3u')).data).toEqual({ code: 912, names: [accented] })
})

it('an M3U upload names the files that are missing, and makes nothing: 912', async () => {
  const { token, one, upload } = await listShop()
  const { data } = await upload(`${one.uid}.mp3\nnot there.mp3\nnot there.mp3\n`)
  expect(data).toEqual({ code: 912, names: ['not there.mp3'] })
  expect((await upload(`${one.uid}.mp3`, 'list.m3u', { kind: 'video' })).data.code).toBe(912)
  const list = { token, params: { x: 'all' } }
  expect((await server.call(contract.listPlaylists, list)).total).toBe(0)
})

it('an M3U upload takes nothing but M3U: 911, and no empty list', async () => {
  const { upload } = await listShop()
  expect((await upload('tune.mp3', 'list.txt')).data).toEqual({ code: 911, names: ['list.txt'] })
  expect((await upload(Uint8Array.from([1, 0, 2]), 'list.m3u')).data.code).toBe(911)
  expect((await upload('#EXTM3U\n')).data).toEqual({ code: 400, reason: 'playlist-empty' })
  expect((await upload('tune.mp3', 'list.m3u', { name: 'a<b' })).status).toBe(422)
})

it('an M3U upload reads 10,000 lines, and no more', async () => {
  const { one, upload, tracks } = await listShop()
  const { data } = await upload(`${one.uid}.mp3\n`.repeat(10_000))
  expect((await tracks(data.uid)).itemCount).toBe(10_000)
  const tooMany = await upload(`${one.uid}.mp3\n`.repeat(10_001))
  expect([tooMany.status, tooMany.detail]).toEqual([
    413,
    'An M3U file has at most 10000 entries; this one has 10001.',
  ])
  const tooLarge = await upload(`#${'x'.repeat(5 * 1024 * 1024)}`)
  expect([tooLarge.status, tooLarge.detail]).toEqual([413, 'An M3U file has at most 5242880 bytes.'])
})

/** A few letters of single-byte code pages, and words of others. */
const BYTES: Record<string, number[]> = {
  'Реклама весна|windows-1251': [
    0xd0, 0xe5, 0xea, 0xeb, 0xe0, 0xec, 0xe0, 0x20, 0xe2, 0xe5, 0xf1, 0xed, 0xe0,
  ],
  'Реклама|ibm866': [0x90, 0xa5, 0xaa, 0xab, 0xa0, 0xac, 0xa0],
  'Реклама|koi8-r': [0xf2, 0xc5, 0xcb, 0xcc, 0xc1, 0xcd, 0xc1],
  'Zażółć|windows-1250': [0x5a, 0x61, 0xbf, 0xf3, 0xb3, 0xe6],
  'Zażółć|iso-8859-2': [0x5a, 0x61, 0xbf, 0xf3, 0xb3, 0xe6],
  'Žluťoučký|windows-1250': [0x8e, 0x6c, 0x75, 0x9d, 0x6f, 0x75, 0xe8, 0x6b, 0xfd],
  'Žluťoučký|iso-8859-2': [0xae, 0x6c, 0x75, 0xbb, 0x6f, 0x75, 0xe8, 0x6b, 0xfd],
  'Été indien|windows-1252': [0xc9, 0x74, 0xe9, 0x20, 0x69, 0x6e, 0x64, 0x69, 0x65, 0x6e],
  'Été indien|macintosh': [0x83, 0x74, 0x8e, 0x20, 0x69, 0x6e, 0x64, 0x69, 0x65, 0x6e],
  'إعلان|windows-1256': [0xc5, 0xda, 0xe1, 0xc7, 0xe4],
  '春节广告|gbk': [0xb4, 0xba, 0xbd, 0xda, 0xb9, 0xe3, 0xb8, 0xe6],
  // The second bytes of these are those of a backslash.
  'ソ表|shift_jis': [0x83, 0x5c, 0x95, 0x5c],
}

it.each(Object.entries(BYTES))(
  'a list in a code page that it does not name finds its files: %s',
  async (title, letters) => {
    const { upload, uidsOf, make } = await listShop()
    const [name = ''] = title.split('|')
    const [uid, plain] = [await make(`${name}.mp3`), await make('plain.mp3')]
    const lines = [Buffer.from('#EXTM3U\r\nplain.mp3\r\nD:\\'), Buffer.from(letters), Buffer.from('.mp3\r\n')]
    const { data } = await upload(Buffer.concat(lines), 'list.m3u')
    expect(data).toEqual({ code: 200, uid: data.uid })
    expect(await uidsOf(data.uid)).toEqual([plain, uid])
  },
)

it('a list in a code page that it does not name names files that are missing beside those that tell the code page', async () => {
  const { upload, make } = await listShop()
  await make('Реклама весна.mp3')
  const spring = Buffer.from(BYTES['Реклама весна|windows-1251'] ?? [])
  const lines = [spring, Buffer.from('.mp3\n'), spring, Buffer.from(' 2.mp3\n')]
  const { data } = await upload(Buffer.concat(lines), 'list.m3u')
  expect(data).toEqual({ code: 912, names: ['Реклама весна 2.mp3'] })
})

it('a list in a code page that it does not name that no code page makes readable has to be saved as UTF-8; a large one too', async () => {
  const { upload, one } = await listShop()
  const line = Buffer.concat([Buffer.from(BYTES['Реклама|koi8-r'] ?? []), Buffer.from('.mp3\n')])
  const refused = { code: 912, reason: 'list-code-page', names: [expect.any(String)] }
  expect((await upload(line, 'list.m3u')).data).toEqual(refused)
  const plain = Buffer.from(`${one.uid}.mp3\n`.repeat(9000))
  expect((await upload(Buffer.concat([plain, line]), 'list.m3u')).data).toEqual(refused)
})

it('a list in a code page that it does not name of many entries is read again by a worker', async () => {
  const { upload, uidsOf, make } = await listShop()
  const uid = await make('Реклама.mp3')
  const line = Buffer.concat([Buffer.from(BYTES['Реклама|koi8-r'] ?? []), Buffer.from('.mp3\n')])
  const { data } = await upload(Buffer.concat(Array.from({ length: 9000 }, () => line)), 'list.m3u')
  expect(new Set(await uidsOf(data.uid))).toEqual(new Set([uid]))
})

it('files of one name come back from an export as they were, melodies and ads', async () => {
  const { token, playlist, upload, uidsOf, source, make } = await listShop()
  const [melody, ad] = [await make('same.mp3'), await make('same.mp3', 'ads')]
  const id = await playlist()
  const before = await uidsOf(id)
  for (const track of [melody, ad, melody])
    await server.call(contract.addTrack, { token, params: { track, playlist: id } })
  const { data } = await upload((await source(id)).m3u8 ?? '')
  expect(data).toEqual({ code: 200, uid: data.uid })
  expect(await uidsOf(data.uid)).toEqual([...before, melody, ad, melody])
})

it('files of one name come back in the library of another client by their types, and by their item where its file was replaced', async () => {
  const [from, to] = [await listShop(), await listShop()]
  const id = await from.playlist()
  const before = await from.uidsOf(id)
  const ad = await from.make('same.mp3', 'ads')
  await from.make('same.mp3')
  await server.call(contract.addTrack, { token: from.token, params: { track: ad, playlist: id } })
  const m3u8 = (await from.source(id)).m3u8 ?? ''
  for (const uid of before) await to.make(`${uid}.mp3`)
  await to.make('same.mp3')
  const other = await to.make('same.mp3', 'ads')
  const { data } = await to.upload(m3u8)
  expect(data).toEqual({ code: 200, uid: data.uid })
  expect((await to.uidsOf(data.uid)).at(-1)).toBe(other)
  await from.rename(ad, 'newer.mp3')
  const replaced = m3u8.replaceAll('same.mp3', 'gone.mp3')
  expect((await from.uidsOf((await from.upload(replaced)).data.uid)).at(-1)).toBe(ad)
})

it('files of one name are named where a list of another program does not say which one it means', async () => {
  const { upload, uidsOf, make } = await listShop()
  const ad = await make('same.mp3', 'ads')
  const melody = await make('same.mp3')
  const { data } = await upload('same.mp3\nSame.mp3\n')
  expect(data).toEqual({
    code: 200,
    uid: data.uid,
    reason: 'several-files',
    names: ['same.mp3', 'Same.mp3'],
  })
  expect(await uidsOf(data.uid)).toEqual([melody, melody])
  // An entry that was changed by hand after the export.
  const third = await make('third.mp3')
  const changed = await upload(`#FLOORCAST:ads ${ad}\nthird.mp3\n`)
  expect(await uidsOf(changed.data.uid)).toEqual([third])
})
