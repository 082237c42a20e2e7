import { randomUUID } from 'node:crypto'
import { makeClient } from '@floorcast/contract/client.ts'
import { openDeviceSession, sendHeartbeat } from '@floorcast/contract/device-protocol.ts'
import { readDevice } from '@floorcast/contract/devices.ts'
import { addPublication, readPublication } from '@floorcast/contract/publications.ts'
import { addGroup, addToGroup, changeGroupState } from '@floorcast/contract/groups.ts'
import { addPlaylist, addTrack, changePlaylistState, clonePlaylist } from '@floorcast/contract/playlists.ts'
import { makeHeartbeat } from '@floorcast/testing/test-device.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { writeSongs } from '@floorcast/testing/media-song.ts'
import { beforeAll, expect, it } from 'vitest'
import { testConsole } from './console-under-test.ts'
import { uploadFile } from './client-fixture.ts'

const shop = testConsole()
const made = { group: '', playlist: '', publication: '', other: '' }

beforeAll(async () => {
  const { call } = shop.client
  const params = { contentType: 'audio' } as const
  const [song] = await writeSongs(shop.folder, { count: 1, seconds: 4 })
  const track = await uploadFile(shop.client, 'melodies', song?.path ?? '')
  made.group = (await call(addGroup, { params, body: { name: 'City stores' } })).uid ?? ''
  await call(addToGroup, { params: { device: shop.deviceUid, group: made.group } })
  made.playlist = (await call(addPlaylist, { params, body: { name: 'Morning calm' } })).uid ?? ''
  await call(addTrack, { params: { track, playlist: made.playlist } })
  const body = { groupUid: made.group, playlistUid: made.playlist }
  const add = async (name: string) => (await call(addPublication, { params, body: { ...body, name } })).uid
  made.publication = (await add('Morning in town')) ?? ''
  made.other = (await add('Evening in town')) ?? ''
})

const open = (uid: string) => shop.visit(`/deployments/publicationsOne/${uid}`)
const turnOn = () => shop.page.getByRole('button', { name: 'Activate', exact: true }).click()
const refusal = () => shop.page.getByRole('main').getByRole('alert')
const state = async (uid: string) => (await shop.client.call(readPublication, { params: { id: uid } })).state

/** Binds the device's player. @returns reports how many files of the publication it misses */
async function openReporter(publicationUid: string) {
  const { licenseKey } = await shop.client.call(readDevice, { params: { id: shop.deviceUid } })
  const asPlayer = (token: string | null) => makeClient({ base: shop.url, token: () => token })
  const player = { licenseKey: licenseKey ?? '', boxId: randomUUID(), model: 'test', version: '2.775.0' }
  const { token } = await asPlayer(null)(openDeviceSession, { body: player })
  const call = asPlayer(token)
  const revision = await asSuperuser(shop.superuserUrl, async superuser => {
    const { rows } = await superuser.query<{ revision: number }>(
      'select revision from publications where uid = $1',
      [publicationUid],
    )
    return rows[0]?.revision ?? 0
  })
  return (missing: number) =>
    call(sendHeartbeat, {
      body: makeHeartbeat({ held: [{ publicationUid, revision, missing }] }),
    })
}

it('a publication is made from what may be picked, off at first', async () => {
  await shop.visit('/deployments/publications')
  await shop.page.getByRole('button', { name: 'Add a publication' }).click()
  const form = shop.page.getByRole('dialog')
  await form.getByRole('button', { name: 'Save' }).click()
  expect(await form.getByText('Cannot be empty').count()).toBeGreaterThan(0)
  await form.getByLabel('Name').fill('Weekend in town')
  await form.getByRole('combobox', { name: 'Device group' }).click()
  await shop.page.getByRole('option', { name: /City stores/ }).click()
  await form.getByRole('combobox', { name: 'Playlist' }).click()
  await shop.page.getByRole('option', { name: /Morning calm/ }).click()
  await form.getByRole('button', { name: 'Save' }).click()
  await shop.page.getByText('Inactive: no device plays it.').waitFor()
})

it('a publication says why it stays off and where that is mended, then goes on the air', async () => {
  const { call } = shop.client
  await open(made.publication)
  await turnOn()
  await refusal().getByText('The linked group must be active first').waitFor()
  await refusal().getByRole('link', { name: 'Open City stores' }).waitFor()
  await refusal().getByRole('link', { name: 'Activate and publish' }).waitFor()
  await call(changeGroupState, { params: { id: made.group }, query: { from: 'paused' } })
  await turnOn()
  await refusal().getByText('The linked playlist must be active first').waitFor()
  await call(changePlaylistState, { params: { id: made.playlist }, query: { from: 'paused' } })
  await turnOn()
  await shop.page.getByText(/^Active · on the air on 0 of 1 in “City stores” · since /).waitFor()
  await shop.page.getByText('Ready on 0 of 1 device').waitFor()
  await shop.page.locator('[data-tone=late]').getByText('Active', { exact: true }).waitFor()
  await shop.page.getByRole('cell', { name: 'Not reported yet' }).waitFor()
  expect(await state(made.publication)).toBe('active')
  await open(made.other)
  await turnOn()
  await refusal().getByText('a device group can have only one publication').waitFor()
  await refusal().getByRole('link', { name: 'Show the publications of City stores' }).click()
  await shop.page.getByRole('link', { name: 'Morning in town' }).waitFor()
})

