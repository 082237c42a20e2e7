import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { buildPath } from '@floorcast/contract/client.ts'
import { deleteMedia, listMedia, readMedia, readMediaFile } from '@floorcast/contract/media.ts'
import { purge } from '@floorcast/contract/recycle-bin.ts'
import { eventually } from '@floorcast/testing/eventually.ts'
import { imageFixtures } from '@floorcast/testing/media-fixtures.ts'
import { makeSong } from '@floorcast/testing/media-song.ts'
import { TusCaller } from '@floorcast/testing/media-tus.ts'
import { uploader } from '@floorcast/testing/media-upload-form.ts'
import { makeBucket, settingsOf, startS3rver, startStoreFront } from '@floorcast/testing/s3-stores.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { wholeServer } from '@floorcast/testing/whole-server.ts'
import { expect, test } from 'vitest'
import { collectDueFiles } from './features/uploads/uploads.ts'

const s3 = await startS3rver()
const server = await wholeServer(settingsOf(s3, await makeBucket(s3, 'floor-files')))
const { answer, upload, storedFiles } = uploader(server)
const melodies = { contentType: 'melodies' }

const hashesOf = async (clientUid: string) => {
  const hashes: string[] = []
  for await (const { key } of server.context.files.list())
    if (key.clientUid === clientUid) hashes.push(key.sha256)
  return hashes
}
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
interface Asked {
  token: string
  uid: string
  method?: 'GET' | 'HEAD'
  range?: string
}
const get = ({ token, uid, method = 'GET', range }: Asked) =>
  server.http.app.inject({
    method,
    url: buildPath(readMediaFile.path, { uid }),
    headers: { authorization: `Bearer ${token}`, ...(range !== undefined && { range }) },
  })

test('files in a bucket: a form and its preview go there, come back whole and in ranges, and go when they are purged', async () => {
  const { token, scope } = await server.newClient()
  const song = makeSong({ notes: [1, 3], seconds: 3 })
  const parts = { bytes: song, name: 'One.mp3', preview: imageFixtures[0].path }
  const { uid = '' } = await upload(token, 'melodies', parts)
  expect(await hashesOf(scope.clientId)).toHaveLength(2)
  expect(storedFiles()).toEqual([])
  expect((await get({ token, uid })).rawPayload.equals(Buffer.from(song))).toBe(true)
  const part = await get({ token, uid, range: 'bytes=100-199' })
  expect(part.statusCode).toBe(206)
  expect(part.rawPayload.equals(Buffer.from(song.subarray(100, 200)))).toBe(true)
  expect((await get({ token, uid, method: 'HEAD' })).headers['content-length']).toBe(String(song.length))
  // Its loudness is measured from a copy on this machine, which goes.
  const card = () => server.call(readMedia, { token, params: { ...melodies, uid } })
  await eventually(async () => expect((await card()).loudnessState).toBe('measured'))
  await eventually(() => expect(storedFiles()).toEqual([]))
  await server.call(deleteMedia, { token, params: melodies, body: { uid } })
  await server.call(purge, { token, params: { x: 'media', uid } })
  expect(await hashesOf(scope.clientId)).toEqual([])
})

test('files in a bucket: a refused upload leaves nothing there', async () => {
  const { token, scope } = await server.newClient()
  const first = { bytes: makeSong({ notes: [2], seconds: 2 }), name: 'Taken.mp3' }
  await upload(token, 'melodies', first)
  const second = { bytes: makeSong({ notes: [4], seconds: 2 }), name: 'Taken.mp3' }
  expect((await answer(token, 'melodies', second)).json()).toMatchObject({ data: { code: 902 } })
  expect(await hashesOf(scope.clientId)).toEqual([hashOf(first.bytes)])
})

