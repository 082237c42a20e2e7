import { readAudit } from '@floorcast/contract/audit.ts'
import { deletePublication } from '@floorcast/contract/publications.ts'
import * as contract from '@floorcast/contract/playlists.ts'
import { makeMedia } from '@floorcast/testing/factories.ts'
import { testServer, type TestServer } from '@floorcast/testing/test-server.ts'
import { newShop } from '@floorcast/testing/test-shop.ts'
import { beforeAll, describe, expect, it } from 'vitest'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
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
    const { data, detail } = answer.json<{ data: { code: number; uid: string }; detail?: string }>()
    return { status: answer.statusCode, data, detail }
  }
  const tracks = (id: string) => server.call(contract.readPlaylistWithTracks, { token, params: { id } })
  const source = (id: string) => server.call(contract.readPlaylistSource, { token, params: { id } })
  return { ...shop, one, two, upload, tracks, source }
}

describe('a copy', () => {
  it('has everything but the state and name, and changes alone', async () => {
    const { token, playlist, turnPlaylist, tracks } = await listShop()
    const uid = await playlist()
    const items = (await tracks(uid)).items.map(item => ({
      uid: item.uid,
      repeatCount: 3,
      startTime: '09:00',
    }))
    const settings = { startDate: '2026-12-01', endDate: '2026-12-24', crossfadeSeconds: 2 }
    await server.call(contract.editPlaylist, { token, body: { uid, ...settings, items } })
    await turnPlaylist(uid)
    const answer = await server.call(contract.clonePlaylist, { token, params: { id: uid } })
    const copy = await tracks(answer.uid ?? '')
    expect(copy).toMatchObject({ name: 'Morning mix - copy', state: 'paused', isUsed: false, ...settings })
    expect(copy.items).toMatchObject([{ position: 1, repeatCount: 3, startTime: '09:00' }])
    expect(copy.items[0]?.uid).not.toBe(items[0]?.uid)
    expect([copy.editOf, (await tracks(uid)).edits]).toEqual([null, []])
    const named = { token, params: { id: uid }, query: { name: ' Evening mix ' } }
    const { uid: other = '' } = await server.call(contract.clonePlaylist, named)
    expect(await tracks(other)).toMatchObject({ name: 'Evening mix', state: 'paused', ...settings })
    const wrong = { token, params: { id: uid }, query: { name: 'x<' } }
    expect((await server.ask(contract.clonePlaylist, wrong)).statusCode).toBe(422)
  })

  it('that is to be edited knows whose place it takes, while that is there', async () => {
    const { token, playlist, group, turnGroup, turnPlaylist, publish, turn, tracks } = await listShop()
    const [uid, shops] = [await playlist(), await group()]
    await turnGroup(shops)
    await turnPlaylist(uid)
    const edit = async () => {
      const input = { token, params: { id: uid }, query: { purpose: 'edit' } }
      return (await server.call(contract.clonePlaylist, input)).uid ?? ''
    }
    const [one, two] = [await edit(), await edit()]
    expect((await tracks(one)).editOf).toEqual({ uid, name: 'Morning mix', isInForce: false })
    const publication = (await publish(shops, uid)).uid ?? ''
    await turn(publication)
    expect((await tracks(one)).editOf).toEqual({ uid, name: 'Morning mix', isInForce: true })
    expect((await tracks(uid)).edits.map(edited => edited.uid)).toEqual([two, one])
    await server.call(contract.deletePlaylist, { token, body: { uid: two } })
    expect((await tracks(uid)).edits).toEqual([{ uid: one, name: 'Morning mix - copy' }])
    const { items } = await server.call(readAudit, { token, params: { id: one } })
    expect(items[0]).toMatchObject({ changes: { editOf: [null, uid] } })
    await turn(publication)
    await server.call(deletePublication, { token, body: { uid: publication } })
    await server.call(contract.deletePlaylist, { token, body: { uid } })
    expect((await tracks(one)).editOf).toBeNull()
  })
})

describe('an M3U upload', () => {
  it('makes a paused playlist of files that are there, by name alone', async () => {
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

  it('finds files by percent-encoded names, and what does not decode as it stands', async () => {
    const { scope, one, two, upload, tracks } = await listShop()
    const third = await makeMedia(scope, { name: 'Third tune' })
    const names = new Map([
      [one.uid, 'My first café.mp3'],
      [two.uid, '50% off now.mp3'],
      [third.uid, 'My%20first café.mp3'],
    ])
    for (const [uid, originalName] of names)
      await scope.write(writes =>
        writes.updateTable('mediaItems').set({ originalName }).where('uid', '=', uid).execute(),
      )
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
  ])('finds %s by %s, and not without its accents', async (originalName, entry) => {
    const { scope, one, upload, tracks } = await listShop()
    await scope.write(writes =>
      writes.updateTable('mediaItems').set({ originalName }).where('uid', '=', one.uid).execute(),
    )
    const { data } = await upload(entry)
    expect(data.code).toBe(200)
    expect((await tracks(data.uid)).items.map(({ mediaUid }) => mediaUid)).toEqual([one.uid])
    const accented = entry.replace('.', 'é.')
    expect((await upload(`${accented}\n`, 'other.m3u')).data).toEqual({ code: 912, names: [accented] })
  })

  it('names the files that are missing, and makes nothing: 912', async () => {
    const { token, one, upload } = await listShop()
    const { data } = await upload(`${one.uid}.mp3\nnot there.mp3\nnot there.mp3\n`)
    expect(data).toEqual({ code: 912, names: ['not there.mp3'] })
    expect((await upload(`${one.uid}.mp3`, 'list.m3u', { kind: 'video' })).data.code).toBe(912)
    const list = { token, params: { x: 'all' } }
    expect((await server.call(contract.listPlaylists, list)).total).toBe(0)
  })

  it('takes nothing but M3U: 911, and no empty list', async () => {
    const { upload } = await listShop()
    expect((await upload('tune.mp3', 'list.txt')).data).toEqual({ code: 911, names: ['list.txt'] })
    expect((await upload(Uint8Array.from([1, 0, 2]), 'list.m3u')).data.code).toBe(911)
    expect((await upload('#EXTM3U\n')).data).toEqual({ code: 400, reason: 'playlist-empty' })
    expect((await upload('tune.mp3', 'list.m3u', { name: 'a<b' })).status).toBe(422)
  })

  it('reads 10,000 lines, and no more', async () => {
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
})
