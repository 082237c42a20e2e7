import { readAudit } from '@floorcast/contract/audit.ts'
import { listMedia, readMedia, type MediaType } from '@floorcast/contract/media.ts'
import { hostileFixtures, mp4Fixtures } from '@floorcast/testing/media-fixtures.ts'
import { makeSong } from '@floorcast/testing/media-song.ts'
import { TusCaller } from '@floorcast/testing/media-tus.ts'
import { uploader } from '@floorcast/testing/media-upload-form.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { registerLibrary } from '../../library.ts'
import { registerAudit } from '../audit/audit-routes.ts'

const server = await testServer({ features: [registerLibrary, registerAudit] })
const tusOf = (token: string) => new TusCaller(server, token)
const { upload, storedFiles } = uploader(server)
const song = makeSong({ notes: [0, 4, 7], seconds: 6 })

const card = (token: string, contentType: MediaType, uid: string | undefined) =>
  server.call(readMedia, { token, params: { contentType, uid } })
const list = (token: string, contentType: MediaType = 'melodies') =>
  server.call(listMedia, { token, params: { contentType } })

test('a resumable upload comes in pieces, and becomes what the same file in a form becomes', async () => {
  const { token } = await server.newClient()
  const told = { filename: 'Evening (live).mp3', description: 'For late hours' }
  const url = await tusOf(token).begin(song.length, told)
  const first = await tusOf(token).patch(url, 0, song.subarray(0, 10_000))
  expect([first.statusCode, first.headers['upload-offset'], first.body]).toEqual([204, '10000', ''])
  expect(new Date(String(first.headers['upload-expires'])).getTime()).toBeGreaterThan(Date.now())
  expect(await tusOf(token).offsetOf(url)).toBe(10_000)
  const last = await tusOf(token).patch(url, 10_000, song.subarray(10_000))
  const { data } = last.json<{ data: { code: number; uid: string; durationSeconds: number } }>()
  expect([last.statusCode, last.headers['upload-offset']]).toEqual([200, String(song.length)])
  expect(data.code).toBe(200)
  expect(data.durationSeconds).toBeCloseTo(6, 0)

  const media = await card(token, 'melodies', data.uid)
  const formed = await upload(token, 'melodies', { bytes: song, name: 'Same in a form.mp3' })
  const twin = await card(token, 'melodies', formed.uid)
  expect(media).toMatchObject({
    name: 'Evening live',
    originalName: told.filename,
    description: told.description,
  })
  const { hash, durationSeconds, sizeBytes, version, mimeType } = twin
  expect(media).toMatchObject({ hash, durationSeconds, sizeBytes, version, mimeType })
  await vi.waitFor(
    async () => expect((await card(token, 'melodies', data.uid)).loudnessState).toBe('measured'),
    {
      timeout: 20_000,
    },
  )
  expect(storedFiles().filter(name => name === hash)).toHaveLength(1)
  expect(storedFiles()).not.toContain(url.split('/').at(-1))
  const { items } = await server.call(readAudit, { token, params: { id: data.uid } })
  expect(items).toMatchObject([{ class: 'add', thingName: 'Evening live' }])
})

test('a resumable upload that lost its last answer is told the same outcome, and nothing is stored twice', async () => {
  const { token } = await server.newClient()
  const url = await tusOf(token).begin(song.length, { filename: 'Once.mp3' })
  const first = await tusOf(token).patch(url, 0, song)
  const again = await Promise.all([0, 1, 2].map(() => tusOf(token).patch(url, song.length)))
  expect(await tusOf(token).offsetOf(url)).toBe(song.length)
  for (const answer of again) expect(answer.json()).toEqual(first.json())
  expect((await list(token)).total).toBe(1)
  expect((await tusOf(token).patch(url, 0, song)).statusCode).toBe(409)
})

test('a resumable upload whose end is asked for by many at once ends once', async () => {
  const { token } = await server.newClient()
  const tus = tusOf(token)
  const url = await tus.begin(song.length, { filename: 'Many.mp3' })
  // All bytes have arrived without an answer, as after a killed server.
  writeFileSync(join(server.context.incoming.unfinishedFolder, url.split('/').at(-1) ?? ''), song)
  const answers = await Promise.all(Array.from({ length: 8 }, () => tus.patch(url, song.length)))
  expect(answers[0]?.json()).toMatchObject({ data: { code: 200 } })
  for (const answer of answers) expect(answer.json()).toEqual(answers[0]?.json())
  expect((await list(token)).total).toBe(1)
})

test('a resumable upload whose last bytes come twice at once ends once', async () => {
  const { token } = await server.newClient()
  const url = await tusOf(token).begin(song.length, { filename: 'Twice.mp3' })
  await tusOf(token).patch(url, 0, song.subarray(0, 20_000))
  const answers = await Promise.all(
    [1, 2, 3].map(() => tusOf(token).patch(url, 20_000, song.subarray(20_000))),
  )
  const codes = answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)
  expect(codes).toEqual([200, 409, 409])
  expect((await list(token)).total).toBe(1)
})

