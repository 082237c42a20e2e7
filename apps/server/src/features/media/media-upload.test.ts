import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listMedia, readMedia, uploadMedia } from '@floorcast/contract/media.ts'
import { buildPath } from '@floorcast/contract/client.ts'
import { hostileFixtures, mp3Fixtures, mp4Fixtures } from '@floorcast/testkit/media-fixtures.ts'
import { makeSong } from '@floorcast/testkit/media-song.ts'
import { testServer, type TestServer } from '@floorcast/testkit/test-server.ts'
import { beforeAll, describe, expect, test, vi } from 'vitest'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})

interface Parts {
  path?: string
  bytes?: Uint8Array
  name?: string
  fields?: Record<string, string>
  preview?: string
}

/** Uploads one file as a browser does; the raw answer. */
async function upload(
  token: string,
  contentType: string,
  { path, bytes, name, fields = {}, preview }: Parts,
) {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.append(field, value)
  if (preview) form.append('preview', new Blob([readFileSync(preview)]), 'preview.png')
  const content = bytes ?? (path ? readFileSync(path) : null)
  if (content) form.append('file', new Blob([new Uint8Array(content)]), name ?? 'song.mp3')
  const request = new Response(form)
  return await server.http.app.inject({
    method: 'POST',
    url: buildPath(uploadMedia.path, { contentType }),
    headers: { authorization: `Bearer ${token}`, 'content-type': request.headers.get('content-type') ?? '' },
    payload: Buffer.from(await request.arrayBuffer()),
  })
}
const outcome = (answer: Awaited<ReturnType<typeof upload>>) =>
  answer.json<{ data: Record<string, unknown> }>().data

const storedFiles = () =>
  readdirSync(join(server.context.settings.dataDir, 'media'), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => entry.name)

const list = (token: string, contentType: 'melodies' | 'ads' | 'videos' | 'videosAds', query: object = {}) =>
  server.call(listMedia, { token, params: { contentType }, query })

const card = (token: string, contentType: string, uid: unknown) =>
  server.call(readMedia, { token, params: { contentType, uid } })

