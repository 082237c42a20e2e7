import { readFileSync } from 'node:fs'
import { beginAlert, endAlert } from '@floorcast/contract/alerts.ts'
import { readManifest } from '@floorcast/contract/device-protocol.ts'
import { deleteManyMedia, deleteMedia, deleteUnusedMedia, readMedia } from '@floorcast/contract/media.ts'
import type { Problem } from '@floorcast/contract/problem.ts'
import * as contract from '@floorcast/contract/device-profiles.ts'
import { listDependents, purge, restore } from '@floorcast/contract/recycle-bin.ts'
import { makeDevice, makeMedia } from '@floorcast/testing/factories.ts'
import { mp3Fixtures } from '@floorcast/testing/media-fixtures.ts'
import { uploader } from '@floorcast/testing/media-upload-form.ts'
import { racer } from '@floorcast/testing/race.ts'
import { openPlayer } from '@floorcast/testing/test-device.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { newShop, readyPublication } from '@floorcast/testing/test-shop.ts'
import { signedInUser } from '@floorcast/testing/test-users.ts'
import { expect, it } from 'vitest'
import { registerGroups } from '../groups/groups-routes.ts'
import { registerLibrary } from '../../library.ts'
import { registerPlaylists } from '../playlists/playlists-routes.ts'
import { registerPublications } from '../publications/publications-routes.ts'
import { registerAlerts } from '../alerts/alerts-routes.ts'
import { registerDeviceProfiles } from './device-profiles-routes.ts'
import { registerRecycleBin } from '../recycle-bin/recycle-bin-routes.ts'
import { registerDeviceHost } from '../../device-host.ts'

const server = await testServer({
  features: [
    registerGroups,
    registerLibrary,
    registerPlaylists,
    registerPublications,
    registerAlerts,
    registerDeviceProfiles,
    registerRecycleBin,
    registerDeviceHost,
  ],
})
const melodies = { contentType: 'melodies' }

async function alarmedShop() {
  const shop = await newShop(server)
  const { token, scope } = shop
  const group = await shop.group()
  const { licenseKey } = await makeDevice(scope, { groupUid: group })
  const player = await openPlayer(server, licenseKey)
  const manifest = () => server.call(readManifest, { token: player.token, params: player.params })
  const sounds = async () => (await manifest()).files.map(({ mediaUid }) => mediaUid)
  const save = (body: object) => server.call(contract.editProfile, { token, body })
  const turn = (id: string) => server.call(contract.changeProfileState, { token, params: { id } })
  const draft = async (settings: object, name = 'Loud alarm') =>
    (await save({ name, type: 'alert', settings, groupUids: [group] })).uid ?? ''
  /** A profile with these settings in force for the group. */
  const add = async (settings: object, name?: string) => {
    const uid = await draft(settings, name)
    await turn(uid)
    return uid
  }
  const edit = async (uid: string, settings: object) => {
    await turn(uid)
    await save({ uid, settings })
    await turn(uid)
  }
  const melody = async () => (await makeMedia(scope)).uid
  const remove = (uid: string) => server.call(deleteMedia, { token, params: melodies, body: { uid } })
  const params = { uid: group, alerttype: 'air' }
  const begin = (query = {}) => server.call(beginAlert, { token, params, query })
  const end = () => server.call(endAlert, { token, params })
  return {
    ...shop,
    shop,
    group,
    player,
    manifest,
    sounds,
    save,
    turn,
    draft,
    add,
    edit,
    melody,
    remove,
    begin,
    end,
  }
}

it('a sound of an alert is on the device before the alert, which names it; the device fetches its bytes', async () => {
  const { token, player, manifest, add, begin, end } = await alarmedShop()
  const song = { path: mp3Fixtures.cbrStereo.path }
  const { uid = '' } = await uploader(server).upload(token, 'ads', song)
  await add({ airMedia: uid.toUpperCase(), alertVolume: 90 })
  const quiet = await manifest()
  expect(quiet).toMatchObject({ alerts: [], alertSounds: { air: 0 } })
  expect(quiet.files).toMatchObject([{ mediaUid: uid, contentType: 'ads' }])
  expect(quiet.settings).toMatchObject({ alertVolume: 90 })
  await begin({ drill: '1' })
  const { alerts, files } = await manifest()
  expect(alerts).toMatchObject([{ kind: 'air', isDrill: true, file: 0 }])
  const headers = { authorization: `Bearer ${player.token}` }
  const sound = await server.http.app.inject({ url: files[0]?.path ?? '', headers })
  expect(sound.statusCode).toBe(200)
  expect(sound.rawPayload.equals(readFileSync(song.path))).toBe(true)
  await end()
  expect(await manifest()).toMatchObject({ alerts: [], files: [{ mediaUid: uid }] })
})

