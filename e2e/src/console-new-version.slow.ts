import { collectComplaints } from '@floorcast/testing/browser.ts'
import { expect, it } from 'vitest'
import { ConsolePage } from './console-page.ts'
import { testConsole } from './console-under-test.ts'
import { findAxeViolations, measureOverflow } from './page-checks.ts'
import { whileAway } from './stored-console.ts'

const shop = testConsole({ hasOwnServer: true })
const main = () => shop.page.getByRole('main')
const bar = () => shop.page.getByRole('status').filter({ hasText: 'A new version is ready' })

/** The server has another build from now on. */
async function upgrade(name: string): Promise<void> {
  const build = (await (await fetch(`${shop.url}/build.json`)).json()) as object
  await shop.page.route('**/build.json', route =>
    route.fulfill({ json: { ...build, main: `/assets/index-${name}.js` } }),
  )
}
/** The window is shown again, a minute later. */
async function lookAgain(): Promise<void> {
  await shop.page.clock.fastForward(61_000)
  await shop.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
}

it('a new version waits for a click, and for the next one after "Later"', async () => {
  const complaints = collectComplaints(shop.page)
  const shots = new ConsolePage(shop.page, 'app-version')
  await shop.page.clock.install()
  await shop.visit('/equipments/devices')
  await main().getByText('Bakery Lane 4').waitFor()
  await lookAgain()
  expect(await bar().count()).toBe(0)
  await upgrade('second')
  await lookAgain()
  await bar().waitFor()
  expect(await findAxeViolations(shop.page)).toEqual([])
  await shots.screenshot('bar')
  await shop.page.setViewportSize({ width: 400, height: 800 })
  await shots.screenshot('bar narrow')
  expect(await measureOverflow(shop.page)).toBe(0)
  await bar().getByRole('button', { name: 'Later' }).click()
  await bar().waitFor({ state: 'hidden' })
  await lookAgain()
  expect(await bar().count()).toBe(0)
  await shop.page.unroute('**/build.json')
  await upgrade('third')
  await lookAgain()
  const reloaded = shop.page.waitForEvent('load')
  await bar().getByRole('button', { name: 'Reload' }).click()
  await reloaded
  await main().getByText('Bakery Lane 4').waitFor()
  expect(complaints).toEqual([])
})

it('a new version is looked for when the server was away', async () => {
  await shop.visit('/equipments/devices')
  await main().getByText('Bakery Lane 4').waitFor()
  await upgrade('second')
  await whileAway(shop, async () => undefined)
  await bar().waitFor()
})

it('a new version asks before it takes what is not saved', async () => {
  let loads = 0
  await shop.page.clock.install()
  await shop.visit('/media/wizard')
  shop.page.on('load', () => (loads += 1))
  await shop.page.evaluate(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('Full', 'QuotaExceededError')
    }
    IDBFactory.prototype.open = () => {
      throw new DOMException('None', 'InvalidStateError')
    }
    Object.defineProperty(IDBDatabase.prototype, 'transaction', {
      value: () => {
        throw new DOMException('Full', 'QuotaExceededError')
      },
    })
  })
  await main()
    .getByRole('button', { name: /^Audio/ })
    .click()
  await shop.page.getByText('This browser has no room for the draft').waitFor()
  await upgrade('second')
  await lookAgain()
  const question = shop.page.getByRole('dialog', { name: 'Leave without saving?' })
  await bar().getByRole('button', { name: 'Reload' }).click()
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await question.waitFor({ state: 'hidden' })
  expect(loads).toBe(0)
  await bar().getByRole('button', { name: 'Reload' }).click()
  await question.getByRole('button', { name: 'Leave without saving' }).click()
  await expect.poll(() => loads).toBe(1)
})
