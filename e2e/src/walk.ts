import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

const folder = fileURLToPath(new URL('../../artifacts/e2e/', import.meta.url))

/** A person at the console: goes where the links lead, fills forms by their labels, and keeps a picture of each step. */
export class Walk {
  readonly page: Page
  readonly #name: string
  #step = 0

  constructor(page: Page, name: string) {
    this.page = page
    this.#name = name
  }

  /** Keeps a picture, numbered in the order of the steps. */
  async picture(of: string): Promise<void> {
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

  async press(name: string): Promise<void> {
    await this.page.getByRole('button', { name, exact: true }).click()
  }

  /** Opens a list, fills the form that adds to it, and arrives at the new thing's page. */
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

  /** Chooses files in the browser's own dialog, as the list's button opens it. */
  async upload(list: string, button: string, paths: string[]): Promise<void> {
    await this.open(list)
    const chooser = this.page.waitForEvent('filechooser')
    await this.press(button)
    await (await chooser).setFiles(paths)
  }

  async chooseIn(label: string, option: string): Promise<void> {
    const form = this.page.getByRole('dialog')
    await form.getByRole('combobox', { name: label }).click()
    await this.page.getByRole('option', { name: option }).click()
  }
}
