/**
 * A client written from docs/specification.md alone: plain fetch, paths written out, no word of the contract. What the
 * specification leaves open (how a device signs in, how update packages are made) is marked 'beyond'.
 */
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { mp3Fixtures, mp4Fixtures } from '@floorcast/testing/media-fixtures.ts'
import { planDraft } from '@floorcast/testing/smart-draft.ts'
import { chartAndReportPaths, type Data } from '@floorcast/testing/spec-answers.ts'
import { makeUpdateKeys } from '@floorcast/testing/update-keys.ts'
import { wholeServer } from '@floorcast/testing/whole-server.ts'
import { beforeAll, expect, it } from 'vitest'

const server = await wholeServer()
let host = ''
let token = ''
beforeAll(async () => {
  await server.http.app.listen({ host: '127.0.0.1', port: 0 })
  host = `http://127.0.0.1:${(server.http.app.server.address() as AddressInfo).port}`
})

async function ask(method: string, path: string, init: RequestInit = {}): Promise<Data> {
  const headers = { ...(token ? { authorization: `Bearer ${token}` } : {}), ...init.headers }
  const answer = await fetch(host + path, { ...init, method, headers })
  const { data } = (await answer.json()) as { data?: Data }
  if (!data) throw new Error(`${method} ${path}: HTTP ${answer.status} without a data field`)
  return data
}
const get = (path: string) => ask('GET', path)
const post = (path: string, body: unknown = {}, more: Record<string, string> = {}) =>
  ask('POST', path, { body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...more } })
function send(
  path: string,
  file: { name: string; content: Buffer | string },
  fields: Record<string, string> = {},
) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new Blob([Buffer.from(file.content)]), file.name)
  return ask('POST', path, { body: form })
}
const done = expect.objectContaining({ code: 200 }) as unknown
const song = readFileSync(mp3Fixtures.cbrStereo.path)
const advert = readFileSync(mp3Fixtures.mono.path)
const film = readFileSync(mp4Fixtures.faststart.path)

let userUid = ''
const made = { device: '', group: '', playlist: '', publication: '', song: '', advert: '' }

it('a client written from the specification alone registers, signs in and keeps its personal settings', async () => {
  const account = { email: 'owner@shop.example', password: 'a long password' }
  await post('/users/register', { fullName: 'Olga Owner', ...account, terms: true }) // beyond
  const session = await post('/users/authenticate', account)
  ;[token, userUid] = [session.token, session.uid]
  expect(session).toMatchObject({ role: 'admin', username: account.email })
  const settings = { color: 'orange', mode: 'dark', menuType: 'full' }
  expect(await post('/api/v2/profile/save', settings)).toEqual(done)
  expect(await get(`/api/v2/profile/read/${userUid}`)).toMatchObject(settings)
  const [client] = [server.clock.now]
  await server.database.jobs.setSubscription(account.email, 'medium', new Date('2099-01-01'), client)
})

it.each([
  ['melodies', song, 'Morning tune.mp3'],
  ['ads', advert, 'Spring sale.mp3'],
  ['videos', film, 'Shop film.mp4'],
  ['videosAds', film, 'Film ad.mp4'],
])(
  'a client written from the specification alone uploads %s, lists, reads, edits and deletes them',
  async (type, content, name) => {
    const { uid } = await send(`/${type}/upload`, { name, content })
    if (type === 'melodies') made.song = uid
    if (type === 'ads') made.advert = uid
    expect((await send(`/${type}/upload`, { name, content })).code).toBe(902)
    expect((await send(`/${type}/upload`, { name: 'note.txt', content: 'no media' })).code).toBe(901)
    expect(await post(`/${type}/edit`, { uid, description: 'Played all day' })).toEqual(done)
    expect(await get(`/${type}/qcard/${uid}`)).toMatchObject({ uid, description: 'Played all day' })
    expect((await get(`/${type}/qlist`)).items.map(item => item.uid)).toEqual([uid])
    expect((await get(`/${type}/get/${uid}/qplaylists`)).total).toBe(0)
    expect((await get(`/${type}/get/${uid}/qgroups`)).total).toBe(0)
    const [one, two] = [
      await send(`/${type}/upload`, { name: `one ${name}`, content }),
      await send(`/${type}/upload`, { name: `two ${name}`, content }),
    ]
    expect(await post(`/${type}/delete`, { uid: one.uid })).toEqual(done)
    expect(await post(`/${type}/massdelete`, { uids: [two.uid] })).toEqual(done)
    if (type.startsWith('videos')) expect(await post(`/${type}/deleteunused`)).toEqual(done)
  },
)

