import type { MediaType } from '@floorcast/contract/media.ts'
import { readAudit } from '@floorcast/contract/audit.ts'
import type { Kind } from '@floorcast/contract/fields.ts'
import { addTracks } from '@floorcast/contract/playlist-tracks.ts'
import * as contract from '@floorcast/contract/playlists.ts'
import { makeMedia } from '@floorcast/testing/factories.ts'
import { testServer, type TestServer } from '@floorcast/testing/test-server.ts'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { registerPlaylists } from './playlists-routes.ts'
import { registerAudit } from '../audit/audit-routes.ts'

type Client = Awaited<ReturnType<TestServer['newClient']>>
let server: TestServer
let client: Client
let playlist: string
beforeAll(async () => {
  server = await testServer({ features: [registerPlaylists, registerAudit] })
  client = await server.newClient()
})

const newPlaylist = async (kind: Kind = 'audio', by = client) => {
  const { token } = by
  const body = { name: 'Morning mix' }
  return (await server.call(contract.addPlaylist, { token, params: { contentType: kind }, body })).uid ?? ''
}
beforeEach(async () => {
  playlist = await newPlaylist()
})

const newTrack = async (given: Parameters<typeof makeMedia>[1] = {}) =>
  (await makeMedia(client.scope, given)).uid
const add = (track: string, to = playlist) =>
  server.call(contract.addTrack, { token: client.token, params: { track, playlist: to } })
const card = (id = playlist) =>
  server.call(contract.readPlaylistWithTracks, { token: client.token, params: { id } })
const items = async () => (await card()).items
const move = (track: string, position: number, mode: string) =>
  server.call(contract.moveTrack, { token: client.token, params: { track, playlist, position, mode } })
const remove = (track: string, position: number) =>
  server.call(contract.removeTrack, { token: client.token, params: { track, playlist, position } })
const edit = (body: object) =>
  server.ask(contract.editPlaylist, { token: client.token, body: { uid: playlist, ...body } })
const toggle = (from?: string) =>
  server.call(contract.changePlaylistState, {
    token: client.token,
    params: { id: playlist },
    query: { from },
  })

/** Tracks a, b, c … on the playlist, in this order. */
async function fill(count: number): Promise<string[]> {
  const tracks = await Promise.all(Array.from({ length: count }, () => newTrack()))
  for (const track of tracks) await add(track)
  return tracks
}
async function expectDense(count: number) {
  const positions = (await items()).map(({ position }) => position)
  expect(positions).toEqual(Array.from({ length: count }, (_, index) => index + 1))
}

it('a playlist is made simple, paused and empty', async () => {
  expect(await card()).toMatchObject({
    kind: 'audio',
    form: 'simple',
    state: 'paused',
    isUsed: false,
    isInForce: false,
    itemCount: 0,
    durationSeconds: 0,
    crossfadeSeconds: 0,
    startDate: null,
    items: [],
  })
})

it('a playlist is changed while paused only', async () => {
  const track = await newTrack()
  await add(track)
  expect(await toggle('paused')).toEqual({ code: 0 })
  const refused = { code: 400, reason: 'active-cannot-be-edited' }
  expect(await add(track)).toEqual(refused)
  expect(await move(track, 1, 'end')).toEqual(refused)
  expect(await remove(track, 1)).toEqual(refused)
  expect((await edit({ name: 'Evening mix' })).json()).toEqual({ data: refused })
  expect(await toggle('active')).toEqual({ code: 9 })
  expect((await edit({ name: 'Evening mix' })).json()).toEqual({ data: { code: 200 } })
})

