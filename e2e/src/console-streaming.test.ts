import { beginAlert, endAlert } from '@floorcast/contract/alerts.ts'
import { listLastPlays, readDevice } from '@floorcast/contract/devices.ts'
import { openStreamingSession } from '@floorcast/contract/device-protocol.ts'
import { collectComplaints } from '@floorcast/testing/browser.ts'
import { imageFixtures } from '@floorcast/testing/media-fixtures.ts'
import { writeSongs } from '@floorcast/testing/media-song.ts'
import { beforeAll, expect, it } from 'vitest'
import {
  addPictures,
  inviteStreamer,
  publishToDevice,
  type PublishedDevice,
  type SignedInClient,
} from './client-fixture.ts'
import { ConsolePage } from './console-page.ts'
import { testConsole } from './console-under-test.ts'
import { findAxeViolations, measureOverflow } from './page-checks.ts'
import { StreamingPage } from './streaming-page.ts'

const shop = testConsole({ hasServiceWorker: true })
let streamer: SignedInClient
let published: PublishedDevice

beforeAll(async () => {
  const songs = await writeSongs(shop.folder, { count: 3, seconds: 4 })
  published = await publishToDevice(shop.client, songs)
  await addPictures(shop.client, imageFixtures[1].path)
  streamer = await inviteStreamer(shop.client, published.deviceUid)
})

const open = async (search = '') => {
  await shop.visit(`/home/streaming/${published.deviceUid}${search}`, streamer)
  return new StreamingPage(shop.page)
}

it('plays what the device would play, and reports it', async () => {
  const complaints = collectComplaints(shop.page)
  const page = await open()
  await page.waitForSound()
  const first = await page.elapsed()
  await expect.poll(() => page.elapsed(), { timeout: 10_000, interval: 100 }).not.toBe(first)
  await shop.page.getByText(/^Next: song-/).waitFor()
  await page.waitForPicture()
  await shop.page.getByText('Online', { exact: true }).waitFor()
  await shop.page.getByText('All files stored in this browser').waitFor()
  const plays = () => shop.client.call(listLastPlays, { params: { id: published.deviceUid, count: 6 } })
  await expect
    .poll(async () => (await plays()).filter(({ status }) => status === 'complete').length, {
      timeout: 60_000,
      interval: 500,
    })
    .toBeGreaterThanOrEqual(2)
  const card = await shop.client.call(readDevice, { params: { id: published.deviceUid } })
  expect(card.gaps).toEqual([])
  expect(card.programVersion).toContain('browser')
  expect(await findAxeViolations(shop.page)).toEqual([])
  const shots = new ConsolePage(shop.page, 'streaming')
  await shots.screenshot('playing')
  await shop.page.setViewportSize({ width: 400, height: 800 })
  await shots.screenshot('playing narrow')
  expect([await measureOverflow(shop.page), complaints]).toEqual([0, []])
})

it('asks for a click where the browser wants one', async () => {
  await shop.page.addInitScript(() => {
    if (!location.search.includes('blocked')) return
    let isAllowed = false
    addEventListener('pointerdown', () => (isAllowed = true), true)
    const ready = Object.getOwnPropertyDescriptor(AudioContext.prototype, 'resume')?.value as (
      this: AudioContext,
    ) => Promise<void>
    AudioContext.prototype.resume = function () {
      return isAllowed ? ready.call(this) : new Promise<void>(() => undefined)
    }
  })
  const page = await open('?blocked')
  const button = shop.page.getByRole('button', { name: 'Start playing' })
  await button.waitFor()
  await new ConsolePage(shop.page, 'streaming').screenshot('start')
  await button.click()
  await page.waitForSound()
})

it('lets an alert cut in, and goes on with the music', async () => {
  const page = await open()
  await page.waitForSound()
  const params = { uid: published.deviceUid, alerttype: 'air' } as const
  await shop.client.call(beginAlert, { params, query: {} })
  await shop.page.getByRole('heading', { name: 'Alert' }).waitFor()
  await new ConsolePage(shop.page, 'streaming').screenshot('alert')
  await shop.client.call(endAlert, { params })
  await page.waitForSound()
})

it('says that another player has taken over, and plays on', async () => {
  const page = await open()
  await page.waitForSound()
  await streamer.call(openStreamingSession, { body: { runId: crypto.randomUUID() } })
  await shop.page.getByText('Another player has taken over').waitFor()
  await new ConsolePage(shop.page, 'streaming').screenshot('replaced')
  await page.waitForSound()
  await shop.page.getByRole('button', { name: 'Take over here' }).click()
  await shop.page.getByText('Online', { exact: true }).waitFor()
})

it('leaves nothing behind when the streamer signs out', async () => {
  const page = await open()
  await page.waitForSound()
  const isStored = () => shop.page.evaluate(async () => (await caches.match('/index.html')) !== undefined)
  await expect.poll(isStored, { timeout: 60_000 }).toBe(true)
  await shop.page.getByRole('button', { name: /profile and sign-out$/ }).click()
  await shop.page.getByRole('menuitem', { name: 'Log out' }).click()
  await shop.page.waitForURL('**/login')
  const left = () =>
    shop.page.evaluate(async () => {
      const registrations = await navigator.serviceWorker.getRegistrations()
      return [await caches.keys(), registrations.length]
    })
  await expect.poll(left).toEqual([[], 0])
})