it('a client written from the specification alone makes a playlist, moves in it, copies it and imports others', async () => {
  const { uid } = await post('/playlist/add/audio', { name: 'Morning mix' })
  made.playlist = uid
  for (const track of [made.song, made.advert, made.song])
    expect(await get(`/action/addtrack/${track}/toplaylist/${uid}`)).toEqual(done)
  expect(await get(`/action/movetrack/${made.advert}/inplaylist/${uid}/by/2/direction/start`)).toEqual(done)
  expect(await get(`/action/removetrack/${made.song}/fromplaylist/${uid}/by/3`)).toEqual(done)
  expect(await post('/playlist/edit', { uid, description: 'Until noon' })).toEqual(done)
  expect(await get(`/playlist/qcard/${uid}/quick`)).toMatchObject({ name: 'Morning mix', itemCount: 2 })
  expect((await get(`/playlist/qcard/${uid}/withtracks`)).items.map(item => item.name)).toEqual([
    'Spring sale',
    'Morning tune',
  ])
  const copy = await get(`/playlist/clone/${uid}`)
  const { m3u8 } = await get(`/playlist/source/${uid}`)
  const list = await send('/playlist/upload/m3u/', { name: 'again.m3u8', content: m3u8 })
  expect((await send('/playlist/upload/m3u/', { name: 'a.m3u', content: 'gone.mp3' })).names).toEqual([
    'gone.mp3',
  ])
  expect((await get('/playlist/qlist/all')).total).toBe(3)
  expect(await post('/playlist/delete', { uid: copy.uid })).toEqual(done)
  expect(await post('/playlist/massdelete', { uids: [list.uid] })).toEqual(done)
  expect((await get(`/action/playlist/${uid}/changestate`)).code).toBe(0)
})

it('a client written from the specification alone imports a smart playlist', async () => {
  const seconds = async (type: string, uid: string) =>
    Number((await get(`/${type}/qcard/${uid}`))['durationSeconds'])
  const lists = {
    melList: [{ uid: made.song, duration: await seconds('melodies', made.song) }],
    adsList: [{ uid: made.advert, duration: await seconds('ads', made.advert) }],
  }
  const { uid, code } = await post('/playlist/import', planDraft(lists))
  expect(code).toBe(200)
  expect(await get(`/playlist/qcard/${uid}/quick`)).toMatchObject({ form: 'smart' })
  expect(await get('/playlist/deleteunused')).toMatchObject({
    code: 200,
    done: expect.arrayContaining([uid]) as unknown,
  })
  made.playlist = (await get(`/recycle/playlists/${made.playlist}/restore`)).code === 200 ? made.playlist : ''
})

it('a client written from the specification alone adds devices and groups them', async () => {
  const [one, two, three] = [
    await post('/device/add/audio', { name: 'Till radio' }),
    await post('/device/add/audio', { name: 'Spare one' }),
    await post('/device/add/video', { name: 'Window screen' }),
  ]
  made.device = one.uid
  expect(await post('/device/edit', { uid: one.uid, volume: 55 })).toEqual(done)
  expect((await get('/device/qfree/audio')).total).toBe(2)
  const group = await post('/group/add/audio', { name: 'North shops' })
  made.group = group.uid
  expect(await post('/group/edit', { uid: group.uid, description: 'Four of them' })).toEqual(done)
  expect(await get(`/action/add/${one.uid}/to/${group.uid}`)).toEqual(done)
  expect((await post('/device/delete', { uid: one.uid })).code).toBe(409)
  expect(await get(`/action/remove/${one.uid}/from/${group.uid}`)).toEqual(done)
  expect(await get(`/action/add/${one.uid}/to/${group.uid}`)).toEqual(done)
  expect(await get(`/group/qcard/${group.uid}`)).toMatchObject({ deviceCount: 1 })
  const [spare, other] = [
    await post('/group/add/audio', { name: 'South shops' }),
    await post('/group/add/video', { name: 'Windows' }),
  ]
  expect(await post('/group/delete', { uid: spare.uid })).toEqual(done)
  expect(await post('/group/massdelete', { uids: [other.uid] })).toEqual(done)
  expect((await get('/group/qlist/audio')).items.map(({ uid }) => uid)).toEqual([group.uid])
  expect((await get(`/action/group/${group.uid}/changestate`)).code).toBe(0)
  expect(await post('/device/delete', { uid: two.uid })).toEqual(done)
  expect(await post('/device/massdelete', { uids: [three.uid] })).toEqual(done)
  expect((await get('/api/v2/device/qlist')).items.map(({ uid }) => uid)).toEqual([one.uid])
})