test('a resumable upload replaces the file of the item that it names, or brings its preview', async () => {
  const { token } = await server.newClient()
  const { uid = '' } = await tusOf(token).upload(song, { filename: 'First.mp3' })
  const next = makeSong({ notes: [2], seconds: 3 })
  expect((await tusOf(token).upload(next, { filename: 'Second.mp3', uid })).uid).toBe(uid)
  expect(await card(token, 'melodies', uid)).toMatchObject({
    fileVersion: 2,
    name: 'First',
    originalName: 'Second.mp3',
  })
  const image = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  const preview = { filename: 'poster.png', uid, part: 'preview' as const }
  expect(await tusOf(token).upload(image, preview)).toEqual({ code: 200, uid })
  expect(await card(token, 'melodies', uid)).toMatchObject({ fileVersion: 2, hasPreview: true })
  expect(await tusOf(token).upload(song, preview)).toEqual({
    code: 901,
    names: ['poster.png'],
    reason: 'not-an-image',
  })
  const large = await tusOf(token).announce(6_000_000, preview)
  expect(large.json()).toEqual({ data: { code: 901, names: ['poster.png'], reason: 'not-an-image' } })
})

test.each(hostileFixtures.filter(file => readFileSync(file.path).length > 0))(
  'a resumable upload of $name is refused with 901, its name and $why; nothing stays',
  async file => {
    const { token, scope } = await server.newClient()
    const before = storedFiles()
    const contentType = file.claims === 'audio/mpeg' ? 'melodies' : 'videos'
    const answer = await tusOf(token).upload(readFileSync(file.path), { filename: file.name, contentType })
    expect(answer).toEqual({ code: 901, names: [file.name], reason: file.why })
    expect(storedFiles()).toEqual(before)
    expect(await scope.reads.selectFrom('storageReservations').selectAll().execute()).toEqual([])
    expect((await list(token, contentType)).total).toBe(0)
  },
)

test('a resumable upload of an empty file is refused before it begins', async () => {
  const { token } = await server.newClient()
  const answer = await tusOf(token).announce(0, { filename: 'Empty.mp3' })
  expect([answer.statusCode, answer.headers['location']]).toEqual([200, undefined])
  expect(answer.json()).toEqual({ data: { code: 901, names: ['Empty.mp3'], reason: 'file-empty' } })
})

test('a resumable upload of a name that is there is refused with 902 before a byte comes, or at its end', async () => {
  const { token } = await server.newClient()
  const racing = await tusOf(token).begin(song.length, { filename: 'Jingle.mp3' })
  expect((await upload(token, 'melodies', { bytes: song, name: 'Jingle.mp3' })).code).toBe(200)
  const refused = { data: { code: 902, names: ['Jingle.mp3'] } }
  const before = storedFiles()
  const answer = await tusOf(token).announce(song.length, { filename: 'Jingle.mp3' })
  expect([answer.statusCode, answer.json()]).toEqual([200, refused])
  expect((await tusOf(token).patch(racing, 0, song)).json()).toEqual(refused)
  expect((await tusOf(token).patch(racing, song.length)).json()).toEqual(refused)
  expect(storedFiles()).toEqual(before.filter(name => !racing.endsWith(name)))
  expect((await tusOf(token).upload(song, { filename: 'Jingle.mp3', contentType: 'ads' })).code).toBe(200)
})

test('a resumable upload of an MP3 is no video', async () => {
  const { token } = await server.newClient()
  expect((await tusOf(token).upload(song, { filename: 'a.mp4', contentType: 'videos' })).code).toBe(901)
  const video = readFileSync(mp4Fixtures.silent.path)
  expect((await tusOf(token).upload(video, { filename: 'b.mp4', contentType: 'videos' })).code).toBe(200)
})

test('an upload that is cancelled takes its bytes and its reservation with it', async () => {
  const { token, scope } = await server.newClient()
  const before = storedFiles()
  const url = await tusOf(token).begin(song.length, { filename: 'Half.mp3' })
  await tusOf(token).patch(url, 0, song.subarray(0, 9000))
  expect(storedFiles()).toHaveLength(before.length + 1)
  expect((await tusOf(token).cancel(url)).statusCode).toBe(204)
  expect(storedFiles()).toEqual(before)
  expect(await scope.reads.selectFrom('storageReservations').selectAll().execute()).toEqual([])
  for (const gone of [
    await tusOf(token).head(url),
    await tusOf(token).patch(url, 9000, song.subarray(9000)),
    await tusOf(token).cancel(url),
  ])
    expect(gone.statusCode).toBe(404)
})

test('an upload that is cancelled after its end leaves what was stored', async () => {
  const { token } = await server.newClient()
  const url = await tusOf(token).begin(song.length, { filename: 'Done.mp3' })
  await tusOf(token).patch(url, 0, song)
  expect((await tusOf(token).cancel(url)).statusCode).toBe(204)
  expect((await list(token)).total).toBe(1)
})
