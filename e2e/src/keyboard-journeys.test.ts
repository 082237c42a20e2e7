import { readDevice } from '@floorcast/contract/devices.ts'
import { readEffectiveTags } from '@floorcast/contract/tag-calls.ts'
import { writeSongs } from '@floorcast/testing/media-song.ts'
import { expect, it } from 'vitest'
import { testConsole } from './console-under-test.ts'
import { chooseFromMenu, chooseOption, goByPalette, pressButton, tabTo } from './keyboard.ts'

/*
 * Whole tasks by the keyboard alone. Those of alerts, updates and the recycle bin are in the files of these pages.
 */

const shop = testConsole()

const button = (name: string) => shop.page.getByRole('button', { name, exact: true }).first()
const dialog = () => shop.page.getByRole('dialog')
const inDialog = (name: string | RegExp) => dialog().getByRole('button', { name })

/** Types into a field that Tab reaches. */
async function typeInto(label: string, text: string): Promise<void> {
  await tabTo(shop.page, dialog().getByLabel(label))
  await shop.page.keyboard.type(text)
}

it('two songs become a playlist that is on the air in a shop', async () => {
  const { page } = shop
  const songs = await writeSongs(shop.folder, { count: 2, seconds: 2 })
  await shop.visit('/media/melodies')
  await shop.heading('Melodies')
  const chooser = page.waitForEvent('filechooser')
  await pressButton(page, button('Upload melodies'))
  await (await chooser).setFiles(songs.map(song => song.path))
  await page.getByRole('link', { name: 'song-2' }).waitFor()

  await goByPalette(page, 'Playlists')
  await pressButton(page, button('Add a playlist'))
  await typeInto('Name', 'Shop floor')
  await page.keyboard.press('Enter')
  await shop.heading('Shop floor')
  // Enter adds the row of the library that has the focus.
  const tracks = page.getByRole('grid', { name: 'Tracks' })
  const library = page.getByRole('grid', { name: 'Library' })
  await tabTo(page, library.locator('[data-row][tabindex="0"]'))
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await tracks.getByRole('row', { name: /song-2/ }).waitFor()
  const readOrder = async () =>
    (await tracks.getByRole('row').allInnerTexts()).flatMap(row => /song-\d/.exec(row)?.[0] ?? [])
  await expect.poll(readOrder).toHaveLength(2)
  const before = await readOrder()
  await tabTo(page, tracks.locator('[data-row][tabindex="0"]'))
  await page.keyboard.press('Home')
  await page.keyboard.press('Alt+ArrowDown')
  await expect.poll(readOrder).toEqual(before.toReversed())
  await pressButton(page, button('Activate'))
  await page.getByRole('button', { name: 'Activate', exact: true }).waitFor({ state: 'hidden' })

  await goByPalette(page, 'Devices')
  await tabTo(page, page.getByRole('row', { name: /Bakery Lane 4/ }))
  await page.keyboard.press('Enter')
  await shop.heading('Bakery Lane 4')
  await tabTo(page, page.getByRole('link', { name: 'Publish' }))
  await page.keyboard.press('Enter')
  await tabTo(page, dialog().getByRole('combobox', { name: 'Playlist' }))
  await page.keyboard.type('shop')
  await chooseOption(page, /Shop floor/)
  const publish = inDialog('Publish now')
  await expect.poll(() => publish.isEnabled()).toBe(true)
  await pressButton(page, publish)
  await page.getByText(/on the air .*in “Bakery Lane 4”/i).waitFor()
  const device = await shop.client.call(readDevice, { params: { id: shop.deviceUid } })
  expect(device.playlist?.name).toBe('Shop floor')
})

it('tags are imported: an error is read, mended in the file, and the rest is saved', async () => {
  const { page } = shop
  const choose = async (opener: string | RegExp, entries: unknown) => {
    const chooser = page.waitForEvent('filechooser')
    await pressButton(page, inDialog(opener))
    const buffer = Buffer.from(JSON.stringify(entries))
    await (await chooser).setFiles({ name: 'tags.json', mimeType: 'application/json', buffer })
  }
  const city = { contentType: 'device', name: 'Bakery Lane 4', key: 'city', value: 'Oslo' }
  const volume = { ...city, key: 'volume' }
  await shop.visit('/home/overview')
  await shop.heading('Overview')
  await goByPalette(page, 'Tags')
  await pressButton(page, button('Import tags'))
  await choose('Choose a JSON file', [city, { ...volume, value: '101' }])
  await dialog()
    .getByText(/^entry 2, Bakery Lane 4 and volume/)
    .waitFor()
  await choose('Choose another file', [city, { ...volume, value: '70' }])
  await pressButton(page, inDialog('Set 2 tags'))
  await page.getByText('2 tags added, 0 changed').waitFor()
  const { tags } = await shop.client.call(readEffectiveTags, { params: { uid: shop.deviceUid } })
  expect(tags).toMatchObject([{ value: 'Oslo' }, { value: '70' }])
})

it('a user is invited, sets a password by the link, logs out and signs in', async () => {
  const { page } = shop
  const email = 'nils@example.com'
  const password = 'seven green umbrellas'
  await shop.visit('/home/overview')
  await shop.heading('Overview')
  await goByPalette(page, 'Users')
  await pressButton(page, button('Invite a user'))
  await typeInto('Email', email)
  await typeInto('First name', 'Nils')
  await page.keyboard.press('Enter')
  const shown = page.getByRole('dialog', { name: `Link for ${email}` })
  const link = await shown.locator('code').innerText()
  await pressButton(page, shown.getByRole('button', { name: 'Done' }))

  const guest = await shop.context.browser()?.newContext({ locale: 'en-GB' })
  const tab = await guest?.newPage()
  if (!guest || !tab) throw new Error('No second browser')
  tab.setDefaultTimeout(40_000)
  await tab.goto(link)
  await tabTo(tab, tab.getByRole('textbox', { name: 'Password' }))
  await tab.keyboard.type(password)
  await tab.keyboard.press('Enter')
  await tab.getByRole('navigation', { name: 'Menu' }).waitFor()
  expect(tab.url()).not.toContain('invite')
  await chooseFromMenu(tab, tab.getByRole('button', { name: /^Nils: / }), 'Log out')
  await tab.waitForURL('**/login*')
  await tabTo(tab, tab.getByRole('textbox', { name: 'Email' }))
  await tab.keyboard.type(email)
  await tabTo(tab, tab.getByRole('textbox', { name: 'Password' }))
  await tab.keyboard.type(password)
  await tab.keyboard.press('Enter')
  await tab.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  await guest.close()
})
