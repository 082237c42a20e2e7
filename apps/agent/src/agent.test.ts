import { readFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { mp4Fixtures } from '@floorcast/testing/media-fixtures.ts'
import { uidOf } from '@floorcast/testing/manifest-arbitrary.ts'
import { type DeviceFixture, deviceTest } from '@floorcast/testing/device-fixture.ts'
import { gapsMsOf } from '@floorcast/testing/plays.ts'
import { expect } from 'vitest'

/**
 * The newest plays, all of which must be complete. A busy machine may cause a gap, which is reported as one; the caller then
 * checks later plays. On a quiet machine, agent.long.ts checks each play.
 */
function newestComplete(device: DeviceFixture, count: number) {
  const newest = device.played().slice(-count)
  expect(newest.map(play => play.result)).toEqual(Array<string>(count).fill('complete'))
  return newest
}

deviceTest.concurrent(
  'Plays a publication from the disk without gaps, and reports each play once',
  async ({ device }) => {
    const run = device.agent.start(device.server.url)
    await device.until(() => expect(device.server.channels).toBe(1))
    device.publish([device.addSong(1, 2), device.addSong(2, 1.5), device.addSong(3, 2.5)])
    await device.until(() => expect(gapsMsOf(newestComplete(device, 4))).toEqual([0, 0, 0]))
    const playing = () => device.server.heartbeats.map(heartbeat => heartbeat.nowPlaying?.name)
    await device.until(() => expect(playing()).toContain('Song 2'))
    device.server.send({ type: 'command', id: uidOf(9), command: 'volume', value: 30 })
    await device.until(() => expect(device.server.acknowledged).toEqual([uidOf(9)]))
    await run.kill('SIGTERM')
    const plays = await device.agent.readPlays()
    for (const gap of gapsMsOf(plays)) expect(gap).toBeGreaterThanOrEqual(0)
    expect(device.ofResult('failed')).toEqual([])
    expect(device.played()).toEqual(plays)
    expect(device.server.duplicates).toEqual([])
    const held = [{ publicationUid: uidOf(600), revision: 1, missing: 0 }]
    expect(device.server.heartbeats.at(-1)?.held).toEqual(held)
    expect(device.server.programmesRead).toHaveLength(1)
    // A token belongs to one start.
    expect(existsSync(join(device.agent.dataDir, 'token'))).toBe(false)
  },
)

deviceTest.concurrent(
  'Corrections of the clock change no reported length and cause no overlap',
  async ({ device }) => {
    let answers = 0
    Object.defineProperty(device.server, 'clockShift', { get: () => (++answers % 2 === 0 ? 400 : -400) })
    device.publish([device.addSong(1, 1), device.addSong(2, 1.25)])
    const run = device.agent.start(device.server.url)
    await device.until(() => expect(device.played().length).toBeGreaterThan(4))
    await device.until(() => expect(answers).toBeGreaterThan(3))
    await run.kill('SIGTERM')
    for (const gap of gapsMsOf(device.played())) expect(gap).toBeGreaterThanOrEqual(0)
    for (const { startedAt, endedAt, secondsPlayed } of device.played())
      expect(Date.parse(endedAt) - Date.parse(startedAt)).toBe(Math.round(secondsPlayed * 1000))
  },
)

deviceTest.concurrent(
  'A new publication takes over at a track boundary, with its crossfade',
  async ({ device }) => {
    device.publish([device.addSong(1, 3)])
    const run = device.agent.start(device.server.url)
    await device.untilPlaying()
    device.publish([device.addSong(2, 3), device.addSong(3, 3)], { uid: 601, crossfadeSeconds: 1 })
    const of = (uid: number) => device.played().filter(play => play.publicationUid === uidOf(uid))
    await device.until(() => {
      const crossed = newestComplete(device, 3)
      expect(new Set(crossed.map(play => play.publicationUid))).toEqual(new Set([uidOf(601)]))
      for (const gap of gapsMsOf(crossed)) expect(Math.abs(gap + 1000)).toBeLessThan(100)
    })
    await run.kill('SIGTERM')
    expect(of(600).length).toBeGreaterThan(0)
    expect(of(600).filter(play => play.why === 'publication')).toEqual([])
  },
)

deviceTest.concurrent(
  'A video device plays videos with and without sound, on a screen or without one',
  async ({ device }) => {
    const films = [mp4Fixtures.faststart, mp4Fixtures.silent].map(({ name, path, durationSeconds }, number) =>
      device.addFile(number, readFileSync(path), { name, contentType: 'videos', durationSeconds }),
    )
    const run = device.agent.start(device.server.url)
    await device.until(() => expect(device.server.channels).toBe(1))
    device.publish(films)
    const complete = () => new Set(device.ofResult('complete').map(play => play.trackName))
    await device.until(() => expect(complete()).toEqual(new Set(films.map(film => film.name))))
    await run.kill('SIGTERM')
    expect(device.ofResult('failed')).toEqual([])
  },
)

deviceTest.concurrent(
  'A second agent on the same folder is refused until the first one ends, also by a kill',
  async ({ device }) => {
    const first = device.agent.start(device.server.url)
    await device.until(() => expect(device.server.channels).toBe(1))
    const second = device.agent.start(device.server.url)
    expect(await second.ended).toBe(1)
    expect(second.output.join('')).toContain('Another agent runs in')
    await first.kill('SIGKILL')
    device.agent.start(device.server.url)
    await device.until(() => expect(device.server.heartbeats.length).toBeGreaterThan(1))
    await device.until(() => expect(device.server.channels).toBe(1))
  },
)

deviceTest.concurrent(
  'A license key that is bound to another player ends the agent with an exit code and the reason',
  async ({ device }) => {
    device.server.boundHardwareId = uidOf(9)
    const run = device.agent.start(device.server.url)
    expect(await run.ended).toBe(3)
    expect(run.output.join('')).toContain('license-bound')
  },
)

deviceTest.concurrent(
  'An unknown license key ends a new agent; a bound agent continues to play and retries',
  async ({ device }) => {
    device.server.knowsKey = false
    expect(await device.agent.start(device.server.url).ended).toBe(4)
    device.server.knowsKey = true
    const bound = device.agent.start(device.server.url)
    await device.until(() => expect(device.server.channels).toBe(1))
    device.publish([device.addSong(1, 1)])
    await device.until(() => expect(device.played().length).toBeGreaterThan(0))
    device.server.knowsKey = false
    await device.server.stop()
    await device.server.start()
    const before = device.agent.countPlays()
    await device.until(() => expect(device.agent.countPlays()).toBeGreaterThan(before + 2))
    device.server.knowsKey = true
    await device.until(() => expect(device.server.channels).toBe(1))
    await bound.kill('SIGTERM')
    expect(device.server.events).toEqual(await device.agent.readEvents())
  },
)

deviceTest.concurrent(
  'A late refusal does not end a session that was opened after the refused call',
  async ({ device }) => {
    device.publish([device.addSong(1, 1)])
    device.agent.start(device.server.url)
    await device.until(() => expect(device.played().length).toBeGreaterThan(0))
    const { promise: isReopened, resolve: reopen } = Promise.withResolvers<void>()
    let held = 0
    device.server.delayAnswer = async (path, isRefused) => {
      if (!isRefused || !path.includes('/send/list/')) return
      held += 1
      await isReopened
    }
    device.server.token = ''
    await device.until(() => expect(held).toBe(1))
    // The manifest's first request is refused; the second one uses a new session.
    device.publish([device.addSong(2, 1)])
    await device.until(() => expect(device.server.sessions).toBe(2))
    reopen()
    await device.until(() => expect(device.played().some(play => play.trackName === 'Song 2')).toBe(true))
    expect(device.server.sessions).toBe(2)
  },
)

deviceTest.concurrent(
  'After another player has taken over the session, it continues to play and reports nothing',
  async ({ device }) => {
    device.publish([device.addSong(1, 1)])
    device.agent.start(device.server.url)
    await device.until(() => expect(device.played().length).toBeGreaterThan(0))
    device.server.send({ type: 'replaced' })
    await device.until(() => expect(device.server.channels).toBe(0))
    // The agent still sends its earlier events; after three more plays, nothing has been added.
    await device.until(() => expect(device.played()).toHaveLength(device.agent.countPlays()))
    const [plays, heartbeats] = [device.played().length, device.server.heartbeats.length]
    const starts = new Set<string>()
    await device.until(() => {
      for (const since of device.agent.playingSince()) starts.add(since)
      expect(starts.size).toBeGreaterThan(3)
    })
    expect([device.played().length, device.server.heartbeats.length, device.server.channels]).toEqual([
      plays,
      heartbeats,
      0,
    ])
  },
)

deviceTest.concurrent(
  '--print-cue prints the current track and its reason without a server',
  async ({ device }) => {
    device.publish([device.addSong(1, 30)])
    const run = device.agent.start(device.server.url)
    await device.untilPlaying()
    await run.kill('SIGTERM')
    await device.server.stop()
    const [first = '{}'] = (await device.agent.printCue()).split('\n')
    expect(JSON.parse(first)).toMatchObject({ plays: 'Song 1', because: 'loop', publication: 'Everywhere' })
  },
)
