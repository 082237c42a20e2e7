import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isGone, mpvsOf } from '@floorcast/testing/agent-process.ts'
import { type DeviceFixture, deviceTest } from '@floorcast/testing/device-fixture.ts'
import { uidOf } from '@floorcast/testing/manifest-arbitrary.ts'
import { expect } from 'vitest'

const mediaFolder = (device: DeviceFixture) => join(device.agent.dataDir, 'media')

deviceTest.concurrent(
  'Continues to play without the server, and sends each logged event once when the server is back',
  async ({ device }) => {
    const run = device.agent.start(device.server.url)
    await device.until(() => expect(device.server.channels).toBe(1))
    device.publish([device.addSong(1, 1), device.addSong(2, 1.25)])
    await device.until(() => expect(device.played().length).toBeGreaterThanOrEqual(2))
    await device.server.stop()
    const before = device.played().length
    await device.until(() => expect(device.agent.countPlays()).toBeGreaterThanOrEqual(before + 3))
    device.server.lostAnswers = 1
    await device.server.start()
    await device.until(() => expect(device.server.channels).toBe(1))
    await device.until(() => expect(device.played().length).toBeGreaterThanOrEqual(before + 5))
    await run.kill('SIGTERM')
    const logged = await device.agent.readEvents()
    expect(device.server.events).toEqual(logged)
    expect(logged.map(event => event.sequence)).toEqual(logged.map((_, index) => index + 1))
    expect(device.server.sessions).toBe(1)
  },
)

deviceTest.concurrent(
  'A kill -9 loses nothing: the interrupted play is logged as cut, and mpv has ended',
  async ({ device }) => {
    const first = device.agent.start(device.server.url)
    await device.until(() => expect(device.server.channels).toBe(1))
    device.publish([device.addSong(2, 120)])
    await device.until(() => expect(device.agent.playingSince()).toHaveLength(1))
    const mpvs = await mpvsOf(first.pid)
    expect(mpvs.length).toBeGreaterThan(0)
    await first.kill('SIGKILL')
    await device.until(async () => expect(await Promise.all(mpvs.map(isGone))).not.toContain(false))
    const second = device.agent.start(device.server.url)
    await device.until(() => expect(device.ofResult('cut')).toHaveLength(1))
    expect(device.ofResult('cut')[0]).toMatchObject({
      trackName: 'Song 2',
      why: 'agent-stopped',
      durationSeconds: 120,
    })
    await second.kill('SIGTERM')
    const logged = await device.agent.readEvents()
    expect(device.server.events).toEqual(logged)
    expect(new Set(logged.map(event => event.bootId)).size).toBe(2)
    expect(device.server.sessions).toBe(2)
  },
)

deviceTest.concurrent(
  'A truncated download resumes, a corrupt one restarts, and neither is played before it is complete',
  async ({ device }) => {
    const [truncated, corrupt] = [device.addSong(1, 2), device.addSong(2, 1)]
    device.server.faults.set(truncated.sha256, ['truncate', 'truncate'])
    device.server.faults.set(corrupt.sha256, ['garble'])
    let receivedBytes = 0
    device.server.onHalfSent = sha256 =>
      device.until(async () => {
        const { size } = await stat(join(mediaFolder(device), `${sha256}.part`))
        expect(size).toBeGreaterThan(receivedBytes)
        receivedBytes = size
      })
    device.publish([truncated, corrupt])
    device.agent.start(device.server.url)
    await device.until(() =>
      expect(new Set(device.played().map(play => play.trackName))).toEqual(new Set(['Song 1', 'Song 2'])),
    )
    expect(device.server.ranges.filter(range => range !== undefined).length).toBeGreaterThanOrEqual(2)
    expect(device.ofResult('failed')).toEqual([])
    const wrong = device.server.events.filter(
      event => event.kind === 'debug' && event.code === 'download-wrong-hash',
    )
    expect(wrong).toHaveLength(1)
    expect((await readdir(mediaFolder(device))).toSorted()).toEqual(
      [truncated.sha256, corrupt.sha256].toSorted(),
    )
  },
)

deviceTest.concurrent(
  'A redirect of a file is not followed, so that no other server learns what is asked',
  async ({ device }) => {
    const song = device.addSong(1, 1)
    const heard: string[] = []
    const other = createServer((request, response) => {
      heard.push(request.url ?? '')
      response.end('a file of another server')
    })
    await once(other.listen(0, '127.0.0.1'), 'listening')
    device.server.redirectTo = `http://127.0.0.1:${(other.address() as AddressInfo).port}/song`
    device.server.faults.set(song.sha256, ['redirect'])
    device.publish([song])
    device.agent.start(device.server.url)
    await device.until(() => expect(device.played().map(play => play.trackName)).toContain('Song 1'))
    other.close()
    expect(heard).toEqual([])
    expect(device.server.events).toContainEqual(
      expect.objectContaining({ kind: 'debug', code: 'download-refused' }),
    )
  },
)

