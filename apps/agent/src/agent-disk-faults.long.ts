import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DeviceFixture } from '@floorcast/testing/device-fixture.ts'
import { gapsMsOf } from '@floorcast/testing/plays.ts'
import { mountDisk } from '@floorcast/testing/small-disk.ts'
import { expect, onTestFinished, test } from 'vitest'

const MB = 1024 * 1024
const ROUNDS = 20

test('Twenty rounds of a full disk, a deleted media folder and a deleted data folder: no play is lost, doubled or late', async ({
  skip,
}) => {
  const disk = mountDisk(100 * MB) ?? skip()
  const device = await DeviceFixture.make(join(disk.folder, 'data'))
  onTestFinished(() => device.tearDown())
  const { dataDir } = device.agent
  const faults = [
    () => disk.fill('some', 0),
    () => rmSync(join(dataDir, 'media'), { recursive: true }),
    () => rmSync(dataDir, { recursive: true }),
  ]
  device.publish([device.addSong(1, 1), device.addSong(2, 1.25)])
  const run = device.agent.start(device.server.url, { args: ['--heartbeat', '0.3'] })
  await device.until(() => expect(device.played().length).toBeGreaterThan(1))
  for (let round = 0; round < ROUNDS; round += 1) {
    device.server.busyPaths.add('/api/v2/iplay/')
    faults[round % faults.length]?.()
    const heard = await device.hearPlays(5)
    disk.free('some')
    device.server.busyPaths.clear()
    for (const startedAt of heard)
      await device.until(() => expect(device.played().map(play => play.startedAt)).toContain(startedAt))
  }
  await run.kill('SIGTERM')
  const numbers = device.server.events.map(({ sequence }) => sequence).toSorted((a, b) => a - b)
  expect(numbers).toEqual(numbers.map((_, index) => index + 1))
  expect(device.server.duplicates).toEqual([])
  // A name that was deleted after mpv was told it costs an attempt.
  expect(device.ofResult('failed').length).toBeLessThan(ROUNDS)
  expect(Math.max(...gapsMsOf(device.played()))).toBeLessThan(2000)
})
