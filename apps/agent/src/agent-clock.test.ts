import { deviceTest } from '@floorcast/testing/device-fixture.ts'
import { expect } from 'vitest'

const DAY_MS = 86_400_000

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
    expect(device.ofResult('cut').map(({ why }) => why)).toEqual(['agent-stopped'])
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