deviceTest.concurrent(
  'Of a file that does not end, the agent takes what the manifest announces and no more',
  async ({ device }) => {
    const [endless, good] = [device.addSong(1, 1), device.addSong(2, 1)]
    device.server.faults.set(endless.sha256, ['endless'])
    device.publish([endless, good])
    device.agent.start(device.server.url)
    await device.until(() =>
      expect(new Set(device.played().map(play => play.trackName))).toEqual(new Set(['Song 1', 'Song 2'])),
    )
    expect(device.server.events).toContainEqual(
      expect.objectContaining({ kind: 'debug', code: 'download-too-long' }),
    )
    expect(device.server.endlessBytes).toHaveLength(1)
    expect((await readdir(mediaFolder(device))).toSorted()).toEqual([endless.sha256, good.sha256].toSorted())
  },
)

deviceTest.concurrent(
  'mpv restarts after it was killed, and the interrupted play is logged as cut',
  async ({ device }) => {
    // On a busy machine, the kill must not come within the last half second: that play is complete.
    device.publish([device.addSong(1, 12)])
    const run = device.agent.start(device.server.url)
    await device.until(() => expect(device.agent.playingSince()).toHaveLength(1))
    for (const pid of await mpvsOf(run.pid)) process.kill(pid, 'SIGKILL')
    await device.until(() => expect(device.ofResult('cut').map(play => play.why)).toContain('player-died'))
    await device.until(() =>
      expect(device.ofResult('joined').length + device.ofResult('complete').length).toBeGreaterThanOrEqual(1),
    )
    expect(device.server.events).toContainEqual(
      expect.objectContaining({ kind: 'debug', code: 'player-died' }),
    )
  },
)

deviceTest.concurrent(
  'mpv that dies again after complete plays restarts at once, as after its first death',
  async ({ device }) => {
    device.publish([device.addSong(1, 2), device.addSong(2, 2)])
    const run = device.agent.start(device.server.url)
    await device.untilPlaying()
    const deaths = () =>
      device.server.events.flatMap(event =>
        event.kind === 'debug' && event.code === 'player-died' ? event.message : [],
      )
    for (const count of [1, 2, 3]) {
      const complete = device.ofResult('complete').length
      await device.until(() => expect(device.ofResult('complete').length).toBeGreaterThan(complete))
      for (const pid of await mpvsOf(run.pid)) process.kill(pid, 'SIGKILL')
      await device.until(() => expect(deaths()).toHaveLength(count))
    }
    for (const death of deaths()) expect(death).toContain('started again after 0 ms')
  },
)

deviceTest.concurrent('An mpv that hangs does not prevent an alert', async ({ device }) => {
  const song = device.addSong(1, 120)
  device.publish([song])
  const run = device.agent.start(device.server.url)
  await device.untilPlaying()
  for (const pid of await mpvsOf(run.pid)) process.kill(pid, 'SIGSTOP')
  const alert = {
    uid: uidOf(9),
    kind: 'air',
    beganAt: new Date().toISOString(),
    isDrill: true,
    file: 0,
  } as const
  device.publishAll([song], [], { alerts: [alert] })
  await device.until(() =>
    expect(device.server.events).toContainEqual(expect.objectContaining({ kind: 'alert', step: 'started' })),
  )
  await device.until(() =>
    expect(device.ofResult('cut')[0]).toMatchObject({ trackName: 'Song 1', why: 'alert' }),
  )
})

deviceTest.concurrent(
  'Started without a server, it plays from its disk and sends its events later',
  async ({ device }) => {
    device.publish([device.addSong(1, 1)])
    const first = device.agent.start(device.server.url)
    await device.until(() => expect(device.played().length).toBeGreaterThan(0))
    await first.kill('SIGTERM')
    await device.server.stop()
    const before = device.agent.countPlays()
    const second = device.agent.start(device.server.url)
    await device.until(() => expect(device.agent.countPlays()).toBeGreaterThan(before + 2))
    await device.server.start()
    await device.until(() => expect(device.server.channels).toBe(1))
    await second.kill('SIGTERM')
    expect(device.server.events).toEqual(await device.agent.readEvents())
  },
)

deviceTest.concurrent(
  'Without mpv, it says so at once, and plays when it is installed',
  async ({ device, onTestFinished }) => {
    const path = mkdtempSync(join(tmpdir(), 'floorcast-path-'))
    onTestFinished(() => rmSync(path, { recursive: true }))
    const run = device.agent.start(device.server.url, { path })
    const because = () => device.server.heartbeats.at(-1)?.silence?.because
    await device.until(() => expect(because()).toBe('player-missing'))
    expect(run.output.join('')).toContain('mpv, which plays the sound, is missing')
    await device.until(() =>
      expect(device.server.events).toContainEqual(expect.objectContaining({ code: 'player-missing' })),
    )
    device.publish([device.addSong(1, 1)])
    symlinkSync(execFileSync('which', ['mpv'], { encoding: 'utf8' }).trim(), join(path, 'mpv'))
    await device.until(() => expect(device.ofResult('complete').length).toBeGreaterThan(0))
  },
)
