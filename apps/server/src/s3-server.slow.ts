import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildPath } from '@floorcast/contract/client.ts'
import { register } from '@floorcast/contract/auth.ts'
import { readMediaFile } from '@floorcast/contract/media.ts'
import { atTheEnd } from '@floorcast/testing/at-the-end.ts'
import { makeSong } from '@floorcast/testing/media-song.ts'
import { makeUploadRequest } from '@floorcast/testing/media-upload-form.ts'
import { makeBucket, settingsOf, startS3rver } from '@floorcast/testing/s3-stores.ts'
import { type ServerProgram, startServerProgram } from '@floorcast/testing/server-program.ts'
import { testDatabase } from '@floorcast/testing/test-database.ts'
import { expect, test } from 'vitest'
import { requireOwnBucket } from './platform/storage/s3-checks.ts'

const s3 = await startS3rver()
const folder = mkdtempSync(join(tmpdir(), 'floorcast-s3-'))
atTheEnd(async () => rmSync(folder, { recursive: true, force: true }))
/** The servers of a test have a folder each, and one key. */
const SECRET_KEY_FILE = join(folder, 'secret.key')

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
  const settings = { DATABASE_URL: url, SECRET_KEY_FILE, ...settingsOf(s3, await makeBucket(s3, 'shared')) }
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
    startServerProgram({ DATABASE_URL, SECRET_KEY_FILE, ...settingsOf(store, bucket) }),
  )
  expect(await Promise.all([stranger?.ended, refused?.ended])).toEqual([1, 1])
  expect(stranger?.said.join('\n')).toContain('S3_BUCKET of-one has the files of another installation (one;')
  expect(refused?.said.join('\n')).toContain('S3_ACCESS_KEY_ID nobody: the store does not know this key')
  expect(refused?.said.join('\n')).not.toContain(secret)
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
