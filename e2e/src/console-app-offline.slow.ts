import { listDevices } from '@floorcast/contract/devices.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { ConsolePage } from './console-page.ts'
import { testConsole } from './console-under-test.ts'
import { waitUntilStored, whileAway } from './stored-console.ts'

/*
 * The server is away for ten minutes, while one page of the installed console stays open, one is opened again and one has a form in
 * progress. A short absence: console-app.slow.ts.
 */

const minuteMs = 60_000
const AWAY_MINUTES = 10
/** The console asks the server again every few seconds, however long it has been away. */
const HEALS_WITHIN_MS = 15_000

const shop = testConsole({ hasServiceWorker: true, hasOwnServer: true })
const list = (page: Page) => page.getByRole('main').getByRole('link', { name: 'Bakery Lane 4' })
const notice = (page: Page) => page.getByText(/^As of .*\d\d:\d\d, the server cannot be reached$/)
const form = (page: Page) => page.getByRole('dialog')

/** The age of what the page shows, in whole minutes, by the time of day in its notice. */
async function readAgeMinutes(page: Page): Promise<number> {
  const [, hours, minutes] = /(\d\d):(\d\d),/.exec(await notice(page).innerText()) ?? []
  const now = await page.evaluate(() => new Date().getHours() * 60 + new Date().getMinutes())
  return (now - (Number(hours) * 60 + Number(minutes)) + 24 * 60) % (24 * 60)
}

it(
  'shows for ten minutes what it knows and how old that is, keeps a form, and heals without a click',
  { timeout: 30 * minuteMs },
  async () => {
    const open = shop.page
    await shop.visit('/equipments/devices')
    await list(open).waitFor()
    await waitUntilStored(shop)
    const [reloaded, filled] = [await shop.context.newPage(), await shop.context.newPage()]
    for (const page of [reloaded, filled]) {
      await page.goto(`${shop.url}/equipments/devices`)
      await list(page).waitFor()
    }
    await filled.getByRole('button', { name: 'Add a device' }).click()
    await form(filled).getByLabel('Name').fill('Pier 7')
    await form(filled).getByLabel('Description').fill('At the end of the pier')
    const shots = {
      open: new ConsolePage(open, 'app-away'),
      filled: new ConsolePage(filled, 'app-away-form'),
    }
    await whileAway(shop, async () => {
      const wentAwayMs = Date.now()
      for (let minute = 0; minute < AWAY_MINUTES; minute += 1) {
        await reloaded.reload()
        for (const page of [open, reloaded]) {
          await list(page).waitFor()
          await notice(page).waitFor()
          const age = await readAgeMinutes(page)
          expect([minute, minute + 1, minute + 2], `the age after ${minute} minutes`).toContain(age)
        }
        await open.waitForTimeout(wentAwayMs + (minute + 1) * minuteMs - Date.now())
      }
      await shots.open.screenshot('after ten minutes')
      await form(filled).getByRole('button', { name: 'Save' }).click()
      await form(filled)
        .getByRole('alert')
        .getByText(/The server does not answer/)
        .waitFor()
      await shots.filled.screenshot('after ten minutes')
      await asSuperuser(shop.superuserUrl, superuser =>
        superuser.query("update devices set name = 'Bakery Lane 5' where uid = $1", [shop.deviceUid]),
      )
    })
    const timeout = HEALS_WITHIN_MS
    for (const page of [open, reloaded, filled]) {
      await page.getByText('Bakery Lane 5').first().waitFor({ timeout })
      await notice(page).waitFor({ state: 'hidden', timeout })
    }
    expect(await form(filled).getByLabel('Name').inputValue()).toBe('Pier 7')
    expect(await form(filled).getByLabel('Description').inputValue()).toBe('At the end of the pier')
    const countPiers = async () =>
      (await shop.client.call(listDevices, { query: { search: 'Pier 7' } })).total
    expect(await countPiers()).toBe(0)
    await form(filled).getByRole('button', { name: 'Save' }).click()
    await filled.getByRole('heading', { level: 1, name: 'Pier 7' }).waitFor()
    expect(await countPiers()).toBe(1)
  },
)
