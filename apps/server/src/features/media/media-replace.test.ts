import { readMedia, type MediaType } from '@floorcast/contract/media.ts'
import {
  hostileFixtures,
  imageFixtures,
  mp3Fixtures,
  mp4Fixtures,
} from '@floorcast/testing/media-fixtures.ts'
import { makeSong } from '@floorcast/testing/media-song.ts'
import { makeUploadRequest, uploader } from '@floorcast/testing/media-upload-form.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { expect, test } from 'vitest'
import { registerLibrary } from '../../library.ts'

const server = await testServer({ features: [registerLibrary] })
const { answer, upload, storedFiles } = uploader(server)
const card = (token: string, contentType: MediaType, uid: string | undefined) =>
  server.call(readMedia, { token, params: { contentType, uid } })

test('an upload that names an item replaces its file as a new version; the item keeps its name, the old bytes go', async () => {
  const { token } = await server.newClient()
  const { uid = '' } = await upload(token, 'ads', { path: mp3Fixtures.mono.path, name: 'Spring.mp3' })
  const before = await card(token, 'ads', uid)
  const bytes = makeSong({ notes: [3, 1], seconds: 5 })
  const fields = { uid, description: 'Louder' }
  const replaced = await upload(token, 'ads', { bytes, name: 'Spring 2.mp3', fields })
  expect(replaced).toEqual({ code: 200, uid, durationSeconds: 5 })
  const after = await card(token, 'ads', uid)
  expect(after).toMatchObject({
    fileVersion: 2,
    name: 'Spring',
    originalName: 'Spring 2.mp3',
    description: 'Louder',
    durationSeconds: 5,
  })
  expect(storedFiles()).not.toContain(before.hash)
  expect(storedFiles()).toContain(after.hash)
})

test('an upload that names an item may keep the file name, may not take that of another item, and must name one of its kind and client', async () => {
  const { token } = await server.newClient()
  const { uid = '' } = await upload(token, 'ads', { path: mp3Fixtures.mono.path, name: 'One.mp3' })
  await upload(token, 'ads', { path: mp3Fixtures.mono.path, name: 'Two.mp3' })
  const replacement = (name: string) => ({ path: mp3Fixtures.mpeg2.path, name, fields: { uid } })
  expect((await upload(token, 'ads', replacement('One.mp3'))).code).toBe(200)
  expect(await upload(token, 'ads', replacement('Two.mp3'))).toEqual({ code: 902, names: ['Two.mp3'] })
  expect((await answer(token, 'melodies', replacement('One.mp3'))).statusCode).toBe(404)
  const { token: foreign } = await server.newClient()
  expect((await answer(foreign, 'ads', replacement('One.mp3'))).statusCode).toBe(404)
  expect((await card(token, 'ads', uid)).fileVersion).toBe(2)
})

test.each(imageFixtures)(
  'an upload that names an item takes a preview image alone: $name',
  async ({ path }) => {
    const { token } = await server.newClient()
    const { uid = '' } = await upload(token, 'videos', { path: mp4Fixtures.silent.path, name: 'Door.mp4' })
    expect(await upload(token, 'videos', { preview: path, fields: { uid } })).toEqual({ code: 200, uid })
    expect(await card(token, 'videos', uid)).toMatchObject({ hasPreview: true, fileVersion: 1 })
  },
)

test('an upload that names an item leaves no preview behind that another takes the place of', async () => {
  const { token } = await server.newClient()
  const [png, jpeg] = imageFixtures
  const { uid = '' } = await upload(token, 'ads', { path: mp3Fixtures.mono.path, preview: png.path })
  const before = storedFiles()
  await upload(token, 'ads', { preview: jpeg.path, fields: { uid } })
  expect(storedFiles()).toHaveLength(before.length)
})

const sound = { path: mp3Fixtures.mono.path }
test.each([
  { title: 'has no file', parts: {}, path: 'file', message: 'empty' },
  {
    title: 'has a uid that is none',
    parts: { ...sound, fields: { uid: 'x' } },
    path: 'uid',
    message: 'wrong',
  },
  {
    title: 'has special characters in its description',
    parts: { ...sound, fields: { description: '<b>' } },
    path: 'description',
    message: 'special-characters',
  },
])(
  'an upload that is malformed $title: 422 at the field, nothing stays',
  async ({ parts, path, message }) => {
    const { token } = await server.newClient()
    const before = storedFiles()
    const refused = await answer(token, 'melodies', parts)
    expect(refused.statusCode).toBe(422)
    expect(refused.json()).toMatchObject({ errors: [{ path, message }] })
    expect(storedFiles()).toEqual(before)
  },
)

test('an upload that is malformed has a preview that is no image: 901, and the sound is not kept either', async () => {
  const { token } = await server.newClient()
  const before = storedFiles()
  const preview = hostileFixtures.find(file => file.name === 'hostile-html.mp3')?.path ?? ''
  const refused = await upload(token, 'melodies', { path: mp3Fixtures.mono.path, preview })
  expect(refused).toEqual({ code: 901, names: ['preview.png'], reason: 'not-an-image' })
  expect(storedFiles()).toEqual(before)
})

test('an upload that is malformed is no form: 415; ends in the middle: 400; is of no content type: 404', async () => {
  const { token } = await server.newClient()
  const authorization = `Bearer ${token}`
  const json = { method: 'POST' as const, url: '/melodies/upload', payload: {}, headers: { authorization } }
  expect((await server.http.app.inject(json)).statusCode).toBe(415)
  const request = await makeUploadRequest('melodies', { path: mp3Fixtures.mono.path })
  const headers = { ...request.headers, authorization }
  const before = storedFiles()
  const cut = { ...request, headers, payload: request.payload.subarray(0, 9000) }
  expect((await server.http.app.inject(cut)).statusCode).toBe(400)
  expect(storedFiles()).toEqual(before)
  const elsewhere = { ...request, headers, url: '/songs/upload' }
  expect((await server.http.app.inject(elsewhere)).statusCode).toBe(404)
})
