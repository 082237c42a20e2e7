import { statSync, truncateSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type DeviceFixture, deviceTest } from '@floorcast/testing/device-fixture.ts'
import { expect } from 'vitest'

const mediaFolder = (device: DeviceFixture) => join(device.agent.dataDir, 'media')

deviceTest.concurrent(
  'An unplayable file is skipped, reported and downloaded again only once',
  async ({ device }) => {
    const good = device.addSong(1, 1)
    const noise = Buffer.from('no sound at all '.repeat(200))
    const bad = device.addFile(7, noise, { name: 'Noise', durationSeconds: 1 })
    device.publish([good, bad])
    device.agent.start(device.server.url)
    await device.until(() => expect(device.ofResult('failed')).toHaveLength(2))
    await device.until(() => expect(device.ofResult('complete').length).toBeGreaterThanOrEqual(3))
    expect(device.ofResult('failed')).toHaveLength(2)
    expect(device.server.ranges).toHaveLength(3)
    await device.until(() =>
      expect(device.server.heartbeats.at(-1)?.quarantined).toEqual([{ name: 'Noise', sha256: bad.sha256 }]),
    )
    expect(await readdir(mediaFolder(device))).toEqual([good.sha256])
  },
)

deviceTest.concurrent(
  'A file that failed twice plays after a new upload, and is no longer reported as quarantined',
  async ({ device }) => {
    const noise = Buffer.from('no sound at all '.repeat(200))
    const bad = device.addFile(7, noise, { name: 'Seven', durationSeconds: 1 })
    device.publish([device.addSong(1, 1), bad])
    device.agent.start(device.server.url)
    const quarantined = () => device.server.heartbeats.at(-1)?.quarantined
    await device.until(() => expect(quarantined()).toEqual([{ name: 'Seven', sha256: bad.sha256 }]))
    await device.until(() => expect(device.ofResult('failed')).toHaveLength(2))
    const replacement = { ...device.addSong(7, 1), name: 'Seven' }
    expect(replacement).toMatchObject({
      mediaUid: bad.mediaUid,
      sha256: expect.not.stringMatching(bad.sha256) as string,
    })
    device.publish([replacement])
    await device.until(() =>
      expect(device.ofResult('complete').map(play => play.trackName)).toContain('Seven'),
    )
    await device.until(() => expect(quarantined()).toEqual([]))
  },
)

deviceTest.concurrent(
  'A file that lost its end on the disk is found when it ends early, and downloaded again',
  async ({ device }) => {
    const song = device.addSong(1, 4)
    device.publish([song, device.addSong(2, 1)])
    const first = device.agent.start(device.server.url)
    await device.until(() => expect(device.played().length).toBeGreaterThan(0))
    await first.kill('SIGTERM')
    const path = join(mediaFolder(device), song.sha256)
    truncateSync(path, Math.round(song.sizeBytes / 2))
    device.agent.start(device.server.url)
    await device.until(() =>
      expect(device.server.events).toContainEqual(
        expect.objectContaining({ kind: 'debug', code: 'file-damaged' }),
      ),
    )
    expect(device.ofResult('cut').map(({ why }) => why)).toContain('short-file')
    const foundAt = device.server.events.findLastIndex(
      event => event.kind === 'debug' && event.code === 'file-damaged',
    )
    await device.until(() =>
      expect(device.server.events.slice(foundAt)).toContainEqual(
        expect.objectContaining({ trackName: 'Song 1', result: 'complete' }),
      ),
    )
    await device.until(() => expect(device.server.heartbeats.at(-1)?.quarantined).toEqual([]))
  },
)

deviceTest.concurrent(
  'No silence lasts 2 s after a file that ended seconds too early',
  async ({ device }) => {
    const song = device.addSong(1, 8)
    device.publish([song, device.addSong(2, 1)])
    device.agent.start(device.server.url)
    await device.until(() =>
      expect(device.ofResult('complete').map(one => one.trackName)).toContain('Song 1'),
    )
    // The next play has opened the file already, but not read it.
    truncateSync(join(mediaFolder(device), song.sha256), Math.round(song.sizeBytes / 2))
    const since = () => {
      const plays = device.played()
      return plays.slice(plays.findIndex(({ why }) => why === 'short-file'))
    }
    await device.until(() => expect(device.ofResult('cut').map(({ why }) => why)).toContain('short-file'))
    await device.until(() => expect(since().length).toBeGreaterThanOrEqual(3))
    const gaps = since()
      .slice(1)
      .map(({ startedAt }, nr) => Date.parse(startedAt) - Date.parse(since()[nr]?.endedAt ?? ''))
    expect(Math.max(...gaps)).toBeLessThan(2000)
  },
)

deviceTest.concurrent(
  'A file that was damaged on the disk is detected when it plays, and downloaded again',
  async ({ device }) => {
    const [song, other] = [device.addSong(1, 1), device.addSong(2, 1)]
    device.publish([song, other])
    const first = device.agent.start(device.server.url)
    await device.until(() => expect(device.played().length).toBeGreaterThan(1))
    await first.kill('SIGTERM')
    const path = join(mediaFolder(device), song.sha256)
    truncateSync(path, 10)
    writeFileSync(path, 'xx', { flag: 'a' })
    device.agent.start(device.server.url)
    await device.until(() => expect(device.ofResult('failed')).toHaveLength(1))
    await device.until(() => expect(statSync(path).size).toBe(song.sizeBytes))
    const failedAt = device.server.events.findLastIndex(
      event => event.kind === 'playtrack' && event.result === 'failed',
    )
    await device.until(() => {
      const since = device.server.events.slice(failedAt + 1)
      expect(since).toContainEqual(expect.objectContaining({ trackName: 'Song 1', result: 'complete' }))
    })
  },
)
