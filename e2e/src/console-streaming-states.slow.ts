import { endSession } from '@floorcast/contract/auth.ts'
import { openStreamingSession } from '@floorcast/contract/device-protocol.ts'
import { listDeviceCommands, sendCommand } from '@floorcast/contract/device-commands.ts'
import { changePublicationState } from '@floorcast/contract/publications.ts'
import { addTag, deleteTag } from '@floorcast/contract/tag-calls.ts'
import { collectComplaints } from '@floorcast/testing/browser.ts'
import { writeSongs } from '@floorcast/testing/media-song.ts'
import { beforeAll, expect, it } from 'vitest'
import {
  inviteStreamer,
  publishToDevice,
  type PublishedDevice,
  type SignedInClient,
} from './client-fixture.ts'
import { ConsolePage } from './console-page.ts'
import { testConsole } from './console-under-test.ts'
import { StreamingPage } from './streaming-page.ts'

const shop = testConsole({ hasServiceWorker: true })
let streamer: SignedInClient
let published: PublishedDevice

beforeAll(async () => {
  const songs = await writeSongs(shop.folder, { count: 2, seconds: 6 })
  published = await publishToDevice(shop.client, songs)
  streamer = await inviteStreamer(shop.client, published.deviceUid)
})

const open = async () => {
  await shop.visit(`/home/streaming/${published.deviceUid}`, streamer)
  const page = new StreamingPage(shop.page)
  await page.waitForSound()
  return page
}
const ofDevice = () => ({ contentType: 'device' as const, uid: published.deviceUid })

/** A time of day in UTC, `hours` from now. */
const timeOfDay = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16)

it('says why it is silent, and when it goes on', async () => {
  await open()
  const { call } = shop.client
  for (const [key, hours] of [
    ['openingTime', 2],
    ['closingTime', 3],
  ] as const)
    await call(addTag, { params: ofDevice(), body: { key, value: timeOfDay(hours) } })
  await shop.page
    .getByText('According to the playlist settings there is no broadcast now: the shop is closed.')
    .waitFor()
  await shop.page.getByText(/^Next: song-/).waitFor()
  await expect.poll(() => new StreamingPage(shop.page).level()).toBe(0)
  await new ConsolePage(shop.page, 'streaming-states').screenshot('closed')
  for (const key of ['openingTime', 'closingTime'])
    await call(deleteTag, { params: ofDevice(), body: { key } })
  const page = new StreamingPage(shop.page)
  await page.waitForSound()
  const params = { id: published.publicationUid }
  await call(changePublicationState, { params, query: { from: 'active' } })
  await shop.page
    .getByText('According to the playlist settings there is no broadcast now: no publication.')
    .waitFor()
  await shop.page.getByText('Nothing is scheduled in the next seven days.').waitFor()
  await call(changePublicationState, { params, query: { from: 'disabled' } })
  await page.waitForSound()
})

it('follows the commands that a page can follow, each once, and says why it does not follow the others', async () => {
  const page = await open()
  await shop.page.getByText('Online', { exact: true }).waitFor()
  const complaints = collectComplaints(shop.page)
  const params = { uid: published.deviceUid }
  const { call } = shop.client
  /** The result of the newest command. */
  const newest = async () => {
    const [command] = (await call(listDeviceCommands, { params })).commands
    return [command?.command, command?.state, command?.why]
  }
  await call(sendCommand, { params, body: { command: 'volume', value: 0 } })
  await expect.poll(newest).toEqual(['volume', 'followed', null])
  await expect.poll(() => page.level()).toBe(0)
  await call(sendCommand, { params, body: { command: 'identify' } })
  // The bell is heard where the music is turned off.
  await expect.poll(() => page.level(), { interval: 50 }).toBeGreaterThan(0.001)
  await expect.poll(newest, { timeout: 10_000 }).toEqual(['identify', 'followed', null])
  await call(sendCommand, { params, body: { command: 'volume', value: null } })
  await page.waitForSound()
  await call(sendCommand, { params, body: { command: 'send-log' } })
  await expect.poll(newest).toEqual(['send-log', 'failed', 'browser'])
  await shop.page.evaluate(() => Object.assign(window, { isFormerLoad: true }))
  // After it the page plays what it holds, also while it waits for its session.
  await shop.page.route(`**${openStreamingSession.path}`, route =>
    setTimeout(() => void route.continue(), 3000),
  )
  await call(sendCommand, { params, body: { command: 'restart' } })
  await expect.poll(newest).toEqual(['restart', 'followed', null])
  const isFormerLoad = () => shop.page.evaluate(() => 'isFormerLoad' in window).catch(() => true)
  await expect.poll(isFormerLoad, { timeout: 10_000 }).toBe(false)
  await page.waitForSound()
  await shop.page.getByText('Online', { exact: true }).waitFor()
  await shop.page.evaluate(() => Object.assign(window, { isFormerLoad: true }))
  await call(sendCommand, { params, body: { command: 'identify' } })
  await expect.poll(newest, { timeout: 10_000 }).toEqual(['identify', 'followed', null])
  expect([await isFormerLoad(), complaints]).toEqual([true, []])
})

it('says that its session has ended elsewhere, plays on without reports, and stops at the sign-in', async () => {
  const page = await open()
  await shop.page.getByText('Online', { exact: true }).waitFor()
  await streamer.call(endSession, {})
  await shop.page.getByText('You are signed out').waitFor()
  await page.waitForSound()
  await new ConsolePage(shop.page, 'streaming-states').screenshot('signed out')
  await shop.page.getByRole('button', { name: 'Sign in again' }).click()
  await shop.page.waitForURL('**/login**')
  await expect.poll(() => page.elapsed()).toBeNull()
})
