import { expect, it } from 'vitest'
import { testConsole } from './console-under-test.ts'

const shop = testConsole()
const userMenu = () => shop.page.getByRole('button', { name: /profile and sign-out/ })

/** Keeps the answers to requests of some files until it is released. */
async function hold(files: RegExp): Promise<() => void> {
  let release = () => undefined as void
  const held = new Promise<void>(resolve => (release = resolve))
  await shop.page.route(files, async route => {
    await held
    await route.continue()
  })
  return release
}

/** Resolves when nothing has been fetched for half a second. */
async function waitForQuiet(): Promise<void> {
  let fetchedAt = Date.now()
  const note = () => void (fetchedAt = Date.now())
  shop.page.on('response', note)
  while (Date.now() - fetchedAt < 500) await shop.page.waitForTimeout(100)
  shop.page.off('response', note)
}

it('what a page does not begin with is not fetched before the page is touched, and then at once', async () => {
  const fetched: string[] = []
  shop.page.on('request', request => fetched.push(request.url()))
  await shop.visit('/equipments/devices')
  await shop.page.getByText('Bakery Lane 4').waitFor()
  expect(fetched.filter(url => /overlay-parts|device-form/.test(url))).toEqual([])
  const form = shop.page.waitForResponse(/\/device-form[^/]*\.js/)
  const overlays = shop.page.waitForResponse(/\/overlay-parts[^/]*\.js/)
  await shop.page.mouse.move(700, 400, { steps: 2 })
  await Promise.all([form, overlays])
})

it('what a page does not begin with is there when the server goes away after a touch', async () => {
  await shop.visit('/equipments/devices')
  await shop.page.getByText('Bakery Lane 4').waitFor()
  await shop.page.mouse.move(700, 400, { steps: 2 })
  await waitForQuiet()
  await shop.page.route('**', route => route.abort('connectionrefused'))
  await shop.page.getByRole('button', { name: 'Add a device' }).click()
  await shop.page.getByRole('dialog').getByLabel('Name').waitFor()
  await shop.page.keyboard.press('Escape')
  await userMenu().click()
  await shop.page.getByRole('menuitem', { name: 'Log out' }).waitFor()
})

it('what a page does not begin with shows that it is on its way after a click', async () => {
  const release = await hold(/\/shell-parts[^/]*\.js/)
  await shop.visit('/home/overview')
  await shop.heading('Overview')
  await shop.page.getByRole('button', { name: 'Settings' }).click()
  await shop.page.getByRole('progressbar', { name: 'Loading' }).waitFor()
  release()
  await shop.page.getByRole('dialog', { name: 'Settings' }).waitFor()
})

it('a menu opens by its first click from the keyboard, and gives the focus back', async () => {
  await shop.visit('/home/overview')
  await shop.heading('Overview')
  await userMenu().focus()
  await shop.page.keyboard.press('Enter')
  await shop.page.getByRole('menuitem', { name: 'Log out' }).waitFor()
  expect(await userMenu().getAttribute('aria-expanded')).toBe('true')
  await shop.page.keyboard.press('Escape')
  await shop.page.getByRole('menuitem', { name: 'Log out' }).waitFor({ state: 'hidden' })
  expect(await userMenu().evaluate(button => button === document.activeElement)).toBe(true)
  expect(await userMenu().getAttribute('aria-expanded')).toBe('false')
})

it('a menu closes by a second click on its button, and by a click elsewhere', async () => {
  await shop.visit('/home/overview')
  await shop.heading('Overview')
  const item = shop.page.getByRole('menuitem', { name: 'Log out' })
  await userMenu().click()
  await item.waitFor()
  await userMenu().click()
  await item.waitFor({ state: 'hidden' })
  await userMenu().click()
  await item.waitFor()
  await shop.page.getByRole('heading', { level: 1 }).click()
  await item.waitFor({ state: 'hidden' })
})

it('a dialog gives the focus back to the button that opened it for the first time', async () => {
  await shop.visit('/home/overview')
  await shop.heading('Overview')
  const button = shop.page.getByRole('button', { name: 'Settings' })
  await button.click()
  await shop.page.getByRole('dialog', { name: 'Settings' }).waitFor()
  await shop.page.keyboard.press('Escape')
  await shop.page.getByRole('dialog', { name: 'Settings' }).waitFor({ state: 'hidden' })
  expect(await button.evaluate(each => each === document.activeElement)).toBe(true)
})

it('the command palette has what was typed before it had come', async () => {
  const release = await hold(/\/command-palette[^/]*\.js/)
  await shop.visit('/home/overview')
  await shop.heading('Overview')
  await shop.page.keyboard.press('Control+k')
  await shop.page.keyboard.type('bak')
  release()
  const field = shop.page.getByRole('combobox', {
    name: 'Find a page or anything by its name, or type what to do',
  })
  await shop.page.getByRole('option', { name: /Bakery Lane 4/ }).waitFor()
  await field.pressSequentially('ery')
  expect(await field.inputValue()).toBe('bakery')
})

it('a tooltip comes with the pointer', async () => {
  await shop.visit('/home/overview')
  await shop.heading('Overview')
  const button = shop.page.getByRole('button', { name: 'Settings' })
  await button.hover()
  await shop.page.getByRole('tooltip', { name: 'Settings' }).waitFor()
  await shop.page.mouse.move(700, 500)
  await shop.page.getByRole('tooltip', { name: 'Settings' }).waitFor({ state: 'hidden' })
})
