import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { listMedia } from '@floorcast/contract/media.ts'
import { makeTicket } from '@floorcast/contract/auth.ts'
import { makeSong } from '@floorcast/testing/media-song.ts'
import { TusCaller } from '@floorcast/testing/media-tus.ts'
import { uploader } from '@floorcast/testing/media-upload-form.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { signedInUser } from '@floorcast/testing/test-users.ts'
import { beforeAll, expect, test } from 'vitest'
import { ResumableUploads } from './resumable-uploads.ts'
import { registerLibrary } from '../../library.ts'

const server = await testServer({ hasOwnDatabase: true, features: [registerLibrary] })
const tusOf = (token: string) => new TusCaller(server, token)
const { upload, storedFiles } = uploader(server)
const song = (seconds = 6, note = 1) => makeSong({ notes: [note, 2], seconds })

/** A second of these songs has 8,000 bytes. */
const PLAN_BYTES = 150_000
const HOUR = 3_600_000

const setPlan = (bytes: number) =>
  asSuperuser(server.superuserUrl, superuser =>
    superuser.query(`update plans set media_gigabytes = $1 where key = 'trial'`, [bytes / 1e9]),
  )
beforeAll(() => setPlan(PLAN_BYTES))

type Scope = Awaited<ReturnType<typeof server.newClient>>['scope']
const held = (scope: Scope) =>
  scope.reads
    .selectFrom('storageReservations')
    .select('sizeBytes')
    .execute()
    .then(rows => rows.map(row => row.sizeBytes))

test('an upload belongs to who began it another client, another user of the same client, a ticket and no token find none', async () => {
  const [{ token, scope }, other] = [await server.newClient(), await server.newClient()]
  const colleague = await signedInUser(scope)
  const bytes = song()
  const url = await tusOf(token).begin(bytes.length, { filename: 'Mine.mp3' })
  for (const foreign of [other.token, colleague.token]) {
    const answers = [
      await tusOf(foreign).head(url),
      await tusOf(foreign).patch(url, 0, bytes),
      await tusOf(foreign).cancel(url),
    ]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404])
  }
  // No ticket is made for it.
  expect((await server.ask(makeTicket, { token, body: { path: url } })).statusCode).toBe(422)
  for (const method of ['HEAD', 'PATCH'] as const)
    expect((await server.http.app.inject({ method, url: `${url}?token=${token}` })).statusCode).toBe(401)
  expect(await tusOf(token).offsetOf(url)).toBe(0)
  expect((await tusOf(token).patch(url, 0, bytes)).json()).toMatchObject({ data: { code: 200 } })
})

test('an upload belongs to who began it nobody replaces the item of another client, nor one of another kind', async () => {
  const [one, other] = [await server.newClient(), await server.newClient()]
  const { uid = '' } = await tusOf(one.token).upload(song(2), { filename: 'Mine.mp3' })
  expect((await tusOf(other.token).announce(100, { filename: 'x.mp3', uid })).statusCode).toBe(404)
  expect(
    (await tusOf(one.token).announce(100, { filename: 'x.mp3', uid, contentType: 'ads' })).statusCode,
  ).toBe(404)
})

test('an upload belongs to who began it rights to view, and a subscription that ends meanwhile, change nothing', async () => {
  const { token, scope, email } = await server.newClient()
  const viewer = await signedInUser(scope, { rights: 'view' })
  expect((await tusOf(viewer.token).announce(100, { filename: 'x.mp3' })).statusCode).toBe(403)
  const bytes = song(3)
  const url = await tusOf(token).begin(bytes.length, { filename: 'Late.mp3' })
  const { now } = server.clock
  await server.database.jobs.setSubscription(email, 'trial', new Date(now.getTime() - 1000), now)
  const refused = await tusOf(token).patch(url, 0, bytes)
  expect([refused.statusCode, refused.json<{ code: string }>().code]).toEqual([403, 'subscription-expired'])
  expect((await server.call(listMedia, { token, params: { contentType: 'melodies' } })).total).toBe(0)
})

test('the storage of a plan is held as bytes come, so that ten at once never pass it, in forms or not', async () => {
  const { token, scope } = await server.newClient()
  // A user sends four at once.
  const users = [token, (await signedInUser(scope)).token, (await signedInUser(scope)).token]
  const files = Array.from({ length: 10 }, (_, note) => ({
    bytes: song(6, note % 8),
    filename: `${note} notes.mp3`,
    user: tusOf(users[note % 3] ?? ''),
  }))
  const begun = await Promise.all(
    files.map(({ user, bytes, filename }) => user.begin(bytes.length, { filename })),
  )
  expect(await held(scope)).toEqual([])
  const answers = await Promise.all(
    files.map(({ user, bytes }, index) => user.patch(begun[index] ?? '', 0, bytes)),
  )
  const codes = answers.map(answer => answer.json<{ data: { code: number } }>().data.code)
  expect(codes.filter(code => code === 200)).toHaveLength(3)
  expect(codes.filter(code => code === 903)).toHaveLength(7)
  expect(await held(scope)).toEqual([])
  expect((await upload(token, 'melodies', { bytes: song(6, 7), name: 'Form.mp3' })).code).toBe(903)
})

