import { openAsBlob } from 'node:fs'
import { makeDevice } from '@floorcast/testing/factories.ts'
import { faultyLine } from '@floorcast/testing/faulty-line.ts'
import { mp3Fixtures } from '@floorcast/testing/media-fixtures.ts'
import { codeAt, secondFactorOn } from '@floorcast/testing/test-second-factor.ts'
import { wholeServer } from '@floorcast/testing/whole-server.ts'
import { beforeAll, expect, test } from 'vitest'
import { done, Floorcast, type FloorcastError, NotDoneError } from './index.ts'

const server = await wholeServer()
const password = 'a long password'
let url = ''
beforeAll(async () => {
  // It ends the connections that fetch keeps, for which the server would wait.
  url = (await faultyLine(await server.http.app.listen({ host: '127.0.0.1', port: 0 }))).url
})

/** A client of the server, with a program that signs in as its admin. */
async function newProgram() {
  const client = await server.newClient()
  return { ...client, floorcast: new Floorcast({ url, signIn: { email: client.email, password } }) }
}

test('a program signs in, uploads, plans, publishes and reads a report', async () => {
  const { floorcast, scope } = await newProgram()
  const { uid: deviceUid } = await makeDevice(scope, { name: 'Till radio' })
  const file = new File([await openAsBlob(mp3Fixtures.mono.path)], 'Evening.mp3')
  const song = done(await floorcast.media.upload({ contentType: 'melodies', file, description: 'Calm' }))
  expect(song.durationSeconds).toBeCloseTo(3, 0)
  const card = await floorcast.media.read({ contentType: 'melodies', uid: song.uid })
  expect(card).toMatchObject({ name: 'Evening', description: 'Calm' })

  const playlist = done(await floorcast.playlists.add({ contentType: 'audio', name: 'Evening' }))
  done(await floorcast.playlists.addTracks({ playlist: playlist.uid, tracks: [song.uid, song.uid] }))
  const newGroup = { name: 'North', devices: { uids: [deviceUid] } }
  const publication = done(await floorcast.publications.publish({ playlistUid: playlist.uid, newGroup }))
  expect(await floorcast.publications.read({ id: publication.uid })).toMatchObject({ state: 'active' })

  const day = server.clock.now.toISOString().slice(0, 10)
  const report = await floorcast.reports.r2({ from: day, to: day, zone: 'UTC', format: 'csv' })
  expect(report.headers.get('content-disposition')).toContain('.csv')
  expect(await report.text()).toContain('Track')
})

test('a list is one page where it is awaited, and every item where it is iterated', async () => {
  const { floorcast, scope } = await newProgram()
  for (let index = 0; index < 5; index += 1) await makeDevice(scope, { name: `Shop ${index}` })
  const page = await floorcast.devices.list({ size: 2, sort: 'name', page: 2 })
  expect(page).toMatchObject({ total: 5, page: 2, size: 2 })
  expect(page.items.map(({ name }) => name)).toEqual(['Shop 2', 'Shop 3'])

  const names: string[] = []
  for await (const { name } of floorcast.devices.list({ size: 2, sort: 'name', dir: 'desc' }))
    names.push(name)
  expect(names).toEqual(['Shop 4', 'Shop 3', 'Shop 2', 'Shop 1', 'Shop 0'])
  for await (const { name } of floorcast.groups.list()) expect(name).toBe('There is no group')
})

test('a refused change is an outcome, and an error where done() wants it', async () => {
  const { floorcast, scope } = await newProgram()
  const { uid } = await makeDevice(scope)
  const group = done(await floorcast.groups.add({ contentType: 'audio', name: 'North' }))
  done(await floorcast.groups.addToGroup({ device: uid, group: group.uid }))
  const refused = await floorcast.devices.delete({ uid })
  expect(refused).toMatchObject({ code: 409, reason: 'device-in-a-group' })
  expect(() => done(refused)).toThrow(NotDoneError)
  expect(() => done(refused)).toThrow('Not done: 409, device-in-a-group')
  expect(done(await floorcast.groups.changeGroupState({ id: group.uid })).code).toBe(0)
})

test('a wrong field is an error with its place, the id of the request and no secret', async () => {
  const { floorcast, token } = await newProgram()
  const error: unknown = await floorcast.groups
    .add({ contentType: 'audio', name: 'x' })
    .catch((failure: unknown) => failure)
  expect(error).toMatchObject({ name: 'FloorcastError', code: 'wrong-fields', status: 422 })
  expect(error).toMatchObject({ errors: [{ path: 'name' }] })
  expect((error as FloorcastError).requestId).toMatch(/^[\da-f-]{36}$/)
  expect(String(error)).toMatch(
    /^FloorcastError: POST \/group\/add\/\{contentType\}: 422 wrong-fields: .* name: /,
  )
  expect(JSON.stringify(error)).not.toContain(token)
  await expect(floorcast.groups.read({} as { id: string })).rejects.toThrow("needs 'id'")
})

