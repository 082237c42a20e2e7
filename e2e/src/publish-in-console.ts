import type { ConsoleUnderTest } from './console-under-test.ts'
import { Walk } from './walk.ts'

interface Publishing {
  playlist: string
  kind: 'Audio' | 'Video'
  device: string
  /** The name of the new group. */
  group: string
}

/** Publishes a paused playlist through the console: activates it, makes a group of a device and a publication, and turns that on. */
export async function publishInConsole(shop: ConsoleUnderTest, given: Publishing): Promise<void> {
  const walk = new Walk(shop.page, 'publishing')
  const { page } = shop
  await page.getByRole('link', { name: given.playlist, exact: true }).click()
  await walk.press('Activate')
  await page.getByText('Active: it can be published').waitFor()
  await walk.open('Groups')
  await page.getByRole('button', { name: 'Add a group' }).first().click()
  await page.getByRole('dialog').getByText(given.kind, { exact: true }).click()
  await page.getByRole('dialog').getByLabel('Name').fill(given.group)
  await walk.saveSideForm()
  await walk.press('Add a device')
  await page.getByRole('option', { name: given.device }).click()
  await page.getByRole('table', { name: '1 device' }).waitFor()
  await page.keyboard.press('Escape')
  await walk.press('Activate')
  await page.getByRole('button', { name: 'Pause' }).waitFor()
  await walk.open('Playlists')
  await page.getByRole('link', { name: given.playlist, exact: true }).click()
  await page.getByRole('link', { name: 'Publish' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill(`${given.playlist} on air`)
  await walk.chooseIn('Device group', given.group)
  await walk.saveSideForm()
  await walk.press('Turn on')
  await page.getByText(`On the air in ${given.group}`).waitFor()
}