describe('an upload', () => {
  test('of an MP3 becomes a melody with its exact length and hash, and its loudness follows', async () => {
    const { token } = await server.newClient()
    const answer = outcome(
      await upload(token, 'melodies', { path: mp3Fixtures.cbrStereo.path, name: 'Evening (live).mp3' }),
    )
    expect(answer).toMatchObject({ code: 200, durationSeconds: 3 })
    const media = await card(token, 'melodies', answer['uid'])
    expect(media).toMatchObject({
      name: 'Evening live',
      originalName: 'Evening (live).mp3',
      durationSeconds: 3,
      version: 1,
      mimeType: 'audio/mpeg',
      sampleRate: 44100,
      channels: 2,
      isGapless: true,
      isUsed: false,
      usedInPlaylists: 0,
      permissions: { mayEdit: true, mayDelete: true },
    })
    expect(storedFiles()).toContain(media.hash)
    await vi.waitFor(
      async () => expect((await card(token, 'melodies', answer['uid'])).loudnessState).toBe('measured'),
      { timeout: 20_000 },
    )
    const { loudness } = await card(token, 'melodies', answer['uid'])
    expect(loudness?.integratedLufs).toBeCloseTo(-13, 0)
    expect(loudness?.truePeakDbtp).toBeCloseTo(-10.9, 0)
  })

  test('of an MP4 becomes a video with its size; without sound there is no loudness to wait for', async () => {
    const { token } = await server.newClient()
    const answer = outcome(
      await upload(token, 'videos', { path: mp4Fixtures.silent.path, name: 'Window.mp4' }),
    )
    expect(await card(token, 'videos', answer['uid'])).toMatchObject({
      mimeType: 'video/mp4',
      width: 128,
      height: 72,
      durationSeconds: 3,
      channels: null,
      loudnessState: 'not-measured',
      loudness: null,
    })
  })

  test('keeps a name of any script, and names what is too short by its whole file name', async () => {
    const { token } = await server.newClient()
    await upload(token, 'ads', { path: mp3Fixtures.mono.path, name: 'عرض الصيف.mp3' })
    await upload(token, 'ads', { path: mp3Fixtures.mono.path, name: '7.mp3' })
    const { items } = await list(token, 'ads', { sort: 'name' })
    expect(items.map(item => [item.name, item.originalName])).toEqual([
      ['7.mp3', '7.mp3'],
      ['عرض الصيف', 'عرض الصيف.mp3'],
    ])
  })

  test.each(hostileFixtures)('of $name is refused with 901, its name and $why; nothing stays', async file => {
    const { token } = await server.newClient()
    const before = storedFiles()
    const contentType = file.claims === 'audio/mpeg' ? 'melodies' : 'videos'
    const answer = await upload(token, contentType, { path: file.path, name: file.name })
    expect(answer.statusCode).toBe(200)
    expect(outcome(answer)).toEqual({ code: 901, names: [file.name], reason: file.why })
    expect(storedFiles()).toEqual(before)
    expect((await list(token, contentType)).total).toBe(0)
  })

  test('an MP3 is no video, an MP4 no melody', async () => {
    const { token } = await server.newClient()
    expect(outcome(await upload(token, 'videosAds', { path: mp3Fixtures.mono.path }))).toMatchObject({
      code: 901,
    })
    expect(outcome(await upload(token, 'melodies', { path: mp4Fixtures.silent.path }))).toMatchObject({
      code: 901,
    })
  })

  test('of a name that is there is refused with 902; another kind or client may have it', async () => {
    const [one, other] = [await server.newClient(), await server.newClient()]
    const send = (token: string, contentType: string) =>
      upload(token, contentType, { path: mp3Fixtures.mono.path, name: 'Jingle.mp3' })
    expect(outcome(await send(one.token, 'ads'))).toMatchObject({ code: 200 })
    const before = storedFiles()
    expect(outcome(await send(one.token, 'ads'))).toEqual({ code: 902, names: ['Jingle.mp3'] })
    expect(storedFiles()).toEqual(before)
    expect(outcome(await send(one.token, 'melodies'))).toMatchObject({ code: 200 })
    expect(outcome(await send(other.token, 'ads'))).toMatchObject({ code: 200 })
  })

  test('two at once with one name: one wins, and the loser takes nothing of the winner', async () => {
    const { token } = await server.newClient()
    const songs = [0, 1, 2, 3].map(note => makeSong({ notes: [note], seconds: 2 }))
    const answers = await Promise.all(
      songs.map(bytes => upload(token, 'melodies', { bytes, name: 'Same.mp3' })),
    )
    expect(answers.map(answer => outcome(answer)['code']).toSorted()).toEqual([200, 902, 902, 902])
    const { items } = await list(token, 'melodies')
    expect(items).toHaveLength(1)
    expect(storedFiles().filter(name => name === items[0]?.hash)).toHaveLength(1)
  })

  test('equal bytes under two names are stored once, and stay while one of them is refused', async () => {
    const { token } = await server.newClient()
    const bytes = makeSong({ notes: [5, 5, 1], seconds: 1.5 })
    expect(outcome(await upload(token, 'melodies', { bytes, name: 'First.mp3' }))).toMatchObject({
      code: 200,
    })
    expect(outcome(await upload(token, 'melodies', { bytes, name: 'First.mp3' }))).toMatchObject({
      code: 902,
    })
    expect(outcome(await upload(token, 'melodies', { bytes, name: 'Second.mp3' }))).toMatchObject({
      code: 200,
    })
    const { items } = await list(token, 'melodies')
    expect(new Set(items.map(item => item.hash)).size).toBe(1)
    expect(storedFiles().filter(name => name === items[0]?.hash)).toHaveLength(1)
  })
})
