import { addDevice } from '@floorcast/contract/devices.ts'
import { addPlaylist, addTrack } from '@floorcast/contract/playlists.ts'
import { writeSongs } from '@floorcast/testing/media-song.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { createdUid, uploadFile } from './client-fixture.ts'
import { testConsole } from './console-under-test.ts'

/*
 * On a slow line a click is answered before the server is. Here the line brings nothing until the answer to the click was seen, so that
 * the order is tested and no time.
 */

const shop = testConsole()
const made = { ad: '', playlist: '' }
/** Null: the line brings what it is asked for. */
let line: PromiseWithResolvers<void> | null = null

beforeAll(async () => {
  const { call } = shop.client
  const params = { contentType: 'audio' } as const
  await asSuperuser(shop.superuserUrl, superuser =>
    superuser.query("update clients set plan_key = 'professional'"),
  )
  for (let n = 1; n <= 10; n += 1) await call(addDevice, { params, body: { name: `Kiosk ${n}` } })
  const [song] = await writeSongs(shop.folder, { count: 1, seconds: 3 })
  made.ad = await uploadFile(shop.client, 'ads', song?.path ?? '')
  made.playlist = createdUid(await call(addPlaylist, { params, body: { name: 'Calm' } }))
  await call(addTrack, { params: { track: made.ad, playlist: made.playlist } })
})

beforeEach(async () => {
  line = null
  shop.page.setDefaultTimeout(15_000)
  await shop.page.route('**', async route => {
    await line?.promise
    await route.continue()
  })
})

afterEach(() => line?.resolve())

/** The console's signs that it waits for the server. */
const answer = () =>
  shop.page
    .locator('[role=progressbar][aria-label=Loading], main [aria-busy=true], [data-loading=true]')
    .first()
const button = (name: string) => shop.page.getByRole('button', { name, exact: true }).first()
const menu = (name: string) =>
  shop.page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name, exact: true })

/** Does something on a line that brings nothing, until the console shows that it waits; then the line brings all. */
async function seeAnswer(act: () => Promise<void>): Promise<void> {
  await answer().waitFor({ state: 'hidden' })
  line = Promise.withResolvers<void>()
  await act()
  await answer().waitFor()
  line.resolve()
  line = null
  await answer().waitFor({ state: 'hidden' })
}

/** Moves the pointer over the page, and waits until the menus and forms that the page did not begin with have come. */
async function touchPage(): Promise<void> {
  let fetchedAt = Date.now()
  const note = () => void (fetchedAt = Date.now())
  shop.page.on('response', note)
  await shop.page.mouse.move(700, 400, { steps: 2 })
  while (Date.now() - fetchedAt < 500) await shop.page.waitForTimeout(100)
  shop.page.off('response', note)
}

it('answers each click in the menu', async () => {
  await shop.visit('/home/overview')
  await shop.page.getByText('Get started').waitFor()
  // The calls for which the overview still waits would be taken for the answer to a click.
  await touchPage()
  const pages = [
    'Videos',
    'Video ads',
    'Melodies',
    'Ads',
    'Playlists',
    'Devices',
    'Groups',
    'Publications',
    'Reports',
  ]
  for (const name of pages) {
    await seeAnswer(() => menu(name).click())
    await expect.poll(() => menu(name).getAttribute('aria-current')).toBe('page')
  }
})

it.each([
  {
    name: 'the link of a row',
    path: () => '/equipments/devices',
    ready: () => button('Page 2'),
    act: () => shop.page.getByRole('link', { name: 'Bakery Lane 4' }).click(),
  },
  {
    name: 'a page of a list',
    path: () => '/equipments/devices',
    ready: () => button('Page 2'),
    act: () => button('Page 2').click(),
  },
  {
    name: 'a sorted column',
    path: () => '/equipments/devices',
    ready: () => button('Page 2'),
    act: () => button('Name').click(),
  },
  {
    name: 'a search',
    path: () => '/equipments/devices',
    ready: () => button('Page 2'),
    act: () => shop.page.getByRole('searchbox').fill('kiosk'),
  },
  {
    name: 'a filter',
    path: () => '/equipments/devices',
    ready: () => button('Page 2'),
    act: async () => {
      await button('Connection').click()
      await shop.page.getByRole('menuitemcheckbox', { name: 'Never connected' }).click()
    },
  },
  {
    name: 'the Publish sheet',
    path: () => '/deployments/publications',
    ready: () => shop.page.getByRole('link', { name: 'Publish' }).first(),
    act: () => shop.page.getByRole('link', { name: 'Publish' }).first().click(),
  },
  {
    name: 'a saved form',
    path: () => `/equipments/devicesOne/${shop.deviceUid}`,
    ready: () => button('Edit'),
    act: async () => {
      await button('Edit').click()
      await shop.page.getByRole('dialog').getByLabel('Description').fill('At the corner')
      await button('Save').click()
    },
  },
  {
    name: 'a change of state',
    path: () => `/media/playlistsOne/${made.playlist}`,
    ready: () => button('Activate'),
    act: () => button('Activate').click(),
  },
  {
    name: 'a tab',
    path: () => `/media/adsOne/${made.ad}`,
    ready: () => shop.page.getByRole('tab', { name: 'Delivery' }),
    act: () => shop.page.getByRole('tab', { name: 'Delivery' }).click(),
  },
  {
    name: 'the map',
    path: () => '/home/overview',
    ready: () => button('Show the map'),
    act: () => button('Show the map').click(),
  },
])('on its page answers $name', async ({ path, ready, act }) => {
  await shop.visit(path())
  await ready().waitFor()
  await touchPage()
  await seeAnswer(act)
})

