import type { ConsoleUnderTest } from './console-under-test.ts'
import { ConsolePage } from './console-page.ts'

interface Publishing {
  playlist: string
  device: string
  /** The name of the new group. */
  group: string
}

/** Publishes a paused playlist through the console's sheet: to a new group with one device, now. */
export async function publishInConsole(shop: ConsoleUnderTest, given: Publishing): Promise<void> {
  const { page } = shop
  const consolePage = new ConsolePage(page, 'publishing')
  await page.getByRole('link', { name: given.playlist, exact: true }).click()
  await page.getByRole('link', { name: 'Publish' }).click()
  const sheet = page.getByRole('dialog', { name: 'Publish a playlist' })
  await sheet.getByText('New group', { exact: true }).click()
  await sheet.getByLabel('Name of the new group').fill(given.group)
  await consolePage.chooseOption('Devices', given.device)
  await page.keyboard.press('Escape')
  await sheet.getByLabel('Name of the publication').fill(`${given.playlist} on air`)
  await sheet.getByText(`Group “${given.group}” is created with 1 device.`).waitFor()
  await sheet.getByRole('button', { name: 'Publish now' }).click()
  await page.getByText(new RegExp(`on the air .*in “${given.group}”`, 'i')).waitFor()
}
