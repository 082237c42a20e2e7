import type { Page } from 'playwright-core'

/** Lets the page count its clicks, also over reloads and other pages of its origin. Call it before the first page is opened. */
export const countClicks = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const count = () => Number(sessionStorage.getItem('clicks') ?? 0)
    addEventListener('pointerdown', () => sessionStorage.setItem('clicks', String(count() + 1)), true)
  })

/** The clicks since the last call, as the page has seen them. */
export const takeClicks = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const clicks = Number(sessionStorage.getItem('clicks') ?? 0)
    sessionStorage.removeItem('clicks')
    return clicks
  })