it('a publication follows the reports of its devices, fetching at most about once a second', async () => {
  const report = await openReporter(made.publication)
  await open(made.publication)
  await shop.page.getByRole('cell', { name: 'Not reported yet' }).waitFor()
  await report(2)
  await shop.page.getByRole('cell', { name: '2 files missing' }).waitFor()
  let fetches = 0
  shop.page.on('request', request => {
    if (new URL(request.url()).pathname.endsWith('/devices')) fetches += 1
  })
  const begunAt = Date.now()
  for (let missing = 40; missing >= 0; missing -= 1) await report(missing)
  await shop.page.getByText('Ready on 1 of 1 device').waitFor()
  await shop.page.getByText(/^On the air in “City stores” since /).waitFor()
  await shop.page.getByRole('cell', { name: 'All files downloaded' }).waitFor()
  expect(fetches).toBeLessThanOrEqual((Date.now() - begunAt) / 1000 + 2)
  await shop.page.getByRole('button', { name: /Files missing/ }).click()
  await shop.page.getByText('Nothing found').waitFor()
  await shop.page.getByRole('button', { name: /All files downloaded/ }).click()
  await shop.page.getByRole('link', { name: 'Bakery Lane 4' }).waitFor()
})

it('a publication starts later at a picked moment, which may be taken back', async () => {
  await open(made.other)
  await shop.page.getByRole('button', { name: 'Activate later' }).click()
  const dialog = shop.page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Start' }).fill('1/1/2020')
  await dialog.getByRole('button', { name: 'Schedule' }).click()
  await dialog.getByText('The start is in the past').waitFor()
  await dialog.getByRole('textbox', { name: 'Start' }).fill('1/1/2099')
  await dialog.getByRole('textbox', { name: 'Time' }).fill('9')
  await dialog.getByRole('button', { name: 'Schedule' }).click()
  await shop.page.getByText(/^Starts in “City stores”: 1\sJan\s2099/).waitFor()
  expect(await state(made.other)).toBe('delayed')
  await shop.page.getByRole('button', { name: 'Reschedule' }).click()
  expect(await dialog.getByRole('textbox', { name: 'Start' }).inputValue()).toMatch(/^1\sJan\s2099$/)
  expect(await dialog.getByRole('textbox', { name: 'Time' }).inputValue()).toBe('09:00')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await shop.page.getByRole('button', { name: 'Cancel the scheduled start' }).click()
  await dialog.getByRole('button', { name: 'Cancel the scheduled start' }).click()
  await shop.page.getByText('Inactive: no device plays it.').waitFor()
  expect(await state(made.other)).toBe('disabled')
})

it('a publication plays another playlist without being deactivated', async () => {
  const { call } = shop.client
  const { uid = '' } = await call(clonePlaylist, { params: { id: made.playlist } })
  await call(changePlaylistState, { params: { id: uid }, query: { from: 'paused' } })
  await open(made.publication)
  await shop.page.getByRole('button', { name: 'More actions' }).click()
  await shop.page.getByRole('menuitem', { name: 'Replace the playlist' }).click()
  const form = shop.page.getByRole('dialog')
  await form.getByRole('combobox', { name: 'Playlist' }).click()
  await shop.page.getByRole('option', { name: 'Morning calm - copy' }).click()
  await form.getByRole('button', { name: 'Replace', exact: true }).click()
  await shop.page.getByRole('button', { name: 'Return to Morning calm' }).waitFor()
  const { playlist, formerPlaylist } = await call(readPublication, { params: { id: made.publication } })
  expect([playlist.uid, formerPlaylist?.uid]).toEqual([uid, made.playlist])
  expect(await state(made.publication)).toBe('active')
})

it('a publication stays on when it was to be deactivated while the browser was offline', async () => {
  await open(made.publication)
  const changes: string[] = []
  shop.page.on('request', request => request.url().includes('/changestate') && changes.push(request.url()))
  await shop.page.getByRole('button', { name: 'Deactivate' }).click()
  const dialog = shop.page.getByRole('dialog')
  await shop.context.setOffline(true)
  await dialog.getByRole('button', { name: 'Deactivate' }).click()
  await shop.page.getByText('You are offline. Nothing was sent.').first().waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  const failed = changes.length
  await shop.context.setOffline(false)
  await shop.page.getByText('You are offline', { exact: true }).waitFor({ state: 'hidden' })
  expect(changes).toHaveLength(failed)
  expect(await state(made.publication)).toBe('active')
})

it('a publication is deactivated after a question', async () => {
  await open(made.publication)
  await shop.page.getByRole('button', { name: 'Deactivate' }).click()
  await shop.page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click()
  await shop.page.getByText('Inactive: no device plays it.').waitFor()
  expect(await state(made.publication)).toBe('disabled')
})
