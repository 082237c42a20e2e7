import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Route } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { testConsole } from './console-under-test.ts'
import { nameOfPage } from './every-page.ts'
import { askingRoutes, RoutePages } from './route-pages.ts'

/*
 * Every page while the answers are wrong or slow; the pictures are in artifacts/answers. Parts of pages, menus and forms:
 * console-wrong-answers.slow.ts.
 */

const shop = testConsole()
const pages = new RoutePages(shop)

beforeAll(() => pages.addItems())

const portal = '<!doctype html><title>Sign in to the hotel network</title><p>Room number?</p>'
const badGateway = '<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>'
const fault = { type: 'about:blank', title: 'Internal Server Error', status: 500, id: 'a1b2c3' }
const json = 'application/json'
const wrongAnswers: readonly WrongAnswer[] = [
  { name: 'JSON of another form', status: 200, contentType: json, body: '{"data":{"items":7}}' },
  { name: 'an empty answer', status: 200, contentType: json, body: '' },
  { name: 'a problem', status: 500, contentType: 'application/problem+json', body: JSON.stringify(fault) },
  { name: 'an empty fault', status: 500, contentType: json, body: '' },
  { name: 'HTML of a network', status: 200, contentType: 'text/html', body: portal },
  { name: 'HTML of a proxy', status: 502, contentType: 'text/html', body: badGateway },
]

interface WrongAnswer {
  name: string
  status: number
  contentType: string
  body: string
}

/** Answers all calls of the page. */
async function answerCalls(answer: (call: Route) => Promise<void>): Promise<() => Promise<void>> {
  await shop.page.route('**/*', call =>
    call.request().resourceType() === 'fetch' ? answer(call) : call.fallback(),
  )
  return () => shop.page.unrouteAll({ behavior: 'ignoreErrors' })
}

const pictures = fileURLToPath(new URL('../../artifacts/answers/', import.meta.url))

async function takePicture(route: string, answer: string): Promise<void> {
  await mkdir(pictures, { recursive: true })
  const name = `${nameOfPage(route)}-${answer}`.replaceAll(/[^\w-]/g, '-')
  await shop.page.screenshot({ path: `${pictures}${name}.png` })
}

/** The texts of an empty list. A page's failure looks alike and is an alert. */
const emptyStates = () =>
  pages.main.locator('[class*="_empty_"]:not([role=alert])').filter({ has: shop.page.locator('h2') })
const invented = /undefined|\bNaN\b|\[object|<\w|hotel|Room number|nginx|Bad Gateway/

/** Pages invent nothing that they could not read. A list that is known to have been empty says so, with its age. */
async function expectNothingInvented(place: string): Promise<void> {
  if ((await pages.asOf.count()) === 0) expect.soft(await emptyStates().allInnerTexts(), place).toEqual([])
  expect.soft(await shop.page.locator('body').innerText(), place).not.toMatch(invented)
}

async function expectFailure(path: string, place: string): Promise<void> {
  const isShown = await pages.retry
    .or(pages.asOf)
    .first()
    .waitFor({ timeout: 15_000 })
    .then(
      () => true,
      () => false,
    )
  expect.soft(isShown, `${place}: says so`).toBe(true)
  await pages.skeletons
    .first()
    .waitFor({ state: 'hidden', timeout: 5000 })
    .catch(() => undefined)
  expect.soft(await pages.skeletons.count(), `${place}: waits forever`).toBe(0)
  await expectNothingInvented(place)
  expect.soft(await shop.page.getByRole('navigation', { name: 'Menu' }).count(), place).toBe(1)
  expect.soft(new URL(shop.page.url()).pathname, place).toBe(path)
  expect.soft(await shop.page.evaluate(() => localStorage.getItem('floorcast.token')), place).not.toBeNull()
}

/** Tries again wherever the page offers it. The first answer may bring other parts with it. */
async function tryAgain(): Promise<void> {
  for (let tries = 0; tries < 20 && (await pages.retry.count()) > 0; tries += 1)
    await pages.retry.click({ timeout: 2000 }).catch(() => undefined)
}

it.each(askingRoutes)(
  'while answers are wrong a page says so, invents nothing, and comes by "Try again": %s',
  async route => {
    const path = pages.addressOf(route)
    const thrown: string[] = []
    await shop.visit(path)
    const before = await pages.readWhole()
    shop.page.on('pageerror', error => thrown.push(error.message))
    for (const { name, ...answer } of wrongAnswers) {
      const place = `${route}: ${name}`
      const stop = await answerCalls(call => call.fulfill(answer))
      await shop.page.reload()
      await expectFailure(path, place)
      await takePicture(route, name)
      await stop()
      await tryAgain()
      await expect.poll(() => pages.readText(), { timeout: 60_000, message: place }).toBe(before)
      await pages.asOf.waitFor({ state: 'hidden' })
    }
    expect(thrown).toEqual([])
  },
)

/** Their form needs no answer before a list is typed: console-wrong-answers.slow.ts. */
const formRoutes = new Set(['/equipments/devicesImport'])

it.each(askingRoutes.filter(route => !formRoutes.has(route)))(
  'while answers are slow a page shows at once that it loads, and then all of it: %s',
  async route => {
    const path = pages.addressOf(route)
    await shop.visit(path)
    const before = await pages.readWhole()
    const came = Promise.withResolvers<void>()
    await answerCalls(async call => {
      await came.promise
      await call.continue().catch(() => undefined)
    })
    await shop.page.reload()
    const loading = pages.skeletons.or(pages.main.locator('[aria-busy=true], [role=progressbar]'))
    await loading.first().waitFor({ timeout: 10_000 })
    await shop.page.waitForTimeout(4000)
    expect.soft(await loading.count(), route).toBeGreaterThan(0)
    await expectNothingInvented(route)
    expect.soft(await pages.retry.count(), route).toBe(0)
    await takePicture(route, 'slow')
    came.resolve()
    await expect.poll(() => pages.readText(), { timeout: 60_000 }).toBe(before)
  },
)
