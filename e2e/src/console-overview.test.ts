import { randomUUID } from 'node:crypto'
import { makeClient } from '@floorcast/contract/client.ts'
import { openDeviceSession, sendEvents, sendHeartbeat } from '@floorcast/contract/device-protocol.ts'
import { QuickMetrics } from '@floorcast/contract/dashboard.ts'
import { addDevice, readDevice, resetHeartbeat } from '@floorcast/contract/devices.ts'
import { addTag } from '@floorcast/contract/tag-calls.ts'
import { collectComplaints } from '@floorcast/testing/browser.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { knowFiles, makeHeartbeat, makePlay } from '@floorcast/testing/test-device.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { testConsole } from './console-under-test.ts'
import { findAxeViolations, measureOverflow, waitUntilStill } from './page-checks.ts'

const shop = testConsole()
const hourMs = 3_600_000
const oslo = { latitude: '59.91', longitude: '10.75' }

const files = { ads: randomUUID(), melodies: randomUUID() }

/** A play that began some hours ago, ten minutes past the full hour and later. */
function playAgo(hours: number, sequence: number) {
  const startedAt = new Date(
    Math.floor(Date.now() / hourMs - hours) * hourMs + 600_000 + sequence * 60_000,
  ).toISOString()
  const contentType = sequence % 5 === 0 ? ('ads' as const) : ('melodies' as const)
  return makePlay(hours * 10 + sequence, {
    startedAt,
    scheduledAt: startedAt,
    endedAt: startedAt,
    contentType,
    mediaUid: files[contentType],
  })
}

/** Two devices in Oslo: one plays and has played for three hours, the other never connected. One without a place is down. */
beforeAll(async () => {
  const { call } = shop.client
  await call(addDevice, { params: { contentType: 'audio' }, body: { name: 'Harbour Kiosk' } })
  const { licenseKey } = await call(readDevice, { params: { id: shop.deviceUid } })
  const asPlayer = (secret: string | null) => makeClient({ base: shop.url, token: () => secret })
  const body = { licenseKey: licenseKey ?? '', boxId: randomUUID(), model: 'test', version: '2.775.0' }
  const { token, playpointid } = await asPlayer(null)(openDeviceSession, { body })
  const nowPlaying = {
    name: 'Morning light',
    mediaUid: null,
    contentType: null,
    startedAt: new Date().toISOString(),
    offsetSeconds: 0,
  }
  const player = asPlayer(token)
  const params = { playpointid }
  await player(sendHeartbeat, {
    body: makeHeartbeat({ nowPlaying: { ...nowPlaying, durationSeconds: null }, intervalSeconds: 3600 }),
  })
  const plays = [1, 2, 3].flatMap(hours => [1, 2, 3, 4, 5].map(sequence => playAgo(hours, sequence)))
  await knowFiles(shop, playpointid, plays)
  await player(sendEvents, { params, body: plays })
  const { rows } = await asSuperuser(shop.superuserUrl, async superuser => {
    await superuser.query(
      `insert into device_states (device_uid, client_id, last_contact_at)
       select uid, client_id, now() - interval '3 days' from devices where name = 'Harbour Kiosk' and client_id = $1`,
      [shop.clientId],
    )
    return superuser.query<{ uid: string }>(
      `select uid from devices where name <> 'Harbour Kiosk' and client_id = $1`,
      [shop.clientId],
    )
  })
  for (const { uid } of rows)
    for (const [key, value] of Object.entries(oslo))
      await call(addTag, { params: { contentType: 'device', uid }, body: { key, value } })
})

const panel = (name: string) => shop.page.getByRole('region', { name, exact: true }).first()

/** The rows of the list of devices, once it is there. */
async function rowNames(): Promise<string[]> {
  if (!shop.page.url().includes('/equipments/devices?')) return []
  return shop.page.getByRole('table', { name: 'Devices' }).locator('tbody tr').allTextContents()
}

