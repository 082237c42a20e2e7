import { readFile } from 'node:fs/promises'
import { listDevices } from '@floorcast/contract/devices.ts'
import type { ConsoleUnderTest } from './console-under-test.ts'

/** Page object of 'Add many devices'. */
export function importPage(shop: ConsoleUnderTest) {
  const button = (name: string | RegExp) => shop.page.getByRole('button', { name, exact: true })
  const type = (lines: readonly string[]) => shop.page.getByLabel('Lines').fill(lines.join('\n'))
  const list = (from: number, count: number, group = 'Food shops') =>
    Array.from({ length: count }, (_, n) => `Shop ${from + n},${from + n},${group}`)
  const total = async (search = 'Shop') => (await shop.client.call(listDevices, { query: { search } })).total

  const paste = (lines: string) =>
    shop.page.getByLabel('Lines').evaluate((field, text) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', text)
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    }, lines)

  const focused = () => shop.page.evaluate(() => document.activeElement?.textContent)

  async function choose(name: string, buffer: Buffer): Promise<void> {
    const chosen = shop.page.waitForEvent('filechooser')
    const [chooser] = await Promise.all([chosen, button('Choose a file').click()])
    await chooser.setFiles({ name, mimeType: 'text/csv', buffer })
  }

  /** Saves by a button; the saved text. */
  async function save(name: string, control = button(name)): Promise<string> {
    const [download] = await Promise.all([shop.page.waitForEvent('download'), control.click()])
    return readFile(await download.path(), 'utf8')
  }
  return { button, type, list, total, paste, focused, choose, save }
}
