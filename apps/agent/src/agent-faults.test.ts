import { statSync, truncateSync, writeFileSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isGone, mpvsOf } from '@floorcast/testing/agent-process.ts'
import { useDeviceStage } from '@floorcast/testing/device-fixture.ts'
import { uidOf } from '@floorcast/testing/manifest-arbitrary.ts'
import { expect, test } from 'vitest'

const stage = useDeviceStage()
const mediaFolder = () => join(stage.agent.dataDir, 'media')

test('Plays on without the server, and delivers what it logged when the server is back, nothing twice', async () => {
  const run = stage.agent.start(stage.server.url)
  await stage.until(() => expect(stage.server.channels).toBe(1))
  stage.publish([stage.addSong(1, 1), stage.addSong(2, 1.25)])
  await stage.until(() => expect(stage.played().length).toBeGreaterThanOrEqual(2))
  await stage.server.stop()
  const before = stage.played().length
  await stage.until(() => expect(stage.agent.countPlays()).toBeGreaterThanOrEqual(before + 3))
  stage.server.lostAnswers = 1
  await stage.server.start()
  await stage.until(() => expect(stage.server.channels).toBe(1))
  await stage.until(() => expect(stage.played().length).toBeGreaterThanOrEqual(before + 5))
  await run.kill('SIGTERM')
  const logged = await stage.agent.readEvents()
  expect(stage.server.events).toEqual(logged)
  expect(logged.map(event => event.sequence)).toEqual(logged.map((_, index) => index + 1))
  expect(stage.server.sessions).toBe(1)
})

test('Killed with -9 it loses nothing: the play that was on is logged as cut, and mpv is gone', async () => {
  const first = stage.agent.start(stage.server.url)
  await stage.until(() => expect(stage.server.channels).toBe(1))
  stage.publish([stage.addSong(2, 120)])
  await stage.until(() => expect(stage.agent.playingSince()).toHaveLength(1))
  const mpvs = await mpvsOf(first.pid)
  expect(mpvs.length).toBeGreaterThan(0)
  await first.kill('SIGKILL')
  await stage.until(async () => expect(await Promise.all(mpvs.map(isGone))).not.toContain(false))
  const second = stage.agent.start(stage.server.url)
  await stage.until(() => expect(stage.ofResult('cut')).toHaveLength(1))
  expect(stage.ofResult('cut')[0]).toMatchObject({
    trackName: 'Song 2',
    why: 'agent-stopped',
    durationSeconds: 120,
  })
  await second.kill('SIGTERM')
  const logged = await stage.agent.readEvents()
  expect(stage.server.events).toEqual(logged)
  expect(new Set(logged.map(event => event.bootId)).size).toBe(2)
  expect(stage.server.sessions).toBe(1)
})

test('A torn or spoilt download is never played: it goes on where it broke off, or begins anew', async () => {
  const [torn, spoilt] = [stage.addSong(1, 2), stage.addSong(2, 1)]
  stage.server.faults.set(torn.sha256, ['truncate', 'truncate'])
  stage.server.faults.set(spoilt.sha256, ['garble'])
  let arrived = 0
  stage.server.halfSent = sha256 =>
    stage.until(async () => {
      const { size } = await stat(join(mediaFolder(), `${sha256}.part`))
      expect(size).toBeGreaterThan(arrived)
      arrived = size
    })
  stage.publish([torn, spoilt])
  stage.agent.start(stage.server.url)
  await stage.until(() =>
    expect(new Set(stage.played().map(play => play.trackName))).toEqual(new Set(['Song 1', 'Song 2'])),
  )
  expect(stage.server.ranges.filter(range => range !== undefined).length).toBeGreaterThanOrEqual(2)
  expect(stage.ofResult('failed')).toEqual([])
  const wrong = stage.server.events.filter(
    event => event.kind === 'debug' && event.code === 'download-wrong-hash',
  )
  expect(wrong).toHaveLength(1)
  expect((await readdir(mediaFolder())).toSorted()).toEqual([torn.sha256, spoilt.sha256].toSorted())
})

test('A file that cannot be played is skipped, reported, fetched again once and then left', async () => {
  const good = stage.addSong(1, 1)
  const noise = Buffer.from('no sound at all '.repeat(200))
  const bad = stage.addFile(7, noise, { name: 'Noise', durationSeconds: 1 })
  stage.publish([good, bad])
  stage.agent.start(stage.server.url)
  await stage.until(() => expect(stage.ofResult('failed')).toHaveLength(2))
  await stage.until(() => expect(stage.ofResult('complete').length).toBeGreaterThanOrEqual(3))
  expect(stage.ofResult('failed')).toHaveLength(2)
  expect(stage.server.ranges).toHaveLength(3)
  await stage.until(() =>
    expect(stage.server.heartbeats.at(-1)?.quarantined).toEqual([{ name: 'Noise', sha256: bad.sha256 }]),
  )
  expect(await readdir(mediaFolder())).toEqual([good.sha256])
})

