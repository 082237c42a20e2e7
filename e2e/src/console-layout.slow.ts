import { addDevice } from '@floorcast/contract/devices.ts'
import { listGroups } from '@floorcast/contract/groups.ts'
import { addPlaylist } from '@floorcast/contract/playlists.ts'
import type { PublicationRow } from '@floorcast/contract/publications.ts'
import { readCatalogue } from '@floorcast/locales/catalogue-files.ts'
import { locales } from '@floorcast/contract/locales.ts'
import { expect, it } from 'vitest'
import { testConsole } from './console-under-test.ts'

const shop = testConsole()

const widths = () =>
  shop.page.evaluate(() => {
    const title = document.querySelector('h1')?.getBoundingClientRect()
    return { title: title?.width ?? 0, lines: Math.round((title?.height ?? 0) / 24), window: innerWidth }
  })

it('on a phone the title has the row for itself, and breaks only where the row ends', async () => {
  await shop.page.setViewportSize({ width: 400, height: 800 })
  await shop.visitIn('de', '/equipments/devicesImport')
  await shop.page.getByRole('heading', { level: 1 }).waitFor()
  const list = await widths()
  expect(list.title).toBe(list.window - 24)
  const name = 'Bakery and cafe in the long lane'
  const body = { name }
  const { uid = '' } = await shop.client.call(addDevice, { params: { contentType: 'audio' }, body })
  await shop.visitIn('en', `/equipments/devicesOne/${uid}`)
  await shop.heading(name)
  expect((await widths()).lines).toBe(1)
})

it.each(['fr', 'ua', 'cn'] as const)(
  'on a phone the change history is beside another button in %s',
  async code => {
    const { items } = await shop.client.call(listGroups, { params: { x: 'all' } })
    await shop.page.setViewportSize({ width: 400, height: 800 })
    for (const address of [
      `/equipments/devicesOne/${shop.deviceUid}`,
      `/equipments/groupsOne/${items[0]?.uid}`,
    ]) {
      await shop.visitIn(code, address)
      const history = shop.page.locator('main a[href*="/security/audit?item="]')
      await history.waitFor()
      const beside = await history.evaluate(link => {
        const { top } = link.getBoundingClientRect()
        const buttons = [...(link.parentElement?.querySelectorAll('button, a') ?? [])]
        return buttons.filter(each => each !== link && each.getBoundingClientRect().top === top).length
      })
      expect(beside, address).toBeGreaterThan(0)
    }
  },
)

it.each([1440, 400])('nothing moves while the page of a device comes, at %i px', async width => {
  await shop.page.setViewportSize({ width, height: 900 })
  await shop.visitIn('en', `/equipments/devicesOne/${shop.deviceUid}`)
  for (const name of ['Day', 'Details', 'Remote commands', 'Tags in force'])
    await shop.page.getByRole('heading', { name }).waitFor()
  await expect.poll(() => shop.page.locator('main [aria-busy=true]').count()).toBe(0)
  const moved = await shop.page.evaluate(
    () =>
      new Promise<number>(resolve => {
        let sum = 0
        new PerformanceObserver(list => {
          for (const entry of list.getEntries()) sum += (entry as PerformanceEntry & { value: number }).value
        }).observe({ type: 'layout-shift', buffered: true })
        setTimeout(() => resolve(sum), 200)
      }),
  )
  expect(moved).toBeLessThan(0.02)
})

it.each([
  ['de', '/equipments/devices'],
  ['es', '/equipments/devices'],
  ['fr', '/equipments/devices'],
  ['ru', '/equipments/devices'],
  ['ru', '/media/playlists'],
  ['ua', '/media/playlists'],
] as const)('a list has its tools in one row at 1440 px in %s: %s', async (code, address) => {
  const body = { name: `Morning ${code}` }
  // Without a playlist, the page has no list.
  if (address === '/media/playlists')
    await shop.client.call(addPlaylist, { params: { contentType: 'audio' }, body })
  await shop.visitIn(code, address)
  const search = shop.page.getByRole('searchbox')
  await search.waitFor()
  const bar = search.locator('xpath=ancestor::*[contains(@class, "toolbar")]')
  expect((await bar.boundingBox())?.height).toBe(60)
  expect((await search.boundingBox())?.width).toBeGreaterThan(90)
})

