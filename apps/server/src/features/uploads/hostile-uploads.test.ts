import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import type { Problem } from '@floorcast/contract/problem.ts'
import { eventually } from '@floorcast/testing/eventually.ts'
import { makeSong } from '@floorcast/testing/media-song.ts'
import { encodeMetadata, OCTETS, TUS, TusCaller } from '@floorcast/testing/media-tus.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { beforeAll, expect, test, vi } from 'vitest'
import { registerLibrary } from '../../library.ts'

const server = await testServer({ features: [registerLibrary] })
const tusOf = (token: string) => new TusCaller(server, token)
const song = (seconds: number) => makeSong({ notes: [1, 2], seconds })
let origin = ''
let token = ''
let scope: Awaited<ReturnType<typeof server.newClient>>['scope']
beforeAll(async () => {
  ;({ token, scope } = await server.newClient())
  origin = await server.http.app.listen({ host: '127.0.0.1', port: 0 })
})
const unfinished = async () => ({
  rows: await scope.reads.selectFrom('uploads').select('uid').execute(),
  held: await scope.reads.selectFrom('storageReservations').select('uid').execute(),
})

const metadata = (told: object) => encodeMetadata({ contentType: 'melodies', filename: 'x.mp3', ...told })
test.each([
  ['no length', { 'upload-length': undefined }, 400],
  ['a negative length', { 'upload-length': '-1' }, 400],
  ['a length that is no number', { 'upload-length': '1e3' }, 400],
  ['a length beyond numbers', { 'upload-length': '99999999999999999999' }, 400],
  ['a length that is told later', { 'upload-length': undefined, 'upload-defer-length': '1' }, 400],
  ['metadata that is not base64', { 'upload-metadata': 'filename %%%' }, 400],
  ['metadata with a key twice', { 'upload-metadata': 'filename eA==,filename eA==' }, 400],
  ['a key like an object’s own', { 'upload-metadata': '__proto__ eA==' }, 400],
  ['parts to be joined', { 'upload-concat': 'partial' }, 400],
  ['another version of tus', { 'tus-resumable': '0.2.2' }, 412],
  ['no version of tus', { 'tus-resumable': undefined }, 412],
  ['bytes with the beginning', { 'content-type': OCTETS }, 415],
  ['no metadata', { 'upload-metadata': undefined }, 422],
  ['no file name', { 'upload-metadata': 'contentType bWVsb2RpZXM=' }, 422],
  ['a name of folders alone', { 'upload-metadata': metadata({ filename: '../../../database/' }) }, 422],
  ['an unknown content type', { 'upload-metadata': metadata({ contentType: 'songs' }) }, 422],
  ['a description with markup', { 'upload-metadata': metadata({ description: '<b>bold</b>' }) }, 422],
  ['a uid that is none', { 'upload-metadata': metadata({ uid: '7' }) }, 422],
  ['a preview of nothing', { 'upload-metadata': metadata({ part: 'preview' }) }, 422],
  ['a NUL in another key', { 'upload-metadata': metadata({ relativePath: 'a\0b' }) }, 400],
  ['a key that is not known', { 'upload-metadata': metadata({ note: 'x' }) }, 422],
])('what is no upload %s', async (_, headers, status) => {
  const before = await unfinished()
  const all = {
    'tus-resumable': '1.0.0',
    'upload-length': '100',
    'upload-metadata': metadata({}),
    ...headers,
  }
  const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
  const answer = await server.http.app.inject({
    method: 'POST',
    url: '/api/v2/upload/',
    headers: { authorization: `Bearer ${token}`, ...sent },
    ...('content-type' in headers ? { payload: Buffer.from('bytes') } : {}),
  })
  expect(answer.statusCode).toBe(status)
  expect(answer.headers['content-type']).toContain('problem+json')
  expect(answer.headers['x-request-id']).toBe(answer.json<Problem>().id)
  expect(await unfinished()).toEqual(before)
})

test('what is no upload a key with a typo is told, and what other clients add is no typo', async () => {
  const announce = (told: object) => tusOf(token).announce(100, { filename: 'Typo.mp3', ...told })
  const typo = await announce({ descripton: 'Played all day' })
  expect([typo.statusCode, typo.json<Problem>().errors]).toMatchObject([
    422,
    [{ path: 'descripton', message: 'unknown', didYouMean: 'description' }],
  ])
  const added = { name: 'Typo.mp3', type: 'audio/mpeg', filetype: 'audio/mpeg', relativePath: 'null' }
  expect((await announce(added)).statusCode).toBe(201)
})

test('what is no upload a huge length is refused as storage that is not there', async () => {
  const answer = await tusOf(token).announce(Number.MAX_SAFE_INTEGER, { filename: 'Huge.mp3' })
  expect(answer.json()).toEqual({ data: { code: 903, names: ['Huge.mp3'] } })
})