it('a client written from the specification alone publishes', async () => {
  expect((await get('/selectlist/devicegroup/audio')) as unknown).toMatchObject([{ uid: made.group }])
  expect((await get('/selectlist/playlist/audio')) as unknown).toMatchObject([{ uid: made.playlist }])
  const draft = { name: 'On the air', groupUid: made.group, playlistUid: made.playlist }
  const { uid } = await post('/deploy/add/audio', draft)
  made.publication = uid
  expect(await post('/deploy/edit', { uid, description: 'From today' })).toEqual(done)
  expect((await get(`/action/deploy/${uid}/delaystart/2099-01-01T09:00:00Z`)).code).toBe(0)
  expect((await get(`/action/deploy/${uid}/changestate`)).code).toBe(8)
  expect((await get(`/action/deploy/${uid}/changestate`)).code).toBe(0)
  expect(await get(`/deploy/qcard/${uid}`)).toMatchObject({ state: 'active' })
  const [rival, third] = [await post('/deploy/add/audio', draft), await post('/deploy/add/audio', draft)]
  expect((await get(`/action/deploy/${rival.uid}/changestate`)).code).toBe(1)
  expect(await post('/deploy/delete', { uid: rival.uid })).toEqual(done)
  expect(await post('/deploy/massdelete', { uids: [third.uid] })).toEqual(done)
  expect(await get('/deploy/deleteunused')).toEqual(done)
  expect((await get('/deploy/qlist/all')).total).toBe(1)
})

it('a client written from the specification alone hears from a device', async () => {
  const { licenseKey } = await get(`/device/qcard/${made.device}`)
  const bootId = '01933d4e-0000-7000-8000-000000000001'
  const player = { licenseKey, boxId: bootId, model: 'player', version: '1' }
  const asPlayer = { authorization: `Bearer ${(await post('/api/v2/device/session', player)).token}` } // beyond
  const now = new Date().toISOString()
  const nothing = {
    temperatureCelsius: null,
    memorySizeBytes: null,
    freeMemoryBytes: null,
    ipAddress: null,
    macAddress: null,
  }
  const beat = {
    sentAt: now,
    bootId,
    programVersion: '1',
    ...nothing,
    volume: 55,
    nowPlaying: null,
    manifestEtag: null,
    held: [],
    quarantined: [],
  }
  expect(await post('/api/v2/heartbeat/send', beat, asPlayer)).toHaveProperty('serverTime')
  expect((await post(`/api/v2/iplay/send/list/${made.device}`, [{ kind: 'none' }], asPlayer)).code).toBe(303)
  for (const kind of ['debug', 'update', 'playlist', 'playtrack', 'heartbeat'])
    expect((await get(`/device/logs/${made.device}/${kind}`)).total).toBe(kind === 'heartbeat' ? 1 : 0)
  expect((await get(`/device/qlastplaytracks/${made.device}/count/6`)) as unknown).toEqual([])
  expect(await get(`/device/resetheartbeat/${made.device}`)).toEqual(done)
  expect(await get(`/device/qcard/${made.device}`)).toMatchObject({ connectivity: 'neverup' })
  expect(await get(`/device/alert/${made.device}/sendbegin/air`)).toEqual(done)
  expect(await get(`/device/alert/${made.device}/sendend/air`)).toEqual(done)
  expect((await get(`/audit/${made.device}`)).total).toBeGreaterThan(3)
  expect(await get('/metricks/quick/cached')).toHaveProperty('playedCount')
  expect(await get('/metricks/limits')).toMatchObject({ devices: { used: 1 } })
})

