import { addDevice, editDevice, listDevices, readDevice } from '@floorcast/contract/devices.ts'
import { addGroup, addToGroup } from '@floorcast/contract/groups.ts'
import { addPlaylist, listPlaylists } from '@floorcast/contract/playlists.ts'
import { listMedia } from '@floorcast/contract/media.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { writeSongs } from '@floorcast/testing/media-song.ts'
import { beforeAll, expect, it } from 'vitest'
import { uploadFile } from './client-fixture.ts'
import { ConsolePage } from './console-page.ts'
import { testConsole } from './console-under-test.ts'
import { findAxeViolations } from './page-checks.ts'

const shop = testConsole()
const params = { contentType: 'audio' } as const
const made = { group: '' }

beforeAll(async () => {
  const { call } = shop.client
  await asSuperuser(shop.superuserUrl, superuser =>
    superuser.query("update clients set plan_key = 'professional'"),
  )
  made.group = (await call(addGroup, { params, body: { name: 'Lisboa shops' } })).uid ?? ''
  const other = (await call(addGroup, { params, body: { name: 'Porto shops' } })).uid ?? ''
  for (let n = 1; n <= 12; n += 1) {
    const { uid = '' } = await call(addDevice, { params, body: { name: `Lisboa ${n}` } })
    if (n === 12) await call(addToGroup, { params: { device: uid, group: other } })
  }
})

const dialog = () => shop.page.getByRole('dialog')
const actions = () => shop.page.getByRole('region', { name: 'Actions for the selection' })
const selectPage = () => shop.page.getByRole('checkbox', { name: 'Select every row of this page' }).check()
const members = async () =>
  (await shop.client.call(listDevices, { query: { group: made.group, size: 50 } })).total

it('selected devices join a group over all pages, say beforehand and afterwards which one stays out, and leave it by Undo', async () => {
  await shop.visit('/equipments/devices?search=lisboa')
  await selectPage()
  await shop.page.getByRole('button', { name: 'Select all 12 that match' }).click()
  await actions().getByRole('button', { name: 'Add to group' }).click()
  await dialog().getByRole('combobox', { name: 'Device group' }).click()
  await shop.page.getByRole('option', { name: /Lisboa shops/ }).click()
  await dialog().getByText('11 items will be changed.').waitFor()
  await dialog().getByText('1 device is in a group.').waitFor()
  await new ConsolePage(shop.page, 'bulk').screenshot('plan')
  expect(await findAxeViolations(shop.page)).toEqual([])
  await dialog().getByRole('button', { name: 'Add', exact: true }).click()
  const stayed = dialog().getByRole('listitem').filter({ hasText: 'Lisboa 12' })
  await stayed.getByText('The device is in a group').waitFor()
  expect(await members()).toBe(11)
  await new ConsolePage(shop.page, 'bulk-ended').screenshot('failed')
  expect(await findAxeViolations(shop.page)).toEqual([])
  await dialog().getByRole('button', { name: 'Close' }).last().click()
  await shop.page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
  await shop.page.getByText('11 changes undone').waitFor()
  expect(await members()).toBe(0)
})

it('selected devices are published together: the sheet makes them a group', async () => {
  await shop.visit('/equipments/devices?search=lisboa')
  await selectPage()
  await actions().getByRole('button', { name: 'Publish' }).click()
  const sheet = shop.page.getByRole('dialog', { name: 'Publish a playlist' })
  await sheet.getByText('10 selected devices').waitFor()
  await sheet.getByLabel('Name of the new group').waitFor()
})

it('selected devices get a volume, and their former ones back by Undo', async () => {
  const { call } = shop.client
  const { items } = await call(listDevices, { query: { search: 'lisboa', sort: 'name' } })
  await call(editDevice, { body: { uid: items[0]?.uid ?? '', volume: 55 } })
  const volumes = async () => {
    const cards = items.slice(0, 2).map(({ uid }) => call(readDevice, { params: { id: uid } }))
    return (await Promise.all(cards)).map(({ volume }) => volume)
  }
  await shop.visit('/equipments/devices?search=lisboa')
  await selectPage()
  await actions().getByRole('button', { name: 'Volume' }).click()
  await dialog().getByLabel('Volume, 0 to 100').fill('35')
  await dialog().getByRole('button', { name: 'Set', exact: true }).click()
  await shop.page.getByText('Volume of 10 devices set').waitFor()
  expect(await volumes()).toEqual([35, 35])
  await shop.page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
  await shop.page.getByText('10 changes undone').waitFor()
  expect(await volumes()).toEqual([55, 70])
})

it('an action that can change nothing has no button', async () => {
  await shop.client.call(addPlaylist, { params, body: { name: 'Nothing yet' } })
  await shop.visit('/media/playlists')
  await selectPage()
  await actions().getByRole('button', { name: 'Activate' }).click()
  await dialog().getByText('Nothing to do').waitFor()
  await dialog().getByText('1 is empty.').waitFor()
  expect(await dialog().getByRole('button', { name: 'Activate' }).count()).toBe(0)
  const { items } = await shop.client.call(listPlaylists, { params: { x: 'all' } })
  expect(items.map(({ state }) => state)).toEqual(['paused'])
})

it('unused media are counted and deleted together', async () => {
  for (const { path } of await writeSongs(shop.folder, { count: 2, seconds: 3 }))
    await uploadFile(shop.client, 'melodies', path)
  await shop.visit('/media/melodies')
  await shop.page.getByRole('button', { name: 'More actions' }).click()
  await shop.page.getByRole('menuitem', { name: 'Delete unused media' }).click()
  await dialog()
    .getByText(/^2 items that no playlist and no profile uses go to the recycle bin/)
    .waitFor()
  await dialog().getByRole('button', { name: 'Move to the recycle bin' }).click()
  await shop.page.getByText('2 items moved to the recycle bin').waitFor()
  const media = await shop.client.call(listMedia, { params: { contentType: 'melodies' } })
  expect(media.total).toBe(0)
})
