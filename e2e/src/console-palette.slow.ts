import { listGroups } from '@floorcast/contract/groups.ts'
import { expect, it } from 'vitest'
import { testConsole } from './console-under-test.ts'

const shop = testConsole()

/** Opens the palette by its keys. @returns its field */
async function openPalette() {
  await shop.page.keyboard.press('Control+k')
  const field = shop.page.getByRole('combobox', { name: /^Find a page or anything by its name/ })
  await field.waitFor()
  return field
}

it('the palette activates and pauses a group, and offers only what changes its state', async () => {
  const { items } = await shop.client.call(listGroups, { params: { x: 'all' } })
  const state = async () => {
    const now = await shop.client.call(listGroups, { params: { x: 'all' } })
    return now.items.find(({ uid }) => uid === items[0]?.uid)?.state
  }
  await shop.visit('/home/overview')
  await shop.heading('Overview')
  for (const [typed, action, then] of [
    ['activate food', 'Activate Food shops', 'active'],
    ['open food', 'Open Food shops for editing', 'paused'],
  ] as const) {
    await (await openPalette()).fill(typed)
    const option = shop.page.getByRole('option', { name: action })
    await option.waitFor()
    expect(
      await shop.page.getByRole('option', { name: /^(Open .* for editing|Activate )/ }).allInnerTexts(),
    ).toHaveLength(1)
    await shop.page.keyboard.press('Enter')
    await option.waitFor({ state: 'detached' })
    await expect.poll(state).toBe(then)
  }
})

it('the palette completes an action that is clicked, and goes on with what is typed', async () => {
  await shop.visit('/home/overview')
  await shop.heading('Overview')
  const field = await openPalette()
  await field.fill('play log')
  await shop.page.getByRole('option', { name: 'Play log of …' }).click()
  await shop.page.keyboard.type('bakery')
  await shop.page.getByRole('option', { name: 'Play log of Bakery Lane 4' }).waitFor()
  await shop.page.keyboard.press('Enter')
  await shop.page.waitForURL(`**/security/playTrack/${shop.deviceUid}*`)
})

it('pages of the account are found by the palette', async () => {
  await shop.visit('/home/overview')
  await shop.heading('Overview')
  await (await openPalette()).fill('plans')
  await shop.page.getByRole('option', { name: /^Plans/ }).waitFor()
  await shop.page.keyboard.press('Enter')
  await shop.heading('Plans')
})

it('the keyboard shortcuts are listed by "?", but not while a text is typed', async () => {
  await shop.visit('/equipments/devices')
  const search = shop.page.getByRole('searchbox')
  await search.fill('why')
  await search.press('?')
  expect(await search.inputValue()).toBe('why?')
  expect(await shop.page.getByRole('dialog').count()).toBe(0)
  await shop.heading('Devices')
  await search.blur()
  await shop.page.keyboard.press('?')
  const dialog = shop.page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await dialog.getByText('Ctrl K').waitFor()
  await shop.page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
})

it('the menu has the open page in view in a low window', async () => {
  await shop.page.setViewportSize({ width: 1440, height: 500 })
  await shop.visit('/updates/channels')
  await shop.heading('Update channels')
  const link = shop.page
    .getByRole('navigation', { name: 'Menu' })
    .getByRole('link', { name: 'Update channels' })
  await expect.poll(async () => ((await link.boundingBox())?.y ?? 0) + 20).toBeLessThan(500)
})

it('the menu’s toggle stays in view on a scrolled page, also after a reload', async () => {
  await shop.visit('/pages/rtl')
  const toggles = shop.page.getByRole('button', { name: 'Show or hide the menu' })
  await expect.poll(() => toggles.count()).toBe(1)
  await shop.page.mouse.move(700, 500)
  await shop.page.mouse.wheel(0, 400)
  await expect.poll(() => toggles.count()).toBe(2)
  await shop.page.reload()
  await expect.poll(() => shop.page.evaluate('scrollY')).toBeGreaterThan(50)
  await expect.poll(() => toggles.count()).toBe(2)
  await shop.page.mouse.wheel(0, -1000)
  await expect.poll(() => toggles.count()).toBe(1)
})
