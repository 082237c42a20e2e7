import { readGuarded } from '@floorcast/contract/csv.ts'
import { readAudit } from '@floorcast/contract/audit.ts'
import { exportCredits, importCredits, type CreditRow } from '@floorcast/contract/media-credit-calls.ts'
import { editMedia, listMedia, readMedia, type MediaType } from '@floorcast/contract/media.ts'
import type { Problem } from '@floorcast/contract/problem.ts'
import { makeMedia } from '@floorcast/testing/factories.ts'
import { taggedCredits } from '@floorcast/testing/media-fixtures.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { newShop } from '@floorcast/testing/test-shop.ts'
import { signedInUser } from '@floorcast/testing/test-users.ts'
import { expect, test } from 'vitest'
import { registerLibrary } from '../../library.ts'
import { registerAudit } from '../audit/audit-routes.ts'

const server = await testServer({ features: [registerLibrary, registerAudit] })
const params = { contentType: 'melodies' as MediaType }

async function newLibrary(names: readonly string[] = []) {
  const { token, scope } = await newShop(server)
  const uids = await Promise.all(names.map(async name => (await makeMedia(scope, { name })).uid))
  const card = (uid = '') => server.call(readMedia, { token, params: { ...params, uid } })
  const list = async (query: object) =>
    (await server.call(listMedia, { token, params, query })).items.map(({ name }) => name)
  const edit = (uid: string, fields: object) =>
    server.ask(editMedia, { token, params, body: { uid, ...fields } })
  const send = (rows: readonly CreditRow[], isPreview = false) =>
    server.ask(importCredits, { token, params, body: { rows: [...rows], isPreview } })
  const faults = async (rows: readonly CreditRow[]) => {
    const answer = await send(rows)
    expect(answer.statusCode).toBe(422)
    return answer.json<Problem>().errors?.map(({ path, message }) => `${path} ${message}`)
  }
  const file = async (filter: object = {}) =>
    (await server.ask(exportCredits, { token, params, query: filter })).body
  return { token, scope, uids, card, list, edit, send, faults, file }
}

/** The cells of csv without line breaks in its cells, as a spreadsheet shows them. */
const cellsOf = (csv: string) =>
  csv
    .replace('\uFEFF', '')
    .trimEnd()
    .split('\r\n')
    .map(line =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
        ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
      ),
    )

test('the credits of an item are edited one by one, an ISRC in its 12 characters, and audited', async () => {
  const { token, uids, card, edit } = await newLibrary(['Alpha'])
  const [uid = ''] = uids
  await edit(uid, { artist: 'Zoë', isrc: 'isrc us-rc1 76-07839', publisher: 'North' })
  await edit(uid, { publisher: '' })
  expect(await card(uid)).toMatchObject({
    artist: 'Zoë',
    title: '',
    isrc: 'USRC17607839',
    publisher: '',
    name: 'Alpha',
  })
  const { items } = await server.call(readAudit, { token, params: { id: uid }, query: { size: 2 } })
  expect(items.map(({ changes }) => changes)).toEqual([
    { publisher: ['North', ''] },
    { artist: ['', 'Zoë'], isrc: ['', 'USRC17607839'], publisher: ['', 'North'] },
  ])
})

test.each([
  { isrc: 'USRC1760783', message: 'isrc' },
  { isrc: '12RC17607839', message: 'isrc' },
  { artist: 'a\u0000b', message: 'special-characters' },
  { title: 'x\u202Ey', message: 'special-characters' },
  { composer: 'x'.repeat(201), message: 'too-long' },
])('the credits of an item are refused at the field: $message', async ({ message, ...fields }) => {
  const { uids, edit } = await newLibrary(['Alpha'])
  const refused = await edit(uids[0] ?? '', fields)
  expect([refused.statusCode, refused.json<Problem>().errors]).toMatchObject([
    422,
    [{ path: Object.keys(fields)[0], message }],
  ])
})

test('the credits of an item are found by a search, a filter and a sort', async () => {
  const { uids, edit, list } = await newLibrary(['Alpha', 'Beta', 'Gamma'])
  await edit(uids[0] ?? '', { artist: 'Sigur Rós', isrc: 'ISX010400001' })
  await edit(uids[1] ?? '', { artist: 'Abba', title: 'Waterloo' })
  expect(await list({ search: 'rós' })).toEqual(['Alpha'])
  expect(await list({ search: 'isx010400001' })).toEqual(['Alpha'])
  expect(await list({ search: 'IS-X01-04-00001' })).toEqual(['Alpha'])
  expect(await list({ search: 'waterloo' })).toEqual(['Beta'])
  expect(await list({ isrc: 'with' })).toEqual(['Alpha'])
  expect(await list({ isrc: 'without', sort: 'name' })).toEqual(['Beta', 'Gamma'])
  expect(await list({ isrc: 'without', search: 'abba', used: 'unused' })).toEqual(['Beta'])
  expect(await list({ sort: 'artist', dir: 'desc' })).toEqual(['Alpha', 'Beta', 'Gamma'])
})

