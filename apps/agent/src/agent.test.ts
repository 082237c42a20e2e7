import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { PlayEvent } from '@floorcast/contract/events.ts'
import type { ManifestFile } from '@floorcast/contract/manifest.ts'
import {
  makeFile,
  makeItem,
  makeManifest,
  makePlaylist,
  makePublication,
  uidOf,
} from '@floorcast/testkit/manifest-arbitrary.ts'
import { mp4Fixtures } from '@floorcast/testkit/media-fixtures.ts'
import { makeSong } from '@floorcast/testkit/media-song.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AgentFixture, mpvsOf } from './agent-fixture.ts'
import { hashOf, ServerDouble } from './server-double.ts'

let server: ServerDouble
let agent: AgentFixture

beforeEach(async () => {
  server = new ServerDouble()
  agent = await AgentFixture.make()
  await server.start()
})
afterEach(async () => {
  await agent.clear()
  await server.stop()
})

const until = (claim: () => unknown) => vi.waitFor(claim, { timeout: 20_000, interval: 50 })

function addSong(number: number, seconds: number, part: Partial<ManifestFile> = {}): ManifestFile {
  const bytes = Buffer.from(makeSong({ notes: [number % 8, (number + 3) % 8], seconds }))
  const sha256 = hashOf(bytes)
  const file = makeFile(number, {
    name: `Song ${number}`,
    durationSeconds: seconds,
    sizeBytes: bytes.length,
    sha256,
    ...part,
  })
  file.path = `/api/v2/iplay/media/${file.mediaUid}/${sha256}`
  server.addFile(file, bytes)
  return file
}

let generation = 0
function publish(
  files: ManifestFile[],
  part: { uid?: number; crossfadeSeconds?: number; revision?: number } = {},
) {
  const { uid = 600, crossfadeSeconds = 0, revision = 1 } = part
  const playlist = makePlaylist(
    files.map((_, index) => makeItem(index)),
    { crossfadeSeconds },
  )
  const activatedAt = new Date().toISOString()
  const publication = makePublication(playlist, { uid: uidOf(uid), revision, activatedAt })
  generation += 1
  server.publish(makeManifest({ generation, files, publications: [publication] }))
}
const played = () => server.events.filter(event => event.kind === 'playtrack')
const ofResult = (result: PlayEvent['result']) => played().filter(play => play.result === result)
const mediaFolder = () => join(agent.dataDir, 'media')

test('Plays what is published, gapless, from the disk, and reports each play once', async () => {
  const run = agent.start(server.url)
  await until(() => expect(server.channels).toBe(1))
  publish([addSong(1, 2), addSong(2, 1.5), addSong(3, 2.5)])
  await until(() => expect(ofResult('complete').length).toBeGreaterThanOrEqual(4))
  await run.kill('SIGTERM')
  const plays = await agent.readPlays()
  for (const [index, play] of plays.slice(1).entries()) {
    const before = plays[index]
    expect(Date.parse(play.startedAt) - Date.parse(before?.endedAt ?? '')).toBe(0)
  }
  expect(plays.slice(0, -1).filter(play => play.result !== 'complete' && play !== plays[0])).toEqual([])
  expect(plays.at(-1)).toMatchObject({ result: 'cut', why: 'agent-stopped' })
  expect(played()).toEqual(plays)
  expect(server.duplicates).toEqual([])
  expect(server.acknowledged.length).toBeGreaterThan(0)
  expect(server.heartbeats.some(heartbeat => heartbeat.nowPlaying?.name === 'Song 2')).toBe(true)
  expect(server.heartbeats.at(-1)?.held).toEqual([{ publicationUid: uidOf(600), revision: 1, missing: 0 }])
  expect(statSync(join(agent.dataDir, 'token')).mode & 0o777).toBe(0o600)
})

test('Plays on without the server, and delivers what it logged when the server is back, nothing twice', async () => {
  const run = agent.start(server.url)
  await until(() => expect(server.channels).toBe(1))
  publish([addSong(1, 1), addSong(2, 1.25)])
  await until(() => expect(played().length).toBeGreaterThanOrEqual(2))
  await server.stop()
  const before = played().length
  await until(async () => expect((await agent.readPlays()).length).toBeGreaterThanOrEqual(before + 3))
  server.lostAnswers = 1
  await server.start()
  await until(() => expect(server.channels).toBe(1))
  await until(() => expect(played().length).toBeGreaterThanOrEqual(before + 5))
  await run.kill('SIGTERM')
  const logged = await agent.readEvents()
  expect(server.events).toEqual(logged)
  expect(logged.map(event => event.sequence)).toEqual(logged.map((_, index) => index + 1))
  expect(server.sessions).toBe(1)
})

