import type { ManifestFile } from '@floorcast/contract/manifest.ts'
import { makeLoop } from '@floorcast/playback/loop.ts'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { countPlays, computeItemTimes } from './playlist-times.ts'

const song = (durationSeconds: number, more: object = {}) => ({
  durationSeconds,
  contentType: 'melodies' as const,
  repeatCount: 1,
  replaySeconds: null,
  startTime: null,
  ...more,
})
const ad = (durationSeconds: number, more: object = {}) => ({
  ...song(durationSeconds, more),
  contentType: 'ads' as const,
})
const starts = (items: Parameters<typeof computeItemTimes>[0], crossfade = 0) =>
  computeItemTimes(items, crossfade).map(({ startSeconds }) => startSeconds)

const uid = '0193a000-0000-7000-8000-000000000001'
const manifestItem = (plays: number) => ({ uid, file: 0, plays, startTime: null })
const manifestFile = (file: Pick<ManifestFile, 'durationSeconds' | 'contentType'>): ManifestFile => ({
  ...file,
  mediaUid: uid,
  sha256: '0'.repeat(64),
  name: 'track',
  sizeBytes: 1,
  loudness: null,
  path: '/',
})

it.each([
  [song(60, { repeatCount: 3 }), 3],
  [song(60, { repeatCount: null, replaySeconds: 200 }), 3],
  [song(60, { repeatCount: null, replaySeconds: 59 }), 1],
  [song(60, { repeatCount: null, replaySeconds: 60 }), 1],
  [song(60, { repeatCount: null }), 1],
])('plays of an item case %#', (item, plays) => {
  expect(countPlays(item)).toBe(plays)
})

it('the clock of a playlist counts repeats and replay durations', () => {
  const items = [song(60, { repeatCount: 2 }), song(30, { repeatCount: null, replaySeconds: 100 }), song(10)]
  expect(starts(items)).toEqual([0, 120, 210])
})

it('the clock of a playlist takes the crossfade off between songs, their repeats, and the last and the first', () => {
  const items = [song(60), song(60, { repeatCount: 2 }), song(60)]
  expect(starts(items, 5)).toEqual([0, 55, 165])
})

it('the clock of a playlist never fades over an ad', () => {
  expect(starts([song(60), ad(20, { repeatCount: 2 }), song(60)], 5)).toEqual([0, 60, 100])
})

it('the clock of a playlist fades over at most half of a track', () => {
  expect(starts([song(60), song(4), song(60)], 10)).toEqual([0, 58, 60])
})

it('the clock of a playlist says what devices play', () => {
  const track = fc.record({
    durationSeconds: fc.integer({ min: 1, max: 600 }),
    contentType: fc.constantFrom('melodies' as const, 'ads' as const),
    repeatCount: fc.integer({ min: 1, max: 5 }),
  })
  fc.assert(
    fc.property(fc.array(track), fc.integer({ min: 0, max: 10 }), (tracks, crossfade) => {
      const items = tracks.map(item => ({ ...song(0), ...item }))
      const played = makeLoop(
        tracks.map(({ repeatCount, ...file }) => ({
          item: manifestItem(repeatCount),
          file: manifestFile(file),
        })),
        crossfade,
      )
      expect(starts(items, crossfade).map(start => Math.round((start ?? 0) * 1000))).toEqual(
        played.slots.map(slot => slot.start),
      )
    }),
  )
})

it('the clock of a playlist leaves what has a time of day out of the round', () => {
  const items = [song(60), song(45, { startTime: '09:00' }), song(60)]
  expect(starts(items, 5)).toEqual([0, null, 55])
  expect(computeItemTimes(items, 5)[1]?.playSeconds).toBe(45)
})
