import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mp4Fixtures } from '@floorcast/testing/media-fixtures.ts'
import { makeSong } from '@floorcast/testing/media-song.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { MpvPlayer } from './mpv-player.ts'
import { MpvProcess } from './mpv-process.ts'
import type { Track } from './playback.ts'

let folder: string
let player: MpvPlayer
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'floorcast-player-'))
  player = new MpvPlayer({ audioOutput: 'null' }, () => performance.now())
})
afterEach(() => {
  player.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Writes a song and returns its track, started at `offsetSeconds`. */
function makeTrack(name: string, seconds: number, offsetSeconds = 0): Track {
  const path = join(folder, name)
  writeFileSync(path, makeSong({ notes: [1, 3], seconds }))
  return { path, isVideo: false, gainDb: 0, offsetSeconds, durationSeconds: seconds }
}

test('A start offset behind the last sound ends the track at once without a failure', async () => {
  const playing = await player.play(makeTrack('song.mp3', 1, 1.5))
  expect(await playing.ended).toMatchObject({ kind: 'end' })
})

test('A file without sound fails, also with a start offset', async () => {
  const track = makeTrack('noise.mp3', 1, 0.5)
  writeFileSync(track.path, 'no sound at all '.repeat(200))
  expect(await (await player.play(track)).ended).toMatchObject({ kind: 'failed' })
})

test('An enqueued track can be removed only while the previous one plays', async () => {
  const first = await player.play(makeTrack('first.mp3', 1))
  await first.started
  const refused = await player.enqueue(makeTrack('refused.mp3', 1))
  expect(await player.dequeue(refused)).toBe(true)
  expect(await refused.ended).toMatchObject({ kind: 'stopped' })
  const second = await player.enqueue(makeTrack('second.mp3', 1))
  await first.ended
  expect(await player.dequeue(second)).toBe(false)
  expect(await second.ended).toMatchObject({ kind: 'end' })
})

test.each([
  { what: 'whole', fixture: mp4Fixtures.faststart, durationSeconds: 4 },
  { what: 'what its edit list leaves of its beginning', fixture: mp4Fixtures.trimmed, durationSeconds: 2.5 },
  {
    what: 'what its edit list leaves of its end',
    fixture: mp4Fixtures.moovLast,
    endMs: 2000,
    durationSeconds: 2,
  },
])('A film plays $what, without a gap to the next', async ({ fixture, endMs, durationSeconds }) => {
  const bytes = readFileSync(fixture.path)
  for (let at = bytes.indexOf('elst'); at >= 0 && endMs !== undefined; at = bytes.indexOf('elst', at + 4))
    bytes.writeUInt32BE(endMs, at + 12)
  const path = join(folder, 'film.mp4')
  writeFileSync(path, bytes)
  const track = { path, isVideo: true, gainDb: 0, offsetSeconds: 0, durationSeconds }
  const first = await player.play(track)
  const startedAt = await first.started
  const second = await player.enqueue(track)
  const { kind, at } = await first.ended
  expect(kind).toBe('end')
  expect((at - startedAt) / 1000).toBeCloseTo(durationSeconds, 0)
  expect(await second.started).toBe(at)
})

test('mpv keeps no list of the tracks of a chain that it has played', async () => {
  const sent = vi.spyOn(MpvProcess.prototype, 'send')
  let current = await player.play(makeTrack('song.mp3', 0.5))
  for (let count = 0; count < 4; count += 1) {
    await current.started
    const next = await player.enqueue(makeTrack('song.mp3', 0.5))
    await current.ended
    current = next
  }
  const mpv = sent.mock.contexts[0] as MpvProcess
  expect(await mpv.send(['get_property', 'playlist-count'])).toBeLessThanOrEqual(2)
  expect(await current.ended).toMatchObject({ kind: 'end' })
  sent.mockRestore()
})

test('An agent that is blocked during a change of track measures its time afterwards', async () => {
  const first = await player.play(makeTrack('first.mp3', 2))
  const startedAt = await first.started
  const second = await player.enqueue(makeTrack('second.mp3', 8))
  await new Promise(resolve => setTimeout(resolve, 500))
  const blockedUntil = startedAt + 4000
  while (performance.now() < blockedUntil) continue
  const { at } = await first.ended
  expect(at).toBeLessThan(blockedUntil)
  expect(await second.started).toBe(at)
})

test.each([1500, 1800, 2500])(
  'An agent that is blocked until %d ms measures the end of a file that is too short',
  async blockedMs => {
    const short = { ...makeTrack('short.mp3', 1), durationSeconds: 2 }
    const first = await player.play(short)
    const startedAt = await first.started
    const second = await player.enqueue(makeTrack('second.mp3', 8))
    await new Promise(resolve => setTimeout(resolve, 300))
    while (performance.now() < startedAt + blockedMs) continue
    const { at } = await first.ended
    expect(at - startedAt).toBeGreaterThan(800)
    expect(at - startedAt).toBeLessThan(1700)
    expect(await second.started).toBe(at)
  },
)

test('An enqueued track that has already failed is not removed: its failure counts', async () => {
  const first = await player.play(makeTrack('first.mp3', 1))
  const track = makeTrack('noise.mp3', 1)
  writeFileSync(track.path, 'no sound at all '.repeat(200))
  const noise = await player.enqueue(track)
  const { at } = await first.ended
  // Only then has the previous track played to its end.
  expect(await noise.ended).toMatchObject({ kind: 'failed', at })
  expect(await player.dequeue(noise)).toBe(false)
})
