import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildPath } from '@floorcast/contract/client.ts'
import { register } from '@floorcast/contract/auth.ts'
import { readMediaFile } from '@floorcast/contract/media.ts'
import { beginUpload } from '@floorcast/contract/uploads.ts'
import { atTheEnd } from '@floorcast/testing/at-the-end.ts'
import { eventually } from '@floorcast/testing/eventually.ts'
import { concatBytes, id3v2Tag } from '@floorcast/testing/media-mpeg.ts'
import { makeSong } from '@floorcast/testing/media-song.ts'
import { encodeMetadata, OCTETS, TUS } from '@floorcast/testing/media-tus.ts'
import { makeUploadRequest } from '@floorcast/testing/media-upload-form.ts'
import { makeBucket, settingsOf, startS3rverProgram } from '@floorcast/testing/s3-stores.ts'
import { type ServerProgram, startServerProgram } from '@floorcast/testing/server-program.ts'
import { testDatabase } from '@floorcast/testing/test-database.ts'
import { expect, test } from 'vitest'
import { readSettings } from './platform/settings/settings.ts'
import { openIncomingFiles } from './platform/storage/incoming-files.ts'
import { openFileStore } from './platform/storage/open-file-store.ts'
import { requireOwnBucket } from './platform/storage/s3-checks.ts'

const s3 = await startS3rverProgram()
const folder = mkdtempSync(join(tmpdir(), 'floorcast-s3-'))
atTheEnd(async () => rmSync(folder, { recursive: true, force: true }))

const originOf = async ({ until }: ServerProgram) => {
  const [, port] = await until(/^Floorcast is at http:\/\/localhost:(\d+)$/)
  return `http://127.0.0.1:${port}`
}

async function signUp(origin: string): Promise<string> {
  const body = JSON.stringify({
    fullName: 'Olga Owner',
    email: 'olga@example.com',
    password: 'a long password',
    terms: true,
  })
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${origin}${register.path}`, { method: 'POST', headers, body })
  return ((await answer.json()) as { data: { token: string } }).data.token
}

async function upload(origin: string, token: string, file: { name: string; bytes: Uint8Array }) {
  const { url, headers, payload } = await makeUploadRequest('melodies', file)
  const authorization = `Bearer ${token}`
  const answer = await fetch(`${origin}${url}`, {
    method: 'POST',
    headers: { ...headers, authorization },
    body: payload,
  })
  return { status: answer.status, body: (await answer.json()) as { data?: { uid: string }; code?: string } }
}

test('two servers with a folder each, and one bucket: a file that one has taken is read at the other', async () => {
  const { url } = await testDatabase()
  const settings = { DATABASE_URL: url, ...settingsOf(s3, await makeBucket(s3, 'shared')) }
  const one = await originOf(startServerProgram(settings))
  const other = await originOf(startServerProgram(settings))
  const token = await signUp(one)
  for (const [origin, elsewhere, note] of [
    [one, other, 1],
    [other, one, 3],
  ] as const) {
    const bytes = makeSong({ notes: [note], seconds: 2 })
    const { body } = await upload(origin, token, { name: `${note}.mp3`, bytes })
    const read = await fetch(`${elsewhere}${buildPath(readMediaFile.path, { uid: body.data?.uid ?? '' })}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(read.status).toBe(200)
    expect(Buffer.from(await read.arrayBuffer()).equals(Buffer.from(bytes))).toBe(true)
  }
})

test('a start with the bucket of another installation, or a wrong key, ends with the setting to change, and without the secret', async () => {
  const bucket = await makeBucket(s3, 'of-one')
  await requireOwnBucket({ ...s3, bucket }, 'one')
  const DATABASE_URL = (await testDatabase()).url
  const secret = 'a-secret-that-nobody-reads'
  const wrong = { ...s3, key: { id: 'nobody', secret } }
  const [stranger, refused] = [s3, wrong].map(store =>
    startServerProgram({ DATABASE_URL, ...settingsOf(store, bucket) }),
  )
  expect(await Promise.all([stranger?.ended, refused?.ended])).toEqual([1, 1])
  expect(stranger?.said.join('\n')).toContain('S3_BUCKET of-one has the files of another installation (one;')
  expect(refused?.said.join('\n')).toContain('S3_ACCESS_KEY_ID nobody: the store does not know this key')
  expect(refused?.said.join('\n')).not.toContain(secret)
})

test.each([
  [3_600_000, /clock of this machine is 60 minutes ahead of that of the store at S3_ENDPOINT: set it right/],
  [-1_200_000, /clock of this machine is 20 minutes behind that of the store at S3_ENDPOINT: set it right/],
])('a start with a clock that is wrong by %i ms ends with words that say so', async (shiftMs, words) => {
  const file = join(folder, `shift ${shiftMs}`)
  writeFileSync(file, String(shiftMs))
  const program = startServerProgram({
    DATABASE_URL: (await testDatabase()).url,
    NODE_OPTIONS: `--import ${new URL('../../../testing/src/shifted-clock.ts', import.meta.url).href}`,
    CLOCK_SHIFT_FILE: file,
    ...settingsOf(s3, await makeBucket(s3, `clock${shiftMs}`.replace('-', '.'))),
  })
  expect(await program.ended).toBe(1)
  expect(program.said.join('\n')).toMatch(words)
})