it('a playlist counts one round: repeats, and whole plays that fit in a duration', async () => {
  const tracks = await Promise.all([100, 100, 100].map(durationSeconds => newTrack({ durationSeconds })))
  for (const track of tracks) await add(track)
  const [one, two, three] = await items()
  await edit({
    items: [
      { uid: one?.uid, repeatCount: 3 },
      { uid: two?.uid, replaySeconds: 250 },
      { uid: three?.uid, replaySeconds: 40, startTime: '09:30' },
    ],
  })
  const changed = await card()
  // What has a time of day plays once a day, outside the round.
  expect(changed.durationSeconds).toBe(300 + 200)
  expect(changed.items).toMatchObject([
    { repeatCount: 3, replaySeconds: null, startTime: null },
    { repeatCount: null, replaySeconds: 250 },
    { repeatCount: null, replaySeconds: 40, startTime: '09:30' },
  ])
  await edit({
    items: [
      { uid: two?.uid, replaySeconds: null },
      { uid: three?.uid, repeatCount: 2, startTime: null },
    ],
  })
  expect(await items()).toMatchObject([
    {},
    { repeatCount: 1, replaySeconds: null },
    { repeatCount: 2, startTime: null },
  ])
})

const song = (durationSeconds: number, plays = 1) =>
  ({ durationSeconds, plays, contentType: 'melodies' }) as const
const ad = (durationSeconds: number, plays = 1) => ({ durationSeconds, plays, contentType: 'ads' }) as const
it.each([
  { name: 'no track', tracks: [], crossfade: 5, length: 0 },
  { name: 'one track', tracks: [song(60)], crossfade: 5, length: 55 },
  { name: 'repeats', tracks: [song(60), song(60.4, 3), song(60)], crossfade: 2, length: 291.2 },
  { name: 'ads', tracks: [song(60), ad(20, 2), song(60), song(60)], crossfade: 5, length: 210 },
  { name: 'short tracks', tracks: [song(60), song(4.001), song(60)], crossfade: 10, length: 110.001 },
  { name: 'no crossfade', tracks: [song(60), song(59.97)], crossfade: 0, length: 119.97 },
])(
  'a playlist has the length of a round of devices in list and card: $name',
  async ({ tracks, crossfade, length }) => {
    for (const track of tracks)
      await add(await newTrack({ durationSeconds: track.durationSeconds, contentType: track.contentType }))
    const repeats = (await items()).map(({ uid }, index) => ({ uid, repeatCount: tracks[index]?.plays }))
    await edit({ crossfadeSeconds: crossfade, items: repeats })
    const list = await server.call(contract.listPlaylists, {
      token: client.token,
      params: { x: 'audio' },
      query: { size: 200 },
    })
    const { durationSeconds } = await card()
    expect(durationSeconds).toBeCloseTo(length, 6)
    expect(list.items.find(({ uid }) => uid === playlist)?.durationSeconds).toBe(durationSeconds)
  },
)

it.each([
  [{ items: [{ uid: '01933d4e-0000-7000-8000-00000000000f', repeatCount: 0 }] }, 'items.0.repeatCount'],
  [{ items: [{ uid: '01933d4e-0000-7000-8000-00000000000f', startTime: '25:00' }] }, 'items.0.startTime'],
  [{ startDate: '2026-12-02', endDate: '2026-12-01' }, 'endDate'],
  [{ crossfadeSeconds: 11 }, 'crossfadeSeconds'],
])('a playlist names the wrong field of %j', async (body, path) => {
  const answer = await edit(body)
  expect(answer.statusCode).toBe(422)
  expect(answer.json<{ errors: { path: string }[] }>().errors[0]?.path).toBe(path)
})

it('a playlist refuses an end before the start that is kept', async () => {
  await edit({ startDate: '2026-12-02' })
  expect((await edit({ endDate: '2026-12-01' })).statusCode).toBe(422)
  expect((await card()).endDate).toBeNull()
})

const addMany = (tracks: readonly string[], by = client.token) =>
  server.ask(addTracks, { token: by, params: { playlist }, body: { tracks } })
const outcome = async (tracks: readonly string[]) => (await addMany(tracks)).json<{ data: object }>().data

it('many tracks go to the end in their order, all or none', async () => {
  const [first = ''] = await fill(1)
  const [one, two] = [await newTrack(), await newTrack({ contentType: 'ads' })]
  expect(await outcome([two, one, two])).toMatchObject({ code: 200, added: 3 })
  expect((await items()).map(({ mediaUid }) => mediaUid)).toEqual([first, two, one, two])
  await expectDense(4)
  const { total, items: changes } = await server.call(readAudit, {
    token: client.token,
    params: { id: playlist },
  })
  expect(total).toBe(3)
  expect(JSON.stringify(changes[0])).toContain('add-tracks')
  const video = await newTrack({ contentType: 'videos' })
  expect(await outcome([one, video])).toMatchObject({ code: 400, reason: 'kind-does-not-fit' })
  expect((await addMany([one, playlist])).statusCode).toBe(404)
  expect(await items()).toHaveLength(4)
})

