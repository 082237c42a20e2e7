import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { beginAlert, endAlert } from '@floorcast/contract/alerts.ts'
import { consoleRoutes } from '@floorcast/contract/console-routes.ts'
import { editProfile } from '@floorcast/contract/device-profiles.ts'
import { listDevices, readDevice } from '@floorcast/contract/devices.ts'
import { listMedia } from '@floorcast/contract/media.ts'
import { addPlaylist, readPlaylistWithTracks } from '@floorcast/contract/playlists.ts'
import { addPackage } from '@floorcast/contract/update-packages.ts'
import { mp4Fixtures } from '@floorcast/testing/media-fixtures.ts'
import { writeSongs } from '@floorcast/testing/media-song.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import type { Route } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { createdUid, publishToDevice, uploadFile } from './client-fixture.ts'
import { testConsole } from './console-under-test.ts'
import { nameOfPage } from './every-page.ts'

/*
 * The server is killed while the console is open, and starts again: nothing that was typed is lost, and every page shows by itself
 * what it could not load. Pages whose scripts have not come either: console-heals.test.ts. Then every page while the answers are
 * wrong or slow; the pictures are in artifacts/answers.
 */

const shop = testConsole()
/** The ids of what has a page, by the second segment of its address. */
let uids: Record<string, string | undefined>

beforeAll(async () => {
  const { client } = shop
  await asSuperuser(shop.superuserUrl, superuser =>
    superuser.query("update clients set plan_key = 'professional'"),
  )
  const songs = await writeSongs(shop.folder, { count: 2, seconds: 3 })
  const line = await publishToDevice(client, songs.slice(0, 1), songs.slice(1))
  const { group, playlist } = await client.call(readDevice, { params: { id: line.deviceUid } })
  const firstOf = async (contentType: 'melodies' | 'ads') =>
    (await client.call(listMedia, { params: { contentType } })).items[0]?.uid
  const device = line.deviceUid
  const alert = { uid: device, alerttype: 'air' } as const
  const { uid: alertUid } = await client.call(beginAlert, { params: alert, query: { drill: '1' } })
  await client.call(endAlert, { params: alert })
  const profile = {
    name: 'Night downloads',
    type: 'network',
    settings: { downloadFrom: '22:00', downloadTo: '06:00' },
  } as const
  const update = { name: 'Player', category: 'Program', version: '2.776.0' } as const
  uids = {
    devicesOne: device,
    groupsOne: group?.uid,
    melodiesOne: await firstOf('melodies'),
    adsOne: await firstOf('ads'),
    videosOne: await uploadFile(client, 'videos', mp4Fixtures.faststart.path),
    videosAdsOne: await uploadFile(client, 'videosAds', mp4Fixtures.silent.path),
    playlistsOne: playlist?.uid,
    publicationsOne: line.publicationUid,
    ':uid': alertUid,
    profileOne: createdUid(await client.call(editProfile, { body: profile })),
    packageOne: createdUid(await client.call(addPackage, { body: update })),
    playTrack: device,
    heartBeat: device,
    debug: device,
    playList: device,
    updatesLog: device,
  }
})

const main = () => shop.page.getByRole('main')
/** The page shows what this browser has seen. */
const asOf = () => shop.page.getByText(/^As of .*, the server cannot be reached$/)
const retry = () => main().getByRole('button', { name: 'Try again' }).first()

async function whileAway(act: () => Promise<void>): Promise<void> {
  await shop.killServer()
  try {
    await act()
  } finally {
    await shop.startServer()
  }
}

/** The page's text; times and counts pass. */
const readText = async () => (await main().innerText()).replaceAll(/\d+/g, '0')

/** The page's text once all of it has come. */
async function readWhole(): Promise<string> {
  await main().locator('[aria-busy=true]').first().waitFor({ state: 'hidden' })
  let text = ''
  const isUnchanged = async () => text === (text = await readText())
  await expect.poll(isUnchanged, { interval: 500 }).toBe(true)
  return text
}

/** The address of a route; with an item for one that has a page for each. */
const addressOf = (route: string) => route.replace(':uid', uids[route.split('/')[2] ?? ''] ?? 'unknown')

