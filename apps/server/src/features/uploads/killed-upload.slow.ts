import { spawn, type ChildProcess } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { appendFile, mkdir, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { listMedia, readMedia } from '@floorcast/contract/media.ts'
import { register } from '@floorcast/contract/auth.ts'
import { buildPath } from '@floorcast/contract/client.ts'
import { concatBytes, id3v2Tag } from '@floorcast/testing/media-mpeg.ts'
import { makeSong } from '@floorcast/testing/media-song.ts'
import { encodeMetadata, OCTETS, TUS } from '@floorcast/testing/media-tus.ts'
import { makeUploadRequest } from '@floorcast/testing/media-upload-form.ts'
import { asSuperuser, testDatabase } from '@floorcast/testing/test-database.ts'
import { afterAll, expect, test, vi } from 'vitest'

const { url: databaseUrl, superuserUrl, database } = await testDatabase()
const dataDir = mkdtempSync(join(tmpdir(), 'floorcast killed-'))
const main = fileURLToPath(new URL('../../main.ts', import.meta.url))
const servers: ChildProcess[] = []
afterAll(async () => {
  for (const server of servers) await kill(server)
  rmSync(dataDir, { recursive: true, force: true })
})

async function start() {
  const settings = {
    PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    LOG_LEVEL: 'fatal',
    DRAIN_SECONDS: '0',
  }
  const env = { ...process.env, ...settings }
  const server = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  servers.push(server)
  if (!server.stdout) throw new Error('no output')
  for await (const line of createInterface({ input: server.stdout })) {
    const [, port] = /http:\/\/localhost:(\d+)/.exec(line) ?? []
    if (port) return { server, origin: `http://127.0.0.1:${port}` }
  }
  throw new Error('The server did not start')
}

async function kill(server: ChildProcess) {
  if (server.exitCode !== null || server.signalCode !== null) return
  server.kill('SIGKILL')
  await once(server, 'exit')
}

const storedFiles = () =>
  readdirSync(join(dataDir, 'media'), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => entry.name)

interface Asked {
  path: string
  token?: string
  body?: object
}
async function ask<T>(origin: string, { path, token, body }: Asked): Promise<T> {
  const answer = await fetch(`${origin}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return ((await answer.json()) as { data: T }).data
}

const newAccount = async (origin: string, email: string) => {
  const body = { fullName: 'Olga Owner', email, password: 'a long password', terms: true }
  return (await ask<{ token: string }>(origin, { path: register.path, body })).token
}

/** Adds the file and the note that a server leaves which was killed minutes ago, between storing the file and its commit. */
async function plantKept(clientUid: string, bytes: Uint8Array) {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const folder = join(dataDir, 'media', clientUid, sha256.slice(0, 2))
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, sha256), bytes)
  await asSuperuser(superuserUrl, db =>
    db.query('insert into file_notes values ($1, $2, $3, now())', [randomUUID(), clientUid, sha256]),
  )
  return sha256
}

test('a killed server leaves no garbage, loses nothing that was committed, and continues to measure', async () => {
  const first = await start()
  const email = 'o@example.com'
  const token = await newAccount(first.origin, email)
  // Its measurement takes seconds: it is not done when the server is killed.
  const song = makeSong({ notes: [0, 4, 7], seconds: 200 })
  const whole = await makeUploadRequest('melodies', { bytes: song, name: 'Whole.mp3' })
  const authorization = `Bearer ${token}`
  const answer = await fetch(`${first.origin}${whole.url}`, {
    method: 'POST',
    headers: { ...whole.headers, authorization },
    body: whole.payload,
  })
  const { data } = (await answer.json()) as { data: { uid: string } }

  const half = await makeUploadRequest('melodies', { bytes: new Uint8Array(9_000_000), name: 'Half.mp3' })
  const headers = { ...half.headers, authorization, 'content-length': half.payload.length }
  const sending = request(`${first.origin}${half.url}`, { method: 'POST', headers })
  sending.on('error', () => {})
  sending.write(half.payload.subarray(0, 1_000_000))
  await vi.waitFor(() => expect(storedFiles()).toHaveLength(2), { timeout: 60_000 })
  await kill(first.server)
  expect(storedFiles()).toHaveLength(2)

  const { clientId = '' } = (await database.auth.userByEmail(email)) ?? {}
  const owned = await plantKept(clientId, song)
  const unowned = await plantKept(clientId, Buffer.from('stored, but its row was never committed'))
  expect(storedFiles()).toContain(unowned)

  // What was received is left alone for hours: another server could be receiving it.
  const yesterday = Date.now() / 1000 - 86_400
  const incoming = join(dataDir, 'media/incoming')
  for (const name of readdirSync(incoming)) utimesSync(join(incoming, name), yesterday, yesterday)
  const second = await start()
  await vi.waitFor(() => expect(storedFiles()).toEqual([owned]), { timeout: 60_000 })
  const path = buildPath(readMedia.path, { contentType: 'melodies', uid: data.uid })
  const card = () => ask<{ loudnessState: string; hash: string }>(second.origin, { path, token })
  expect((await card()).hash).toBe(owned)
  // The lease of the killed server ends after two minutes, and each server looks every two minutes.
  await vi.waitFor(async () => expect((await card()).loudnessState).toBe('measured'), { timeout: 300_000 })
}, 400_000)

/** Asks a server by tus; `length` announces a file, `offset` brings bytes. */
function askTus(origin: string, { token, url, method, ...said }: TusAsked) {
  const headers: Record<string, string> = { ...TUS, authorization: `Bearer ${token}` }
  if (said.length !== undefined) {
    headers['upload-length'] = String(said.length)
    headers['upload-metadata'] = encodeMetadata({ filename: said.name, contentType: 'melodies' })
  }
  if (said.offset !== undefined)
    Object.assign(headers, { 'content-type': OCTETS, 'upload-offset': String(said.offset) })
  return fetch(`${origin}${url}`, {
    method,
    headers,
    ...(said.bytes ? { body: Buffer.from(said.bytes) } : {}),
  })
}
interface TusAsked {
  token: string
  url: string
  method: string
  length?: number
  name?: string
  offset?: number
  bytes?: Uint8Array
}

test('a killed server continues an upload and keeps its storage reserved', async () => {
  // Nearly all of it is a tag, which is not measured.
  const song = concatBytes(id3v2Tag(3_200_000), makeSong({ notes: [2, 5], seconds: 2 }))
  const allowed = (song.length + 1000) / 1e9
  await asSuperuser(superuserUrl, db =>
    db.query(`update plans set media_gigabytes = ${allowed} where key = 'trial'`),
  )
  const first = await start()
  const token = await newAccount(first.origin, 'tus@example.com')
  const begin = (origin: string, name: string) =>
    askTus(origin, { token, method: 'POST', url: '/api/v2/upload/', length: song.length, name })
  const url = (await begin(first.origin, 'Long.mp3')).headers.get('location') ?? ''
  const sending = request(`${first.origin}${url}`, {
    method: 'PATCH',
    headers: { ...TUS, authorization: `Bearer ${token}`, 'content-type': OCTETS, 'upload-offset': 0 },
  })
  sending.on('error', () => {})
  sending.write(song.subarray(0, 1_000_000))
  const path = join(dataDir, 'media', 'unfinished', url.split('/').at(-1) ?? '')
  await vi.waitFor(() => expect(statSync(path).size).toBeGreaterThan(200_000), { timeout: 10_000 })
  await kill(first.server)

  const second = await start()
  const offset = Number(
    (await askTus(second.origin, { token, url, method: 'HEAD' })).headers.get('upload-offset'),
  )
  expect(offset).toBeGreaterThan(200_000)
  const another = (await (await begin(second.origin, 'Other.mp3')).json()) as object
  expect(another).toEqual({ data: { code: 903, names: ['Other.mp3'] } })
  const middle = song.subarray(offset, offset + 1_000_000)
  expect((await askTus(second.origin, { token, url, method: 'PATCH', offset, bytes: middle })).status).toBe(
    204,
  )
  await kill(second.server)

  // The server was killed after the last byte and before its answer.
  await appendFile(path, song.subarray(offset + 1_000_000))
  const third = await start()
  const asked = { token, url, method: 'PATCH', offset: song.length }
  const outcomes = await Promise.all(
    [0, 1].map(async () => (await (await askTus(third.origin, asked)).json()) as { data: object }),
  )
  expect(outcomes[0]).toMatchObject({ data: { code: 200 } })
  expect(outcomes[1]).toEqual(outcomes[0])
  const list = buildPath(listMedia.path, { contentType: 'melodies' })
  const sha256 = createHash('sha256').update(song).digest('hex')
  expect(await ask<object>(third.origin, { path: list, token })).toMatchObject({
    total: 1,
    items: [{ hash: sha256 }],
  })
  expect(storedFiles().filter(name => path.endsWith(name))).toEqual([])
})

test('a server stops on request, whenever its senders broke off', async () => {
  const { server, origin } = await start()
  const token = await newAccount(origin, 'broken@example.com')
  const asked = { token, method: 'POST', url: '/api/v2/upload/', length: 500_000, name: 'Broken.mp3' }
  const url = (await askTus(origin, asked)).headers.get('location') ?? ''
  for (let turn = 0; turn < 30; turn++) {
    const headers = { ...TUS, authorization: `Bearer ${token}`, 'content-type': OCTETS, 'upload-offset': 0 }
    const sending = request(`${origin}${url}`, { method: 'PATCH', headers })
    sending.on('error', () => {})
    sending.write(new Uint8Array(1000))
    await once(sending, 'socket')
    for (let wait = 0; wait < turn; wait++) await new Promise(setImmediate)
    sending.destroy()
  }
  server.kill('SIGTERM')
  expect(await once(server, 'exit')).toEqual([0, null])
})
