import { addGroup, deleteGroup, listGroups, readGroup } from '@floorcast/contract/groups.ts'
import { addDevice, listDevices, readDevice } from '@floorcast/contract/devices.ts'
import { addPlaylist, addTrack } from '@floorcast/contract/playlists.ts'
import { addPublication, listPublications, readPublication } from '@floorcast/contract/publications.ts'
import { writeSongs } from '@floorcast/testing/media-song.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { createdUid, uploadFile } from './client-fixture.ts'
import { testConsole } from './console-under-test.ts'

const shop = testConsole()
const made = { group: '', empty: '', playlist: '', publication: '' }
const params = { contentType: 'audio' } as const

beforeAll(async () => {
  const { call } = shop.client
  await asSuperuser(shop.superuserUrl, superuser =>
    superuser.query("update clients set plan_key = 'professional'"),
  )
  const [song] = await writeSongs(shop.folder, { count: 1, seconds: 3 })
  const track = await uploadFile(shop.client, 'melodies', song?.path ?? '')
  made.group = createdUid(await call(addGroup, { params, body: { name: 'Harbour' } }))
  made.empty = createdUid(await call(addGroup, { params, body: { name: 'Closed shops' } }))
  made.playlist = createdUid(await call(addPlaylist, { params, body: { name: 'Calm' } }))
  await call(addTrack, { params: { track, playlist: made.playlist } })
  const body = { name: 'Spring', groupUid: made.group, playlistUid: made.playlist }
  made.publication = createdUid(await call(addPublication, { params, body }))
})

/** Another tab of the same browser, on the same address. */
async function openSecondTab(): Promise<Page> {
  const tab = await shop.context.newPage()
  tab.setDefaultTimeout(40_000)
  await tab.goto(shop.page.url())
  return tab
}

const form = (page: Page) => page.getByRole('dialog')
async function edit(page: Page, label: string): Promise<void> {
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await form(page).getByLabel(label).waitFor()
}
const save = (page: Page) => form(page).getByRole('button', { name: 'Save' }).click()

it.each([
  {
    name: 'a device',
    path: () => `/equipments/devicesOne/${shop.deviceUid}`,
    read: () => shop.client.call(readDevice, { params: { id: shop.deviceUid } }),
  },
  {
    name: 'a group',
    path: () => `/equipments/groupsOne/${made.group}`,
    read: () => shop.client.call(readGroup, { params: { id: made.group } }),
  },
  {
    name: 'a publication',
    path: () => `/deployments/publicationsOne/${made.publication}`,
    read: () => shop.client.call(readPublication, { params: { id: made.publication } }),
  },
])('two who edit one thing overwrite nothing of each other: $name', async ({ path, read }) => {
  await shop.visit(path())
  const other = await openSecondTab()
  await edit(other, 'Description')
  await edit(shop.page, 'Name')
  await form(shop.page).getByLabel('Name').fill('Renamed by one')
  await save(shop.page)
  await form(shop.page).waitFor({ state: 'hidden' })
  // The page behind the other form follows.
  await other.getByRole('heading', { name: 'Renamed by one', includeHidden: true }).first().waitFor()
  await form(other).getByLabel('Description').fill('Described by the other')
  await save(other)
  await form(other).getByText('Someone else changed this').waitFor()
  expect(await form(other).getByLabel('Description').inputValue()).toBe('Described by the other')
  expect(await read()).toMatchObject({ name: 'Renamed by one', description: '' })
})

it('a double click adds one device', async () => {
  await shop.visit('/equipments/devices')
  await shop.page.getByRole('button', { name: 'Add a device' }).click()
  await form(shop.page).getByLabel('Name').fill('Only once')
  await form(shop.page).getByRole('button', { name: 'Save' }).dblclick()
  await shop.heading('Only once')
  const { total } = await shop.client.call(listDevices, { query: { search: 'Only once' } })
  expect(total).toBe(1)
})

it('a double click publishes once', async () => {
  const { call } = shop.client
  const { uid = '' } = await call(addDevice, { params, body: { name: 'Corner' } })
  await shop.visit(`/equipments/devicesOne/${uid}?publish=playlist:${made.playlist}.device:${uid}`)
  const sheet = shop.page.getByRole('dialog', { name: 'Publish a playlist' })
  await sheet.getByText('Group “Corner” is created with 1 device.').waitFor()
  await sheet.getByRole('button', { name: 'Publish now' }).dblclick()
  await shop.page.getByText(/on the air .*in “Corner”/i).waitFor()
  const groups = (await call(listGroups, { params: { x: 'all' } })).items
  expect(groups.filter(({ name }) => name === 'Corner')).toHaveLength(1)
  const { items } = await call(listPublications, { params: { x: 'all' } })
  expect(items.filter(({ group }) => group.name === 'Corner')).toHaveLength(1)
})

it('what another one has deleted says so where it is open, by itself, and again after Back', async () => {
  await shop.visit('/equipments/groups')
  await shop.page.getByRole('link', { name: 'Closed shops' }).click()
  await shop.page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
  await shop.client.call(deleteGroup, { body: { uid: made.empty } })
  const gone = shop.page.getByRole('main').getByText('This no longer exists, or never did')
  await gone.waitFor()
  await shop.page.goBack()
  await shop.heading('Groups')
  await shop.page.getByRole('link', { name: 'Closed shops' }).waitFor({ state: 'detached' })
  await shop.page.goForward()
  await gone.waitFor()
  await shop.page.reload()
  await gone.waitFor()
})