test('files in a bucket: one that is missing there is a 404 with its reason, for GET and HEAD', async () => {
  const { token, scope } = await server.newClient()
  const song = makeSong({ notes: [5], seconds: 2 })
  const { uid = '' } = await upload(token, 'melodies', { bytes: song, name: 'Lost.mp3' })
  await server.context.files.delete({ clientUid: scope.clientId, sha256: hashOf(song) })
  const lost = await get({ token, uid })
  expect([lost.statusCode, lost.json<{ code: string }>().code]).toEqual([404, 'file-missing'])
  expect((await get({ token, uid, method: 'HEAD' })).statusCode).toBe(404)
})

test('files in a bucket that is away: forms and downloads say so, a resumable upload waits, what was deleted goes later', async () => {
  const { token, scope } = await server.newClient()
  const kept = makeSong({ notes: [6], seconds: 2 })
  const gone = makeSong({ notes: [7], seconds: 2 })
  const { uid: keptUid = '' } = await upload(token, 'melodies', { bytes: kept, name: 'Kept.mp3' })
  const { uid: goneUid = '' } = await upload(token, 'melodies', { bytes: gone, name: 'Gone.mp3' })
  const resumed = makeSong({ notes: [0, 2], seconds: 2 })
  const tus = new TusCaller(server, token)
  const url = await tus.begin(resumed.length, { filename: 'Resumed.mp3' })
  await s3.stop()
  const away = await get({ token, uid: keptUid })
  expect([away.statusCode, away.json<{ code: string }>().code]).toEqual([503, 'files-away'])
  expect(away.headers['retry-after']).toBe('10')
  expect((await server.http.app.inject('/health/ready?allow=clock-off')).json()).toMatchObject({
    status: 'ready',
  })
  const form = await answer(token, 'melodies', {
    bytes: makeSong({ notes: [0, 4], seconds: 2 }),
    name: 'New.mp3',
  })
  expect([form.statusCode, form.json<{ code: string }>().code]).toEqual([503, 'files-away'])
  expect((await tus.patch(url, 0, resumed)).statusCode).toBe(503)
  await server.call(deleteMedia, { token, params: melodies, body: { uid: goneUid } })
  await server.call(purge, { token, params: { x: 'media', uid: goneUid } })
  expect((await server.call(listMedia, { token, params: melodies })).total).toBe(1)
  await s3.start()
  expect(await hashesOf(scope.clientId)).toContain(hashOf(gone))
  // What other servers would not have is sent again.
  expect(await tus.offsetOf(url)).toBe(0)
  expect((await tus.patch(url, 0, resumed)).json()).toMatchObject({ data: { code: 200 } })
  await asSuperuser(server.superuserUrl, superuser => superuser.query('update file_notes set due_at = now()'))
  await collectDueFiles(server.context, server.context.database)
  expect((await hashesOf(scope.clientId)).toSorted()).toEqual([hashOf(kept), hashOf(resumed)].toSorted())
  expect((await get({ token, uid: keptUid })).statusCode).toBe(200)
  expect(readdirSync(join(server.context.settings.dataDir, 'media', 'unfinished'))).toEqual([])
})

test('files in a bucket whose key was taken away under a running server: forms and downloads say so, and go on when it is given back', async () => {
  const front = await startStoreFront(s3)
  front.isClosed = false
  const other = await wholeServer(settingsOf({ ...s3, ...front }, await makeBucket(s3, 'refused-files')))
  const { token } = await other.newClient()
  const song = { bytes: makeSong({ notes: [1, 6], seconds: 2 }), name: 'Kept.mp3' }
  const { uid = '' } = await uploader(other).upload(token, 'melodies', song)
  const read = () => other.ask(readMediaFile, { token, params: { uid } })
  front.isClosed = true
  const refused = await read()
  expect([refused.statusCode, refused.json<{ code: string }>().code]).toEqual([503, 'files-away'])
  const next = { bytes: makeSong({ notes: [2, 6], seconds: 2 }), name: 'Next.mp3' }
  const form = await uploader(other).answer(token, 'melodies', next)
  expect([form.statusCode, form.json<{ code: string }>().code]).toEqual([503, 'files-away'])
  front.isClosed = false
  expect((await read()).rawPayload.equals(Buffer.from(song.bytes))).toBe(true)
  await uploader(other).upload(token, 'melodies', next)
})
