import type { Page } from 'playwright-core'
import { waitUntil } from './processes.ts'

/** Page object of a streamer's page. */
export class StreamingPage {
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
  }

  /** Seconds of the current track by the media clock; null while nothing plays. */
  async elapsed(): Promise<number | null> {
    const found = this.#page.locator('[data-elapsed]')
    if ((await found.count()) === 0) return null
    const value = await found
      .first()
      .getAttribute('data-elapsed', { timeout: 1000 })
      .catch(() => null)
    return value === null ? null : Number(value)
  }

  /** The track that plays, its seconds by the media clock, and when they were read; null while nothing plays. */
  heard(): Promise<{ name: string; elapsed: number; at: number } | null> {
    return this.#page.evaluate(() => {
      const place = document.querySelector<HTMLElement>('[data-elapsed]')
      const name = document.querySelector<HTMLElement>('[data-track]')?.innerText
      if (!place || name === undefined) return null
      return { name, elapsed: Number(place.dataset['elapsed']), at: Date.now() }
    })
  }

  /** The level that the analyser hears, from 0 to 1. */
  async level(): Promise<number> {
    const found = this.#page.locator('[data-level]')
    if ((await found.count()) === 0) return 0
    return Number(
      await found
        .first()
        .getAttribute('data-level', { timeout: 1000 })
        .catch(() => 0),
    )
  }

  /** Waits for the picture of the track. */
  async waitForPicture(): Promise<void> {
    await waitUntil('the picture', () =>
      this.#page.evaluate(() =>
        [...document.images].some(({ src, naturalWidth }) => src.startsWith('blob:') && naturalWidth > 0),
      ),
    )
  }

  /** Waits until the media clock runs and the analyser hears a track. */
  async waitForSound(): Promise<void> {
    await waitUntil('sound', async () => (await this.level()) > 0.01, 60)
    await waitUntil('the media clock', async () => ((await this.elapsed()) ?? 0) > 0, 10)
  }
}
