import { expect, it } from 'vitest'
import { testConsole } from './console-under-test.ts'

/** The file of a page that nothing else needs. */
const GROUPS = /\/assets\/groups-page[^/]*\.js/
const shop = testConsole()
const link = (name: string) =>
  shop.page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name, exact: true })
const progress = () => shop.page.getByRole('progressbar', { name: 'Loading' })

it('a page that is not loaded yet shows at once that it is on its way, while the former page stays', async () => {
  let release = () => undefined as void
  const held = new Promise<void>(resolve => (release = resolve))
  await shop.page.route(GROUPS, async route => {
    await held
    await route.continue()
  })
  await shop.visit('/equipments/devices')
  await shop.page.getByText('Bakery Lane 4').waitFor()
  await link('Groups').click()
  await progress().waitFor()
  await shop.heading('Devices')
  release()
  await shop.heading('Groups')
  expect(await progress().count()).toBe(0)
})

it('a page that is not loaded yet is fetched while the pointer is over its link', async () => {
  await shop.visit('/equipments/devices')
  await shop.page.getByText('Bakery Lane 4').waitFor()
  const fetched = shop.page.waitForResponse(GROUPS)
  await link('Groups').hover()
  expect((await fetched).status()).toBe(200)
  await shop.heading('Devices')
})

it('a page that is not loaded yet comes by itself when the server is back', async () => {
  await shop.visit('/equipments/devices')
  await shop.page.getByText('Bakery Lane 4').waitFor()
  await shop.page.route('**', route => route.abort('connectionrefused'))
  const failed = shop.page.waitForEvent('requestfailed', request => GROUPS.test(request.url()))
  await link('Groups').click()
  await failed
  await progress().waitFor()
  await shop.heading('Devices')
  await shop.page.unroute('**')
  await shop.heading('Groups')
  await shop.page.getByText('Food shops').waitFor()
})

it('a page that is not loaded yet says so when it is the first one and the server is away, and comes by itself', async () => {
  await shop.visit('/equipments/devices')
  await shop.page.route('**/config.json', route => route.abort('connectionrefused'))
  await shop.page.route(GROUPS, route => route.abort('connectionrefused'))
  await shop.page.goto(`${shop.url}/equipments/groups`)
  await shop.page.getByRole('status').getByText('It loads as soon').waitFor()
  await shop.page.unrouteAll()
  await shop.heading('Groups')
  await shop.page.getByText('Food shops').waitFor()
})

it('a page that is not loaded yet whose files a newer version has replaced is loaded again with that version', async () => {
  let isReplaced = true
  await shop.visit('/equipments/devices')
  await shop.page.getByText('Bakery Lane 4').waitFor()
  shop.page.on('request', request => {
    if (request.isNavigationRequest()) isReplaced = false
  })
  await shop.page.route(GROUPS, route => (isReplaced ? route.fulfill({ status: 404 }) : route.continue()))
  await link('Groups').click()
  await shop.heading('Groups')
  await shop.page.getByText('Food shops').waitFor()
  expect(isReplaced).toBe(false)
})

it('a page that is not loaded yet of which a part stays away says so, and is loaded again by a click', async () => {
  await shop.visit('/equipments/devices')
  await shop.page.getByText('Bakery Lane 4').waitFor()
  await shop.page.route(GROUPS, route => route.fulfill({ status: 404 }))
  await link('Groups').click()
  const reloaded = shop.page.waitForEvent('load')
  await shop.heading('This page is not here yet')
  await reloaded
  await shop.heading('This page is not here yet')
  expect(await shop.page.getByRole('main').count()).toBe(1)
  await shop.page.unroute(GROUPS)
  await shop.page.getByRole('button', { name: 'Reload' }).click()
  await shop.page.getByText('Food shops').waitFor()
})

it('an address typed by hand that nothing has keeps the menu for those who are signed in', async () => {
  await shop.visit('/home/overview')
  await shop.page.goto(`${shop.url}/no/such/page`)
  await shop.heading('The requested page was not found')
  expect(await shop.page.getByRole('main').count()).toBe(1)
  await link('Devices').click()
  await shop.page.getByText('Bakery Lane 4').waitFor()
})