test('the csv of credits comes back as it went, whatever a spreadsheet would run', async () => {
  const { token, uids, card, edit, send, file } = await newLibrary(['Alpha', 'Beta', '-Gamma'])
  const texts = ['=1+1', "'=2", 'a, "b"', '+x;=cmd|calc', "''-y", 'Ça ira – أغنية', '＠z']
  await edit(uids[0] ?? '', { artist: texts[0], title: texts[1], composer: texts[2], isrc: 'USRC17607839' })
  await edit(uids[1] ?? '', { artist: texts[3], title: texts[4], composer: texts[5], publisher: texts[6] })
  const csv = await file()
  expect(csv).toContain(`${uids[0]},Alpha,'=1+1,''=2,USRC17607839,"a, ""b""",\r\n`)
  const [heading = [], ...lines] = cellsOf(csv)
  expect(heading).toEqual(['uid', 'name', 'artist', 'title', 'isrc', 'composer', 'publisher'])
  expect(lines.map(([, name]) => name)).toEqual(["'-Gamma", 'Alpha', 'Beta'])
  const before = await Promise.all(uids.map(card))
  const rows = lines.map(line => {
    const [uid = '', , artist, title, isrc, composer, publisher] = line.map(readGuarded)
    return { uid, artist, title, isrc, composer, publisher }
  })
  expect((await send(rows)).json()).toEqual({ data: { code: 200, changed: 0, unchanged: 3 } })
  for (const uid of uids) await edit(uid, { artist: '', title: 'Other', composer: '' })
  expect((await send(rows)).json()).toMatchObject({ data: { changed: 3 } })
  const credits = ({ artist, title, isrc, composer, publisher }: (typeof before)[number]) => [
    artist,
    title,
    isrc,
    composer,
    publisher,
  ]
  expect((await Promise.all(uids.map(card))).map(credits)).toEqual(before.map(credits))
  const { items } = await server.call(readAudit, { token, params: { id: uids[2] }, query: { size: 1 } })
  expect(items[0]?.changes).toEqual({ title: ['Other', ''] })
})

test('the csv of credits has what the list shows, of this client, and a reader may take it', async () => {
  const { scope, uids, edit, file } = await newLibrary(['Alpha', 'Beta'])
  await edit(uids[0] ?? '', { isrc: 'USRC17607839' })
  await newLibrary(['Foreign'])
  expect(cellsOf(await file({ isrc: 'without' })).map(([, name]) => name)).toEqual(['name', 'Beta'])
  expect(cellsOf(await file({ search: 'usrc1' })).map(([, name]) => name)).toEqual(['name', 'Alpha'])
  const reader = await signedInUser(scope, { role: 'manager', rights: 'view' })
  const { token } = reader
  const read = await server.ask(exportCredits, { token, params })
  expect([read.statusCode, read.headers['content-type'], cellsOf(read.body).length]).toEqual([
    200,
    'text/csv; charset=utf-8',
    3,
  ])
  const body = { rows: [{ uid: uids[0] ?? '', artist: 'X' }] }
  expect((await server.ask(importCredits, { token, params, body })).statusCode).toBe(403)
})

test('the csv of credits is imported all or none, with errors by row', async () => {
  const { uids, card, send, faults, scope } = await newLibrary(['Alpha', 'Beta'])
  const [alpha = '', beta = ''] = uids
  const ad = await makeMedia(scope, { contentType: 'ads', name: 'Spot' })
  const foreign = await newLibrary(['Foreign'])
  const good = { uid: alpha, artist: 'Good' }
  expect(await faults([good, { uid: beta, isrc: 'nonsense' }, { uid: beta, title: 'a\nb' }])).toEqual([
    'rows.1.isrc isrc',
    'rows.2.title special-characters',
  ])
  const unknown = [foreign.uids[0] ?? '', ad.uid].map(uid => ({ uid, artist: 'X' }))
  expect(await faults([good, ...unknown, { ...good, uid: alpha.toUpperCase() }])).toEqual([
    'rows.1.uid unknown',
    'rows.2.uid unknown',
    'rows.3.uid twice',
  ])
  expect(await faults([{ uid: 'x' }])).toEqual(['rows.0.uid wrong'])
  expect(await faults(Array.from({ length: 10_001 }, () => good))).toEqual(['rows too-many'])
  expect(await card(alpha)).toMatchObject({ artist: '', version: 1 })
  const rows = [good, { uid: beta, isrc: 'us-rc1-76-07839' }]
  const preview = (await send(rows, true)).json<object>()
  expect(preview).toMatchObject({
    data: {
      code: 200,
      changed: 2,
      unchanged: 0,
      changes: [
        { index: 0, name: 'Alpha', before: { artist: '' }, after: { artist: 'Good', isrc: '' } },
        { index: 1, name: 'Beta', before: { isrc: '' }, after: { isrc: 'USRC17607839' } },
      ],
    },
  })
  expect(await card(alpha)).toMatchObject({ artist: '', version: 1 })
  expect((await send(rows)).json()).toEqual({ data: { code: 200, changed: 2, unchanged: 0 } })
  expect(await card(beta)).toMatchObject({ isrc: 'USRC17607839', version: 2 })
})

test('the csv of credits takes a library of 2,500 items in one call', async () => {
  const { scope, token, send, file } = await newLibrary()
  await scope.write(async writes => {
    for (let part = 0; part < 5; part += 1)
      await writes
        .insertInto('mediaItems')
        .values(
          Array.from({ length: 500 }, (_, n) => ({
            uid: crypto.randomUUID(),
            clientId: scope.clientId,
            contentType: 'melodies',
            name: `Song ${part * 500 + n}`,
            originalName: `${part * 500 + n}.mp3`,
            createdAt: new Date(),
            changedAt: new Date(),
          })),
        )
        .execute()
  })
  const lines = cellsOf(await file()).slice(1)
  expect(new Set(lines.map(([uid]) => uid)).size).toBe(2500)
  const isrc = (n: number) => `USRC176${String(n).padStart(5, '0')}`
  const rows = lines.map(([uid = ''], n) => ({ uid, artist: taggedCredits.artist, isrc: isrc(n) }))
  const countEntries = async () =>
    (await server.call(readAudit, { token, params: { id: 'all' }, query: { size: 1 } })).total
  const before = await countEntries()
  expect((await send(rows)).json()).toEqual({ data: { code: 200, changed: 2500, unchanged: 0 } })
  expect((await countEntries()) - before).toBe(2500)
})
