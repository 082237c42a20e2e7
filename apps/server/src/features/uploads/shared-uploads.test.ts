import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listMedia } from '@floorcast/contract/media.ts'
import { atTheEnd } from '@floorcast/testing/at-the-end.ts'
import { concatBytes, id3v2Tag } from '@floorcast/testing/media-mpeg.ts'
import { makeSong } from '@floorcast/testing/media-song.ts'
import { TusCaller } from '@floorcast/testing/media-tus.ts'
import { makeBucket, settingsOf, startS3rver } from '@floorcast/testing/s3-stores.ts'
import { startAnother, testServer, type TestServer } from '@floorcast/testing/test-server.ts'
import { expect, test } from 'vitest'
import { registerLibrary } from '../../library.ts'
import { openIncomingFiles } from '../../platform/storage/incoming-files.ts'
import { openFileStore } from '../../platform/storage/open-file-store.ts'
import { deleteAbandonedPieces } from './uploads.ts'

/* Two servers with a folder each, one database and one bucket. */

const s3 = await startS3rver()
const environment = settingsOf(s3, await makeBucket(s3, 'floor-files'))
const one = await testServer({ features: [registerLibrary], environment })
const other = await openOther()

async function openOther(): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), 'floorcast-other-'))
  atTheEnd(async () => rmSync(folder, { recursive: true, force: true }))
  const settings = { ...one.context.settings, dataDir: folder }
  const incoming = await openIncomingFiles(join(folder, 'media'), settings.minFreeDisk)
  const files = await openFileStore(settings, incoming)
  const context = { ...one.context, settings, incoming, files }
  const app = await startAnother({ context, served: one.served })
  return { ...one, context, http: { ...one.http, app } as TestServer['http'] }
}

const callers = async () => {
  const { token, scope } = await one.newClient()
  return { token, scope, here: new TusCaller(one, token), there: new TusCaller(other, token) }
}
/** Nearly all of it is a tag, so that it is made and probed fast. */
const song = (note: number, tagBytes: number) =>
  concatBytes(id3v2Tag(tagBytes), makeSong({ notes: [note], seconds: 2 }))

async function piecesOf(clientUid: string): Promise<string[]> {
  const found: string[] = []
  for await (const { piece } of one.context.files.pieces?.list() ?? [])
    if (piece.clientUid === clientUid) found.push(piece.uploadUid)
  return found
}

test('an upload to several servers goes on at any of them, in pieces of any size, and is stored once', async () => {
  const { token, scope, here, there } = await callers()
  const bytes = song(1, 20_000_000)
  const url = await here.begin(bytes.length, { filename: 'Moved.mp3' })
  const cuts = [0, 1000, 9_000_000, 9_000_001, 19_500_000, bytes.length]
  for (const [nr, end] of cuts.slice(1).entries()) {
    const caller = nr % 2 === 0 ? there : here
    const offset = cuts[nr] ?? 0
    expect(await (nr % 2 === 0 ? here : there).offsetOf(url)).toBe(offset)
    const answer = await caller.patch(url, offset, bytes.subarray(offset, end))
    expect(answer.statusCode).toBe(end === bytes.length ? 200 : 204)
  }
  const { items } = await one.call(listMedia, { token, params: { contentType: 'melodies' } })
  expect(items).toMatchObject([{ hash: createHash('sha256').update(bytes).digest('hex') }])
  expect(await piecesOf(scope.clientId)).toEqual([])
  // A sender that has lost the last answer is told it by the other server.
  expect((await here.patch(url, bytes.length)).json()).toMatchObject({ data: { code: 200 } })
})

test('an upload to several servers is one of them at a time', async () => {
  const { scope, here, there } = await callers()
  const bytes = song(2, 100_000)
  const url = await here.begin(bytes.length, { filename: 'Twice.mp3' })
  const uid = url.split('/').at(-1) ?? ''
  await scope.write(writes =>
    writes
      .updateTable('uploads')
      .set({ busyBy: scope.clientId, busyUntil: new Date(Date.now() + 60_000) })
      .where('uid', '=', uid)
      .execute(),
  )
  for (const caller of [here, there]) expect((await caller.patch(url, 0, bytes)).statusCode).toBe(423)
  // It was killed, and its lease is over.
  await scope.write(writes =>
    writes
      .updateTable('uploads')
      .set({ busyUntil: new Date(Date.now() - 1000) })
      .where('uid', '=', uid)
      .execute(),
  )
  expect((await there.patch(url, 0, bytes)).json()).toMatchObject({ data: { code: 200 } })
})

test('an upload to several servers goes on behind the bytes that all have when the store was away', async () => {
  const { here, there } = await callers()
  const bytes = song(3, 200_000)
  const url = await here.begin(bytes.length, { filename: 'Away.mp3' })
  await here.patch(url, 0, bytes.subarray(0, 50_000))
  await s3.stop()
  // This server has them, and no other would.
  expect((await here.patch(url, 50_000, bytes.subarray(50_000, 90_000))).statusCode).toBe(503)
  await s3.start()
  for (const caller of [here, there]) expect(await caller.offsetOf(url)).toBe(50_000)
  expect((await there.patch(url, 50_000, bytes.subarray(50_000, 60_000))).statusCode).toBe(204)
  expect((await here.patch(url, 60_000, bytes.subarray(60_000))).json()).toMatchObject({
    data: { code: 200 },
  })
})

test('an upload to several servers leaves no pieces when it is cancelled, and none for good when it is given up', async () => {
  const { scope, here, there } = await callers()
  const bytes = song(4, 100_000)
  const cancelled = await here.begin(bytes.length, { filename: 'Cancelled.mp3' })
  await here.patch(cancelled, 0, bytes.subarray(0, 1000))
  expect(await piecesOf(scope.clientId)).toHaveLength(1)
  expect((await there.cancel(cancelled)).statusCode).toBe(204)
  expect(await piecesOf(scope.clientId)).toEqual([])
  const given = await here.begin(bytes.length, { filename: 'Given up.mp3' })
  await here.patch(given, 0, bytes.subarray(0, 1000))
  await deleteAbandonedPieces(one.context, one.database)
  expect(await piecesOf(scope.clientId)).toHaveLength(1)
  one.clock.now = new Date(one.clock.now.getTime() + 2 * 86_400_000)
  await deleteAbandonedPieces(one.context, one.database)
  expect(await piecesOf(scope.clientId)).toEqual([])
  one.clock.now = new Date()
})
