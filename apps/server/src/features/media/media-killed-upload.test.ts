import { spawn, type ChildProcess } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { readMedia } from '@floorcast/contract/media.ts'
import { register } from '@floorcast/contract/session.ts'
import { buildPath } from '@floorcast/contract/client.ts'
import { makeSong } from '@floorcast/testkit/media-song.ts'
import { makeUploadRequest } from '@floorcast/testkit/media-upload-form.ts'
import { testDatabase } from '@floorcast/testkit/test-database.ts'
import { afterAll, expect, test, vi } from 'vitest'

const { url: databaseUrl, database } = await testDatabase()
const dataDir = mkdtempSync(join(tmpdir(), 'floorcast killed-'))
const main = fileURLToPath(new URL('../../main.ts', import.meta.url))
const servers: ChildProcess[] = []
afterAll(async () => {
  for (const server of servers) await kill(server)
  rmSync(dataDir, { recursive: true, force: true })
})

async function start() {
  const env = { ...process.env, PORT: '0', DATA_DIR: dataDir, DATABASE_URL: databaseUrl, LOG_LEVEL: 'fatal' }
  const server = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  servers.push(server)
  if (!server.stdout) throw new Error('no output')
  for await (const line of createInterface({ input: server.stdout })) {
    const [origin] = /http:\/\/localhost:\d+/.exec(line) ?? []
    if (origin) return { server, origin }
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

/** What a server that was killed between storing a file and its commit leaves: the file and its note. */
async function plantKept(pid: number, clientUid: string, bytes: Uint8Array) {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const folder = join(dataDir, 'media', clientUid, sha256.slice(0, 2))
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, sha256), bytes)
  await writeFile(join(dataDir, 'media', 'incoming', `${pid}-${randomUUID()}.${clientUid}.${sha256}`), '')
  return sha256
}

test('a killed server leaves nothing that nobody owns, loses nothing that was committed, and measures on', async () => {
  const first = await start()
  const account = { fullName: 'Olga Owner', email: 'o@example.com', password: 'a long password', terms: true }
  const { token } = await ask<{ token: string }>(first.origin, { path: register.path, body: account })
  const song = makeSong({ notes: [0, 4, 7], seconds: 600 })
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
  await vi.waitFor(() => expect(storedFiles()).toHaveLength(2), { timeout: 10_000 })
  await kill(first.server)
  expect(storedFiles()).toHaveLength(2)

  const { clientId = '' } = (await database.door.userByEmail(account.email)) ?? {}
  const pid = first.server.pid ?? 0
  const owned = await plantKept(pid, clientId, song)
  const unowned = await plantKept(pid, clientId, Buffer.from('stored, but its row was never committed'))
  expect(storedFiles()).toContain(unowned)

  const second = await start()
  expect(storedFiles()).toEqual([owned])
  const path = buildPath(readMedia.path, { contentType: 'melodies', uid: data.uid })
  const card = () => ask<{ loudnessState: string; hash: string }>(second.origin, { path, token })
  expect((await card()).hash).toBe(owned)
  await vi.waitFor(async () => expect((await card()).loudnessState).toBe('measured'), { timeout: 50_000 })
})
