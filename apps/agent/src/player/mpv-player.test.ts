import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeSong } from '@floorcast/testing/media-song.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { MpvPlayer } from './mpv-player.ts'
import type { Track } from './playback.ts'

let folder: string
let deck: MpvPlayer
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'floorcast-deck-'))
  deck = new MpvPlayer({ audioOutput: 'null' }, () => performance.now())
})
afterEach(() => {
  deck.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A song on the disk, begun at `offsetSeconds`. */
function makeTrack(name: string, seconds: number, offsetSeconds = 0): Track {
  const path = join(folder, name)
  writeFileSync(path, makeSong({ notes: [1, 3], seconds }))
  return { path, gainDb: 0, offsetSeconds, durationSeconds: seconds }
}

test('A file begun behind its last sound is over at once, and has not failed', async () => {
  const playing = await deck.play(makeTrack('song.mp3', 1, 1.5))
  expect(await playing.ended).toMatchObject({ kind: 'end' })
})

test('A file that is none has failed wherever it was begun', async () => {
  const track = makeTrack('noise.mp3', 1, 0.5)
  writeFileSync(track.path, 'no sound at all '.repeat(200))
  expect(await (await deck.play(track)).ended).toMatchObject({ kind: 'failed' })
})

test('What follows is taken back while the former plays, and only then', async () => {
  const first = await deck.play(makeTrack('first.mp3', 1))
  await first.started
  const refused = await deck.enqueue(makeTrack('refused.mp3', 1))
  expect(await deck.dequeue(refused)).toBe(true)
  expect(await refused.ended).toMatchObject({ kind: 'stopped' })
  const second = await deck.enqueue(makeTrack('second.mp3', 1))
  await first.ended
  expect(await deck.dequeue(second)).toBe(false)
  expect(await second.ended).toMatchObject({ kind: 'end' })
})

test('An agent that is held up while mpv goes over to the next track knows afterwards when that was', async () => {
  const first = await deck.play(makeTrack('first.mp3', 2))
  const startedAt = await first.started
  const second = await deck.enqueue(makeTrack('second.mp3', 8))
  await new Promise(resolve => setTimeout(resolve, 500))
  const heldUntil = startedAt + 4000
  while (performance.now() < heldUntil) continue
  const { at } = await first.ended
  expect(at).toBeLessThan(heldUntil)
  expect(await second.started).toBe(at)
})

test('What follows and has failed meanwhile is not taken back: its failure counts', async () => {
  const first = await deck.play(makeTrack('first.mp3', 1))
  const track = makeTrack('noise.mp3', 1)
  writeFileSync(track.path, 'no sound at all '.repeat(200))
  const noise = await deck.enqueue(track)
  await first.ended
  await noise.ended
  expect(await deck.dequeue(noise)).toBe(false)
})
