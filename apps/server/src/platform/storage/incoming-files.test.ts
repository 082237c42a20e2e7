import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FileTooLargeError, type IncomingFiles, openIncomingFiles, upTo } from './incoming-files.ts'

const bytes = Buffer.from('0123456789'.repeat(100_000))
const sha256 = createHash('sha256').update(bytes).digest('hex')

/** The receiver frees what it is given. */
async function* inChunks(fail?: Error) {
  yield Buffer.from(bytes.subarray(0, 300_000))
  if (fail) throw fail
  yield Buffer.from(bytes.subarray(300_000))
}

let folder: string
let incoming: IncomingFiles
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'floorcast incoming '))
  incoming = await openIncomingFiles(folder, { share: 0, atLeastBytes: 0, atMostBytes: 0 })
})
afterEach(() => rm(folder, { recursive: true }))

const received = () => readdir(join(folder, 'incoming'))

test('a received stream is hashed, and is gone when it is discarded', async () => {
  const file = await incoming.receive(inChunks(), upTo(bytes.length))
  expect(file).toMatchObject({ sha256, sizeBytes: bytes.length })
  expect(await received()).toHaveLength(1)
  await incoming.discard(file)
  expect(await received()).toEqual([])
})

test('a received stream that breaks, or is too long, leaves nothing', async () => {
  const broken = incoming.receive(inChunks(new Error('connection lost')), upTo(bytes.length))
  await expect(broken).rejects.toThrow('connection lost')
  await expect(incoming.receive(inChunks(), upTo(bytes.length - 1))).rejects.toThrow(FileTooLargeError)
  expect(await received()).toEqual([])
})

test('a stream that breaks before its first byte is read is refused, and ends no process', async () => {
  // It breaks before or after its reader comes.
  for (let turn = 0; turn < 100; turn += 1) {
    const missing = createReadStream(join(folder, 'missing'))
    await expect(incoming.receive(missing, upTo(1))).rejects.toThrow('ENOENT')
  }
  expect(await received()).toEqual([])
})

test('what nobody has written to for hours is removed, and what is received stays', async () => {
  await incoming.receive(inChunks(), upTo(bytes.length))
  const fresh = await received()
  await writeFile(join(folder, 'incoming', 'of a killed server'), 'half of')
  const yesterday = Date.now() / 1000 - 86_400
  await utimes(join(folder, 'incoming', 'of a killed server'), yesterday, yesterday)
  await incoming.cleanUp()
  expect(await received()).toEqual(fresh)
})
