import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { mp4Fixtures } from '@floorcast/testing/media-fixtures.ts'
import { uidOf } from '@floorcast/testing/manifest-arbitrary.ts'
import { useDeviceStage } from '@floorcast/testing/device-fixture.ts'
import { gapsOf } from '@floorcast/testing/plays.ts'
import { expect, test } from 'vitest'

const stage = useDeviceStage()

/**
 * The newest plays, which were all heard whole. A machine that is held up may leave a gap, which is told as one; then the
 * claim is asked again of later plays. For a quiet machine agent.long.ts claims the same of each.
 */
function newestWhole(count: number) {
  const newest = stage.played().slice(-count)
  expect(newest.map(play => play.result)).toEqual(Array<string>(count).fill('complete'))
  return newest
}

test('Plays what is published, gapless, from the disk, and reports each play once', async () => {
  const run = stage.agent.start(stage.server.url)
  await stage.until(() => expect(stage.server.channels).toBe(1))
  stage.publish([stage.addSong(1, 2), stage.addSong(2, 1.5), stage.addSong(3, 2.5)])
  await stage.until(() => expect(gapsOf(newestWhole(4))).toEqual([0, 0, 0]))
  const playing = () => stage.server.heartbeats.map(heartbeat => heartbeat.nowPlaying?.name)
  await stage.until(() => expect(playing()).toContain('Song 2'))
  await run.kill('SIGTERM')
  const plays = await stage.agent.readPlays()
  for (const gap of gapsOf(plays)) expect(gap).toBeGreaterThanOrEqual(0)
  expect(stage.ofResult('failed')).toEqual([])
  expect(stage.played()).toEqual(plays)
  expect(stage.server.duplicates).toEqual([])
  expect(stage.server.acknowledged.length).toBeGreaterThan(0)
  expect(stage.server.heartbeats.at(-1)?.held).toEqual([
    { publicationUid: uidOf(600), revision: 1, missing: 0 },
  ])
  expect(statSync(join(stage.agent.dataDir, 'token')).mode & 0o777).toBe(0o600)
})

test('However the clock is corrected meanwhile, plays last as long as they say, and none begins before the former ends', async () => {
  let answers = 0
  Object.defineProperty(stage.server, 'clockShift', { get: () => (++answers % 2 === 0 ? 400 : -400) })
  stage.publish([stage.addSong(1, 1), stage.addSong(2, 1.25)])
  const run = stage.agent.start(stage.server.url)
  await stage.until(() => expect(stage.played().length).toBeGreaterThan(4))
  await stage.until(() => expect(answers).toBeGreaterThan(3))
  await run.kill('SIGTERM')
  for (const gap of gapsOf(stage.played())) expect(gap).toBeGreaterThanOrEqual(0)
  for (const { startedAt, endedAt, secondsPlayed } of stage.played())
    expect(Date.parse(endedAt) - Date.parse(startedAt)).toBe(Math.round(secondsPlayed * 1000))
})

test('A new publication takes over at a track boundary, and is crossfaded as it says', async () => {
  stage.publish([stage.addSong(1, 3)])
  const run = stage.agent.start(stage.server.url)
  await stage.heard()
  stage.publish([stage.addSong(2, 3), stage.addSong(3, 3)], { uid: 601, crossfadeSeconds: 1 })
  const of = (uid: number) => stage.played().filter(play => play.publicationUid === uidOf(uid))
  await stage.until(() => {
    const crossed = newestWhole(3)
    expect(new Set(crossed.map(play => play.publicationUid))).toEqual(new Set([uidOf(601)]))
    for (const gap of gapsOf(crossed)) expect(Math.abs(gap + 1000)).toBeLessThan(100)
  })
  await run.kill('SIGTERM')
  expect(of(600).length).toBeGreaterThan(0)
  expect(of(600).filter(play => play.why === 'publication')).toEqual([])
})

test('A video device plays its videos, on a screen or without one, with and without sound', async () => {
  const films = [mp4Fixtures.faststart, mp4Fixtures.silent].map(({ name, path, durationSeconds }, number) =>
    stage.addFile(number, readFileSync(path), { name, contentType: 'videos', durationSeconds }),
  )
  const run = stage.agent.start(stage.server.url)
  await stage.until(() => expect(stage.server.channels).toBe(1))
  stage.publish(films)
  const whole = () => new Set(stage.ofResult('complete').map(play => play.trackName))
  await stage.until(() => expect(whole()).toEqual(new Set(films.map(film => film.name))))
  await run.kill('SIGTERM')
  expect(stage.ofResult('failed')).toEqual([])
})

