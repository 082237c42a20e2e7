import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { Problem } from '@floorcast/contract/problem.ts'
import { eventually } from '@floorcast/testing/eventually.ts'
import { TusCaller } from '@floorcast/testing/media-tus.ts'
import { makeSong } from '@floorcast/testing/media-song.ts'
import { makeUploadRequest, uploader } from '@floorcast/testing/media-upload-form.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { signedInUser } from '@floorcast/testing/test-users.ts'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { registerLibrary } from '../../library.ts'

const server = await testServer({ hasOwnDatabase: true, features: [registerLibrary] })
const { upload, answer, storedFiles } = uploader(server)
const song = (note: number) => makeSong({ notes: [note, 2], seconds: 8 })
let origin = ''
beforeAll(async () => {
  origin = await server.http.app.listen({ host: '127.0.0.1', port: 0 })
})

/** Sends the first bytes of a form without a Content-Length. */
async function sendHalf(token: string, song: { name: string; bytes: Uint8Array }, half = 2000) {
  const { method, url, headers, payload } = await makeUploadRequest('melodies', song)
  const sending = request(`${origin}${url}`, {
    method,
    headers: { ...headers, authorization: `Bearer ${token}` },
  })
  sending.on('error', () => {})
  onTestFinished(() => void sending.destroy())
  const answered = once(sending, 'response') as Promise<[IncomingMessage]>
  answered.catch(() => {}) // broken off
  sending.write(payload.subarray(0, half))
  return { sending, answered }
}

test('a user sends four files at once; the fifth is told to wait, another user is not', async () => {
  const { token, scope } = await server.newClient()
  const before = storedFiles().length
  const forms = []
  for (const note of [1, 2, 3, 4])
    forms.push(await sendHalf(token, { name: `${note} notes.mp3`, bytes: song(note) }))
  await eventually(() => expect(storedFiles()).toHaveLength(before + 4))
  const fifth = await answer(token, 'melodies', { bytes: song(5), name: 'Fifth.mp3' })
  expect([fifth.statusCode, Problem.parse(fifth.json()).code]).toEqual([429, 'too-many-uploads'])
  expect(Number(fifth.headers['retry-after'])).toBeGreaterThan(0)
  const tus = new TusCaller(server, token)
  const address = await tus.begin(song(6).length, { filename: 'Sixth.mp3' })
  expect((await tus.patch(address, 0, song(6))).statusCode).toBe(429)
  const colleague = await signedInUser(scope)
  expect((await upload(colleague.token, 'melodies', { bytes: song(7), name: 'Seventh.mp3' })).code).toBe(200)
  forms[0]?.sending.destroy()
  await eventually(() => expect(storedFiles()).toHaveLength(before + 5))
  // Its slot is free a moment after its file is gone.
  await eventually(async () =>
    expect((await tus.patch(address, 0, song(6))).json()).toMatchObject({ data: { code: 200 } }),
  )
  // Three are still under way, although others have ended.
  const after = storedFiles().length
  await sendHalf(token, { name: 'Eighth.mp3', bytes: song(0) })
  await eventually(() => expect(storedFiles()).toHaveLength(after + 1))
  expect((await answer(token, 'melodies', { bytes: song(5), name: 'Ninth.mp3' })).statusCode).toBe(429)
})

test('files of unknown length never write more than the plan allows, however many come at once', async () => {
  const planBytes = 300_000
  await asSuperuser(server.superuserUrl, superuser =>
    superuser.query(`update plans set media_gigabytes = $1 where key = 'trial'`, [planBytes / 1e9]),
  )
  const { scope, token } = await server.newClient()
  const users = [token]
  for (const _ of [1, 2]) users.push((await signedInUser(scope)).token)
  const long = makeSong({ notes: [3, 4], seconds: 60 })
  expect(12 * long.length).toBeGreaterThan(10 * planBytes)
  const forms = await Promise.all(
    Array.from({ length: 12 }, (_, at) =>
      sendHalf(users[at % 3] ?? '', { name: `${at} notes.mp3`, bytes: long }, long.length),
    ),
  )
  const held = async () => {
    const rows = await scope.reads.selectFrom('storageReservations').select('sizeBytes').execute()
    return rows.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  }
  await eventually(async () => expect(await held()).toBeGreaterThan(0))
  expect(await held()).toBeLessThanOrEqual(planBytes)
  const codes = forms.map(async ({ sending, answered }) => {
    sending.end()
    const [response] = await answered
    return ((await json(response)) as { data: { code: number } }).data.code
  })
  expect(new Set(await Promise.all(codes))).toEqual(new Set([903]))
  expect(await held()).toBe(0)
})