it('a client written from the specification alone tags and configures', async () => {
  const of = `/tag/device/${made.device}`
  expect(await post(`${of}/add`, { key: 'city', value: 'Oslo' })).toEqual(done)
  expect(await post(`${of}/edit`, { key: 'city', value: 'Bergen' })).toEqual(done)
  expect(await get(of)).toContainEqual(expect.objectContaining({ key: 'city', value: 'Bergen' }))
  expect(await post(`${of}/delete`, { key: 'city' })).toEqual(done)
  expect(await get(`/policy/${made.device}/group`)).toMatchObject({ code: 200, policy: 'group' })
  expect(await post('/tagext/import', [{ contentType: 'client', key: 'country', value: 'NO' }])).toEqual(done)
  const { uid } = await post('/configuration/profile/edit', { name: 'Quiet', type: 'audio', settings: {} })
  expect((await get(`/configuration/profile/${uid}/changestate`)).code).toBe(0)
  expect(await get(`/configuration/profile/${uid}`)).toMatchObject({ state: 'active' })
  expect((await get('/configuration/profile')).total).toBe(1)
  for (const words of ['profiletype', 'profilestate'])
    expect(((await get(`/configuration/${words}`)) as unknown as unknown[]).length).toBeGreaterThan(1)
})

it('a client written from the specification alone rolls an update out', async () => {
  const pack = await post('/api/v2/update/package/add', {
    name: 'Player',
    category: 'Program',
    version: '3.1.0',
  }) // beyond
  const keys = makeUpdateKeys()
  expect(await post('/api/v2/update/key', { publicKey: keys.publicKey })).toEqual(done) // beyond
  const upload = (name: string, content: string) =>
    send(`/update/upload/${pack.uid}`, { name, content }, { signature: keys.signFile(Buffer.from(content)) })
  const file = await upload('player.tar', 'the new player')
  expect(await get(`/update/package/${pack.uid}/excludefile/${file.uid}/link/${file.linkUid}`)).toEqual(done)
  expect(await upload('player.bin', 'another player')).toEqual(done)
  const channel = await post('/api/v2/update/channel/add', { name: 'Pilot', groupUids: [made.group] }) // beyond
  // From draft to testing, and to released.
  for (const code of [9, 0]) expect((await get(`/update/package/${pack.uid}/staterotate`)).code).toBe(code)
  const deploy = await post('/api/v2/update/deploypackage/add', {
    packageUid: pack.uid,
    channelUid: channel.uid,
  }) // beyond
  expect((await get(`/update/deploypackage/${deploy.uid}/staterotate`)).code).toBe(0)
  expect((await get(`/update/channel/${channel.uid}/staterotate`)).code).toBe(9)
  expect(await get(`/update/package/${pack.uid}`)).toMatchObject({ state: 'released' })
  expect((await get(`/update/package/${pack.uid}/files`)).total).toBe(1)
  for (const list of ['devices', 'files', 'channel', 'deploypackage', 'package'])
    expect((await get(`/update/${list}`)).total).toBeGreaterThan(0)
})

it('a client written from the specification alone reads its charts, and downloads its reports', async () => {
  for (const path of chartAndReportPaths(server.clock.now)) {
    const answer = await fetch(host + path, { headers: { authorization: `Bearer ${token}` } })
    expect([path, answer.status, (await answer.arrayBuffer()).byteLength > 0]).toEqual([path, 200, true])
  }
})

it('a client written from the specification alone finds all that it deleted in the recycle bin, and restores an item', async () => {
  for (const words of ['media', 'playlists', 'groups', 'publications', 'devices'])
    expect((await get(`/recycle/${words}`)).total).toBeGreaterThan(1)
  const [group] = (await get('/recycle/groups')).items
  expect(await get(`/recycle/groups/${group?.uid}/restore`)).toEqual(done)
  expect((await get('/group/qlist/all')).total).toBe(2)
})
