import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { readSession } from '@floorcast/contract/auth.ts'
import { collectComplaints, sharedBrowser } from '@floorcast/testing/browser.ts'
import { locales, type LocaleCode } from '@floorcast/contract/locales.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { Demonstration } from './demonstration.ts'
import { findEveryPage, findUntranslated, nameOfPage } from './every-page.ts'
import { findAxeViolations, measureOverflow, waitUntilStill } from './page-checks.ts'

/*
 * Every page of the console as an admin of the demonstration sees it. `npm run screenshots` runs this file: the pictures are in
 * artifacts/screenshots.
 */

const folder = fileURLToPath(new URL('../../artifacts/screenshots/', import.meta.url))
const minute = 60_000

interface Theme {
  name: string
  code: LocaleCode
  mode: 'light' | 'dark'
  width: number
}
const themeOf = (code: LocaleCode, mode: Theme['mode'], width: number): Theme => ({
  name: `${code}-${mode}-${width}`,
  code,
  mode,
  width,
})
/** English and Arabic in both modes; the longest words and other scripts on a tablet too; every language wide and narrow. */
const everyTheme = locales.flatMap(({ code }) => [
  themeOf(code, 'light', 1440),
  themeOf(code, 'light', 400),
  ...(['ar', 'cn', 'de', 'ru'].includes(code) ? [themeOf(code, 'light', 1024)] : []),
  ...(['ar', 'en'].includes(code) ? [themeOf(code, 'dark', 1440), themeOf(code, 'dark', 400)] : []),
])
const wanted = process.env['SCREENSHOT_LANGUAGES']?.split(',').filter(Boolean) ?? []
const themes = everyTheme.filter(({ code }) => wanted.length === 0 || wanted.includes(code))

let demonstration: Demonstration
let addresses: string[]

beforeAll(async () => {
  demonstration = await Demonstration.start()
  addresses = await findEveryPage(demonstration.client)
  await mkdir(folder, { recursive: true })
}, 10 * minute)
afterAll(() => demonstration?.stop())

async function openBrowserOf({ code, mode, width }: Theme): Promise<Page> {
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
    'floorcast.language': code,
    'floorcast.personalization': JSON.stringify({ mode }),
  }
  await context.addInitScript(entries => {
    for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value)
  }, stored)
  return context.newPage()
}

describe.concurrent.each(themes)('in $name', theme => {
  it(
    'every page is whole, without a barrier, a complaint, an untranslated text or anything beyond the edge',
    async ({ expect }) => {
      const page = await openBrowserOf(theme)
      const complaints = collectComplaints(page)
      for (const address of addresses) {
        await page.goto(demonstration.url + address)
        await waitUntilStill(page)
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