test.each([
  ['another offset', { 'upload-offset': '5' }, 409],
  ['no offset', { 'upload-offset': undefined }, 400],
  ['a negative offset', { 'upload-offset': '-1' }, 400],
  ['another type of body', { 'content-type': 'text/plain' }, 415],
  ['JSON', { 'content-type': 'application/json' }, 400],
  ['no version of tus', { 'tus-resumable': undefined }, 412],
  ['another version of tus', { 'tus-resumable': '2.0.0' }, 412],
])('what is no upload bytes with %s leave the upload as it is', async (_, headers, status) => {
  const bytes = song(2)
  const url = await tusOf(token).begin(bytes.length, {
    filename: `${status} ${Object.keys(headers).join(' ')}.mp3`,
  })
  const all = { 'tus-resumable': '1.0.0', 'upload-offset': '0', 'content-type': OCTETS, ...headers }
  const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
  const answer = await server.http.app.inject({
    method: 'PATCH',
    url,
    headers: { authorization: `Bearer ${token}`, ...sent },
    payload: Buffer.from('{"a":1}'),
  })
  expect(answer.statusCode).toBe(status)
  expect(answer.headers['content-type']).toContain('problem+json')
  expect(answer.headers['x-request-id']).toBe(answer.json<Problem>().id)
  expect(answer.headers['tus-version']).toBe(status === 412 ? '1.0.0' : undefined)
  expect(await tusOf(token).offsetOf(url)).toBe(0)
})

test('what is no upload more bytes than announced are refused, said or not; none at all change nothing', async () => {
  const bytes = song(2)
  const url = await tusOf(token).begin(bytes.length, { filename: 'x.mp3' })
  const more = new Uint8Array(bytes.length + 1)
  expect((await tusOf(token).patch(url, 0, more)).statusCode).toBe(413)
  expect((await tusOf(token).patch(url, 0)).statusCode).toBe(204)
  expect(await tusOf(token).offsetOf(url)).toBe(0)
  expect((await tusOf(token).patch(url, 0, bytes)).json()).toMatchObject({ data: { code: 200 } })
})

test('what is no upload more than a hundred at once of one user wait', async () => {
  const { token } = await server.newClient()
  for (let number = 0; number < 100; number++) await tusOf(token).begin(1, { filename: `${number}.mp3` })
  const answer = await tusOf(token).announce(1, { filename: 'One more.mp3' })
  expect([answer.statusCode, answer.headers['retry-after']]).toEqual([429, '60'])
})

test('anyone may ask what tus the server speaks; no other origin is let in', async () => {
  const answer = await server.http.app.inject({
    method: 'OPTIONS',
    url: '/api/v2/upload/',
    headers: { origin: 'https://elsewhere.example' },
  })
  expect(answer.statusCode).toBe(204)
  expect(answer.headers).toMatchObject({
    'tus-version': '1.0.0',
    'tus-extension': 'creation,termination,expiration',
  })
  const begun = await tusOf(token).announce(10, { filename: 'Elsewhere.mp3' })
  for (const { headers } of [answer, begun])
    expect(Object.keys(headers).filter(name => name.startsWith('access-control'))).toEqual([])
  expect(begun.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'tus-resumable': '1.0.0' })
})

const long = song(600)

/** Starts to send; announces a length only if `length` is given. */
const sending = (url: string, offset: number, length?: number) => {
  const patch = request(`${origin}${url}`, {
    method: 'PATCH',
    headers: {
      ...TUS,
      authorization: `Bearer ${token}`,
      'content-type': OCTETS,
      'upload-offset': offset,
      ...(length === undefined ? {} : { 'content-length': length }),
    },
  })
  patch.on('error', () => {})
  return patch
}
const answerOf = async (patch: ReturnType<typeof request>) => {
  const [response] = (await once(patch, 'response')) as [IncomingMessage]
  return response
}

test('bytes over a real connection that breaks off is gone on with from where it broke', async () => {
  const url = await tusOf(token).begin(long.length, { filename: 'Broken.mp3' })
  const first = sending(url, 0, long.length)
  first.write(long.subarray(0, 2_000_000))
  await eventually(() => expect(first.writableLength).toBe(0))
  await eventually(() => expect(first.socket?.writableLength).toBe(0))
  first.destroy()
  // What came before is kept, save what was not written yet: a buffer of the request and one of the socket.
  const offset = await tusOf(token).offsetOf(url)
  expect(offset).toBeLessThanOrEqual(2_000_000)
  expect(offset).toBeGreaterThan(2_000_000 - 2 * 65_536)
  const second = sending(url, offset, long.length - offset)
  second.end(long.subarray(offset))
  expect(await json(await answerOf(second))).toMatchObject({ data: { code: 200 } })
})

test('bytes over a real connection of a sender that says no more let go when it comes back', async () => {
  const url = await tusOf(token).begin(long.length, { filename: 'Half-open.mp3' })
  const first = sending(url, 0, long.length)
  first.write(long.subarray(0, 1_000_000))
  await vi.waitFor(async () => expect(await tusOf(token).offsetOf(url)).toBe(1_000_000), {
    timeout: 20_000,
  })
  const second = sending(url, 1_000_000, long.length - 1_000_000)
  second.end(long.subarray(1_000_000))
  expect(await json(await answerOf(second))).toMatchObject({ data: { code: 200 } })
  first.destroy()
})

test('bytes over a real connection beyond what was announced are cut off, and the upload lives', async () => {
  const bytes = song(20)
  const url = await tusOf(token).begin(bytes.length, { filename: 'Chunked.mp3' })
  const chunked = sending(url, 0)
  chunked.end(Buffer.concat([bytes, bytes]))
  expect((await answerOf(chunked)).statusCode).toBe(413)
  const offset = await tusOf(token).offsetOf(url)
  expect(offset).toBeLessThanOrEqual(bytes.length)
  expect((await tusOf(token).patch(url, offset, bytes.subarray(offset))).statusCode).toBe(200)
})