test('a server starts while the store is away, refuses uploads, and takes them when the store is back', async () => {
  const settings = {
    DATABASE_URL: (await testDatabase()).url,
    ...settingsOf(s3, await makeBucket(s3, 'late')),
  }
  await s3.stop()
  const program = startServerProgram(settings)
  const origin = await originOf(program)
  expect(program.said.join('\n')).toContain('the store of files (S3_ENDPOINT) is away')
  const token = await signUp(origin)
  const file = { name: 'Late.mp3', bytes: makeSong({ notes: [5], seconds: 2 }) }
  const away = await upload(origin, token, file)
  expect([away.status, away.body.code]).toEqual([503, 'files-away'])
  await s3.start()
  expect((await upload(origin, token, file)).status).toBe(200)
})

/** A server with its own bucket, a user of it, and what is on their way and in the store. */
async function startShop(bucket: string) {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'floorcast outage '))
  atTheEnd(async () => rmSync(DATA_DIR, { recursive: true, force: true }))
  const settings = {
    DATABASE_URL: (await testDatabase()).url,
    DATA_DIR,
    ...settingsOf(s3, await makeBucket(s3, bucket)),
  }
  const origin = await originOf(startServerProgram(settings))
  const token = await signUp(origin)
  const files = await openFileStore(readSettings(settings), await openIncomingFiles(DATA_DIR, NO_FLOOR))
  const stored = async () => {
    const sizes: number[] = []
    for await (const { sizeBytes } of files.list()) sizes.push(sizeBytes)
    return sizes
  }
  const incoming = () => readdirSync(join(DATA_DIR, 'media', 'incoming'))
  const read = async (uid: string) => {
    const answer = await fetch(`${origin}${buildPath(readMediaFile.path, { uid })}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    return Buffer.from(await answer.arrayBuffer())
  }
  return { origin, token, stored, incoming, read }
}
const NO_FLOOR = { share: 0, atLeastBytes: 0, atMostBytes: 0 }

/** Nearly all of it is a tag, which is not measured. */
const longSong = (note: number) =>
  concatBytes(
    ...Array.from({ length: 5 }, () => id3v2Tag(3_000_000)),
    makeSong({ notes: [note, 5], seconds: 2 }),
  )

test('a store that is killed while a form goes to it: the form fails with words and leaves nothing, and succeeds when it is back', async () => {
  const { origin, token, stored, incoming, read } = await startShop('form')
  const file = { name: 'Long.mp3', bytes: longSong(1) }
  const sending = upload(origin, token, file)
  // Its parts are on their way.
  await s3.untilAsked(/\?uploads/)
  await s3.stop()
  const away = await sending
  expect([away.status, away.body.code]).toEqual([503, 'files-away'])
  expect(incoming()).toEqual([])
  await s3.start()
  expect(await stored()).toEqual([])
  const again = await upload(origin, token, file)
  expect(again.status).toBe(200)
  expect((await read(again.body.data?.uid ?? '')).equals(Buffer.from(file.bytes))).toBe(true)
  expect(await stored()).toEqual([file.bytes.length])
})

test('a form that breaks off in the middle of its body leaves nothing in the store nor on the way there', async () => {
  const { origin, token, stored, incoming } = await startShop('broken')
  const { url, headers, payload } = await makeUploadRequest('melodies', {
    name: 'Half.mp3',
    bytes: longSong(2),
  })
  const sending = request(`${origin}${url}`, {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${token}`, 'content-length': payload.length },
  })
  sending.on('error', () => undefined)
  sending.write(payload.subarray(0, 2_000_000))
  await eventually(() => expect(incoming()).toHaveLength(1))
  sending.destroy()
  await eventually(() => expect(incoming()).toEqual([]))
  expect(await stored()).toEqual([])
})

test('a store that is killed in the middle of a resumable upload: it waits, and goes on behind what the store has', async () => {
  const { origin, token, stored, read } = await startShop('resumed')
  const song = longSong(3)
  const tus = (
    method: string,
    url: string,
    more: { headers?: Record<string, string>; body?: Uint8Array } = {},
  ) =>
    fetch(`${origin}${url}`, {
      method,
      headers: { ...TUS, authorization: `Bearer ${token}`, ...more.headers },
      ...(more.body && { body: Buffer.from(more.body) }),
    })
  const begun = await tus('POST', beginUpload.path, {
    headers: {
      'upload-length': String(song.length),
      'upload-metadata': encodeMetadata({ filename: 'Resumed.mp3', contentType: 'melodies' }),
    },
  })
  const url = begun.headers.get('location') ?? ''
  const send = (from: number, to = song.length) =>
    tus('PATCH', url, {
      headers: { 'content-type': OCTETS, 'upload-offset': String(from) },
      body: song.subarray(from, to),
    })
  const first = await send(0, 9_000_000)
  expect([first.status, first.headers.get('upload-offset')]).toEqual([204, '9000000'])
  await s3.stop()
  const away = await send(9_000_000)
  expect([away.status, ((await away.json()) as { code: string }).code]).toEqual([503, 'files-away'])
  await s3.start()
  const offset = Number((await tus('HEAD', url)).headers.get('upload-offset'))
  expect(offset).toBe(9_000_000)
  const last = await send(offset)
  const { data } = (await last.json()) as { data: { code: number; uid: string } }
  expect(data.code).toBe(200)
  expect((await read(data.uid)).equals(Buffer.from(song))).toBe(true)
  await eventually(async () => expect(await stored()).toEqual([song.length]))
})
