import { listDeviceCommands } from '@floorcast/contract/device-commands.ts'
import { readDeviceDay } from '@floorcast/contract/device-day.ts'
import { listLastPlays, readDevice, type DeviceCard } from '@floorcast/contract/devices.ts'
import type { LogEntry } from '@floorcast/contract/logs.ts'
import { readEffectiveTags } from '@floorcast/contract/tag-calls.ts'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { drawComponent } from '../../testing/draw-component.tsx'
import { FakeServer } from '../../testing/fake-server.ts'
import { HeldAnswers } from '../../testing/held-answers.ts'
import { DevicePage } from './device-page.tsx'

const uid = '0193a1f0-0000-7000-8000-00000000000d'
const named = (name: string) => ({ uid, name })
const [from, now, until] = [
  '2026-06-10T00:00:00.000Z',
  '2026-06-10T14:00:00.000Z',
  '2026-06-11T00:00:00.000Z',
]
const playing: DeviceCard = {
  ...named('Bakery Lane 4'),
  storeNumber: '206',
  description: '',
  kind: 'audio',
  connectivity: 'online',
  lastContactAt: now,
  activity: 'playing',
  silentReason: null,
  silentSince: null,
  isConnectionLost: false,
  connectionLostAt: null,
  changesInSeconds: null,
  group: named('Shopping centers'),
  publication: named('On the air in the centers'),
  playlist: named('Planned day'),
  nowPlaying: {
    name: 'Blue hour',
    mediaUid: uid,
    contentType: 'melodies',
    startedAt: now,
    offsetSeconds: 0,
    durationSeconds: 180,
  },
  programVersion: 'agent 2.775.0',
  changedAt: from,
  licenseKey: 'B8HTS-73459-EZHT6-49XDH-AQAR4-NR7P3',
  licenseBoundAt: from,
  installLine: null,
  reinstallLine: null,
  model: 'Raspberry Pi 4 Model B',
  expiresAt: '2027-11-28T00:00:00.000Z',
  ownExpiresAt: null,
  isExpired: false,
  volume: 65,
  createdAt: from,
  macAddress: '02:f1:ee:00:00:12',
  ipAddress: '10.0.0.18',
  temperatureCelsius: 44,
  memorySizeBytes: 34.4e9,
  freeMemoryBytes: 21.5e9,
  lastPlayed: { name: 'Autumn coats are here', startedAt: now },
  gaps: [],
  quarantined: [],
  alertCheck: { checkedAt: now, faults: [] },
  server: null,
  version: 1,
  permissions: { mayEdit: true, mayDelete: true },
}
const neverConnected: DeviceCard = {
  ...playing,
  connectivity: 'neverup',
  lastContactAt: null,
  activity: null,
  nowPlaying: null,
  programVersion: null,
  licenseBoundAt: null,
  installLine: `curl -fsS https://radio.example.com/install | sh -s -- ${playing.licenseKey}`,
  model: null,
  macAddress: null,
  ipAddress: null,
  temperatureCelsius: null,
  memorySizeBytes: null,
  freeMemoryBytes: null,
  lastPlayed: null,
  alertCheck: null,
}

const day = (device: DeviceCard) => ({
  asOf: now,
  day: '2026-06-10',
  timeZone: 'UTC',
  from,
  until,
  scheduled: [{ kind: 'music', adShare: 0, from, until, because: null } as const],
  played: device.nowPlaying ? [{ kind: 'music', adShare: 0, from, until: now } as const] : [],
  gaps: device.nowPlaying ? [] : [{ from, until: now, because: 'not-reported' } as const],
  unreported: [],
  connectivity: [{ from, until: now, state: device.connectivity }],
  restored: null,
  health: device.nowPlaying
    ? [40, 44].map((temperatureCelsius, n) => ({
        at: [from, now][n] ?? now,
        heartbeats: 15,
        temperatureCelsius,
        freeMemoryBytes: 21.5e9,
      }))
    : [],
})
const plays = (device: DeviceCard) =>
  device.lastPlayed === null
    ? []
    : [1, 2, 3, 4, 5, 6].map(n => ({
        ...nothing,
        uid: `0193a1f0-0000-7000-8000-0000000000f${n}`,
        track: `Song ${n}`,
        playlist: 'Planned day',
      }))