test('Killed with -9 it loses nothing: the play that was on is logged as cut, and mpv is gone', async () => {
  const first = agent.start(server.url)
  await until(() => expect(server.channels).toBe(1))
  publish([addSong(1, 1), addSong(2, 30)])
  await until(() => expect(server.heartbeats.at(-1)?.nowPlaying?.name).toBe('Song 2'))
  await until(() => expect(played().length).toBeGreaterThanOrEqual(1))
  const mpvs = await mpvsOf(first.pid)
  expect(mpvs.length).toBeGreaterThan(0)
  await first.kill('SIGKILL')
  await until(() => {
    for (const pid of mpvs) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })
  const second = agent.start(server.url)
  await until(() => expect(ofResult('cut')).toHaveLength(1))
  expect(ofResult('cut')[0]).toMatchObject({ trackName: 'Song 2', why: 'agent-stopped', durationSeconds: 30 })
  await second.kill('SIGTERM')
  const logged = await agent.readEvents()
  expect(server.events).toEqual(logged)
  expect(new Set(logged.map(event => event.bootId)).size).toBe(2)
  expect(server.sessions).toBe(1)
})

test('A torn or spoilt download is never played: it goes on where it broke off, or begins anew', async () => {
  const [torn, spoilt] = [addSong(1, 2), addSong(2, 1)]
  server.faults.set(torn.sha256, ['truncate', 'truncate'])
  server.faults.set(spoilt.sha256, ['garble'])
  publish([torn, spoilt])
  agent.start(server.url)
  await until(() =>
    expect(new Set(played().map(play => play.trackName))).toEqual(new Set(['Song 1', 'Song 2'])),
  )
  expect(server.ranges.filter(range => range !== undefined).length).toBeGreaterThanOrEqual(2)
  expect(ofResult('failed')).toEqual([])
  const wrong = server.events.filter(event => event.kind === 'debug' && event.code === 'download-wrong-hash')
  expect(wrong).toHaveLength(1)
  expect((await readdir(mediaFolder())).toSorted()).toEqual([torn.sha256, spoilt.sha256].toSorted())
})

test('A file that cannot be played is skipped, reported, fetched again once and then left', async () => {
  const good = addSong(1, 1)
  const bytes = Buffer.from('no sound at all '.repeat(200))
  const bad = makeFile(7, {
    name: 'Noise',
    sha256: hashOf(bytes),
    sizeBytes: bytes.length,
    durationSeconds: 1,
  })
  server.addFile(bad, bytes)
  bad.path = `/api/v2/iplay/media/${bad.mediaUid}/${bad.sha256}`
  publish([good, bad])
  agent.start(server.url)
  await until(() => expect(ofResult('failed')).toHaveLength(2))
  await until(() => expect(ofResult('complete').length).toBeGreaterThanOrEqual(3))
  expect(ofResult('failed')).toHaveLength(2)
  expect(server.ranges).toHaveLength(3)
  await until(() =>
    expect(server.heartbeats.at(-1)?.quarantined).toEqual([{ name: 'Noise', sha256: bad.sha256 }]),
  )
  expect(await readdir(mediaFolder())).toEqual([good.sha256])
})

test('mpv dying is survived: it is started again, and the play that it took is logged as cut', async () => {
  publish([addSong(1, 6)])
  const run = agent.start(server.url)
  await until(() => expect(server.heartbeats.at(-1)?.nowPlaying?.name).toBe('Song 1'))
  for (const pid of await mpvsOf(run.pid)) process.kill(pid, 'SIGKILL')
  await until(() => expect(ofResult('cut')[0]).toMatchObject({ why: 'player-died' }))
  await until(() => expect(ofResult('joined').length + ofResult('complete').length).toBeGreaterThanOrEqual(1))
  expect(server.events).toContainEqual(expect.objectContaining({ kind: 'debug', code: 'player-died' }))
})

