import { deviceTest } from '@floorcast/testing/device-fixture.ts'
import { expect } from 'vitest'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

deviceTest.concurrent(
  "A line that stalls towards the device moves no play and no saved offset of the machine's clock",
  async ({ device }) => {
    device.publish([device.addSong(1, 1), device.addSong(2, 1.5)])
    const run = device.agent.start(device.server.url, { args: ['--heartbeat', '0.5'] })
    await device.untilPlaying()
    const before = device.server.heartbeats.length
    device.server.stallMs = 2500
    await device.until(() => expect(device.server.heartbeats.length).toBeGreaterThan(before + 12))
    await device.until(() => expect(device.played().length).toBeGreaterThanOrEqual(6))
    await run.kill('SIGTERM')
    const { offset } = device.agent.readState('clock') as { offset: number }
    expect(Math.abs(offset)).toBeLessThan(500)
    // The last play is complete if the stop came in its last half second.
    expect(device.ofResult('cut').filter(({ why }) => why !== 'agent-stopped')).toEqual([])
  },
)

deviceTest.concurrent(
  'Plays that a wrong clock dated without the server get their dates when the server tells the time',
  async ({ device }) => {
    device.publish([device.addSong(1, 1)])
    const first = device.agent.start(device.server.url)
    await device.until(() => expect(device.played().length).toBeGreaterThan(0))
    await first.kill('SIGTERM')
    const reported = device.server.events.length
    // The machine's clock is ten hours before the last good time, from where the agent's time goes on.
    device.agent.writeState('clock', { offset: 0, lastKnown: Date.now() + 10 * HOUR_MS })
    await device.server.stop()
    const [before, startedAt] = [device.agent.countPlays(), Date.now()]
    const second = device.agent.start(device.server.url, { args: ['--heartbeat', '1'] })
    await device.until(() => expect(device.agent.countPlays()).toBeGreaterThan(before + 2))
    await device.server.start()
    const count = device.played().length
    await device.until(() => expect(device.played().length).toBeGreaterThan(count + 6))
    await second.kill('SIGTERM')
    const events = device.server.events.slice(reported)
    for (const event of events) {
      const dates = event.kind === 'playtrack' ? [event.startedAt, event.endedAt, event.scheduledAt] : []
      for (const date of [event.at, ...dates]) {
        expect(Date.parse(date)).toBeGreaterThan(startedAt - 60_000)
        expect(Date.parse(date)).toBeLessThan(Date.now() + 60_000)
      }
    }
    expect(events).toEqual((await device.agent.readEvents()).slice(-events.length))
  },
)

deviceTest.concurrent(
  'A machine that was online with a clock of 1970 dates nothing in 2084 when its clock was set since',
  async ({ device }) => {
    device.publish([device.addSong(1, 1)])
    const first = device.agent.start(device.server.url)
    await device.until(() => expect(device.played().length).toBeGreaterThan(0))
    await first.kill('SIGTERM')
    device.agent.writeState('clock', { offset: Date.now(), lastKnown: Date.now() })
    await device.server.stop()
    const before = device.agent.countPlays()
    const second = device.agent.start(device.server.url)
    await device.until(() => expect(device.agent.countPlays()).toBeGreaterThan(before + 2))
    await second.kill('SIGTERM')
    for (const { at } of await device.agent.readEvents())
      expect(Math.abs(Date.parse(at) - Date.now())).toBeLessThan(DAY_MS)
  },
)
