import { readFile } from 'node:fs/promises'
import { deleteDevice, editDevice, listDevices } from '@floorcast/contract/devices.ts'
import { listGroups } from '@floorcast/contract/groups.ts'
import { writeSongs } from '@floorcast/testing/media-song.ts'
import { expect, it } from 'vitest'
import { testConsole } from './console-under-test.ts'

const shop = testConsole()

it('a page about one item is headed by its name; the path above says what it is', async () => {
  const { items } = await shop.client.call(listGroups, { params: { x: 'all' } })
  await shop.visit(`/equipments/groupsOne/${items[0]?.uid}`)
  await shop.heading('Food shops')
  const path = shop.page.getByRole('navigation', { name: 'Where you are' })
  await path.getByText('Group', { exact: true }).waitFor()
  expect(await shop.page.getByRole('heading', { name: 'Food shops' }).count()).toBe(1)
})

it('a page about one item has no word twice in its path where an item is called like its list', async () => {
  const { items } = await shop.client.call(listGroups, { params: { x: 'all' } })
  await shop.visitIn('cn', `/equipments/groupsOne/${items[0]?.uid}`)
  await shop.heading('Food shops')
  const path = shop.page.getByRole('navigation').filter({ has: shop.page.locator('ol') })
  expect(await path.getByRole('listitem').allInnerTexts()).toEqual(['设备管理', '设备组'])
})

it('a page about one item has its whole path on a phone', async () => {
  await shop.page.setViewportSize({ width: 400, height: 900 })
  await shop.visitIn('de', `/security/playTrack/${shop.deviceUid}`)
  const name = shop.page.getByRole('navigation').getByText('Bakery Lane 4')
  await name.waitFor()
  const cut = await name.evaluate(text => {
    const edges = [text, ...text.ownerDocument.querySelectorAll('nav ol > li')]
    return edges.filter(each => each.scrollWidth > each.clientWidth && each.clientWidth > 0).length
  })
  expect(cut).toBe(0)
})

it('a list is searched by "/", walked by arrows, opened by Enter; the address holds it all', async () => {
  await shop.visit('/equipments/devices')
  await shop.page.getByText('Bakery Lane 4').waitFor()
  await shop.page.keyboard.press('/')
  await shop.page.keyboard.type('central')
  await shop.page.getByText('Bakery Lane 4').waitFor({ state: 'hidden' })
  // A part of the word may be searched first.
  await expect.poll(() => new URL(shop.page.url()).searchParams.get('search')).toBe('central')
  await shop.page.reload()
  await shop.page.getByText('Central Station').waitFor()
  expect(await shop.page.getByRole('searchbox').inputValue()).toBe('central')
  await shop.page.getByRole('searchbox').fill('')
  await shop.page.getByText('Bakery Lane 4').waitFor()
  // From the search field into the rows.
  await shop.page.keyboard.press('ArrowDown')
  await shop.page.keyboard.press('ArrowDown')
  await shop.page.keyboard.press('Space')
  await shop.page.getByText('1 selected').waitFor()
  await shop.page.keyboard.press('Enter')
  await shop.page.getByRole('heading', { level: 1, name: 'Central Station' }).waitFor()
  await shop.page.goBack()
  await shop.page.getByText('Bakery Lane 4').waitFor()
  await shop.page.getByText('1 selected').waitFor()
  const focused = () => shop.page.evaluate(() => document.activeElement?.textContent)
  await expect.poll(focused).toContain('Central Station')
})

it('a list takes "/" and a search while its page is still on its way', async () => {
  await shop.visit('/home/overview')
  let arrive: () => void = () => undefined
  const arrived = new Promise<void>(resolve => (arrive = resolve))
  await shop.page.route('**/assets/devices-page-*.js', async route => {
    await arrived
    await route.continue()
  })
  await shop.page.getByRole('link', { name: 'Devices', exact: true }).click()
  await shop.page.keyboard.press('/')
  await shop.page.keyboard.type('central')
  arrive()
  await shop.page.getByText('Central Station').waitFor()
  await expect.poll(() => shop.page.getByRole('searchbox').inputValue()).toBe('central')
  await shop.page.keyboard.type(' s')
  await expect.poll(() => new URL(shop.page.url()).searchParams.get('search')).toBe('central s')
})

