import { listDevices } from '@floorcast/contract/devices.ts'
import { addPlaylist, readPlaylistWithTracks } from '@floorcast/contract/playlists.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { beforeAll, expect, it } from 'vitest'
import { createdUid } from './client-fixture.ts'
import { testConsole } from './console-under-test.ts'
import { askingRoutes, RoutePages } from './route-pages.ts'

/*
 * The server is killed while the console is open, and starts again: nothing that was typed is lost, and every page shows by itself
 * what it could not load. Pages whose scripts have not come either: console-heals.slow.ts. Wrong and slow answers:
 * console-wrong-pages.slow.ts.
 */

const shop = testConsole({ hasOwnServer: true })
const pages = new RoutePages(shop)

beforeAll(() => pages.addItems())

async function whileAway(act: () => Promise<void>): Promise<void> {
  await shop.killServer()
  try {
    await act()
  } finally {
    await shop.startServer()
  }
}

/** Opens a page as a link does. */
const follow = (path: string) =>
  shop.page.evaluate(to => {
    history.pushState({ idx: history.length }, '', to)
    dispatchEvent(new PopStateEvent('popstate', { state: history.state as unknown }))
  }, path)

it.each(askingRoutes)(
  'while the server is away a page that could not be loaded comes when it is back: %s',
  async route => {
    const path = pages.addressOf(route)
    // The browser has the scripts of a page that it has shown.
    await shop.visit(path)
    const before = await pages.readWhole()
    expect(await pages.retry.count()).toBe(0)
    await shop.visit('/media/wizard')
    await pages.main.getByText('What will the playlist play?').waitFor()
    await whileAway(async () => {
      await follow(path)
      await pages.retry.or(pages.asOf).first().waitFor()
    })
    await expect.poll(() => pages.readText(), { timeout: 60_000 }).toBe(before)
    await shop.page.getByText('The server does not answer').first().waitFor({ state: 'hidden' })
    await pages.asOf.waitFor({ state: 'hidden' })
  },
)

it('while the server is away an open page says so, stays, and shows what has changed since', async () => {
  await shop.visit('/equipments/devices')
  await pages.main.getByText('Bakery Lane 4').waitFor()
  await whileAway(async () => {
    await pages.asOf.waitFor()
    await pages.main.getByText('Bakery Lane 4').waitFor()
    await asSuperuser(shop.superuserUrl, superuser =>
      superuser.query("update devices set name = 'Bakery Lane 5' where uid = $1", [shop.deviceUid]),
    )
  })
  await pages.main.getByText('Bakery Lane 5').waitFor()
  await pages.asOf.waitFor({ state: 'hidden' })
})

const form = () => shop.page.getByRole('dialog')
const save = () => form().getByRole('button', { name: 'Save' })
const countDevices = async (search: string) =>
  (await shop.client.call(listDevices, { query: { search } })).total

async function openForm(name: string): Promise<void> {
  await shop.visit('/equipments/devices')
  await shop.page.getByRole('button', { name: 'Add a device' }).click()
  await form().getByLabel('Name').fill(name)
}

it('what is saved while the server is away stays in the form, which says so, and is saved once by the next click', async () => {
  await openForm('Pier 7')
  await whileAway(async () => {
    await form().getByLabel('Description').fill('At the end of the pier')
    await save().click()
    await form()
      .getByRole('alert')
      .getByText(/The server does not answer/)
      .waitFor()
  })
  expect(await form().getByLabel('Name').inputValue()).toBe('Pier 7')
  expect(await form().getByLabel('Description').inputValue()).toBe('At the end of the pier')
  await save().click()
  await shop.heading('Pier 7')
  expect(await countDevices('Pier')).toBe(1)
})

it('what is saved while the browser is offline stays in the form, and is saved once by the next click', async () => {
  await openForm('Quay 9')
  await shop.context.setOffline(true)
  await save().click()
  await form().getByRole('alert').getByText('You are offline. Nothing was sent.').waitFor()
  await shop.context.setOffline(false)
  await save().click()
  await shop.heading('Quay 9')
  expect(await countDevices('Quay')).toBe(1)
})

it('what is saved in the playlist editor is taken back, with the reason, and saved once by the next click', async () => {
  const { call } = shop.client
  const made = await call(addPlaylist, { params: { contentType: 'audio' }, body: { name: 'Calm' } })
  const uid = createdUid(made)
  const readTracks = async () => (await call(readPlaylistWithTracks, { params: { id: uid } })).items
  const heads = shop.page.getByRole('columnheader')
  const rows = shop.page.getByRole('grid', { name: 'Tracks' }).getByRole('row').filter({ hasNot: heads })
  const add = shop.page.getByRole('button', { name: 'Add song-1 to the playlist' })
  await shop.visit(`/media/playlistsOne/${uid}`)
  await add.waitFor()
  await whileAway(async () => {
    await add.click()
    await pages.main
      .getByRole('alert')
      .getByText(/The server does not answer/)
      .waitFor()
    await expect.poll(() => rows.count()).toBe(0)
  })
  expect(await readTracks()).toEqual([])
  await add.click()
  await expect.poll(async () => (await readTracks()).map(({ name }) => name)).toEqual(['song-1'])
  await expect.poll(() => rows.count()).toBe(1)
})
