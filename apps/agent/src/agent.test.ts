import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { mp4Fixtures } from '@floorcast/testing/media-fixtures.ts'
import { uidOf } from '@floorcast/testing/manifest-arbitrary.ts'
import { useDeviceFixture } from '@floorcast/testing/device-fixture.ts'
import { gapsMsOf } from '@floorcast/testing/plays.ts'
import { expect, test } from 'vitest'

const device = useDeviceFixture()

/**
 * The newest plays, which were all heard whole. A machine that is held up may leave a gap, which is told as one; then the
 * claim is asked again of later plays. For a quiet machine agent.long.ts claims the same of each.
 */
function newestWhole(count: number) {
  const newest = device.played().slice(-count)
  expect(newest.map(play => play.result)).toEqual(Array<string>(count).fill('complete'))
  return newest
}

test('Plays what is published, gapless, from the disk, and reports each play once', async () => {
  const run = device.agent.start(device.server.url)
  await device.until(() => expect(device.server.channels).toBe(1))
  device.publish([device.addSong(1, 2), device.addSong(2, 1.5), device.addSong(3, 2.5)])
  await device.until(() => expect(gapsMsOf(newestWhole(4))).toEqual([0, 0, 0]))
  const playing = () => device.server.heartbeats.map(heartbeat => heartbeat.nowPlaying?.name)
  await device.until(() => expect(playing()).toContain('Song 2'))
  await run.kill('SIGTERM')
  const plays = await device.agent.readPlays()
  for (const gap of gapsMsOf(plays)) expect(gap).toBeGreaterThanOrEqual(0)
  expect(device.ofResult('failed')).toEqual([])
  expect(device.played()).toEqual(plays)
  expect(device.server.duplicates).toEqual([])
  expect(device.server.acknowledged.length).toBeGreaterThan(0)
  expect(device.server.heartbeats.at(-1)?.held).toEqual([
    { publicationUid: uidOf(600), revision: 1, missing: 0 },
  ])
  expect(statSync(join(device.agent.dataDir, 'token')).mode & 0o777).toBe(0o600)
})

test('However the clock is corrected meanwhile, plays last as long as they say, and none begins before the former ends', async () => {
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
})

test('A new publication takes over at a track boundary, and is crossfaded as it says', async () => {
  device.publish([device.addSong(1, 3)])
  const run = device.agent.start(device.server.url)
  await device.untilPlaying()
  device.publish([device.addSong(2, 3), device.addSong(3, 3)], { uid: 601, crossfadeSeconds: 1 })
  const of = (uid: number) => device.played().filter(play => play.publicationUid === uidOf(uid))
  await device.until(() => {
    const crossed = newestWhole(3)
    expect(new Set(crossed.map(play => play.publicationUid))).toEqual(new Set([uidOf(601)]))
    for (const gap of gapsMsOf(crossed)) expect(Math.abs(gap + 1000)).toBeLessThan(100)
  })
  await run.kill('SIGTERM')
  expect(of(600).length).toBeGreaterThan(0)
  expect(of(600).filter(play => play.why === 'publication')).toEqual([])
})

test('A video device plays its videos, on a screen or without one, with and without sound', async () => {
  const films = [mp4Fixtures.faststart, mp4Fixtures.silent].map(({ name, path, durationSeconds }, number) =>
    device.addFile(number, readFileSync(path), { name, contentType: 'videos', durationSeconds }),
  )
  const run = device.agent.start(device.server.url)
  await device.until(() => expect(device.server.channels).toBe(1))
  device.publish(films)
  const whole = () => new Set(device.ofResult('complete').map(play => play.trackName))
  await device.until(() => expect(whole()).toEqual(new Set(films.map(film => film.name))))
  await run.kill('SIGTERM')
  expect(device.ofResult('failed')).toEqual([])
})

test('A second agent on the same folder is kept out while the first one lives, however that ends', async () => {
  const first = device.agent.start(device.server.url)
  await device.until(() => expect(device.server.channels).toBe(1))
  const second = device.agent.start(device.server.url)
  expect(await second.ended).toBe(2)
  expect(second.output.join('')).toContain('Another agent runs in')
  await first.kill('SIGKILL')
  device.agent.start(device.server.url)
  await device.until(() => expect(device.server.heartbeats.length).toBeGreaterThan(1))
  await device.until(() => expect(device.server.channels).toBe(1))
})

test('A licence key that is bound to another box ends the agent with a code and the reason', async () => {
  device.server.boundHardwareId = uidOf(9)
  const run = device.agent.start(device.server.url)
  expect(await run.ended).toBe(3)
  expect(run.output.join('')).toContain('license-bound')
})

test('A key that no device has ends a new agent; one that was bound before plays on and asks again', async () => {
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
})

test('A refusal that comes late ends no session that was opened meanwhile', async () => {
  device.publish([device.addSong(1, 1)])
  device.agent.start(device.server.url)
  await device.until(() => expect(device.played().length).toBeGreaterThan(0))
  const { promise: isReopened, resolve: letGo } = Promise.withResolvers<void>()
  let held = 0
  device.server.delayAnswer = async (path, isRefused) => {
    if (!isRefused || !path.includes('/send/list/')) return
    held += 1
    await isReopened
  }
  device.server.token = ''
  await device.until(() => expect(held).toBe(1))
  // The manifest is asked for, refused, and asked for again in a new session.
  device.publish([device.addSong(2, 1)])
  await device.until(() => expect(device.server.sessions).toBe(2))
  letGo()
  await device.until(() => expect(device.played().some(play => play.trackName === 'Song 2')).toBe(true))
  expect(device.server.sessions).toBe(2)
})

test('Replaced by another player it plays on and reports nothing', async () => {
  device.publish([device.addSong(1, 1)])
  device.agent.start(device.server.url)
  await device.until(() => expect(device.played().length).toBeGreaterThan(0))
  device.server.send({ type: 'replaced' })
  await device.until(() => expect(device.server.channels).toBe(0))
  // What was logged before is delivered still; three plays later nothing has come to it.
  await device.until(() => expect(device.played()).toHaveLength(device.agent.countPlays()))
  const [plays, heartbeats] = [device.played().length, device.server.heartbeats.length]
  const begun = new Set<string>()
  await device.until(() => {
    for (const since of device.agent.playingSince()) begun.add(since)
    expect(begun.size).toBeGreaterThan(3)
  })
  expect([device.played().length, device.server.heartbeats.length, device.server.channels]).toEqual([
    plays,
    heartbeats,
    0,
  ])
})

test('Says what would play and why, without the server', async () => {
  device.publish([device.addSong(1, 30)])
  const run = device.agent.start(device.server.url)
  await device.untilPlaying()
  await run.kill('SIGTERM')
  await device.server.stop()
  const [first = '{}'] = (await device.agent.printCue()).split('\n')
  expect(JSON.parse(first)).toMatchObject({ plays: 'Song 1', because: 'loop', publication: 'Everywhere' })
})
