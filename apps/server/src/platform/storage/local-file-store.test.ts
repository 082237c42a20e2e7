import { createHash, randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FileMissingError, FileTooLargeError, type FileStore, upTo } from './file-store.ts'
import { openLocalFileStore } from './local-file-store.ts'

const NO_FLOOR = { share: 0, atLeastBytes: 0, atMostBytes: 0 }
const clientUid = randomUUID()
const bytes = Buffer.from('0123456789'.repeat(100_000))
const sha256 = createHash('sha256').update(bytes).digest('hex')
const key = { clientUid, sha256 }

async function* inChunks(fail?: Error) {
  yield bytes.subarray(0, 300_000)
  if (fail) throw fail
  yield bytes.subarray(300_000)
}

let folder: string
let store: FileStore
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'floorcast store '))
  store = await openLocalFileStore(folder, NO_FLOOR)
})
afterEach(() => rm(folder, { recursive: true }))

const filesIn = async (path: string) =>
  (await readdir(path, { recursive: true, withFileTypes: true }))
    .filter(entry => entry.isFile())
    .map(entry => entry.name)

async function storeOne() {
  const received = await store.receive(inChunks(), upTo(bytes.length))
  return await store.store(received, clientUid)
}

test('a local store stores a stream under its hash and gives it back, whole and in ranges', async () => {
  const received = await store.receive(inChunks(), upTo(bytes.length))
  expect(received).toMatchObject({ sha256, sizeBytes: bytes.length })
  await store.finalize(await store.store(received, clientUid))
  expect(await filesIn(folder)).toEqual([sha256])
  expect(await store.size(key)).toBe(bytes.length)
  expect((await buffer(await store.openRange(key))).equals(bytes)).toBe(true)
  expect(String(await buffer(await store.openRange(key, { start: 10, end: 14 })))).toBe('01234')
})

test('a local store a stream that breaks, or is too long, leaves nothing', async () => {
  await expect(store.receive(inChunks(new Error('connection lost')), upTo(bytes.length))).rejects.toThrow(
    'connection lost',
  )
  await expect(store.receive(inChunks(), upTo(bytes.length - 1))).rejects.toThrow(FileTooLargeError)
  expect(await filesIn(folder)).toEqual([])
})

test('a local store equal bytes of a client lie there once, of two clients twice', async () => {
  await store.finalize(await storeOne())
  await store.finalize(await storeOne())
  expect(await filesIn(folder)).toEqual([sha256])
  const other = randomUUID()
  await store.finalize(await store.store(await store.receive(inChunks(), upTo(bytes.length)), other))
  await store.delete(key)
  expect(await store.size(key)).toBeNull()
  expect(await store.size({ clientUid: other, sha256 })).toBe(bytes.length)
})

test('a local store a later start removes what was half received and lists what was stored but not finalized', async () => {
  await store.receive(inChunks(), upTo(bytes.length))
  const pending = await storeOne()
  const finalized = await storeOne()
  await store.finalize(finalized)
  expect(await (await openLocalFileStore(folder, NO_FLOOR)).listPending()).toEqual([pending])
  expect((await filesIn(join(folder, 'incoming'))).length).toBe(1)
})

test('a local store a start leaves alone what another running process is receiving', async () => {
  const ofParent = `${process.ppid}-${randomUUID()}`
  await writeFile(join(folder, 'incoming', ofParent), 'on its way')
  await store.listPending()
  expect(await filesIn(folder)).toEqual([ofParent])
})

test('a local store a key that is no uid and hash never becomes a path', async () => {
  await expect(async () => store.openRange({ clientUid: '../../../database', sha256 })).rejects.toThrow(
    'SHA-256 only',
  )
  await expect(async () => store.delete({ clientUid, sha256: '../../etc/passwd' })).rejects.toThrow(
    'SHA-256 only',
  )
})

test('a local store what is not there is missing', async () => {
  await expect(store.openRange({ clientUid, sha256: '0'.repeat(64) })).rejects.toThrow(FileMissingError)
})