it('an address typed by hand with a filter that does not exist says which, and keeps the search', async () => {
  await shop.visit('/equipments/devices?kind=wrong')
  await shop.page.getByText('Not known here: Type: wrong').waitFor()
  expect(await shop.page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
  await shop.page.getByRole('searchbox').waitFor()
  await shop.page.getByRole('button', { name: 'Clear search and filters' }).click()
  await shop.page.getByText('Bakery Lane 4').waitFor()
  await shop.visit('/equipments/devices?connectivity=online,wrong,none')
  await shop.page.getByText('Not known here: Connection: online,wrong,none').waitFor()
})

it('an address typed by hand past the end of a list leads to its last page', async () => {
  await shop.visit('/equipments/devices?page=999')
  await shop.page.getByText('Bakery Lane 4').waitFor()
  expect(new URL(shop.page.url()).search).toBe('')
})

it('an address typed by hand of an item that is no id offers nothing that cannot help', async () => {
  await shop.visit('/equipments/devicesOne/not-an-id')
  await shop.page.getByRole('main').getByText('This address or entry is not valid').waitFor()
  expect(await shop.page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
  expect(await shop.page.getByText('Check the highlighted fields').count()).toBe(0)
  await shop.page.setViewportSize({ width: 400, height: 800 })
  await shop.page.getByRole('heading', { name: 'This could not be loaded' }).waitFor()
  expect(await shop.page.evaluate(() => document.documentElement.scrollWidth)).toBe(400)
  await shop.page.getByRole('link', { name: 'Go to the start page' }).click()
  await shop.heading('Overview')
})

it('an address typed by hand keeps the search box of a list that the server does not answer', async () => {
  await shop.visit('/equipments/devices')
  await shop.page.getByText('Bakery Lane 4').waitFor()
  await shop.page.route(/device\/qlist/, route => route.fulfill({ status: 500 }))
  await shop.page.getByRole('searchbox').fill('central')
  await shop.page.getByRole('button', { name: 'Try again' }).waitFor()
  expect(await shop.page.getByRole('searchbox').inputValue()).toBe('central')
})

it('the account changes its password, and ends its other sessions', async () => {
  await shop.visit('/pages/profile')
  await shop.page.getByRole('button', { name: 'Change password' }).click()
  const dialog = shop.page.getByRole('dialog', { name: 'Change your password' })
  const save = dialog.getByRole('button', { name: 'Change password' })
  await save.click()
  expect(await dialog.getByText('Cannot be empty').count()).toBe(2)
  await dialog.getByRole('textbox', { name: 'Current password' }).fill('not the password')
  await dialog.getByRole('textbox', { name: 'New password' }).fill('four other words here')
  await save.click()
  await dialog.getByText('Wrong password').waitFor()
  await dialog.getByRole('textbox', { name: 'Current password' }).fill('a bicycle of the owner')
  await save.click()
  await shop.page.getByText('Password changed').waitFor()
  await shop.page.reload()
  await shop.heading('Profile')
  await shop.page.goto(`${shop.url}/login`)
  await shop.page.evaluate(() => localStorage.clear())
  await shop.page.goto(`${shop.url}/login`)
  await shop.page.getByLabel('Email').fill(shop.owner.email)
  await shop.page.getByRole('textbox', { name: 'Password' }).fill('four other words here')
  await shop.page.getByRole('button', { name: 'Sign in' }).click()
  await shop.heading('Overview')
})

it('the account reads the terms of use before it agrees to them', async () => {
  await shop.page.goto(`${shop.url}/login`)
  await shop.page.getByRole('tab', { name: 'Register' }).click()
  const opened = shop.context.waitForEvent('page')
  await shop.page.getByRole('link', { name: 'Read the terms of use' }).click()
  const terms = await opened
  await terms.getByRole('heading', { level: 1, name: 'Terms of use' }).waitFor()
  await terms.getByText('You keep your password to yourself').waitFor()
})
