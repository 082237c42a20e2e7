import { beginAlert } from '@floorcast/contract/alerts.ts'
import { followLive } from '@floorcast/contract/change-feed.ts'
import { addGroup } from '@floorcast/contract/groups.ts'
import { addPlaylist } from '@floorcast/contract/playlists.ts'
import { addPublication } from '@floorcast/contract/publications.ts'
import { mp3Fixtures } from '@floorcast/testing/media-fixtures.ts'
import type { Page } from 'playwright-core'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { createdUid, uploadFile } from './client-fixture.ts'
import { testConsole } from './console-under-test.ts'

const shop = testConsole()

beforeEach(() => shop.visit('/pages/rtl'))

/**
 * A new window of the signed-in user, with an empty cache, and what it asks for. It hears of no change: what another call has just
 * made, or a file whose loudness has just been measured, is rightly asked for again.
 */
async function openWindow(change: { removed?: string } = {}) {
  const browser = shop.page.context().browser()
  const stored = await shop.context.storageState()
  const context = await browser?.newContext({
    storageState: {
      ...stored,
      origins: stored.origins.map(origin => ({
        ...origin,
        localStorage: origin.localStorage.filter(({ name }) => name !== change.removed),
      })),
    },
  })
  if (!context) throw new Error('There is no browser')
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.route(
    ({ pathname }) => pathname === followLive.path,
    () => undefined,
  )
  const asked: string[] = []
  page.on('request', request => asked.push(new URL(request.url()).pathname))
  return { page, asked }
}

/** Holds the console's first script back. @returns what lets it go */
async function holdFirstScript(page: Page): Promise<() => void> {
  const released = Promise.withResolvers<void>()
  await page.route(/\/assets\/index-[^/]*\.js$/, async route => {
    await released.promise
    await route.continue()
  })
  return released.resolve
}

const path = '/equipments/devices'
const isOfPage = /\/assets\/devices-page-[^/]*\.js$/
const list = /\/api\/v2\/device\/qlist/
/** The banner of an open alert names the device too. */
const findDevice = (page: Page) => page.getByRole('table').getByText('Bakery Lane 4')

it('a deep link fetches the files of its page, and their styles and texts, beside the first script', async () => {
  const { page, asked } = await openWindow()
  await page.route(/\/assets\/index-[^/]*\.js$/, () => undefined)
  const ofPage = page.waitForRequest(isOfPage)
  const texts = page.waitForRequest(/\/assets\/en-equipment-[^/]*\.js$/)
  const styles = page.waitForRequest(/\/assets\/use-list-[^/]*\.css$/)
  await page.goto(shop.url + path, { waitUntil: 'commit' })
  await Promise.all([ofPage, texts, styles])
  expect(asked.filter(each => each.startsWith('/assets/overview-page'))).toEqual([])
})

it.each([
  [path, list],
  [`${path}?page=2&search=lane`, /qlist\?page=2&size=10&search=lane/],
  ['/home/overview', /\/metricks\/quick\/cached/],
  ['/equipments/groups?kind=audio', /\/group\/qlist\/audio/],
  ['/media/melodies', /\/melodies\/qlist/],
  ['/home/reports', /\/report\/r1ext\/.*\/preview/],
  ['/security/playTrack/019abcde-0000-7000-8000-000000000000', /\/device\/logs\/.*\/playtrack/],
])('%s asks for what it shows before its frame is drawn', async (address, call) => {
  const { page } = await openWindow()
  await page.route(/\/assets\/shell-[^/]*\.js$/, () => undefined)
  const asked = page.waitForRequest(call)
  await page.goto(shop.url + address, { waitUntil: 'commit' })
  await asked
})

it('a page asks once for what it shows', async () => {
  const { page, asked } = await openWindow()
  await page.goto(shop.url + path)
  await findDevice(page).waitFor()
  expect(asked.filter(each => list.test(each))).toHaveLength(1)
})

const figures = '/metricks/quick/cached'

it.each([
  { of: 'the overview', pageOf: () => '/home/overview', callOf: () => figures, shown: 'Never connected' },
  {
    of: 'a device',
    pageOf: (uid: string) => `/equipments/devicesOne/${uid}`,
    callOf: (uid: string) => `/device/qcard/${uid}`,
    shown: 'Assignment',
  },
])('$of is asked for beside the first script, and once', async ({ pageOf, callOf, shown }) => {
  const { page, asked } = await openWindow()
  const release = await holdFirstScript(page)
  const address = callOf(shop.deviceUid)
  const call = page.waitForRequest(request => new URL(request.url()).pathname === address)
  await page.goto(shop.url + pageOf(shop.deviceUid), { waitUntil: 'commit' })
  await call
  release()
  await page.getByRole('main').getByText(shown).first().waitFor()
  expect(asked.filter(each => each === address)).toHaveLength(1)
})

const firstPage = 'page=1&size=10'

