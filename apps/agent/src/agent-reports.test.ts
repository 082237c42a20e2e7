import { deviceTest } from '@floorcast/testing/device-fixture.ts'
import { makeItem, makePlaylist, makePublication, uidOf } from '@floorcast/testing/manifest-arbitrary.ts'
import { expect } from 'vitest'

deviceTest.concurrent(
  'Says that nothing is published, where it joined a track, and that it stops',
  async ({ device }) => {
    const last = () => device.server.heartbeats.at(-1)
    device.publishAll([], [])
    const run = device.agent.start(device.server.url, { args: ['--heartbeat', '2'] })
    await device.until(() => expect(last()?.silence?.because).toBe('no-publication'))
    expect(last()).toMatchObject({ nowPlaying: null, intervalSeconds: 2 })
    const activatedAt = new Date(Date.now() - 30_000).toISOString()
    const publication = makePublication(makePlaylist([makeItem(0)]), { uid: uidOf(600), activatedAt })
    device.publishAll([device.addSong(1, 200)], [publication])
    await device.until(() => expect(last()?.nowPlaying?.name).toBe('Song 1'))
    const { startedAt = '', offsetSeconds = 0 } = last()?.nowPlaying ?? {}
    expect(last()?.silence).toBeNull()
    // The file begins with the loop.
    const fileBegan = Date.parse(startedAt) - offsetSeconds * 1000
    expect(offsetSeconds).toBeGreaterThan(29)
    expect(Math.abs(fileBegan - Date.parse(activatedAt))).toBeLessThan(2000)
    await run.kill('SIGTERM')
    expect(last()).toMatchObject({ nowPlaying: null, silence: { because: 'stopped' } })
  },
)