it.each(['fr', 'de', 'ru'] as const)(
  'no cell of the list of publications is cut off at 1440 px in %s, a planned start neither',
  async code => {
    const named = (name: string) => ({ uid: shop.deviceUid, name })
    const row: PublicationRow = {
      ...named('Musique de la semaine'),
      description: '',
      kind: 'audio',
      state: 'delayed',
      group: named('Magasins du centre'),
      playlist: named('Matin'),
      startsAt: '2026-11-30T09:00:00',
      activatedAt: null,
      changedAt: '2026-11-28T09:00:00.000Z',
      readiness: { devices: 2, holding: 2, missing: 0, neverReported: 0 },
    }
    await shop.page.route('**/deploy/qlist/all*', async route => {
      const answer = await route.fetch()
      const { data, ...rest } = (await answer.json()) as { data: object }
      await route.fulfill({ response: answer, json: { ...rest, data: { ...data, items: [row], total: 1 } } })
    })
    await shop.visitIn(code, '/deployments/publications')
    const cells = shop.page.getByRole('row').last().locator('td, th')
    await cells.getByText('2026').waitFor()
    await shop.page.evaluate(() => document.fonts.ready)
    const cutOff = await cells.evaluateAll(found =>
      found
        .filter(cell =>
          [cell, ...cell.querySelectorAll('*')].some(
            part => part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).overflow !== 'visible',
          ),
        )
        .map(cell => cell.textContent),
    )
    expect(cutOff).toEqual([])
  },
)

/** How many lines an element's text takes. */
const linesOf = (element: Element) => {
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  const range = document.createRange()
  const bottoms = new Set<number>()
  while (texts.nextNode()) {
    range.selectNodeContents(texts.currentNode)
    for (const { bottom } of range.getClientRects()) bottoms.add(Math.round(bottom))
  }
  return bottoms.size
}

it.each(locales)('each entry of the menu has one line in $name', async ({ code }) => {
  await shop.visitIn(code, '/home/reports')
  const links = shop.page.getByRole('navigation').first().getByRole('link')
  await links.nth(5).waitFor()
  await shop.page.evaluate(() => document.fonts.ready)
  expect(await links.evaluateAll(found => found.length)).toBeGreaterThan(8)
  for (const link of await links.all()) expect(await link.evaluate(linesOf), await link.innerText()).toBe(1)
})

it.each(locales)('the name of each plan has one line on a phone in $name', async ({ code }) => {
  await shop.page.setViewportSize({ width: 400, height: 800 })
  await shop.visitIn(code, '/home/overview')
  const name = shop.page.locator('[data-name]').last()
  await name.waitFor()
  const texts = readCatalogue(`packages/locales/catalogues/${code}`)
  for (const plan of ['trial', 'basic', 'medium', 'professional']) {
    const text = texts.get(`shell:plans.${plan}`) ?? '?'
    await name.evaluate((shown, next) => (shown.textContent = next), text)
    expect(await name.evaluate(linesOf), text).toBe(1)
  }
})

const placesOf = (selector: string) =>
  shop.page.evaluate(
    found =>
      [...document.querySelectorAll(found)].map(part => {
        const { left, top, width, height } = part.getBoundingClientRect()
        return [left, top, width, height].map(Math.round).join(' ')
      }),
    selector,
  )

it.each([
  ['en', 1440],
  ['en', 400],
  ['de', 1440],
  ['ar', 400],
] as const)('the plans nothing moves when they come, in %s at %i px', async (code, width) => {
  await shop.page.setViewportSize({ width, height: 900 })
  const released = Promise.withResolvers<void>()
  await shop.page.route('**/api/v2/plans', async route => {
    await released.promise
    await route.continue()
  })
  await shop.visitIn(code, '/pages/pricing')
  await shop.page.locator('main [data-skeleton]').first().waitFor()
  await shop.page.evaluate(() => document.fonts.ready)
  const before = await placesOf('main section, main section :is(svg, .mantine-Skeleton-root)')
  // Each plan has five lines, and all but the free one a button.
  expect(before).toHaveLength(4 + 4 * 5 + 3)
  released.resolve()
  await shop.page.locator('main section svg').first().waitFor()
  expect(await placesOf('main section, main section :is(svg, button)')).toEqual(before)
  await shop.page.setViewportSize({ width: 1440, height: 900 })
})
