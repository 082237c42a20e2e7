import { createHash, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import {
  FileMissingError,
  type FileKey,
  type FileStore,
  type PieceKey,
  type StoredFile,
} from '@floorcast/server/platform/storage/file-store.ts'
import { type IncomingFiles, openIncomingFiles } from '@floorcast/server/platform/storage/incoming-files.ts'
import { expect, it } from 'vitest'
import { atTheEnd } from './at-the-end.ts'

export interface FileStoreParts {
  store: FileStore
  incoming: IncomingFiles
}

/** A folder for received files, and a store that `open` opens with it. */
export async function openStoreParts(
  open: (parts: { folder: string; incoming: IncomingFiles }) => Promise<FileStore>,
): Promise<FileStoreParts> {
  const folder = mkdtempSync(join(tmpdir(), 'floorcast store '))
  atTheEnd(async () => rmSync(folder, { recursive: true, force: true }))
  const incoming = await openIncomingFiles(folder, { share: 0, atLeastBytes: 0, atMostBytes: 0 })
  return { store: await open({ folder, incoming }), incoming }
}

/** What every store does. @param open called once for each case */
export function checkFileStore(open: () => Promise<FileStoreParts>): void {
  checkBytes(open)
  checkOddFiles(open)
}

/** Puts bytes as a client's. The receiver frees what it is given. */
async function put({ store, incoming }: FileStoreParts, bytes: Buffer, clientUid: string): Promise<FileKey> {
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += 1_000_000) yield Buffer.from(bytes.subarray(at, at + 1_000_000))
  }
  const received = await incoming.receive(chunks(), () => undefined)
  await store.put(clientUid, received)
  // It is still there for another try.
  expect((await readFile(received.path)).length).toBe(bytes.length)
  await incoming.discard(received)
  return { clientUid, sha256: received.sha256 }
}

async function listOf(store: FileStore, clientUid: string): Promise<StoredFile[]> {
  const found: StoredFile[] = []
  for await (const file of store.list()) if (file.key.clientUid === clientUid) found.push(file)
  return found
}

const text = Buffer.from('0123456789'.repeat(100_000))

/** What every store that servers share does with pieces of uploads. */
export function checkPieceStore(open: () => Promise<FileStoreParts>): void {
  it('has pieces of uploads apart from files, lists them with their age, and deletes them', async () => {
    const { store } = await open()
    const { pieces } = store
    if (pieces === null) throw new Error('This store has no pieces')
    const clientUid = randomUUID()
    const [first, second] = [0, 1].map(() => ({ clientUid, uploadUid: randomUUID(), uid: randomUUID() }))
    if (!first || !second) throw new Error('There are two')
    const begun = Date.now()
    for (const piece of [first, second]) await pieces.put(piece, Buffer.from(`the bytes of ${piece.uid}`))
    expect(String(await buffer(await pieces.open(first)))).toBe(`the bytes of ${first.uid}`)
    expect(await listOf(store, clientUid)).toEqual([])
    const listed = async () => {
      const found: { piece: PieceKey; storedAt: Date }[] = []
      for await (const each of pieces.list()) if (each.piece.clientUid === clientUid) found.push(each)
      return found
    }
    expect((await listed()).map(({ piece }) => piece.uid).toSorted()).toEqual(
      [first.uid, second.uid].toSorted(),
    )
    for (const { storedAt } of await listed())
      expect(storedAt.getTime()).toBeGreaterThanOrEqual(begun - (begun % 1000))
    for (const piece of [first, first]) await pieces.delete(piece)
    expect((await listed()).map(({ piece }) => piece)).toEqual([second])
    const outside = { ...second, uploadUid: '../../other' }
    await expect(pieces.put(outside, Buffer.from('x'))).rejects.toThrow('three uids only')
  })
}

function checkBytes(open: () => Promise<FileStoreParts>): void {
  it('stores a file under its hash and gives it back, whole and in ranges', async () => {
    const parts = await open()
    const { store } = parts
    const key = await put(parts, text, randomUUID())
    expect(key.sha256).toBe(createHash('sha256').update(text).digest('hex'))
    expect(await store.size(key)).toBe(text.length)
    expect((await buffer(await store.openRange(key))).equals(text)).toBe(true)
    expect(String(await buffer(await store.openRange(key, { start: 10, end: 14 })))).toBe('01234')
    const last = { start: text.length - 3, end: text.length - 1 }
    expect(String(await buffer(await store.openRange(key, last)))).toBe('789')
    expect(await store.withLocalPath(key, async path => (await readFile(path)).equals(text))).toBe(true)
  })

  it('stores a file of many parts', async () => {
    const parts = await open()
    const large = Buffer.alloc(21_000_001, 'no two parts are of the same bytes ')
    const key = await put(parts, large, randomUUID())
    expect(await parts.store.size(key)).toBe(large.length)
    expect((await buffer(await parts.store.openRange(key))).equals(large)).toBe(true)
    const across = { start: 8_388_600, end: 8_388_620 }
    const cut = await buffer(await parts.store.openRange(key, across))
    expect(cut.equals(large.subarray(across.start, across.end + 1))).toBe(true)
  })

  it('has equal bytes of a client once, of two clients twice, and lists them with their size and age', async () => {
    const parts = await open()
    const { store } = parts
    const [one, other] = [randomUUID(), randomUUID()]
    const begun = Date.now()
    const key = await put(parts, text, one)
    await put(parts, text, one)
    await put(parts, text, other)
    const [listed, ...others] = await listOf(store, one)
    expect(listed).toMatchObject({ key, sizeBytes: text.length })
    // Stores round to seconds.
    expect(listed?.storedAt.getTime()).toBeGreaterThanOrEqual(begun - (begun % 1000))
    expect(others).toEqual([])
    await store.delete(key)
    expect(await store.size(key)).toBeNull()
    expect(await listOf(store, one)).toEqual([])
    expect(await listOf(store, other)).toHaveLength(1)
  })
}

function checkOddFiles(open: () => Promise<FileStoreParts>): void {
  it('a file that is there with other bytes gets the right ones', async () => {
    const parts = await open()
    const { store, incoming } = parts
    const clientUid = randomUUID()
    const received = await incoming.receive(once(text), () => undefined)
    const damaged = `${received.path}-damaged`
    await writeFile(damaged, 'half of it')
    await store.put(clientUid, { ...received, path: damaged, sizeBytes: 10 })
    const key = { clientUid, sha256: received.sha256 }
    expect(await store.size(key)).toBe(10)
    await store.put(clientUid, received)
    expect((await buffer(await store.openRange(key))).equals(text)).toBe(true)
  })

  it('a file that is not there is missing, and may be deleted', async () => {
    const { store } = await open()
    const key = { clientUid: randomUUID(), sha256: '0'.repeat(64) }
    expect(await store.size(key)).toBeNull()
    await expect(store.openRange(key)).rejects.toThrow(FileMissingError)
    await expect(store.withLocalPath(key, async () => true)).rejects.toThrow(FileMissingError)
    await store.delete(key)
  })

  it('a key that is no uid and hash never becomes a place', async () => {
    const { store } = await open()
    const sha256 = 'a'.repeat(64)
    await expect(async () => store.openRange({ clientUid: '../../../database', sha256 })).rejects.toThrow(
      'SHA-256 only',
    )
    await expect(async () =>
      store.delete({ clientUid: randomUUID(), sha256: '../../etc/passwd' }),
    ).rejects.toThrow('SHA-256 only')
  })
}

async function* once(bytes: Buffer) {
  yield Buffer.from(bytes)
}
