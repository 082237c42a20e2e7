import { CallError } from '@floorcast/contract/client.ts'
import { readDeviceDay, type DeviceDay } from '@floorcast/contract/device-day.ts'
import { listLastPlays } from '@floorcast/contract/devices.ts'
import type { LogEntry } from '@floorcast/contract/logs.ts'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { drawComponent } from '../../testing/draw-component.tsx'
import { FakeServer } from '../../testing/fake-server.ts'
import { placeholders } from '../../testing/held-answers.ts'
import { LastPlays } from './last-plays.tsx'

const uid = '0193a1f0-0000-7000-8000-00000000000d'
const play = {
  uid: '0193a1f0-0000-7000-8000-0000000000f1',
  eventTime: '2026-06-10T22:30:00.000Z',
  track: 'Morning tune',
} as LogEntry

let server: FakeServer
beforeEach(() => {
  server = new FakeServer()
  server.answer(listLastPlays, () => [{ ...emptyEntry, ...play }])
})

const emptyEntry = {
  receiveTime: play.eventTime,
  playlist: null,
  version: null,
  status: null,
  description: null,
  type: null,
  code: null,
  class: null,
  channel: null,
  updatePackage: null,
  request: null,
  comment: null,
  plannedTime: null,
  secondsPlayed: null,
  volume: null,
  temperatureCelsius: null,
}

const dayIn = (timeZone: string): DeviceDay => ({
  asOf: '2026-06-11T12:00:00.000Z',
  day: '2026-06-11',
  timeZone,
  from: '2026-06-11T00:00:00.000Z',
  until: '2026-06-12T00:00:00.000Z',
  scheduled: [],
  played: [],
  gaps: [],
  unreported: [],
  connectivity: [],
  health: [],
  restored: null,
})

const shownTime = () => document.querySelector('time')?.textContent

it('tells the plays by the clock of the shop, and says which where it is another than the reader’s', async () => {
  server.answer(readDeviceDay, () => dayIn('Asia/Riyadh'))
  await drawComponent(<LastPlays uid={uid} hasPlayed />)
  await expect.element(page.getByText('Times in Asia/Riyadh')).toBeVisible()
  await expect.poll(shownTime).toContain('Jun\u00a011,\u00a02026, 1:30')
})

it('says no zone where it is the reader’s', async () => {
  server.answer(readDeviceDay, () => dayIn('UTC'))
  await drawComponent(<LastPlays uid={uid} hasPlayed />)
  await expect.poll(shownTime).toContain('Jun\u00a010,\u00a02026, 10:30')
  expect(page.getByText(/^Times in/).elements()).toEqual([])
})

it('shows an error of the plays alone, while the day of the device has not come', async () => {
  server.answer(readDeviceDay, () => new Promise<never>(() => undefined))
  const answered = Promise.withResolvers<void>()
  server.answer(listLastPlays, async () => {
    await answered.promise
    throw new CallError(500, null)
  })
  await drawComponent(<LastPlays uid={uid} hasPlayed />)
  await expect.poll(placeholders).toBe(6)
  answered.resolve()
  await expect.element(page.getByText('This could not be loaded')).toBeVisible()
  expect(placeholders()).toBe(0)
})

it('says of a device that has played nothing so at once, but not when its plays cannot be read', async () => {
  const answered = Promise.withResolvers<void>()
  // Its day has not come either.
  server.answer(readDeviceDay, () => new Promise<never>(() => undefined))
  server.answer(listLastPlays, async () => {
    await answered.promise
    throw new CallError(500, null)
  })
  await drawComponent(<LastPlays uid={uid} hasPlayed={false} />)
  await expect.element(page.getByText('Nothing yet')).toBeVisible()
  answered.resolve()
  await expect.element(page.getByText('This could not be loaded')).toBeVisible()
  await expect.element(page.getByText('Nothing yet')).not.toBeInTheDocument()
})