it('answers a click in the menu before it draws a page that was seen before', async () => {
  await shop.visit('/home/overview')
  await shop.page.getByText('Get started').waitFor()
  await menu('Devices').click()
  await shop.page.getByText('Bakery Lane 4').waitFor()
  await answer().waitFor({ state: 'hidden' })
  await shop.page.evaluate(() => {
    const shown: string[] = []
    const title = document.querySelector('h1')?.textContent
    new MutationObserver(() => {
      if (document.querySelector('[role=progressbar][aria-label=Loading]')) shown.push('bar')
      if (document.querySelector('h1')?.textContent !== title) shown.push('page')
      document.body.dataset['shown'] = shown.filter((each, n) => each !== shown[n - 1]).join()
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
  })
  await menu('Overview').click()
  await shop.page.getByText('Get started').waitFor()
  await answer().waitFor({ state: 'hidden' })
  expect(await shop.page.locator('body').getAttribute('data-shown')).toBe('bar,page')
})

it('answers a click on a menu that has not come yet', async () => {
  await shop.visit('/equipments/devices')
  await button('Page 2').waitFor()
  await seeAnswer(() => button('Connection').click())
  await shop.page.getByRole('menuitemcheckbox', { name: 'Never connected' }).waitFor()
})

// A list waits 250 ms for the next letter before it searches: some of these clicks meet that moment.
it.each([0, 190, 230, 300])('follows a link that is clicked %d ms after a search was typed', async wait => {
  await shop.visit('/equipments/devices')
  await shop.page.getByText('Bakery Lane 4').waitFor()
  line = Promise.withResolvers<void>()
  await shop.page.getByRole('searchbox').fill('bakery')
  await shop.page.waitForTimeout(wait)
  await shop.page.getByRole('link', { name: 'Bakery Lane 4' }).click()
  await answer().waitFor()
  await shop.page.waitForTimeout(400)
  line.resolve()
  await shop.heading('Bakery Lane 4')
})

it('searches although a link was clicked that opens a tab of its own', async () => {
  await shop.visit('/equipments/devices')
  await shop.page.getByText('Bakery Lane 4').waitFor()
  await shop.page.getByRole('searchbox').fill('central')
  await shop.page.locator('header a[target=_blank]').first().click()
  await shop.page.waitForURL(/search=central/)
})

it('answers a search in the palette', async () => {
  await shop.visit('/equipments/devices')
  await shop.page.getByText('Bakery Lane 4').waitFor()
  await touchPage()
  line = Promise.withResolvers<void>()
  await shop.page.keyboard.press('Control+k')
  await shop.page.getByRole('combobox', { name: /^Find a page/ }).fill('bakery')
  await shop.page.getByRole('dialog').getByRole('status').getByText('Loading').waitFor()
  line.resolve()
  await shop.page.getByRole('option', { name: /Bakery Lane 4/ }).waitFor()
})

it('shows a bar before its first script has come', async () => {
  await shop.visit('/equipments/devices')
  const scripts = Promise.withResolvers<void>()
  await shop.page.route('**/assets/*.js', async route => {
    await scripts.promise
    await route.continue()
  })
  await shop.page.goto(`${shop.url}/equipments/groups`, { waitUntil: 'commit' })
  await shop.page.getByRole('progressbar', { name: 'Floorcast' }).waitFor()
  scripts.resolve()
  await shop.page.getByText('Food shops').waitFor()
})