test('A file that failed twice and is uploaded anew plays, and is no longer named as broken', async () => {
  const noise = Buffer.from('no sound at all '.repeat(200))
  const bad = stage.addFile(7, noise, { name: 'Seven', durationSeconds: 1 })
  stage.publish([stage.addSong(1, 1), bad])
  stage.agent.start(stage.server.url)
  const named = () => stage.server.heartbeats.at(-1)?.quarantined
  await stage.until(() => expect(named()).toEqual([{ name: 'Seven', sha256: bad.sha256 }]))
  await stage.until(() => expect(stage.ofResult('failed')).toHaveLength(2))
  const anew = { ...stage.addSong(7, 1), name: 'Seven' }
  expect(anew).toMatchObject({
    mediaUid: bad.mediaUid,
    sha256: expect.not.stringMatching(bad.sha256) as string,
  })
  stage.publish([anew])
  await stage.until(() => expect(stage.ofResult('complete').map(play => play.trackName)).toContain('Seven'))
  await stage.until(() => expect(named()).toEqual([]))
})

test('mpv dying is survived: it is started again, and the play that it took is logged as cut', async () => {
  stage.publish([stage.addSong(1, 4)])
  const run = stage.agent.start(stage.server.url)
  await stage.until(() => expect(stage.agent.playingSince()).toHaveLength(1))
  for (const pid of await mpvsOf(run.pid)) process.kill(pid, 'SIGKILL')
  await stage.until(() => expect(stage.ofResult('cut').map(play => play.why)).toContain('player-died'))
  await stage.until(() =>
    expect(stage.ofResult('joined').length + stage.ofResult('complete').length).toBeGreaterThanOrEqual(1),
  )
  expect(stage.server.events).toContainEqual(expect.objectContaining({ kind: 'debug', code: 'player-died' }))
})

test('An mpv that hangs keeps no alert back', async () => {
  const song = stage.addSong(1, 120)
  stage.publish([song])
  const run = stage.agent.start(stage.server.url)
  await stage.heard()
  for (const pid of await mpvsOf(run.pid)) process.kill(pid, 'SIGSTOP')
  const alert = {
    uid: uidOf(9),
    kind: 'air',
    beganAt: new Date().toISOString(),
    isDrill: true,
    file: 0,
  } as const
  stage.publishAll([song], [], { alerts: [alert] })
  await stage.until(() =>
    expect(stage.server.events).toContainEqual(expect.objectContaining({ kind: 'alert', step: 'started' })),
  )
  expect(stage.ofResult('cut')[0]).toMatchObject({ trackName: 'Song 1', why: 'alert' })
})

test('Started while the server is away it plays from its disk, and delivers later', async () => {
  stage.publish([stage.addSong(1, 1)])
  const first = stage.agent.start(stage.server.url)
  await stage.until(() => expect(stage.played().length).toBeGreaterThan(0))
  await first.kill('SIGTERM')
  await stage.server.stop()
  const before = stage.agent.countPlays()
  const second = stage.agent.start(stage.server.url)
  await stage.until(() => expect(stage.agent.countPlays()).toBeGreaterThan(before + 2))
  await stage.server.start()
  await stage.until(() => expect(stage.server.channels).toBe(1))
  await second.kill('SIGTERM')
  expect(stage.server.events).toEqual(await stage.agent.readEvents())
})

test('A file that rots on the disk is found at its play, and fetched again', async () => {
  const [song, other] = [stage.addSong(1, 1), stage.addSong(2, 1)]
  stage.publish([song, other])
  const first = stage.agent.start(stage.server.url)
  await stage.until(() => expect(stage.played().length).toBeGreaterThan(1))
  await first.kill('SIGTERM')
  const path = join(mediaFolder(), song.sha256)
  truncateSync(path, 10)
  writeFileSync(path, 'xx', { flag: 'a' })
  stage.agent.start(stage.server.url)
  await stage.until(() => expect(stage.ofResult('failed')).toHaveLength(1))
  await stage.until(() => expect(statSync(path).size).toBe(song.sizeBytes))
  const failedAt = stage.server.events.findLastIndex(
    event => event.kind === 'playtrack' && event.result === 'failed',
  )
  await stage.until(() => {
    const since = stage.server.events.slice(failedAt + 1)
    expect(since).toContainEqual(expect.objectContaining({ trackName: 'Song 1', result: 'complete' }))
  })
})