it('a sound of an alert follows its file when that is replaced; publications stay as ready as they were', async () => {
  const { shop, token, group, manifest, add, begin } = await alarmedShop()
  await shop.turnGroup(group)
  await shop.turn((await readyPublication(shop, group)).uid)
  const { upload } = uploader(server)
  const { uid = '' } = await upload(token, 'melodies', { path: mp3Fixtures.mono.path, name: 'a.mp3' })
  await add({ airMedia: uid })
  await begin()
  const before = await manifest()
  expect(before.alerts[0]?.file).toBe(0)
  const file = { path: mp3Fixtures.cbrStereo.path, name: 'b.mp3', fields: { uid } }
  await upload(token, 'melodies', file)
  const after = await manifest()
  const { hash } = await server.call(readMedia, { token, params: { ...melodies, uid } })
  expect(after.files[0]).toMatchObject({ mediaUid: uid, sha256: hash })
  expect(before.files[0]?.sha256).not.toBe(hash)
  expect(after.generation).toBeGreaterThan(before.generation)
  expect(after.publications).toEqual(before.publications)
  expect(after.alerts).toEqual(before.alerts)
})

it('a sound of an alert changes when its profile is activated again, and is removed with it', async () => {
  const { token, sounds, save, turn, add, edit, melody, begin, manifest } = await alarmedShop()
  const [first, second] = [await melody(), await melody()]
  const uid = await add({ airMedia: first, nuclearMedia: second })
  expect(await sounds()).toEqual([first, second])
  await turn(uid)
  await save({ uid, settings: { airMedia: second } })
  expect(await sounds()).toEqual([first, second])
  await turn(uid)
  expect(await sounds()).toEqual([second])
  await edit(uid, { chemicalMedia: first })
  await begin()
  expect(await manifest()).toMatchObject({ alerts: [{ file: null }], files: [{ mediaUid: first }] })
  await save({ uid, groupUids: [] })
  expect(await sounds()).toEqual([])
  expect(await manifest()).not.toHaveProperty('alertSounds')
  await turn(uid)
  expect(await server.call(contract.deleteProfile, { token, body: { uid } })).toEqual({ code: 200 })
})

it('a sound of an alert is of the newest profile that has one for the kind, in groups that the profile applies to', async () => {
  const { scope, sounds, add, melody } = await alarmedShop()
  const [first, second, third] = [await melody(), await melody(), await melody()]
  await add({ airMedia: first, chemicalMedia: second })
  await add({ airMedia: third, alertVolume: 80 })
  expect(await sounds()).toEqual([third, second])
  const other = await makeDevice(scope)
  const player = await openPlayer(server, other.licenseKey)
  const { files } = await server.call(readManifest, { token: player.token, params: player.params })
  expect(files).toEqual([])
})

it('a sound of an alert must be a melody or ad of the client outside the bin: 422 with the setting', async () => {
  const { token, scope, draft, melody, remove } = await alarmedShop()
  const uid = await draft({})
  const refusal = async (settings: object) => {
    const answer = await server.ask(contract.editProfile, { token, body: { uid, settings } })
    expect(answer.statusCode).toBe(422)
    return answer.json<Problem>().errors
  }
  const binned = await melody()
  await remove(binned)
  const theirs = await (await alarmedShop()).melody()
  const { uid: video } = await makeMedia(scope, { contentType: 'videosAds' })
  const faults = { airMedia: binned, chemicalMedia: theirs, nuclearMedia: video }
  expect(await refusal(faults)).toMatchObject([
    { path: 'settings.airMedia', message: 'unknown' },
    { path: 'settings.chemicalMedia', message: 'unknown' },
    { path: 'settings.nuclearMedia', message: 'wrong' },
  ])
  const text = { airMedia: await melody(), nuclearMedia: 'siren.mp3' }
  expect(await refusal(text)).toMatchObject([{ path: 'settings.nuclearMedia', message: 'wrong' }])
  const card = await server.call(contract.readProfileCard, { token, params: { id: uid } })
  expect(card.settings).toEqual({})
  const made = await server.ask(contract.editProfile, {
    token,
    body: { name: 'New one', type: 'alert', settings: { airMedia: theirs } },
  })
  expect(made.json<Problem>().errors).toMatchObject([{ path: 'settings.airMedia', message: 'unknown' }])
})