/** Opens a page as a link does. */
const follow = (path: string) =>
  shop.page.evaluate(to => {
    history.pushState({ idx: history.length }, '', to)
    dispatchEvent(new PopStateEvent('popstate', { state: history.state as unknown }))
  }, path)

/** Addresses of people who are not signed in, redirects, the first step of the wizard, which asks for nothing; a streamer's page has its test. */
const others = new Set([
  // Shows every component, and asks for nothing.
  '/pages/rtl',
  '/login',
  '/lock',
  '/verify',
  '/terms',
  '/',
  '/home',
  '/pages',
  '/media',
  '/equipments',
  '/deployments',
  '/security',
  '/updates',
  '/trash',
  '/media/wizard',
  '/home/streaming/:uid',
])
const routes = consoleRoutes.filter(route => !others.has(route))

describe('while the server is away', () => {
  it.each(routes)('a page that could not be loaded comes when it is back: %s', async route => {
    const path = addressOf(route)
    // The browser has the scripts of a page that it has shown.
    await shop.visit(path)
    const before = await readWhole()
    expect(await retry().count()).toBe(0)
    await shop.visit('/media/wizard')
    await main().getByText('What will the playlist play?').waitFor()
    await whileAway(async () => {
      await follow(path)
      await retry().or(asOf()).first().waitFor()
    })
    await expect.poll(readText, { timeout: 60_000 }).toBe(before)
    await shop.page.getByText('The server does not answer').first().waitFor({ state: 'hidden' })
    await asOf().waitFor({ state: 'hidden' })
  })

  it('an open page says so, stays, and shows what has changed since', async () => {
    await shop.visit('/equipments/devices')
    await main().getByText('Bakery Lane 4').waitFor()
    await whileAway(async () => {
      await asOf().waitFor()
      await main().getByText('Bakery Lane 4').waitFor()
      await asSuperuser(shop.superuserUrl, superuser =>
        superuser.query("update devices set name = 'Bakery Lane 5' where uid = $1", [shop.deviceUid]),
      )
    })
    await main().getByText('Bakery Lane 5').waitFor()
    await asOf().waitFor({ state: 'hidden' })
  })
})

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

const skeletons = () => main().locator('.mantine-Skeleton-root').filter({ visible: true })
/** What an empty list says. A page's failure looks alike and is an alert. */
const emptyStates = () =>
  main()
    .locator('[class*="_empty_"]:not([role=alert])')
    .filter({ has: main().locator('h2') })
