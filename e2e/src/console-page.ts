import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

const folder = fileURLToPath(new URL('../../artifacts/e2e/', import.meta.url))

/** Page object of the console: follows links, fills forms by their labels, and takes a screenshot of each step. */
export class ConsolePage {
  readonly page: Page
  readonly #name: string
  #step = 0

  constructor(page: Page, name: string) {
    this.page = page
    this.#name = name
  }

  /** Takes a screenshot, numbered in the order of the steps. */
  async screenshot(of: string): Promise<void> {
    await mkdir(folder, { recursive: true })
    this.#step += 1
    await this.page.waitForTimeout(300)
    const number = String(this.#step).padStart(2, '0')
    await this.page.screenshot({ path: `${folder}${this.#name}-${number}-${of.replaceAll(' ', '-')}.png` })
  }

  /** Opens a page by its entry in the menu. */
  async open(entry: string): Promise<void> {
    await this.page.getByRole('navigation').getByRole('link', { name: entry, exact: true }).click()
    await this.page.getByRole('heading', { level: 1, name: entry }).waitFor()
  }

  async clickButton(name: string): Promise<void> {
    await this.page.getByRole('button', { name, exact: true }).click()
  }

  /** Opens a list, fills its form to add an item, and waits for the new item's page. */
  async add(list: string, button: string, fields: Record<string, string>): Promise<void> {
    await this.open(list)
    await this.page.getByRole('button', { name: button }).first().click()
    for (const [label, value] of Object.entries(fields))
      await this.page.getByRole('dialog').getByLabel(label).fill(value)
    await this.saveSideForm()
    await this.page.getByRole('heading', { name: Object.values(fields)[0] ?? '' }).waitFor()
  }

  async saveSideForm(): Promise<void> {
    const form = this.page.getByRole('dialog')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'hidden' })
  }

  /** Chooses files in the file dialog that the list's button opens. */
  async upload(list: string, button: string, paths: string[]): Promise<void> {
    await this.open(list)
    const chooser = this.page.waitForEvent('filechooser')
    await this.clickButton(button)
    await (await chooser).setFiles(paths)
  }

  async chooseOption(label: string, option: string): Promise<void> {
    const form = this.page.getByRole('dialog')
    await form.getByRole('combobox', { name: label }).click()
    await this.page.getByRole('option', { name: option }).click()
  }
}