test('A new publication takes over at a track boundary, and is crossfaded as it says', async () => {
  publish([addSong(1, 3)])
  const run = agent.start(server.url)
  await until(() => expect(server.heartbeats.at(-1)?.nowPlaying?.name).toBe('Song 1'))
  publish([addSong(2, 3), addSong(3, 3)], { uid: 601, crossfadeSeconds: 1 })
  await until(() =>
    expect(ofResult('complete').filter(play => play.publicationUid === uidOf(601)).length).toBeGreaterThan(2),
  )
  await run.kill('SIGTERM')
  const plays = await agent.readPlays()
  const of = (uid: number) => plays.filter(play => play.publicationUid === uidOf(uid))
  expect(of(600).filter(play => play.result === 'cut')).toEqual([])
  const crossed = of(601).filter(play => play.result === 'complete')
  for (const [index, play] of crossed.slice(1).entries()) {
    const overlap = Date.parse(crossed[index]?.endedAt ?? '') - Date.parse(play.startedAt)
    expect(overlap).toBeGreaterThan(0)
  }
})

test('A video device plays its videos, on a screen or without one, with and without sound', async () => {
  const films = [mp4Fixtures.faststart, mp4Fixtures.silent].map((fixture, number) => {
    const bytes = readFileSync(fixture.path)
    const [sha256, sizeBytes] = [hashOf(bytes), bytes.length]
    const { durationSeconds } = fixture
    const file = makeFile(number, {
      name: fixture.name,
      contentType: 'videos',
      sha256,
      sizeBytes,
      durationSeconds,
    })
    file.path = `/api/v2/iplay/media/${file.mediaUid}/${sha256}`
    server.addFile(file, bytes)
    return file
  })
  const run = agent.start(server.url)
  await until(() => expect(server.channels).toBe(1))
  publish(films)
  await until(() => expect(ofResult('complete').length).toBeGreaterThan(2))
  await run.kill('SIGTERM')
  expect(ofResult('failed')).toEqual([])
})

test('A second agent on the same folder is kept out while the first one lives, however that ends', async () => {
  const first = agent.start(server.url)
  await until(() => expect(server.channels).toBe(1))
  const second = agent.start(server.url)
  expect(await second.ended).toBe(2)
  expect(second.output.join('')).toContain('Another agent runs in')
  await first.kill('SIGKILL')
  agent.start(server.url)
  await until(() => expect(server.heartbeats.length).toBeGreaterThan(1))
  await until(() => expect(server.channels).toBe(1))
})

test('A licence key that is bound to another box ends the agent with a code and the reason', async () => {
  server.boundBox = uidOf(9)
  const run = agent.start(server.url)
  expect(await run.ended).toBe(3)
  expect(run.output.join('')).toContain('license-bound')
})

test('Replaced by another player it plays on and reports nothing', async () => {
  publish([addSong(1, 1)])
  agent.start(server.url)
  await until(() => expect(played().length).toBeGreaterThan(0))
  server.tell({ type: 'replaced' })
  await until(() => expect(server.channels).toBe(0))
  const [plays, heartbeats] = [played().length, server.heartbeats.length]
  const sleep = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))
  await sleep(2500)
  expect([played().length, server.heartbeats.length, server.channels]).toEqual([plays, heartbeats, 0])
})

test('A file that rots on the disk is found at its play, and fetched again', async () => {
  const [song, other] = [addSong(1, 1), addSong(2, 1)]
  publish([song, other])
  const first = agent.start(server.url)
  await until(() => expect(played().length).toBeGreaterThan(1))
  await first.kill('SIGTERM')
  const path = join(mediaFolder(), song.sha256)
  truncateSync(path, 10)
  writeFileSync(path, 'xx', { flag: 'a' })
  agent.start(server.url)
  await until(() => expect(ofResult('failed')).toHaveLength(1))
  await until(() => expect(statSync(path).size).toBe(song.sizeBytes))
  const failedAt = server.events.findLastIndex(
    event => event.kind === 'playtrack' && event.result === 'failed',
  )
  await until(() => {
    const since = server.events.slice(failedAt + 1)
    expect(since).toContainEqual(expect.objectContaining({ trackName: 'Song 1', result: 'complete' }))
  })
})

test('Says what would play and why, without the server', async () => {
  publish([addSong(1, 30)])
  const run = agent.start(server.url)
  await until(() => expect(server.heartbeats.at(-1)?.nowPlaying?.name).toBe('Song 1'))
  await run.kill('SIGTERM')
  await server.stop()
  const [first = '{}'] = (await agent.printCue()).split('\n')
  expect(JSON.parse(first)).toMatchObject({ plays: 'Song 1', because: 'loop', publication: 'Everywhere' })
})
