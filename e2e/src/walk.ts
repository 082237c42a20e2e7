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

  /** Fills the form at the side and saves it. */
  async fillSideForm(fields: Record<string, string>, save: string): Promise<void> {
    const form = this.page.getByRole('dialog')
    for (const [label, value] of Object.entries(fields)) await form.getByLabel(label).fill(value)
    await form.getByRole('button', { name: save, exact: true }).click()
    await form.waitFor({ state: 'hidden' })
  }

  async chooseIn(label: string, option: string): Promise<void> {
    const form = this.page.getByRole('dialog')
    await form.getByRole('combobox', { name: label }).click()
    await this.page.getByRole('option', { name: option }).click()
  }

  /** Waits for a notice and closes it, so that the next is not hidden behind it. */
  async expectNotice(text: string | RegExp): Promise<void> {
    const notice = this.page.getByRole('alert').filter({ hasText: text }).first()
    await notice.waitFor()
  }

  async expectText(text: string | RegExp): Promise<void> {
    await this.page.getByText(text).first().waitFor()
  }
}