it('a list finds nothing, and says how to see everything again', async () => {
  await shop.visit('/equipments/devices?search=nowhere')
  await shop.page.getByText('Nothing found').waitFor()
  await shop.page.getByRole('button', { name: 'Clear search and filters' }).click()
  await shop.page.getByText('Bakery Lane 4').waitFor()
})

it('a list keeps its tools on one line and its columns in view beside the menu at 1024 px', async () => {
  await shop.page.setViewportSize({ width: 1024, height: 800 })
  await shop.visit('/equipments/devices')
  await shop.page.getByText('Bakery Lane 4').waitFor()
  const [one, other] = await Promise.all([
    shop.page.getByRole('searchbox').boundingBox(),
    shop.page.getByRole('button', { name: 'Add a device' }).boundingBox(),
  ])
  expect(other?.y).toBe(one?.y)
  const table = shop.page.getByRole('table', { name: 'Devices' })
  expect(await table.evaluate(({ parentElement: at }) => at && at.scrollWidth - at.clientWidth)).toBe(0)
  expect(await shop.page.getByRole('columnheader', { name: 'Last contact' }).count()).toBe(0)
  await shop.page.getByRole('button', { name: 'More actions' }).click()
  await shop.page.getByRole('menuitem', { name: 'Add many' }).waitFor()
  await shop.page.keyboard.press('Escape')
  await shop.page.getByRole('button', { name: 'Columns' }).click()
  await shop.page.getByRole('checkbox', { name: 'Last contact' }).check()
  await shop.page.getByRole('columnheader', { name: 'Last contact' }).waitFor()
})

it('a list remembers the chosen columns', async () => {
  await shop.visit('/equipments/devices')
  await shop.page.getByRole('columnheader', { name: 'Playlist' }).waitFor()
  await shop.page.getByRole('button', { name: 'Columns' }).click()
  await shop.page.getByRole('checkbox', { name: 'Playlist' }).uncheck()
  await shop.page.reload()
  await shop.page.getByText('Bakery Lane 4').waitFor()
  expect(await shop.page.getByRole('columnheader', { name: 'Playlist' }).count()).toBe(0)
})

it('a list takes a second device of the same name, and says so', async () => {
  await shop.visit('/equipments/devices')
  await shop.page.getByRole('button', { name: 'Add a device' }).click()
  const form = shop.page.getByRole('dialog')
  const hint = form.getByText('Another device has this name')
  await form.getByLabel('Name').fill('bakery lane')
  await form.getByLabel('Name').fill('bakery lane 4 ')
  await hint.waitFor()
  await form.getByLabel('Name').fill('Bakery Lane 40')
  await hint.waitFor({ state: 'detached' })
  await form.getByLabel('Name').fill('Bakery Lane 4')
  await hint.waitFor()
  await form.getByRole('button', { name: 'Save' }).click()
  await shop.heading('Bakery Lane 4')
  const { items } = await shop.client.call(listDevices, { query: { search: '"Bakery Lane 4"' } })
  expect(items).toHaveLength(2)
  for (const { uid } of items)
    if (uid !== shop.deviceUid) await shop.client.call(deleteDevice, { body: { uid } })
})

