import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { readSession } from '@floorcast/contract/auth.ts'
import { collectComplaints, sharedBrowser } from '@floorcast/testing/browser.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Demonstration } from './demonstration.ts'
import { findEveryPage, findUntranslated, nameOfPage } from './every-page.ts'
import { findAxeViolations, measureOverflow } from './page-checks.ts'

/*
 * Every page of the console as an admin of the demonstration sees it. `npm run screenshots` runs this file: the pictures are in
 * artifacts/screenshots.
 */

const folder = fileURLToPath(new URL('../../artifacts/screenshots/', import.meta.url))
const minute = 60_000

const themes = (['light', 'dark', 'arabic'] as const).flatMap(look =>
  [1440, 400].map(width => ({ name: `${look}-${width}`, look, width })),
)
type Theme = (typeof themes)[number]

let demonstration: Demonstration
let addresses: string[]

beforeAll(async () => {
  demonstration = await Demonstration.start()
  addresses = await findEveryPage(demonstration.client)
  await mkdir(folder, { recursive: true })
}, 10 * minute)
afterAll(() => demonstration?.stop())

async function openBrowserOf({ look, width }: Theme): Promise<Page> {
  const browser = await sharedBrowser()
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    locale: 'en-GB',
    reducedMotion: 'reduce',
  })
  const { call, token } = demonstration.client
  const stored = {
    'floorcast.user': JSON.stringify(await call(readSession, {})),
    'floorcast.token': token,
    'floorcast.language': look === 'arabic' ? 'ar' : 'en',
    'floorcast.personalization': JSON.stringify({ mode: look === 'dark' ? 'dark' : 'light' }),
  }
  await context.addInitScript(entries => {
    for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value)
  }, stored)
  return context.newPage()
}

/** Waits until nothing of the page is on its way. */
async function settle(page: Page): Promise<void> {
  await page.locator('main').waitFor()
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'hidden' })
  await page.waitForLoadState('load')
  await page.waitForTimeout(500)
}

describe.each(themes)('in $name', theme => {
  it(
    'every page is whole, without a barrier, a complaint, an untranslated text or anything beyond the edge',
    async () => {
      const page = await openBrowserOf(theme)
      const complaints = collectComplaints(page)
      for (const address of addresses) {
        await page.goto(demonstration.url + address)
        await settle(page)
        await page.screenshot({ path: `${folder}${nameOfPage(address)}-${theme.name}.png` })
        const place = `${address} in ${theme.name}`
        expect.soft(await findAxeViolations(page), place).toEqual([])
        expect.soft(await measureOverflow(page), `${place} is wider than the window`).toBe(0)
        expect.soft(await findUntranslated(page), `${place} shows keys`).toEqual([])
        expect.soft(complaints.splice(0), place).toEqual([])
      }
      await page.context().close()
    },
    20 * minute,
  )
})