const invented = /undefined|\bNaN\b|\[object|<\w|hotel|Room number|nginx|Bad Gateway/

/** What no page shows of what it could not read, whatever it waits for. */
async function expectNothingInvented(place: string): Promise<void> {
  expect.soft(await emptyStates().allInnerTexts(), place).toEqual([])
  expect.soft(await shop.page.locator('body').innerText(), place).not.toMatch(invented)
}

async function expectFailure(path: string, place: string): Promise<void> {
  const isShown = await retry()
    .or(asOf())
    .first()
    .waitFor({ timeout: 15_000 })
    .then(
      () => true,
      () => false,
    )
  expect.soft(isShown, `${place}: says so`).toBe(true)
  await skeletons()
    .first()
    .waitFor({ state: 'hidden', timeout: 5000 })
    .catch(() => undefined)
  expect.soft(await skeletons().count(), `${place}: waits forever`).toBe(0)
  await expectNothingInvented(place)
  expect.soft(await shop.page.getByRole('navigation', { name: 'Menu' }).count(), place).toBe(1)
  expect.soft(new URL(shop.page.url()).pathname, place).toBe(path)
  expect.soft(await shop.page.evaluate(() => localStorage.getItem('floorcast.token')), place).not.toBeNull()
}

/** Tries again wherever the page offers it. The first answer may bring other parts with it. */
async function tryAgain(): Promise<void> {
  for (let tries = 0; tries < 20 && (await retry().count()) > 0; tries += 1)
    await retry()
      .click({ timeout: 2000 })
      .catch(() => undefined)
}

describe('while answers are wrong', () => {
  it.each(routes)('a page says so, invents nothing, and comes by "Try again": %s', async route => {
    const path = addressOf(route)
    const thrown: string[] = []
    await shop.visit(path)
    const before = await readWhole()
    shop.page.on('pageerror', error => thrown.push(error.message))
    for (const { name, ...answer } of wrongAnswers) {
      const place = `${route}: ${name}`
      const stop = await answerCalls(call => call.fulfill(answer))
      await shop.page.reload()
      await expectFailure(path, place)
      await takePicture(route, name)
      await stop()
      await tryAgain()
      await expect.poll(readText, { timeout: 60_000, message: place }).toBe(before)
      await asOf().waitFor({ state: 'hidden' })
    }
    expect(thrown).toEqual([])
  })
})

describe('while answers are slow', () => {
  it.each(routes)('a page shows at once that it loads, and then all of it: %s', async route => {
    const path = addressOf(route)
    await shop.visit(path)
    const before = await readWhole()
    const came = Promise.withResolvers<void>()
    await answerCalls(async call => {
      await came.promise
      await call.continue().catch(() => undefined)
    })
    await shop.page.reload()
    await main().locator('[aria-busy=true], [role=progressbar]').first().waitFor({ timeout: 10_000 })
    await shop.page.waitForTimeout(4000)
    expect
      .soft(await main().locator('[aria-busy=true], [role=progressbar]').count(), route)
      .toBeGreaterThan(0)
    await expectNothingInvented(route)
    expect.soft(await retry().count(), route).toBe(0)
    await takePicture(route, 'slow')
    came.resolve()
    await expect.poll(readText, { timeout: 60_000 }).toBe(before)
  })
})

describe('what is saved', () => {
  const form = () => shop.page.getByRole('dialog')
  const save = () => form().getByRole('button', { name: 'Save' })
  const countDevices = async (search: string) =>
    (await shop.client.call(listDevices, { query: { search } })).total

  async function openForm(name: string): Promise<void> {
    await shop.visit('/equipments/devices')
    await shop.page.getByRole('button', { name: 'Add a device' }).click()
    await form().getByLabel('Name').fill(name)
  }

  it('while the server is away stays in the form, which says so, and is saved once by the next click', async () => {
    await openForm('Pier 7')
    await whileAway(async () => {
      await form().getByLabel('Description').fill('At the end of the pier')
      await save().click()
      await form()
        .getByRole('alert')
        .getByText(/The server does not answer/)
        .waitFor()
    })
    expect(await form().getByLabel('Name').inputValue()).toBe('Pier 7')
    expect(await form().getByLabel('Description').inputValue()).toBe('At the end of the pier')
    await save().click()
    await shop.heading('Pier 7')
    expect(await countDevices('Pier')).toBe(1)
  })

  it('while the browser is offline is saved once it is online', async () => {
    await openForm('Quay 9')
    await shop.context.setOffline(true)
    await save().click()
    await save().and(shop.page.locator('[data-loading=true]')).waitFor()
    await shop.page.getByText('You are offline').waitFor()
    await shop.context.setOffline(false)
    await shop.heading('Quay 9')
    expect(await countDevices('Quay')).toBe(1)
  })

  it('in the playlist editor is taken back, with the reason, and saved once by the next click', async () => {
    const { call } = shop.client
    const made = await call(addPlaylist, { params: { contentType: 'audio' }, body: { name: 'Calm' } })
    const uid = createdUid(made)
    const readTracks = async () => (await call(readPlaylistWithTracks, { params: { id: uid } })).items
    const heads = shop.page.getByRole('columnheader')
    const rows = shop.page.getByRole('grid', { name: 'Tracks' }).getByRole('row').filter({ hasNot: heads })
    const add = shop.page.getByRole('button', { name: 'Add song-1 to the playlist' })
    await shop.visit(`/media/playlistsOne/${uid}`)
    await add.waitFor()
    await whileAway(async () => {
      await add.click()
      await main()
        .getByRole('alert')
        .getByText(/The server does not answer/)
        .waitFor()
      await expect.poll(() => rows.count()).toBe(0)
    })
    expect(await readTracks()).toEqual([])
    await add.click()
    await expect.poll(async () => (await readTracks()).map(({ name }) => name)).toEqual(['song-1'])
    await expect.poll(() => rows.count()).toBe(1)
  })
})