test('a session that has ended is followed by another one, once for all calls', async () => {
  const { floorcast } = await newProgram()
  await floorcast.devices.list()
  done(await floorcast.session.end())
  const answers = await Promise.all([
    floorcast.devices.list(),
    floorcast.groups.list(),
    floorcast.session.read(),
  ])
  expect(answers).toHaveLength(3)
  const own = await floorcast.sessions.listOwnSessions()
  // That of the client's registration, and the second one of the program.
  expect(own).toHaveLength(2)
})

test('a token of the caller is used as it is, and its end is an error', async () => {
  const { token } = await newProgram()
  const floorcast = new Floorcast({ url: `${url}/`, token: () => Promise.resolve(token) })
  expect(await floorcast.session.read()).toMatchObject({ role: 'admin' })
  await floorcast.session.end()
  await expect(floorcast.session.read()).rejects.toMatchObject({ code: 'session-expired', status: 401 })
})

test('a wrong password is tried once', async () => {
  const { email } = await server.newClient()
  const floorcast = new Floorcast({ url, signIn: { email, password: 'a wrong password' } })
  const codes = await Promise.all(
    [1, 2, 3].map(() => floorcast.session.read().catch((error: unknown) => error)),
  )
  for (const code of codes) expect(code).toBe(codes[0])
  expect(codes[0]).toMatchObject({ code: 'wrong-login', status: 400 })
})

test('a second factor is asked for its code', async () => {
  const { email, token } = await server.newClient()
  const { secret } = await secondFactorOn(server).enroll(token)
  secondFactorOn(server).wait(60_000)
  const without = new Floorcast({ url, signIn: { email, password } })
  await expect(without.session.read()).rejects.toMatchObject({ code: 'second-factor' })
  const code = () => codeAt(secret, server.clock.now)
  const floorcast = new Floorcast({ url, signIn: { email, password, code } })
  expect(await floorcast.session.read()).toMatchObject({ email })
})

test('a file in parts has its progress, and a refused one its outcome', async () => {
  const { floorcast } = await newProgram()
  const bytes = await (await openAsBlob(mp3Fixtures.cbrStereo.path)).arrayBuffer()
  // Trailing zeros are padding: a file of more than one part.
  const file = new File([new Uint8Array(bytes), new Uint8Array(9 * 1024 ** 2)], 'Träume ☂.mp3')
  const progress: number[] = []
  const options = { contentType: 'melodies', description: 'Für Elise' } as const
  const onProgress = ({ sentBytes, totalBytes }: { sentBytes: number; totalBytes: number }) =>
    progress.push(sentBytes / totalBytes)
  const song = done(await floorcast.uploadFile(file, { ...options, onProgress }))
  expect(progress).toHaveLength(2)
  expect(progress.at(-1)).toBe(1)
  const card = await floorcast.media.read({ contentType: 'melodies', uid: song.uid })
  expect(card).toMatchObject({ name: 'Träume', description: 'Für Elise' })
  expect(await floorcast.uploadFile(file, options)).toMatchObject({ code: 902 })
  expect(await floorcast.uploadFile(new File([], 'Empty.mp3'), options)).toMatchObject({ code: 901 })
})

test('a download is a stream of the bytes that were stored', async () => {
  const { floorcast } = await newProgram()
  const original = await openAsBlob(mp3Fixtures.mono.path)
  const song = done(await floorcast.uploadFile(original, { contentType: 'ads', filename: 'Ad.mp3' }))
  const { body } = await floorcast.media.readMediaFile({ uid: song.uid })
  let size = 0
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) size += chunk.length
  expect(size).toBe(original.size)
})

test('changes of the client come until the signal aborts', async () => {
  const { floorcast } = await newProgram()
  const stop = new AbortController()
  const changes = floorcast.changes({ signal: stop.signal })
  const first = changes.next()
  let uid = ''
  await expect
    .poll(async () => {
      uid = done(await floorcast.groups.add({ contentType: 'audio', name: 'North' })).uid
      return Promise.race([
        first.then(({ value }) => value?.entity),
        new Promise(resolve => setTimeout(resolve, 200)),
      ])
    })
    .toBe('group')
  expect(uid).not.toBe('')
  const next = changes.next()
  stop.abort(new Error('enough'))
  await expect(next.then(() => changes.next())).rejects.toThrow('enough')
})