test('the storage of a plan is held for what came of an unfinished upload, until it is cancelled', async () => {
  const { token, scope } = await server.newClient()
  const bytes = song(12)
  const url = await tusOf(token).begin(bytes.length, { filename: 'Unfinished.mp3' })
  await tusOf(token).patch(url, 0, bytes.subarray(0, 60_000))
  expect(await held(scope)).toEqual([60_000])
  expect((await upload(token, 'melodies', { bytes: song(12, 7), name: 'Form.mp3' })).code).toBe(903)
  await tusOf(token).cancel(url)
  expect((await upload(token, 'melodies', { bytes: song(12, 7), name: 'Form.mp3' })).code).toBe(200)
  expect(await held(scope)).toEqual([])
})

test('the storage of a plan that others took since it began refuses the rest at once, and its bytes go', async () => {
  const { token, scope } = await server.newClient()
  const bytes = song(12)
  const url = await tusOf(token).begin(bytes.length, { filename: 'Long.mp3' })
  await tusOf(token).patch(url, 0, bytes.subarray(0, 5000))
  expect((await upload(token, 'melodies', { bytes: song(9, 7), name: 'Form.mp3' })).code).toBe(200)
  const refused = { data: { code: 903, names: ['Long.mp3'] } }
  const answer = await tusOf(token).patch(url, 5000, bytes.subarray(5000, 10_000))
  expect([answer.statusCode, answer.json()]).toEqual([200, refused])
  expect(answer.headers['upload-offset']).toBe(String(bytes.length))
  expect((await tusOf(token).patch(url, bytes.length)).json()).toEqual(refused)
  expect(await held(scope)).toEqual([])
  expect(storedFiles()).not.toContain(url.split('/').at(-1))
})

test('the storage of a plan is given back at the end, whatever it was', async () => {
  const { token, scope } = await server.newClient()
  expect((await tusOf(token).upload(song(8), { filename: 'Good.mp3' })).code).toBe(200)
  expect((await tusOf(token).upload(new Uint8Array(9000), { filename: 'Bad.mp3' })).code).toBe(901)
  expect(await held(scope)).toEqual([])
})

test('the storage of a plan that became smaller meanwhile refuses the upload at its end', async () => {
  const { token, scope } = await server.newClient()
  const bytes = song(6)
  const url = await tusOf(token).begin(bytes.length, { filename: 'Late.mp3' })
  await setPlan(bytes.length - 1)
  expect((await tusOf(token).patch(url, 0, bytes)).json()).toEqual({
    data: { code: 903, names: ['Late.mp3'] },
  })
  expect(await held(scope)).toEqual([])
  await setPlan(PLAN_BYTES)
})

test('the storage of a plan is not held by a start whose answer was lost: the same file can start again', async () => {
  const { token, scope } = await server.newClient()
  const bytes = song(12)
  const lost = await tusOf(token).begin(bytes.length, { filename: 'Large.mp3' })
  const url = await tusOf(token).begin(bytes.length, { filename: 'Large.mp3' })
  expect(await held(scope)).toEqual([])
  expect((await tusOf(token).head(lost)).statusCode).toBe(404)
  await tusOf(token).patch(url, 0, bytes.subarray(0, 60_000))
  const third = await tusOf(token).announce(bytes.length, { filename: 'Large.mp3' })
  expect(third.json()).toEqual({ data: { code: 903, names: ['Large.mp3'] } })
  expect((await tusOf(token).patch(url, 60_000, bytes.subarray(60_000))).json()).toMatchObject({
    data: { code: 200 },
  })
})

test('the storage of a plan and the bytes are free again a day after the last byte', async () => {
  const { token, scope } = await server.newClient()
  const bytes = song(12)
  const url = await tusOf(token).begin(bytes.length, { filename: 'Given up.mp3' })
  const start = server.clock.now
  const at = async (hours: number) => {
    server.clock.now = new Date(start.getTime() + hours * HOUR)
    return await tusOf(token).head(url)
  }
  await at(11)
  await tusOf(token).patch(url, 0, bytes.subarray(0, 5000))
  for (const hours of [22, 33]) expect((await at(hours)).statusCode).toBe(200)
  for (const hours of [36, 47]) expect((await at(hours)).statusCode).toBe(404)
  const next = await tusOf(token).announce(bytes.length, { filename: 'Next.mp3' })
  expect(next.statusCode).toBe(201)
  await tusOf(token).cancel(String(next.headers['location']))
  const folder = join(server.context.settings.dataDir, 'media', 'unfinished')
  const uid = url.split('/').at(-1) ?? ''
  const last = new Date(start.getTime() + 11 * HOUR)
  utimesSync(join(folder, uid), last, last)
  const target = { admit: async () => {}, store: async () => ({ code: 200 }) }
  await new ResumableUploads(server.context, target).startSweep()()
  expect(storedFiles()).not.toContain(uid)
  expect((await scope.reads.selectFrom('uploads').select('uid').execute()).length).toBe(1)
  server.clock.now = new Date()
})