it("a list finds a device by the shop's own number, and shows it in a column", async () => {
  await shop.visit(`/equipments/devicesOne/${shop.deviceUid}`)
  await shop.page.getByRole('button', { name: 'Edit' }).click()
  await shop.page.getByLabel('Store number').fill(' 0415/b ')
  await shop.page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await shop.page.getByRole('definition').getByText('0415/b', { exact: true }).waitFor()
  await shop.page.goto(`${shop.url}/equipments/devices?search=415&sort=storeNumber`)
  await shop.page.getByText('Bakery Lane 4').waitFor()
  await shop.page.getByText('Central Station').waitFor({ state: 'hidden' })
  await shop.page.getByRole('button', { name: 'Columns' }).click()
  await shop.page.getByRole('checkbox', { name: 'Store number' }).check()
  await shop.page.getByRole('cell', { name: '0415/b' }).waitFor()
  await shop.page.getByRole('columnheader', { name: 'Store number' }).waitFor()
})

it('a list changes by itself when someone else changes a device', async () => {
  await shop.visit('/equipments/devices')
  await shop.page.getByText('Central Station').waitFor()
  await shop.client.call(editDevice, { body: { uid: shop.deviceUid, name: 'Bakery Lane 4a' } })
  await shop.page.getByText('Bakery Lane 4a').waitFor()
  await shop.client.call(editDevice, { body: { uid: shop.deviceUid, name: 'Bakery Lane 4' } })
  await shop.page.getByText('Bakery Lane 4', { exact: true }).waitFor()
})

it('the shell finds a page, and any device, by Ctrl K', async () => {
  await shop.visit('/home/overview')
  await shop.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  await shop.page.keyboard.press('Control+k')
  await shop.page
    .getByRole('combobox', { name: 'Find a page or anything by its name, or type what to do' })
    .fill('bakery')
  await shop.page.getByRole('option', { name: /Bakery Lane 4/ }).waitFor()
  await shop.page.keyboard.press('Enter')
  await shop.page.getByRole('heading', { level: 1, name: 'Bakery Lane 4' }).waitFor()
})

it('the shell asks before unsaved changes are left behind', async () => {
  const name = shop.page.getByRole('dialog').getByLabel('Name')
  await shop.visit(`/equipments/devicesOne/${shop.deviceUid}`)
  await shop.page.getByRole('button', { name: 'Edit' }).click()
  await name.fill('Bakery, moved')
  await shop.page.keyboard.press('Escape')
  await shop.page
    .getByRole('dialog', { name: 'Leave without saving?' })
    .getByRole('button', { name: 'Keep editing' })
    .waitFor()
  // Enter is the safe choice: it keeps the form.
  await shop.page.keyboard.press('Enter')
  expect(await name.inputValue()).toBe('Bakery, moved')
  await shop.page.keyboard.press('Escape')
  await shop.page.getByRole('button', { name: 'Leave without saving' }).click()
  await name.waitFor({ state: 'hidden' })
})

it('the shell keeps language, direction, colour and mode for the next visit', async () => {
  await shop.visit('/home/overview')
  await shop.page.getByRole('button', { name: 'Settings' }).click()
  await shop.page.getByText('Dark', { exact: true }).click()
  await shop.page.keyboard.press('Escape')
  await shop.page.getByRole('button', { name: /Language/ }).click()
  await shop.page.getByRole('menuitem', { name: 'العربية' }).click()
  await shop.heading('نظرة عامة')
  await shop.page.reload()
  await shop.heading('نظرة عامة')
  expect(
    await shop.page.evaluate(() => [
      document.documentElement.dir,
      document.documentElement.lang,
      document.documentElement.dataset['mantineColorScheme'],
    ]),
  ).toEqual(['rtl', 'ar', 'dark'])
})

it('the shell says that the browser is offline, and goes on when it is back', async () => {
  await shop.visit('/equipments/groups')
  await shop.context.setOffline(true)
  await shop.page.getByText('You are offline').waitFor()
  await shop.context.setOffline(false)
  await shop.page.getByText('You are offline').waitFor({ state: 'hidden' })
})

