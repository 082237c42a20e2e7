import { join } from 'node:path'
import { readQuickMetrics } from '@floorcast/contract/dashboard.ts'
import { readDevice } from '@floorcast/contract/devices.ts'
import { collectComplaints } from '@floorcast/testing/browser.ts'
import { writeSongs } from '@floorcast/testing/media-song.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { publishToDevice, type PublishedDevice } from './client-fixture.ts'
import { ConsolePage } from './console-page.ts'
import { testConsole } from './console-under-test.ts'
import { findAxeViolations, measureOverflow } from './page-checks.ts'
import { type Program, readAgentEvents, runAgent, waitUntil } from './processes.ts'

const HEARTBEAT_SECONDS = 2
const SONG_SECONDS = 6
/** Three heartbeats at their latest, and what a busy machine takes to show it. */
const MAX_LATE_SECONDS = 3 * HEARTBEAT_SECONDS * 1.1 + 10

const shop = testConsole()
let published: PublishedDevice
let agent: Program | undefined
let dataDir = ''

const readCard = () => shop.client.call(readDevice, { params: { id: published.deviceUid } })
const start = () => {
  const run = { url: shop.url, key: published.licenseKey, dataDir }
  agent = runAgent(run, ['--heartbeat', String(HEARTBEAT_SECONDS)])
  return waitUntil('the agent plays', async () => (await readCard()).activity === 'playing')
}

beforeAll(async () => {
  const songs = await writeSongs(shop.folder, { count: 3, seconds: SONG_SECONDS })
  published = await publishToDevice(shop.client, songs)
  dataDir = join(shop.folder, 'agent')
})
afterAll(() => agent?.stop())

it('turns amber when the agent is killed while its card is open, and claims no track longer than it can run', async () => {
  const complaints = collectComplaints(shop.page)
  await start()
  await shop.visit(`/equipments/devicesOne/${published.deviceUid}`)
  const panel = shop.page.getByRole('region', { name: 'Now playing' })
  await panel.getByRole('progressbar').waitFor()
  // In the first minute, that of this agent's short heartbeats, no time is told.
  const isLate = shop.page.getByText(/^(?:Seen .+|Reports overdue)$/).first()
  await agent?.kill()
  const killedAt = Date.now()
  await shop.page.getByText('Connection lost', { exact: true }).or(isLate).first().waitFor()
  let playingUntil = killedAt
  const watch = async () => {
    if (await panel.getByRole('progressbar').isVisible()) playingUntil = Date.now()
    return isLate.isVisible()
  }
  await waitUntil('the card is amber', watch, MAX_LATE_SECONDS)
  await panel.getByText(/^No report since /).waitFor()
  // The agent's own log: the play that the kill has cut began before it, and could run for its length.
  const events = await readAgentEvents(dataDir)
  expect(events.length).toBeGreaterThan(0)
  const claimedSeconds = (playingUntil - killedAt) / 1000
  expect(claimedSeconds).toBeLessThan(SONG_SECONDS + HEARTBEAT_SECONDS * 1.1 + 5)
  expect(await readCard()).toMatchObject({ connectivity: 'online', activity: 'late', nowPlaying: null })
  const { devices } = await shop.client.call(readQuickMetrics, {})
  expect([devices.playing, devices.late]).toEqual([0, 1])
  expect(await findAxeViolations(shop.page)).toEqual([])
  const shots = new ConsolePage(shop.page, 'playing-now')
  await shots.screenshot('late')
  await shop.page.setViewportSize({ width: 400, height: 800 })
  expect([await measureOverflow(shop.page), complaints]).toEqual([0, []])
})

it('leads from the counts of the overview to exactly the devices counted, by several filters at once', async () => {
  await shop.visit('/home/overview')
  await shop.page.getByRole('link', { name: /1 device is late/ }).click()
  await shop.page.getByRole('link', { name: 'Till 1' }).waitFor()
  await expect.poll(() => shop.page.getByRole('row').count()).toBe(2)
  await shop.page.getByRole('button', { name: 'Connection: Reports overdue' }).click()
  await shop.page.getByRole('menuitemcheckbox', { name: 'Never connected' }).click()
  await shop.page.getByRole('row').nth(3).waitFor()
  await expect.poll(() => new URL(shop.page.url()).searchParams.get('connectivity')).toBe('late,neverup')
})

it('says that a player was stopped, and since when', async () => {
  await start()
  await shop.visit(`/equipments/devicesOne/${published.deviceUid}`)
  const panel = shop.page.getByRole('region', { name: 'Now playing' })
  await panel.getByRole('progressbar').waitFor()
  await agent?.stop()
  await panel.getByText('Not playing: the player was stopped').waitFor()
  await panel.getByText(/^Since /).waitFor()
  await new ConsolePage(shop.page, 'playing-now').screenshot('stopped')
})
