import { consoleRoutes } from '@floorcast/contract/console-routes.ts'
import { listDevices, readDevice } from '@floorcast/contract/devices.ts'
import { listMedia } from '@floorcast/contract/media.ts'
import { addPlaylist, readPlaylistWithTracks } from '@floorcast/contract/playlists.ts'
import { mp4Fixtures } from '@floorcast/testing/media-fixtures.ts'
import { writeSongs } from '@floorcast/testing/media-song.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import type { Route } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { createdUid, publishToDevice, uploadFile } from './client-fixture.ts'
import { testConsole } from './console-under-test.ts'

/*
 * The server is killed while the console is open, and starts again: nothing that was typed is lost, and every page shows by itself
 * what it could not load. Pages whose scripts have not come either: console-heals.test.ts. Then every page while the answers are
 * wrong or slow.
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
  uids = {
    devicesOne: device,
    groupsOne: group?.uid,
    melodiesOne: await firstOf('melodies'),
    adsOne: await firstOf('ads'),
    videosOne: await uploadFile(client, 'videos', mp4Fixtures.faststart.path),
    videosAdsOne: await uploadFile(client, 'videosAds', mp4Fixtures.silent.path),
    playlistsOne: playlist?.uid,
    publicationsOne: line.publicationUid,
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

const html = '<!doctype html><title>Sign in to the hotel network</title><p>Room number?</p>'
const wrongAnswers = [
  { name: 'HTML of another server', status: 200, contentType: 'text/html', body: html },
  {
    name: 'JSON of another form',
    status: 200,
    contentType: 'application/json',
    body: '{"data":{"items":7}}',
  },
  { name: 'an empty answer', status: 200, contentType: 'application/json', body: '' },
  { name: 'a fault of the server', status: 500, contentType: 'text/plain', body: 'Internal error' },
]

/** Answers all calls of the page, but not the stream of changes. */
async function answerCalls(answer: (call: Route) => Promise<void>): Promise<() => Promise<void>> {
  const isCall = (call: Route) =>
    call.request().resourceType() === 'fetch' && call.request().headers()['accept'] !== 'text/event-stream'
  await shop.page.route('**/*', call => (isCall(call) ? answer(call) : call.fallback()))
  return () => shop.page.unrouteAll({ behavior: 'ignoreErrors' })
}

describe('while answers are wrong', () => {
  it.each(routes)('a page says so, keeps its frame, and comes by "Try again": %s', async route => {
    const path = addressOf(route)
    const thrown: string[] = []
    await shop.visit(path)
    const before = await readWhole()
    shop.page.on('pageerror', error => thrown.push(error.message))
    for (const { name, ...answer } of wrongAnswers) {
      await shop.visit('/media/wizard')
      await main().getByText('What will the playlist play?').waitFor()
      const stop = await answerCalls(call => call.fulfill(answer))
      await follow(path)
      await retry()
        .waitFor({ timeout: 10_000 })
        .catch(() => expect.soft('no error', `${path}: ${name}`).toBe('an error'))
      expect.soft(await shop.page.getByRole('navigation', { name: 'Menu' }).count(), name).toBe(1)
      await stop()
      // Parts of a page that fail together have a button each; the first answer may bring the others back.
      for (let tries = 0; tries < 9 && (await retry().count()) > 0; tries += 1)
        await retry()
          .click({ timeout: 2000 })
          .catch(() => undefined)
      await expect.poll(readText, { timeout: 60_000, message: `${path}: ${name}` }).toBe(before)
    }
    expect(thrown).toEqual([])
  })
})

describe('while answers are slow', () => {
  it.each(routes)('a page shows at once that it loads, and then all of it: %s', async route => {
    const path = addressOf(route)
    await shop.visit(path)
    const before = await readWhole()
    await shop.visit('/media/wizard')
    await main().getByText('What will the playlist play?').waitFor()
    await answerCalls(async call => {
      await new Promise(resolve => setTimeout(resolve, 2000))
      await call.continue().catch(() => undefined)
    })
    await follow(path)
    await main().locator('[aria-busy=true], [role=progressbar], h1').first().waitFor({ timeout: 1000 })
    await main().getByText('What will the playlist play?').waitFor({ state: 'detached', timeout: 1000 })
    expect(await main().getByText('Nothing here').count()).toBe(0)
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