const nothing: LogEntry = {
  uid,
  eventTime: now,
  receiveTime: now,
  playlist: null,
  version: null,
  track: null,
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
const tags = ['city', 'closing', 'country', 'latitude', 'longitude', 'opening', 'timezone'].map(key => ({
  key,
  value: '12',
  level: 'device' as const,
}))

/** The device is there, what its panels show is not. */
function holdPanels(device: DeviceCard): HeldAnswers {
  const server = new FakeServer()
  const held = new HeldAnswers()
  server.answer(readDevice, () => device)
  server.answer(readDeviceDay, held.of(day(device)))
  server.answer(listLastPlays, held.of(plays(device)))
  server.answer(
    listDeviceCommands,
    held.of({ hasOwnVolume: false, commands: [], screenshot: null, log: null }),
  )
  server.answer(readEffectiveTags, held.of({ policy: 'device', tags }))
  return held
}

/** The browser's own measure, of all that moves from now on. */
function measureShifts(): () => number {
  let moved = 0
  const add = (entries: PerformanceEntryList) => {
    for (const entry of entries) moved += (entry as PerformanceEntry & { value: number }).value
  }
  const observer = new PerformanceObserver(list => add(list.getEntries()))
  observer.observe({ type: 'layout-shift' })
  return () => {
    add(observer.takeRecords())
    observer.disconnect()
    return moved
  }
}

const isBusy = () => document.querySelector('[aria-busy=true]') !== null
const heights = () =>
  [...document.querySelectorAll('section')].map(panel => Math.round(panel.getBoundingClientRect().height))
const frame = () => new Promise(requestAnimationFrame)

it.each([
  [1440, 'plays', playing],
  [400, 'plays', playing],
  [1440, 'was never connected', neverConnected],
  [400, 'was never connected', neverConnected],
] as const)('at %i px, the panels of a device that %s come into their places', async (width, _, device) => {
  const held = holdPanels(device)
  // Beside the menu; a phone's menu is over the page.
  const room = width === 400 ? 376 : 1152
  await drawComponent(
    <div style={{ inlineSize: room, paddingBlockStart: 64 }}>
      <h1>{'Device'}</h1>
      <DevicePage />
    </div>,
    { path: `/equipments/devicesOne/${uid}`, route: '/equipments/devicesOne/:uid', width, height: 900 },
  )
  await expect.element(page.getByRole('heading', { name: 'Details' })).toBeInTheDocument()
  await document.fonts.ready
  await frame()
  await frame()
  const before = heights()
  const movedSince = measureShifts()
  held.release()
  await expect.poll(isBusy).toBe(false)
  await frame()
  await frame()
  const after = heights()
  expect(movedSince()).toBeLessThan(0.005)
  expect(after).toHaveLength(before.length)
  // The list of tags is the last of its column: nothing is below it.
  const changed = after.map((height, n) => Math.abs(height - (before[n] ?? 0))).slice(0, -1)
  expect(Math.max(...changed), `${before.join(' ')} became ${after.join(' ')}`).toBeLessThanOrEqual(35)
})

it('a device that does not go to another address of its server says to which, and where it stays', async () => {
  const server = {
    address: 'https://old.example',
    counter: null,
    refused: { address: 'https://new.example', why: 'signature' },
  }
  holdPanels({ ...playing, server }).release()
  await drawComponent(<DevicePage />, {
    path: `/equipments/devicesOne/${uid}`,
    route: '/equipments/devicesOne/:uid',
  })
  const words =
    'The player stays with https://old.example and does not go to https://new.example. Its log says why.'
  await expect.element(page.getByRole('alert').filter({ hasText: words })).toBeVisible()
})
