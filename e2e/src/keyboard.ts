import type { Locator, Page } from 'playwright-core'

const MAX_PRESSES = 120

async function pressUntilFocused(page: Page, key: string, target: Locator): Promise<void> {
  await target.waitFor()
  for (let press = 0; press < MAX_PRESSES; press += 1) {
    if (await target.evaluate(element => element === document.activeElement)) return
    await page.keyboard.press(key)
  }
  throw new Error(`${MAX_PRESSES} presses of ${key} did not reach ${target}`)
}

/** Moves the focus to an element as a user without a pointer does. */
export const tabTo = (page: Page, target: Locator): Promise<void> => pressUntilFocused(page, 'Tab', target)

/** Presses a button that the focus reaches by Tab. */
export async function pressButton(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press('Enter')
}

/** Chooses an option of an open list by the arrow keys: it takes Enter once it is the marked one. */
export async function chooseOption(page: Page, name: string | RegExp): Promise<void> {
  const option = page.getByRole('option', { name })
  await option.waitFor()
  for (let press = 0; press < MAX_PRESSES; press += 1) {
    if ((await option.getAttribute('data-combobox-selected')) === 'true') return page.keyboard.press('Enter')
    await page.keyboard.press('ArrowDown')
  }
  throw new Error(`${MAX_PRESSES} presses of ArrowDown did not mark ${option}`)
}

/** Opens a menu by its button, and chooses an entry by the arrow keys. */
export async function chooseFromMenu(page: Page, button: Locator, entry: string): Promise<void> {
  await pressButton(page, button)
  await pressUntilFocused(page, 'ArrowDown', page.getByRole('menuitem', { name: entry, exact: true }))
  await page.keyboard.press('Enter')
}

/** Goes to a page of the menu by the command palette. */
export async function goByPalette(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').waitFor()
  await page.keyboard.type(name)
  await page.getByRole('dialog').getByRole('option', { name }).first().waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
}