it.each([
  ['/equipments/devices', `/api/v2/device/qlist?${firstPage}&sort=name&dir=asc`],
  ['/equipments/groups', `/group/qlist/all?${firstPage}&sort=name&dir=asc`],
  ['/media/ads', `/ads/qlist?${firstPage}&sort=uploadedAt&dir=desc`],
  ['/media/melodies', `/melodies/qlist?${firstPage}&sort=uploadedAt&dir=desc`],
  ['/media/videos', `/videos/qlist?${firstPage}&sort=uploadedAt&dir=desc`],
  ['/media/videosAds', `/videosAds/qlist?${firstPage}&sort=uploadedAt&dir=desc`],
  ['/media/playlists', `/playlist/qlist/all?${firstPage}&sort=changedAt&dir=desc`],
  ['/deployments/publications', `/deploy/qlist/all?${firstPage}&sort=name&dir=asc`],
])('the list of %s is asked for beside the first script, and once', async (to, call) => {
  const { page } = await openWindow()
  const asked: string[] = []
  page.on('request', request => {
    const { pathname, search } = new URL(request.url())
    if (pathname.includes('/qlist')) asked.push(pathname + search)
  })
  const release = await holdFirstScript(page)
  await page.goto(shop.url + to, { waitUntil: 'commit' })
  await expect.poll(() => asked).toEqual([call])
  release()
  // The rows, or what an empty list says.
  await page.locator('main table tbody a, main h2').first().waitFor()
  expect(asked).toEqual([call])
})

it('a group, a playlist, a publication and a melody are asked for beside the first script, and once', async () => {
  const { call } = shop.client
  const params = { contentType: 'audio' } as const
  const group = createdUid(await call(addGroup, { params, body: { name: 'Stations' } }))
  const playlist = createdUid(await call(addPlaylist, { params, body: { name: 'Departures' } }))
  const body = { name: 'In the evening', groupUid: group, playlistUid: playlist }
  const publication = createdUid(await call(addPublication, { params, body }))
  const melody = await uploadFile(shop.client, 'melodies', mp3Fixtures.cbrStereo.path)
  for (const [to, address, name] of [
    [`/equipments/groupsOne/${group}`, `/group/qcard/${group}`, 'Stations'],
    [`/media/playlistsOne/${playlist}`, `/playlist/qcard/${playlist}/withtracks`, 'Departures'],
    [`/deployments/publicationsOne/${publication}`, `/deploy/qcard/${publication}`, 'In the evening'],
    [`/media/melodiesOne/${melody}`, `/melodies/qcard/${melody}`, /./],
  ] as const) {
    const { page, asked } = await openWindow()
    const release = await holdFirstScript(page)
    await page.goto(shop.url + to, { waitUntil: 'commit' })
    await expect.poll(() => asked).toContain(address)
    release()
    await page.getByRole('heading', { level: 1, name }).waitFor()
    expect(asked.filter(each => each === address)).toHaveLength(1)
  }
})

it('an address with filters waits for its own list', async () => {
  const { page, asked } = await openWindow()
  await page.goto(`${shop.url}${path}?search=bakery`)
  await findDevice(page).waitFor()
  expect(asked.filter(each => list.test(each))).toHaveLength(1)
})

it('figures that were asked for in another session are not shown', async () => {
  const { page } = await openWindow()
  const release = await holdFirstScript(page)
  const calls: string[] = []
  page.on('request', request => {
    if (request.url().includes(figures)) calls.push(request.headers()['authorization'] ?? '')
  })
  const call = page.waitForResponse(answer => answer.url().includes(figures))
  await page.goto(`${shop.url}/home/overview`, { waitUntil: 'commit' })
  expect((await call).status()).toBe(200)
  await page.evaluate(() => localStorage.setItem('floorcast.token', 'another'))
  release()
  await page.waitForURL(/\/login/)
  expect(calls).toHaveLength(2)
  expect(calls[1]).toBe('Bearer another')
})

it('a locked window asks for nothing of the page', async () => {
  const { page, asked } = await openWindow({ removed: 'floorcast.token' })
  await page.goto(shop.url + path)
  await page.waitForURL(/\/lock\?from=/)
  await page.getByRole('textbox').or(page.getByLabel('Password')).first().waitFor()
  expect(asked.filter(each => list.test(each))).toEqual([])
})

it('an open alert shows no bar while its banner comes: nobody has clicked', async () => {
  await shop.client.call(beginAlert, { params: { uid: shop.deviceUid, alerttype: 'air' } })
  const { page } = await openWindow()
  const banner = page.waitForRequest(/\/assets\/open-alerts-[^/]*\.js$/)
  const released = Promise.withResolvers<void>()
  await page.route(/\/assets\/open-alerts-[^/]*\.js$/, async route => {
    await released.promise
    await route.continue()
  })
  await page.goto(shop.url + path)
  await banner
  await findDevice(page).waitFor()
  expect(await page.locator('.loading-bar').count()).toBe(0)
  released.resolve()
  await page.getByRole('button', { name: 'End: Air alert, Bakery Lane 4' }).waitFor()
})

it('without the list of files, the page comes all the same', async () => {
  const { page } = await openWindow()
  await page.route(/\/assets\/pages-[^/]*\.json$/, route => route.abort())
  await page.goto(shop.url + path)
  await findDevice(page).waitFor()
})
