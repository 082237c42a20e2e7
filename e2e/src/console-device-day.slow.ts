import { randomUUID } from 'node:crypto'
import { makeClient } from '@floorcast/contract/client.ts'
import { openDeviceSession, sendEvents, sendHeartbeat } from '@floorcast/contract/device-protocol.ts'
import { readDevice } from '@floorcast/contract/devices.ts'
import { addTag } from '@floorcast/contract/tag-calls.ts'
import { collectComplaints } from '@floorcast/testing/browser.ts'
import { writeSongs } from '@floorcast/testing/media-song.ts'
import { knowFiles, makeHeartbeat, makePlay } from '@floorcast/testing/test-device.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { beforeAll, expect, it } from 'vitest'
import { publishToDevice, type PublishedDevice } from './client-fixture.ts'
import { ConsolePage } from './console-page.ts'
import { testConsole } from './console-under-test.ts'
import { findAxeViolations, measureOverflow } from './page-checks.ts'

const MINUTE_MS = 60_000
const shop = testConsole()
let published: PublishedDevice
const startedAt = Date.now()
const ago = (minutes: number) => new Date(startedAt - minutes * MINUTE_MS).toISOString()

/** A shop that is open all day since two days ago, and played until an hour ago but for half an hour without its files. */
beforeAll(async () => {
  const songs = await writeSongs(shop.folder, { count: 2, seconds: 6 })
  published = await publishToDevice(shop.client, songs)
  await asSuperuser(shop.superuserUrl, async superuser => {
    await superuser.query("update publications set activated_at = now() - interval '2 days'")
    await superuser.query("update devices set created_at = now() - interval '2 days'")
  })
  const { call: change } = shop.client
  // Afternoon in the shop, at any hour of the test.
  const ahead = 14 - new Date(startedAt).getUTCHours()
  const value = `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`
  const owner = { contentType: 'device', uid: published.deviceUid } as const
  await change(addTag, { params: owner, body: { key: 'timeZone', value } })
  const asPlayer = (secret: string | null) => makeClient({ base: shop.url, token: () => secret })
  const { licenseKey } = published
  const body = { licenseKey, boxId: randomUUID(), model: 'test', version: '2.775.0' }
  const { token, playpointid } = await asPlayer(null)(openDeviceSession, { body })
  const call = asPlayer(token)
  await call(sendHeartbeat, { body: makeHeartbeat({ intervalSeconds: 3600, temperatureCelsius: 47 }) })
  const play = (sequence: number, from: number, until: number) => ({
    ...makePlay(sequence, { mediaUid: randomUUID() }),
    startedAt: ago(from),
    scheduledAt: ago(from),
    endedAt: ago(until),
    at: ago(until),
    secondsPlayed: (from - until) * 60,
    durationSeconds: (from - until) * 60,
  })
  const silence = {
    kind: 'playlist',
    id: randomUUID(),
    bootId: makePlay(1).bootId,
    sequence: 3,
    at: ago(90),
    publicationUid: null,
    playlistUid: null,
    playlistName: null,
    revision: null,
    status: 'silent',
    why: 'not-downloaded',
  }
  const params = { playpointid }
  const plays = [play(1, 2870, 1500), play(2, 1500, 90)]
  await knowFiles(shop, playpointid, plays)
  await call(sendEvents, { params, body: [...plays, silence] })
})

it('shows the day of a shop, with its gaps and their reasons, under the name of the device', async () => {
  const complaints = collectComplaints(shop.page)
  await shop.visit(`/equipments/devicesOne/${published.deviceUid}`)
  await shop.heading('Till 1')
  await shop.page
    .getByRole('navigation', { name: 'Where you are' })
    .getByText('Device', { exact: true })
    .waitFor()
  const day = shop.page.getByRole('region', { name: 'Day', exact: true })
  await day.getByRole('slider', { name: /with 1 gap/ }).waitFor()
  await day.getByText(/: files not downloaded yet$/).waitFor()
  const connection = shop.page.getByRole('table', { name: 'Connection over the day' })
  await connection.getByRole('row', { name: /^Online \d\d:\d\d now / }).waitFor()
  const health = shop.page.getByRole('region', { name: 'Health over 24 hours' })
  await health.getByText('47°C', { exact: true }).waitFor()
  await health.getByText('21 GB free of 32 GB').waitFor()
  const canvas = day.locator('canvas')
  await canvas.hover({ position: { x: 3, y: 70 } })
  await day.getByText(/scheduled music, played/).waitFor()
  expect(await findAxeViolations(shop.page)).toEqual([])
  const shots = new ConsolePage(shop.page, 'device-day')
  await shots.screenshot('light')
  await shop.page.emulateMedia({ colorScheme: 'dark' })
  await shots.screenshot('dark')
  await shop.page.emulateMedia({ colorScheme: null })
  await day.getByRole('button', { name: 'The day before' }).click()
  await day.getByRole('slider', { name: /without gaps/ }).waitFor()
  await day.getByRole('button', { name: 'The day after' }).click()
  await day.getByText(/^Today, /).waitFor()
  await shop.page.setViewportSize({ width: 400, height: 800 })
  await shots.screenshot('narrow')
  expect([await measureOverflow(shop.page), complaints]).toEqual([0, []])
})

it('says once what a device has not reported', async () => {
  await shop.visit(`/equipments/devicesOne/${shop.deviceUid}`)
  await shop.page.getByText(/^Not reported yet: /).waitFor()
  expect(await shop.page.getByText('Not known', { exact: true }).count()).toBe(0)
  const card = await shop.client.call(readDevice, { params: { id: shop.deviceUid } })
  expect(card.activity).toBeNull()
  await new ConsolePage(shop.page, 'device-day-new').screenshot('new device')
})
