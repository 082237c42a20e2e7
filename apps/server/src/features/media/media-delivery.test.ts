import { readFileSync } from 'node:fs'
import { buildPath } from '@floorcast/contract/client.ts'
import { readMedia, readMediaFile, readMediaPreview } from '@floorcast/contract/media.ts'
import { makeTicket } from '@floorcast/contract/auth.ts'
import { imageFixtures, mp3Fixtures, mp4Fixtures } from '@floorcast/testing/media-fixtures.ts'
import { uploader } from '@floorcast/testing/media-upload-form.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { beforeAll, expect, test } from 'vitest'
import { registerLibrary } from '../../library.ts'

const server = await testServer({ features: [registerLibrary] })
const { upload } = uploader(server)

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

test('the bytes of an item come whole, with their type, hash and name', async () => {
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
])('the bytes of an item come in ranges: $range', async ({ range, from, to }) => {
  const answer = await get({ range })
  expect([answer.statusCode, answer.headers['content-range']]).toEqual([206, `bytes ${from}-${to}/${size}`])
  expect(answer.rawPayload.equals(bytes.subarray(from, to + 1))).toBe(true)
})

test.each([`bytes=${size}-`, 'bytes=-0'])('the bytes of an item past the end: 416 for %s', async range => {
  const answer = await get({ range })
  expect([answer.statusCode, answer.headers['content-range']]).toEqual([416, `bytes */${size}`])
})

test.each(['bytes=5-1', 'bytes=0-1,4-5', 'lines=0-3', 'bytes=a-b'])(
  'the bytes of an item come whole for %s',
  async range => {
    expect((await get({ range })).rawPayload.length).toBe(size)
  },
)

test('the bytes of an item are continued only if they are still the same', async () => {
  expect((await get({ range: 'bytes=5-', 'if-range': etag })).statusCode).toBe(206)
  expect((await get({ range: 'bytes=5-', 'if-range': '"another"' })).statusCode).toBe(200)
  expect((await get({ range: 'bytes=5-', 'if-range': 'Sat, 21 Nov 2026 10:00:00 GMT' })).statusCode).toBe(200)
})

test('the bytes of an item are not sent to who has them, nor to HEAD', async () => {
  expect((await get({ 'if-none-match': etag })).statusCode).toBe(304)
  expect((await get({ 'if-none-match': `"x", W/${etag}` })).statusCode).toBe(304)
  const head = await get({}, 'HEAD')
  expect([head.statusCode, head.rawPayload.length, head.headers['content-length']]).toEqual([
    200,
    0,
    String(size),
  ])
})

test('the bytes of an item come by a ticket where no header can be sent, and not without', async () => {
  const path = buildPath(readMediaFile.path, { uid })
  const { ticket } = await server.call(makeTicket, { token, body: { path } })
  const open = async (url: string) => (await server.http.app.inject({ url })).statusCode
  expect(await open(`${path}?ticket=${ticket}`)).toBe(200)
  expect(await open(path)).toBe(401)
  expect(await open(`${buildPath(readMediaPreview.path, { uid })}?ticket=${ticket}`)).toBe(401)
})

test('the bytes of an item of its preview come as the image they are; without one there is none', async () => {
  const preview = await server.ask(readMediaPreview, { token, params: { uid } })
  expect(preview.headers['content-type']).toBe('image/png')
  expect(preview.rawPayload.equals(readFileSync(imageFixtures[0].path))).toBe(true)
  const other = await upload(token, 'videos', { path: mp4Fixtures.silent.path, name: 'Plain.mp4' })
  expect((await server.ask(readMediaPreview, { token, params: { uid: other.uid } })).statusCode).toBe(404)
})