it('media that profiles name are in use while a draft or the settings in force name them', async () => {
  const { token, scope, save, turn, add, melody, remove } = await alarmedShop()
  const [media, other] = [await melody(), await melody()]
  const uid = await add({ airMedia: media, nuclearMedia: media }, 'Evacuation')
  const inUse = { code: 921, uid: media, names: ['Evacuation'] }
  expect(await remove(media)).toEqual(inUse)
  const params = { x: 'media', uid: media }
  const profile = { kind: 'profiles', uid, name: 'Evacuation', state: 'active' }
  expect(await server.call(listDependents, { token, params })).toEqual([
    { ...profile, isInBin: false, isBlocking: true },
  ])
  const manager = await signedInUser(scope)
  expect(await server.call(listDependents, { token: manager.token, params })).toEqual([])
  await turn(uid)
  await save({ uid, settings: { airMedia: other } })
  expect((await remove(media)).code).toBe(921)
  expect((await remove(other)).code).toBe(921)
  await turn(uid)
  expect((await remove(media)).code).toBe(200)
  expect((await remove(other)).code).toBe(921)
  expect(await server.call(restore, { token, params: { contentType: 'media', uid: media } })).toMatchObject({
    code: 200,
  })
})

it('media that profiles name stay where many or all that is unused goes, until the profile is deleted', async () => {
  const { token, draft, melody } = await alarmedShop()
  const [media, loose] = [await melody(), await melody()]
  const uid = await draft({ chemicalMedia: media }, 'Evacuation')
  const card = await server.call(readMedia, { token, params: { ...melodies, uid: media } })
  expect(card).toMatchObject({ isUsed: true, usedInPlaylists: 0 })
  const unused = () => server.call(deleteUnusedMedia, { token, params: melodies })
  expect(await unused()).toMatchObject({ code: 200, done: [loose], failed: [] })
  const many = await server.call(deleteManyMedia, { token, params: melodies, body: { uids: [media] } })
  expect(many).toMatchObject({ code: 921, done: [], failed: [{ uid: media }] })
  await server.call(contract.deleteProfile, { token, body: { uid } })
  expect(await unused()).toMatchObject({ code: 200, done: [media] })
  expect(await server.call(purge, { token, params: { x: 'media', uid: media } })).toMatchObject({
    code: 200,
  })
})

it('two people at once a profile takes a sound while that is deleted and purged: the one or the other', async () => {
  const { token, draft, melody } = await alarmedShop()
  const { call, race } = racer(server, token)
  const rounds = await race(async () => {
    const [media, uid] = [await melody(), await draft({})]
    return [
      call(contract.editProfile, { body: { uid, settings: { airMedia: media } } }),
      call(deleteMedia, { params: melodies, body: { uid: media } }),
      call(purge, { params: { x: 'media', uid: media } }),
    ]
  })
  for (const [named, deleted, purged] of rounds) {
    expect([named, deleted]).toEqual(named === 200 ? [200, 921] : ['HTTP 422', 200])
    expect(named === 200 ? ['HTTP 404'] : [200, 'HTTP 404']).toContain(purged)
  }
})

it('two people at once a profile lets go of a sound, is activated, and the sound is deleted: nothing names what is in the bin', async () => {
  const { token, draft, melody } = await alarmedShop()
  const { call, race } = racer(server, token)
  const rounds = await race(async () => {
    const media = await melody()
    const uid = await draft({ airMedia: media })
    return [
      call(contract.editProfile, { body: { uid, settings: {} } }),
      call(contract.changeProfileState, { params: { id: uid }, query: { from: 'paused' } }),
      call(deleteMedia, { params: melodies, body: { uid: media } }),
    ]
  })
  for (const [edited, turned, deleted] of rounds) {
    expect([200, 400]).toContain(edited)
    expect(turned).toBe(0)
    expect(edited === 400 ? [921] : [200, 921]).toContain(deleted)
  }
})
