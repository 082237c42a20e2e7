import { heartbeat } from '@floorcast/testing/device-client-fixture.ts'
import { ServerDouble } from '@floorcast/testing/device-server.ts'
import { eventually } from '@floorcast/testing/eventually.ts'
import { uidOf } from '@floorcast/testing/manifest-arbitrary.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Channel } from './channel.ts'
import { type DeviceClock, type HeartbeatEnd, Heartbeats } from './heartbeats.ts'
import { byLicense, DeviceSession } from './session.ts'
import { connectByWs } from './ws-socket.ts'

const HOUR = 3_600_000
let server: ServerDouble
let stop: () => void
beforeEach(async () => {
  server = new ServerDouble()
  await server.start()
})
afterEach(async () => {
  stop()
  await server.stop()
})

/** A clock that follows the server at once; `shift` is its offset from the machine's clock. */
class ShiftedClock implements DeviceClock {
  shift = 0
  now = () => Date.now() + this.shift
  steady = () => performance.now()
  applyServerTime(serverTime: number, askedAt: number, answeredAt: number): void {
    this.shift = serverTime + (this.steady() - (askedAt + answeredAt) / 2) - Date.now()
  }
}

/** Starts heartbeats on an open channel. */
async function startHeartbeats() {
  const session = new DeviceSession({
    server: server.url,
    opening: byLicense({
      licenseKey: 'KEY',
      hardwareId: uidOf(2),
      runId: uidOf(1),
      model: 'Test',
      version: '1',
      storage: { read: () => null, write: () => undefined },
      onOtherDevice: () => undefined,
    }),
    fetch,
  })
  await session.open()
  const clock = new ShiftedClock()
  const outcomes: HeartbeatEnd[] = []
  const shared = { session, random: () => 0.5, onUnauthorized: () => Promise.resolve() }
  const channel = new Channel({
    ...shared,
    connect: connectByWs,
    steady: clock.steady,
    onOpen: () => undefined,
    onClose: retryAfterMs => heartbeats.endUnanswered(retryAfterMs === 0 ? 'failed' : 'later'),
    onUnknown: () => undefined,
    onMessage: message => void (message.type === 'heartbeat-answer' && heartbeats.acceptAnswer(message)),
    print: () => undefined,
  })
  const heartbeats = new Heartbeats({
    ...shared,
    channel,
    clock,
    intervalSeconds: () => 60,
    onAnswer: () => undefined,
    describe: () => Promise.resolve({ ...heartbeat, sentAt: new Date().toISOString() }),
    track: () => end => void outcomes.push(end),
  })
  stop = () => {
    heartbeats.stop()
    channel.stop()
  }
  channel.start()
  await eventually(() => expect(channel.isOpen).toBe(true))
  return { clock, heartbeats, outcomes }
}

test("Two concurrent heartbeats on the channel are both answered, and the server's time is applied", async () => {
  server.clockShift = HOUR
  const { clock, heartbeats, outcomes } = await startHeartbeats()
  heartbeats.start()
  heartbeats.start()
  await eventually(() => expect(outcomes).toEqual(['answered', 'answered']))
  expect(clock.shift).toBeGreaterThan(HOUR - 5000)
  expect(clock.shift).toBeLessThan(HOUR + 5000)
})

test('A heartbeat without an answer does not distort the time of the next ones', async () => {
  server.unansweredHeartbeats = 1
  const { clock, heartbeats } = await startHeartbeats()
  heartbeats.start()
  await eventually(() => expect(server.heartbeats.length).toBe(1))
  server.clockShift = HOUR
  heartbeats.start()
  await eventually(() => expect(clock.shift).toBeGreaterThan(HOUR - 5000))
  expect(clock.shift).toBeLessThan(HOUR + 5000)
})

test('Unanswered heartbeats count as lost when the channel closes; the next one is an HTTP call', async () => {
  server.unansweredHeartbeats = 1
  const { heartbeats, outcomes } = await startHeartbeats()
  heartbeats.start()
  await eventually(() => expect(server.heartbeats.length).toBe(1))
  await server.stop()
  await eventually(() => expect(outcomes).toEqual(['failed']))
  await server.start()
  heartbeats.start()
  await eventually(() => expect(outcomes).toEqual(['failed', 'answered']))
})