describe('the overview', () => {
  it('shows figures over time as charts and as tables, by range, with a legend and the keyboard', async () => {
    const complaints = collectComplaints(shop.page)
    await shop.visit('/home/overview')
    const plays = panel('Plays')
    await expect.poll(() => plays.textContent()).toContain('15 last 24 hours')
    // The card has the chart's figure, whichever call was answered later.
    const card = shop.page.getByText('Plays in 24 hours').locator('..')
    await expect.poll(() => card.textContent()).toContain('15')
    await plays.getByRole('application').focus()
    await shop.page.keyboard.press('End')
    await expect
      .poll(async () => {
        await shop.page.keyboard.press('ArrowLeft')
        return plays.locator('output').textContent()
      })
      .toContain('Melodies: 4 and Ads: 1')
    expect(await findAxeViolations(shop.page)).toEqual([])

    await plays.getByRole('button', { name: 'Plays: Show as table' }).click()
    const heads = plays.getByRole('columnheader')
    await expect.poll(() => heads.allTextContents()).toEqual(['Time', 'Melodies', 'Ads'])
    await plays.getByRole('button', { name: 'Ads', pressed: true }).click()
    await expect.poll(() => heads.allTextContents()).toEqual(['Time', 'Melodies'])
    expect(await plays.getByRole('cell', { name: '4', exact: true }).count()).toBe(3)

    await shop.page.getByRole('radiogroup', { name: 'Range of the charts' }).getByText('7 d').click()
    await expect.poll(() => plays.textContent()).toContain('15 last 7 days')
    expect(new URL(shop.page.url()).searchParams.get('range')).toBe('7d')
    expect(complaints).toEqual([])
  })

  it('leads from what needs attention, and from the fleet, to the devices that it counts', async () => {
    await shop.visit('/home/overview')
    await panel('Fleet').getByRole('link', { name: 'Playing 1' }).click()
    await expect.poll(rowNames).toEqual([expect.stringContaining('Bakery Lane 4')])
    await shop.page.goBack()
    await panel('Fleet').getByRole('link', { name: 'Unavailable devices 1' }).click()
    await expect.poll(rowNames).toEqual([expect.stringContaining('Harbour Kiosk')])
    await shop.page.goBack()
    // Each figure of the fleet once.
    await panel('Fleet').getByRole('link', { name: 'Active devices 1' }).waitFor()
    const main = shop.page.getByRole('main')
    expect(await main.getByText(/^(Active|Unavailable) devices/).count()).toBe(3)
    await panel('Needs attention')
      .getByRole('link', { name: '1 device has been offline for over a day' })
      .click()
    await expect.poll(rowNames).toEqual([expect.stringContaining('Harbour Kiosk')])
  })

  it('has a map on demand, whose bubbles lead to their devices, and names those without a place', async () => {
    const complaints = collectComplaints(shop.page)
    await shop.visit('/home/overview')
    const map = panel('Map')
    await map.getByRole('button', { name: 'Show the map' }).click()
    await map.getByText('1 device is not on the map').waitFor()
    await map.getByRole('link', { name: 'Harbour Kiosk' }).waitFor()
    await map.locator('canvas').waitFor()
    expect(await findAxeViolations(shop.page)).toEqual([])
    // The map shows all places as near as they fit: the only one is in the middle.
    // A click can be too early for it, or too late: then the page is left, and the map with it.
    await expect
      .poll(async () => {
        const isLeft = shop.page.url().includes('place=')
        if (!isLeft)
          await map
            .locator('canvas')
            .click({ timeout: 1_000 })
            .catch(() => null)
        return shop.page.url()
      })
      .toContain('/equipments/devices?place=area')
    await shop.page.getByRole('button', { name: 'Place: Area of the map' }).waitFor()
    await expect.poll(async () => (await rowNames()).length).toBe(2)
    expect(complaints).toEqual([])
  })

  it('is no wider than a phone, however long its names and numbers are', async () => {
    const name = 'Достопримечательности'.repeat(3)
    const count = 123_456_789_012
    await shop.page.setViewportSize({ width: 400, height: 900 })
    await shop.page.route('**/metricks/quick/cached', async route => {
      const response = await route.fetch()
      const { data } = z.object({ data: QuickMetrics }).parse(await response.json())
      const item = { uid: shop.deviceUid, name }
      data.playedCount = data.devices.silent = data.publications.delayed = count
      data.silent = [{ reason: 'player-broken', devices: count }]
      data.attention.push({
        about: 'missingFiles',
        count,
        reason: null,
        unreportedSeconds: null,
        leadsTo: { page: 'publication', item, filter: {} },
      })
      for (const play of data.latestPlays) play.deviceName = play.track = play.playlist = name
      data.installation?.servers.unshift({
        name,
        at: data.asOf,
        isReporting: false,
        loadAverages: [count, count, count],
        freeBytes: count,
        totalBytes: count,
      })
      await route.fulfill({ response, json: { data } })
    })
    await shop.visitIn('ru', '/home/overview')
    await shop.page.getByText(name).first().waitFor()
    await waitUntilStill(shop.page)
    expect(await measureOverflow(shop.page)).toBe(0)
  })

  it('follows the fleet without a reload', async () => {
    await shop.visit('/home/overview')
    await panel('Fleet').getByRole('link', { name: 'Playing 1' }).waitFor()
    await shop.client.call(resetHeartbeat, { params: { id: shop.deviceUid } })
    await panel('Fleet').getByRole('link', { name: 'Playing 0' }).waitFor()
    await panel('Fleet').getByRole('link', { name: 'Never connected 2' }).waitFor()
  })
})