test('A second agent on the same folder is kept out while the first one lives, however that ends', async () => {
  const first = stage.agent.start(stage.server.url)
  await stage.until(() => expect(stage.server.channels).toBe(1))
  const second = stage.agent.start(stage.server.url)
  expect(await second.ended).toBe(2)
  expect(second.output.join('')).toContain('Another agent runs in')
  await first.kill('SIGKILL')
  stage.agent.start(stage.server.url)
  await stage.until(() => expect(stage.server.heartbeats.length).toBeGreaterThan(1))
  await stage.until(() => expect(stage.server.channels).toBe(1))
})

test('A licence key that is bound to another box ends the agent with a code and the reason', async () => {
  stage.server.boundBox = uidOf(9)
  const run = stage.agent.start(stage.server.url)
  expect(await run.ended).toBe(3)
  expect(run.output.join('')).toContain('license-bound')
})

test('A key that no device has ends a new agent; one that was bound before plays on and asks again', async () => {
  stage.server.knowsKey = false
  expect(await stage.agent.start(stage.server.url).ended).toBe(4)
  stage.server.knowsKey = true
  const bound = stage.agent.start(stage.server.url)
  await stage.until(() => expect(stage.server.channels).toBe(1))
  stage.publish([stage.addSong(1, 1)])
  await stage.until(() => expect(stage.played().length).toBeGreaterThan(0))
  stage.server.knowsKey = false
  await stage.server.stop()
  await stage.server.start()
  const before = stage.agent.countPlays()
  await stage.until(() => expect(stage.agent.countPlays()).toBeGreaterThan(before + 2))
  stage.server.knowsKey = true
  await stage.until(() => expect(stage.server.channels).toBe(1))
  await bound.kill('SIGTERM')
  expect(stage.server.events).toEqual(await stage.agent.readEvents())
})

test('A refusal that comes late ends no session that was opened meanwhile', async () => {
  stage.publish([stage.addSong(1, 1)])
  stage.agent.start(stage.server.url)
  await stage.until(() => expect(stage.played().length).toBeGreaterThan(0))
  const { promise: isReopened, resolve: letGo } = Promise.withResolvers<void>()
  let held = 0
  stage.server.hold = async (path, isRefused) => {
    if (!isRefused || !path.includes('/send/list/')) return
    held += 1
    await isReopened
  }
  stage.server.token = ''
  await stage.until(() => expect(held).toBe(1))
  // The manifest is asked for, refused, and asked for again in a new session.
  stage.publish([stage.addSong(2, 1)])
  await stage.until(() => expect(stage.server.sessions).toBe(2))
  letGo()
  await stage.until(() => expect(stage.played().some(play => play.trackName === 'Song 2')).toBe(true))
  expect(stage.server.sessions).toBe(2)
})

test('Replaced by another player it plays on and reports nothing', async () => {
  stage.publish([stage.addSong(1, 1)])
  stage.agent.start(stage.server.url)
  await stage.until(() => expect(stage.played().length).toBeGreaterThan(0))
  stage.server.tell({ type: 'replaced' })
  await stage.until(() => expect(stage.server.channels).toBe(0))
  // What was logged before is delivered still; three plays later nothing has come to it.
  await stage.until(() => expect(stage.played()).toHaveLength(stage.agent.countPlays()))
  const [plays, heartbeats] = [stage.played().length, stage.server.heartbeats.length]
  const begun = new Set<string>()
  await stage.until(() => {
    for (const since of stage.agent.playingSince()) begun.add(since)
    expect(begun.size).toBeGreaterThan(3)
  })
  expect([stage.played().length, stage.server.heartbeats.length, stage.server.channels]).toEqual([
    plays,
    heartbeats,
    0,
  ])
})

test('Says what would play and why, without the server', async () => {
  stage.publish([stage.addSong(1, 30)])
  const run = stage.agent.start(stage.server.url)
  await stage.heard()
  await run.kill('SIGTERM')
  await stage.server.stop()
  const [first = '{}'] = (await stage.agent.printCue()).split('\n')
  expect(JSON.parse(first)).toMatchObject({ plays: 'Song 1', because: 'loop', publication: 'Everywhere' })
})
