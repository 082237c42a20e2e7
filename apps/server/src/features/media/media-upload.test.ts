import { listMedia, readMedia, type MediaType } from '@floorcast/contract/media.ts'
import { hostileFixtures, mp3Fixtures, mp4Fixtures } from '@floorcast/testing/media-fixtures.ts'
import { makeSong } from '@floorcast/testing/media-song.ts'
import { uploader } from '@floorcast/testing/media-upload-form.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { expect, test, vi } from 'vitest'
import { registerLibrary } from '../../library.ts'

const server = await testServer({ features: [registerLibrary] })
const { upload, storedFiles } = uploader(server)

const list = (token: string, contentType: MediaType, query: object = {}) =>
  server.call(listMedia, { token, params: { contentType }, query })
const card = (token: string, contentType: MediaType, uid: string | undefined) =>
  server.call(readMedia, { token, params: { contentType, uid } })

test('an upload of an MP3 becomes a melody with its exact length and hash, and its loudness follows', async () => {
  const { token } = await server.newClient()
  const file = { path: mp3Fixtures.cbrStereo.path, name: 'Evening (live).mp3' }
  const { uid, ...answer } = await upload(token, 'melodies', file)
  expect(answer).toEqual({ code: 200, durationSeconds: 3 })
  const media = await card(token, 'melodies', uid)
  expect(media).toMatchObject({
    name: 'Evening live',
    originalName: 'Evening (live).mp3',
    durationSeconds: 3,
    fileVersion: 1,
    mimeType: 'audio/mpeg',
    sampleRate: 44100,
    channels: 2,
    isGapless: true,
    isUsed: false,
    usedInPlaylists: 0,
    permissions: { mayEdit: true, mayDelete: true },
  })
  expect(storedFiles()).toContain(media.hash)
  await vi.waitFor(async () => expect((await card(token, 'melodies', uid)).loudnessState).toBe('measured'), {
    timeout: 20_000,
  })
  const { loudness } = await card(token, 'melodies', uid)
  expect(loudness?.integratedLufs).toBeCloseTo(-13, 0)
  expect(loudness?.truePeakDbtp).toBeCloseTo(-10.9, 0)
})

test('an upload of an MP4 becomes a video with its size; without sound there is no loudness to wait for', async () => {
  const { token } = await server.newClient()
  const { uid } = await upload(token, 'videos', { path: mp4Fixtures.silent.path, name: 'Window.mp4' })
  expect(await card(token, 'videos', uid)).toMatchObject({
    mimeType: 'video/mp4',
    width: 128,
    height: 72,
    durationSeconds: 3,
    channels: null,
    loudnessState: 'not-measured',
    loudness: null,
  })
})

test('an upload keeps a name of any script, and names what is too short by its whole file name', async () => {
  const { token } = await server.newClient()
  await upload(token, 'ads', { path: mp3Fixtures.mono.path, name: 'عرض الصيف.mp3' })
  await upload(token, 'ads', { path: mp3Fixtures.mono.path, name: '7.mp3' })
  const { items } = await list(token, 'ads', { sort: 'name' })
  expect(items.map(item => [item.name, item.originalName])).toEqual([
    ['7.mp3', '7.mp3'],
    ['عرض الصيف', 'عرض الصيف.mp3'],
  ])
})

test.each(hostileFixtures)(
  'an upload of $name is refused with 901, its name and $why; nothing stays',
  async file => {
    const { token } = await server.newClient()
    const before = storedFiles()
    const contentType = file.claims === 'audio/mpeg' ? 'melodies' : 'videos'
    const answer = await upload(token, contentType, { path: file.path, name: file.name })
    expect(answer).toEqual({ code: 901, names: [file.name], reason: file.why })
    expect(storedFiles()).toEqual(before)
    expect((await list(token, contentType)).total).toBe(0)
  },
)

test('an upload an MP3 is no video, an MP4 no melody', async () => {
  const { token } = await server.newClient()
  expect((await upload(token, 'videosAds', { path: mp3Fixtures.mono.path })).code).toBe(901)
  expect((await upload(token, 'melodies', { path: mp4Fixtures.silent.path })).code).toBe(901)
})

test('uploads of equal names or bytes a name that is there is refused with 902; another kind or client may have it', async () => {
  const [one, other] = [await server.newClient(), await server.newClient()]
  const send = (token: string, contentType: MediaType) =>
    upload(token, contentType, { path: mp3Fixtures.mono.path, name: 'Jingle.mp3' })
  expect((await send(one.token, 'ads')).code).toBe(200)
  const before = storedFiles()
  expect(await send(one.token, 'ads')).toEqual({ code: 902, names: ['Jingle.mp3'] })
  expect(storedFiles()).toEqual(before)
  expect((await send(one.token, 'melodies')).code).toBe(200)
  expect((await send(other.token, 'ads')).code).toBe(200)
})

test('uploads of equal names or bytes of four at once with one name one wins, and the losers take nothing of the winner', async () => {
  const { token } = await server.newClient()
  const songs = [0, 1, 2, 3].map(note => makeSong({ notes: [note], seconds: 2 }))
  const answers = await Promise.all(
    songs.map(bytes => upload(token, 'melodies', { bytes, name: 'Same.mp3' })),
  )
  expect(answers.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([200, 902, 902, 902])
  const { items } = await list(token, 'melodies')
  expect(items).toHaveLength(1)
  expect(storedFiles().filter(name => name === items[0]?.hash)).toHaveLength(1)
})

test('uploads of equal names or bytes equal bytes under two names are stored once, and stay while one of them is refused', async () => {
  const { token } = await server.newClient()
  const bytes = makeSong({ notes: [5, 5, 1], seconds: 1.5 })
  const codes = []
  for (const name of ['First.mp3', 'First.mp3', 'Second.mp3'])
    codes.push((await upload(token, 'melodies', { bytes, name })).code)
  expect(codes).toEqual([200, 902, 200])
  const { items } = await list(token, 'melodies')
  expect(new Set(items.map(item => item.hash)).size).toBe(1)
  expect(storedFiles().filter(name => name === items[0]?.hash)).toHaveLength(1)
})
