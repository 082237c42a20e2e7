import type { ConsoleUnderTest } from './console-under-test.ts'
import { ConsolePage } from './console-page.ts'

interface Publishing {
  playlist: string
  kind: 'Audio' | 'Video'
  device: string
  /** The name of the new group. */
  group: string
}

/**
 * Publishes a paused playlist through the console: activates it, and creates a group with a device and an active
 * publication.
 */
export async function publishInConsole(shop: ConsoleUnderTest, given: Publishing): Promise<void> {
  const consolePage = new ConsolePage(shop.page, 'publishing')
  const { page } = shop
  await page.getByRole('link', { name: given.playlist, exact: true }).click()
  await consolePage.clickButton('Activate')
  await page.getByText('Active: it can be published').waitFor()
  await consolePage.open('Groups')
  await page.getByRole('button', { name: 'Add a group' }).first().click()
  await page.getByRole('dialog').getByText(given.kind, { exact: true }).click()
  await page.getByRole('dialog').getByLabel('Name').fill(given.group)
  await consolePage.saveSideForm()
  await consolePage.clickButton('Add a device')
  await page.getByRole('option', { name: given.device }).click()
  await page.getByRole('table', { name: '1 device' }).waitFor()
  await page.keyboard.press('Escape')
  await consolePage.clickButton('Activate')
  await page.getByRole('button', { name: 'Pause' }).waitFor()
  await consolePage.open('Playlists')
  await page.getByRole('link', { name: given.playlist, exact: true }).click()
  await page.getByRole('link', { name: 'Publish' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill(`${given.playlist} on air`)
  await consolePage.chooseOption('Device group', given.group)
  await consolePage.saveSideForm()
  await consolePage.clickButton('Turn on')
  await page.getByText(`On the air in ${given.group}`).waitFor()
}
