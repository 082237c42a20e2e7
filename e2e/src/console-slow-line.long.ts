import { writeSongs } from '@floorcast/testing/media-song.ts'
import type { CDPSession } from 'playwright-core'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { type PublishedDevice, publishToDevice } from './client-fixture.ts'
import { testConsole } from './console-under-test.ts'

/*
 * A line of 400 kbit/s with 1.5 s of latency, as Chromium emulates it. The page itself writes down what came over the line before it
 * answered a click: nothing may have. How long the answers take is printed; their goal is 100 ms. Each kind of click on a line that brings
 * nothing at all: console-slow-line.slow.ts.
 */

const LATENCY_MS = 1500
const BYTES_A_SECOND = 400_000 / 8
/** How the console shows that it waits for the server. */
const WAITING = '[role=progressbar][aria-label=Loading], main [aria-busy=true], [data-loading=true]'

interface Answer {
  ms: number
  /** The files and answers that had come by then, of those asked for since the click. */
  arrived: string[]
}

const shop = testConsole()
let made: PublishedDevice
let devtools: CDPSession | undefined

beforeAll(async () => {
  const songs = await writeSongs(shop.folder, { count: 2, seconds: 3 })
  made = await publishToDevice(shop.client, songs.slice(0, 1), songs.slice(1))
})

afterEach(async () => {
  await devtools?.detach()
  devtools = undefined
})

async function slowDown(): Promise<CDPSession> {
  devtools = await shop.context.newCDPSession(shop.page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: LATENCY_MS,
    downloadThroughput: BYTES_A_SECOND,
    uploadThroughput: BYTES_A_SECOND,
  })
  return devtools
}

/** In the page: writes down when it first shows an answer to a click: that it waits, a new title, or a dialog. */
function watchClicks(waiting: string): void {
  performance.setResourceTimingBufferSize(10_000)
  const shown = () => [document.querySelector('h1')?.textContent, document.querySelector('[role=dialog]')]
  const listArrived = (since: number) =>
    (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
      .filter(({ startTime, transferSize }) => startTime >= since && transferSize > 0)
      .map(({ name }) => name)
  const onClick = () => {
    const clickedAt = performance.now()
    const before = shown()
    const look = () => {
      const isAnswered = document.querySelector(waiting) || shown().some((part, n) => part !== before[n])
      if (!isAnswered) return void requestAnimationFrame(look)
      const answer = { ms: Math.round(performance.now() - clickedAt), arrived: listArrived(clickedAt) }
      document.body.dataset['answer'] = JSON.stringify(answer)
    }
    requestAnimationFrame(look)
  }
  addEventListener('click', onClick, true)
}

const waitForAll = () => shop.page.locator(WAITING).first().waitFor({ state: 'hidden' })

/** Clicks, and reads when the page answered and when all had come. */
async function measure(click: () => Promise<void>): Promise<Answer & { allMs: number }> {
  await shop.page.evaluate(() => delete document.body.dataset['answer'])
  const startedAt = performance.now()
  await click()
  const body = shop.page.locator('body[data-answer]')
  await body.waitFor({ state: 'attached' })
  const answer = JSON.parse((await body.getAttribute('data-answer')) ?? '') as Answer
  await waitForAll()
  return { ...answer, allMs: Math.round(performance.now() - startedAt) }
}

it('answers each click before the line brings anything', async () => {
  const figures: { click: string; answerMs: number; allMs: number }[] = []
  await shop.page.addInitScript(watchClicks, WAITING)
  await shop.visit('/home/overview')
  await shop.page.getByRole('region', { name: 'Fleet', exact: true }).first().waitFor()
  await slowDown()
  const page = shop.page
  const menu = (name: string) =>
    page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name, exact: true })
  // Uses events: a pointer over the link would fetch the page before the click.
  const menuClicks = [
    'Devices',
    'Groups',
    'Publications',
    'Playlists',
    'Melodies',
    'Reports',
    'Overview',
  ].map(name => [`menu: ${name}`, () => menu(name).dispatchEvent('click')] as const)
  const clicks: readonly (readonly [string, () => Promise<void>])[] = [
    ...menuClicks,
    ['menu: Devices, seen before', () => menu('Devices').click()],
    ['a device', () => page.getByRole('link', { name: 'Till 1' }).click()],
    ['the Publish sheet', () => page.getByRole('link', { name: 'Publish', exact: true }).click()],
  ]
  for (const [click, act] of clicks) {
    const { ms, arrived, allMs } = await measure(act)
    expect([click, arrived]).toEqual([click, []])
    figures.push({ click, answerMs: ms, allMs })
  }
  console.table(figures)
})

it('paints a deep link before its scripts have come', async () => {
  const figures: { path: string; paintMs: number; scriptsMs: number; allMs: number }[] = []
  await shop.visit('/home/overview')
  const line = await slowDown()
  const paths = [
    '/home/overview',
    `/equipments/devicesOne/${made.deviceUid}`,
    '/media/playlists',
    '/deployments/publications',
  ]
  for (const path of paths) {
    await line.send('Network.clearBrowserCache')
    const startedAt = performance.now()
    await shop.page.goto(shop.url + path, { waitUntil: 'commit' })
    await shop.page.getByRole('progressbar', { name: 'Floorcast' }).waitFor()
    await shop.page.getByRole('navigation', { name: 'Menu' }).waitFor()
    await waitForAll()
    const allMs = Math.round(performance.now() - startedAt)
    const [paintMs = 0, scriptsMs = 0] = await shop.page.evaluate(() => {
      const scripts = performance
        .getEntriesByType('resource')
        .filter(({ name }) => name.endsWith('.js')) as PerformanceResourceTiming[]
      return [
        performance.getEntriesByName('first-paint')[0]?.startTime ?? Infinity,
        Math.max(...scripts.map(({ responseEnd }) => responseEnd)),
      ].map(Math.round)
    })
    expect(paintMs).toBeLessThan(scriptsMs)
    figures.push({ path, paintMs, scriptsMs, allMs })
  }
  console.table(figures)
})