it('many tracks are one to a thousand, for paused simple playlists and those who may edit', async () => {
  const track = await newTrack()
  for (const tracks of [[], Array<string>(1001).fill(track)])
    expect((await addMany(tracks)).statusCode).toBe(422)
  expect(await outcome(Array<string>(1000).fill(track))).toMatchObject({ code: 200, added: 1000 })
  const other = await server.newClient()
  expect((await addMany([track], other.token)).statusCode).toBe(404)
  await toggle()
  expect(await outcome([track])).toMatchObject({ code: 400, reason: 'active-cannot-be-edited' })
})

it('a track goes to the end, as often as wanted', async () => {
  const [track = ''] = await fill(1)
  expect((await add(track)).code).toBe(200)
  expect((await items()).map(({ mediaUid }) => mediaUid)).toEqual([track, track])
})

it.each<[Kind, MediaType, number]>([
  ['audio', 'melodies', 200],
  ['audio', 'ads', 200],
  ['audio', 'videos', 400],
  ['video', 'videosAds', 200],
  ['video', 'melodies', 400],
])('a track on a playlist of kind %s: %s %i', async (kind, contentType, code) => {
  const answer = await add(await newTrack({ contentType }), await newPlaylist(kind))
  expect(answer.code).toBe(code)
  expect(answer.reason).toBe(code === 200 ? undefined : 'kind-does-not-fit')
})

it.each([
  ['start', 'CABDEFGHIJKLMN'],
  ['up', 'ACBDEFGHIJKLMN'],
  ['up10', 'CABDEFGHIJKLMN'],
  ['down', 'ABDCEFGHIJKLMN'],
  ['down10', 'ABDEFGHIJKLMCN'],
  ['end', 'ABDEFGHIJKLMNC'],
])('a track third of fourteen, moved %s', async (mode, expected) => {
  const tracks = await fill(14)
  expect(await move(tracks[2] ?? '', 3, mode)).toEqual({ code: 200 })
  const letters = (await items()).map(({ mediaUid }) => String.fromCharCode(65 + tracks.indexOf(mediaUid)))
  expect(letters.join('')).toBe(expected)
  await expectDense(14)
})

it('a track is not moved or removed when something else is there now', async () => {
  const [one = '', two = ''] = await fill(2)
  const refused = { code: 400, reason: 'position-changed' }
  expect(await move(one, 2, 'up')).toEqual(refused)
  expect(await move(two, 3, 'up')).toEqual(refused)
  expect(await remove(two, 1)).toEqual(refused)
  expect(await remove(one, 1)).toEqual({ code: 200 })
  expect(await remove(one, 1)).toEqual(refused)
  expect((await items()).map(({ mediaUid }) => mediaUid)).toEqual([two])
})

it('a track of another client is not there', async () => {
  const other = await server.newClient()
  const { uid: theirs } = await makeMedia(other.scope)
  const params = { track: theirs, playlist }
  expect((await server.ask(contract.addTrack, { token: client.token, params })).statusCode).toBe(404)
})

it('concurrent calls keep positions dense and unique', async () => {
  const tracks = await fill(12)
  const modes = ['start', 'up10', 'up', 'down', 'down10', 'end']
  const jobs = tracks.flatMap((track, index) => [
    move(track, index + 1, modes[index % 6] ?? 'up'),
    move(track, index + 1, modes[(index + 3) % 6] ?? 'up'),
    index % 4 === 0 ? remove(track, index + 1) : add(track),
  ])
  const answers = await Promise.all(jobs)
  const removed = answers.filter((answer, job) => job % 12 === 2 && answer.code === 200).length
  const added = answers.filter((_, job) => job % 3 === 2 && job % 12 !== 2).length
  await expectDense(12 + added - removed)
  for (const { code, reason } of answers)
    if (code !== 200) expect([code, reason]).toEqual([400, 'position-changed'])
})
