import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Heartbeat } from '@floorcast/contract/device-protocol.ts'
import { ServerDouble } from '@floorcast/testing/device-server.ts'
import { eventually } from '@floorcast/testing/eventually.ts'
import { uidOf } from '@floorcast/testing/manifest-arbitrary.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Clock, machineClock } from '../clock/clock.ts'
import { makeStateStore } from '../store/state-store.ts'
import { openStore } from '../store/store.ts'
import { Channel } from './channel.ts'
import { Heartbeats } from './heartbeats.ts'
import { makeServerLink } from './server-link.ts'

const HOUR = 3_600_000
let dataDir: string
let server: ServerDouble
let stop: () => void
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'floorcast-heartbeats-'))
  server = new ServerDouble()
  await server.start()
})
afterEach(async () => {
  stop()
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

const heartbeat: Omit<Heartbeat, 'sentAt'> = {
  bootId: uidOf(1),
  programVersion: '1',
  temperatureCelsius: null,
  memorySizeBytes: null,
  freeMemoryBytes: null,
  ipAddress: null,
  macAddress: null,
  volume: 100,
  nowPlaying: null,
  manifestEtag: null,
  held: [],
  quarantined: [],
}

/** Heartbeats on an open line. */
async function startHeartbeats() {
  const state = makeStateStore(openStore(dataDir))
  const options = { server: server.url, licenseKey: 'KEY', dataDir, state, onOtherDevice: () => undefined }
  const link = makeServerLink(options)
  await link.open()
  const clock = new Clock(machineClock, 0, null)
  const onUnauthorized = () => Promise.resolve()
  const channel = new Channel({
    link,
    random: () => 0.5,
    onUnauthorized,
    onOpen: () => undefined,
    onUnknown: () => undefined,
    onMessage: message => void (message.type === 'heartbeat-answer' && heartbeats.hearAnswer(message)),
  })
  const heartbeats = new Heartbeats({
    link,
    channel,
    clock,
    random: () => 0.5,
    onUnauthorized,
    intervalSeconds: () => 60,
    onAnswer: () => undefined,
    describe: () => Promise.resolve({ ...heartbeat, sentAt: new Date().toISOString() }),
  })
  stop = () => {
    heartbeats.stop()
    channel.stop()
  }
  channel.start()
  await eventually(() => expect(channel.isOpen).toBe(true))
  return { clock, heartbeats }
}

const shiftOf = (clock: Clock) => clock.now() - Date.now()

test("Two questions at once on the line: the server's time is taken over", async () => {
  server.clockShift = HOUR
  const { clock, heartbeats } = await startHeartbeats()
  heartbeats.start()
  heartbeats.start()
  await eventually(() => expect(shiftOf(clock)).toBeGreaterThan(HOUR - 5000))
  expect(shiftOf(clock)).toBeLessThan(HOUR + 5000)
})

test('A question that was never answered does not spoil what the next ones say', async () => {
  server.unansweredHeartbeats = 1
  const { clock, heartbeats } = await startHeartbeats()
  heartbeats.start()
  await eventually(() => expect(server.heartbeats.length).toBe(1))
  server.clockShift = HOUR
  heartbeats.start()
  await eventually(() => expect(shiftOf(clock)).toBeGreaterThan(HOUR - 5000))
  expect(shiftOf(clock)).toBeLessThan(HOUR + 5000)
})
