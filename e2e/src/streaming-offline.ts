import { once } from 'node:events'
import { createServer } from 'node:http'
import { listDeviceLog, readDevice } from '@floorcast/contract/devices.ts'
import { writeSongs } from '@floorcast/testing/media-song.ts'
import { expect } from 'vitest'
import { inviteStreamer, publishToDevice } from './client-fixture.ts'
import type { ConsoleUnderTest } from './console-under-test.ts'
import { waitUntil } from './processes.ts'
import { StreamingPage } from './streaming-page.ts'

interface Outage {
  /** How long the server is away. */
  seconds: number
  songSeconds: number
}

/** The longest silence between two plays. */
const MAX_SILENCE_MS = 2000

/** A captive portal in place of the server: it answers everything with its own page. */
async function whilePortalAnswers(url: string, work: () => Promise<void>): Promise<void> {
  const portal = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Free Wi-Fi</title><h1>Sign in</h1>')
  })
  portal.listen(Number(new URL(url).port), '127.0.0.1')
  await once(portal, 'listening')
  try {
    await work()
  } finally {
    portal.closeAllConnections()
    portal.close()
    await once(portal, 'close')
  }
}

/** A streamer's page plays while the server is away, also after a reload, and its plays are delivered afterwards, each once. */
export async function playThroughOutage(
  shop: ConsoleUnderTest,
  { seconds, songSeconds }: Outage,
): Promise<void> {
  const songs = await writeSongs(shop.folder, { count: 3, seconds: songSeconds })
  const { deviceUid } = await publishToDevice(shop.client, songs)
  await shop.visit(`/home/streaming/${deviceUid}`, await inviteStreamer(shop.client, deviceUid))
  const page = new StreamingPage(shop.page)
  await page.waitForSound()
  await shop.page.getByText('All files stored in this browser').waitFor()
  await waitUntil('the page is stored', () =>
    shop.page.evaluate(async () => (await caches.match('/index.html')) !== undefined),
  )
  await waitUntil('the service worker', () =>
    shop.page.evaluate(() => navigator.serviceWorker.controller !== null),
  )
  await shop.killServer()
  const offlineFrom = Date.now()
  await shop.page.getByText(/^No connection to the server/).waitFor()
  while (Date.now() < offlineFrom + seconds * 1000) {
    await page.waitForSound()
    await shop.page.waitForTimeout(1000)
  }
  const offlineUntil = Date.now()
  await shop.page.reload()
  await page.waitForSound()
  await whilePortalAnswers(shop.url, async () => {
    await shop.page.reload()
    await page.waitForSound()
  })
  await shop.startServer()
  await shop.page.getByText('Online', { exact: true }).waitFor()

  const readPlays = async () => {
    const { items, total } = await shop.client.call(listDeviceLog, {
      params: { id: deviceUid, kind: 'playtrack' },
      query: { size: 100 },
    })
    expect(total).toBeLessThanOrEqual(100)
    return items
      .map(({ eventTime, secondsPlayed, plannedTime }) => {
        const startedAt = Date.parse(eventTime)
        return { plannedTime, startedAt, endedAt: startedAt + (secondsPlayed ?? 0) * 1000 }
      })
      .toSorted((a, b) => a.startedAt - b.startedAt)
  }
  await waitUntil('the plays of the outage', async () =>
    (await readPlays()).some(({ endedAt }) => endedAt > offlineUntil),
  )
  const plays = (await readPlays()).filter(
    ({ startedAt, endedAt }) => endedAt > offlineFrom && startedAt < offlineUntil,
  )
  const silencesMs = plays.slice(1).map((play, index) => play.startedAt - (plays[index]?.endedAt ?? 0))
  expect(plays.length).toBeGreaterThanOrEqual(Math.floor(seconds / songSeconds))
  expect(Math.max(...silencesMs)).toBeLessThan(MAX_SILENCE_MS)
  expect(new Set(plays.map(({ plannedTime }) => plannedTime)).size).toBe(plays.length)
  const { gaps } = await shop.client.call(readDevice, { params: { id: deviceUid } })
  expect(gaps).toEqual([])
}