it('the shell answers an unknown address, and an unknown item, with a message', async () => {
  await shop.visit('/home/overview')
  await shop.page.goto(`${shop.url}/no/such/page`)
  await shop.heading('The requested page was not found')
  await shop.page.goto(`${shop.url}/equipments/groupsOne/01900000-0000-7000-8000-000000000000`)
  await shop.page.getByRole('main').getByText('This no longer exists, or never did').waitFor()
})

it('uploads are dropped anywhere; the tray tells which arrived, and why one was refused', async () => {
  const [song] = await writeSongs(shop.folder, { count: 1, seconds: 2 })
  const bytes = (await readFile(song?.path ?? '')).toString('base64')
  await shop.visit('/media/melodies')
  await shop.page.getByText('Upload', { exact: false }).first().waitFor()
  const dropped = await shop.page.evaluateHandle(sound => {
    const files = new DataTransfer()
    const real = Uint8Array.from(atob(sound), letter => letter.charCodeAt(0))
    files.items.add(new File([real], 'Sunrise.mp3', { type: 'audio/mpeg' }))
    files.items.add(new File(['no sound at all'], 'Letter.mp3', { type: 'audio/mpeg' }))
    return files
  }, bytes)
  await shop.page.dispatchEvent('main', 'dragenter', { dataTransfer: dropped })
  await shop.page.dispatchEvent('main', 'drop', { dataTransfer: dropped })
  const tray = shop.page.getByRole('region', { name: 'Uploads' })
  await tray.getByText('1 file uploaded').waitFor()
  await tray.getByText('1 file not uploaded').waitFor()
  expect(await tray.getByRole('listitem').filter({ hasText: 'Sunrise.mp3' }).innerText()).toContain(
    'Uploaded',
  )
  expect(await tray.getByRole('listitem').filter({ hasText: 'Letter.mp3' }).innerText()).toContain(
    'Wrong file type',
  )
  await shop.page.getByRole('row', { name: /Sunrise/ }).waitFor()
  // Successful uploads leave the tray; refused ones stay until they are read.
  await tray.getByText('1 file uploaded').waitFor({ state: 'hidden' })
  expect(await tray.getByRole('listitem').allInnerTexts()).toEqual([expect.stringContaining('Letter.mp3')])
  // A toast is at the top of the page, below the bar.
  await shop.page.getByRole('link', { name: 'Devices', exact: true }).click()
  await shop.page.getByRole('link', { name: 'Central Station' }).click()
  await shop.page.getByRole('button', { name: 'Edit' }).click()
  await shop.page.getByLabel('Store number').fill('0416')
  await shop.page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  const toast = await shop.page.getByRole('status').filter({ hasText: 'Saved' }).boundingBox()
  const bar = await shop.page.getByRole('banner').boundingBox()
  const below = (toast?.y ?? 0) - (bar?.y ?? 0) - (bar?.height ?? 0)
  expect([below >= 0, below < 32]).toEqual([true, true])
  // On other pages than that of the upload the tray is folded, with its refusal counted.
  await tray.getByText('1 file not uploaded').waitFor()
  expect(await tray.getByRole('listitem').count()).toBe(0)
  await tray.getByRole('button', { name: 'Expand uploads' }).click()
  await tray.getByRole('button', { name: 'Clear' }).click()
  await tray.waitFor({ state: 'hidden' })
})

it('the menu marks the page it shows, and its links look like a menu', async () => {
  await shop.visit('/equipments/devices')
  const menu = shop.page.getByRole('navigation', { name: 'Menu' })
  const look = (name: string) =>
    menu.getByRole('link', { name, exact: true }).evaluate(link => {
      const { display, textDecorationLine, backgroundColor } = getComputedStyle(link)
      return { display, textDecorationLine, backgroundColor }
    })
  const plain = await look('Groups')
  expect(plain).toMatchObject({ display: 'flex', textDecorationLine: 'none' })
  expect((await look('Devices')).backgroundColor).not.toBe(plain.backgroundColor)
})
