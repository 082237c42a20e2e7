import fc from 'fast-check'
import { expect, test } from 'vitest'
import { backoffOf, type PlayMeasurement, jitteredInterval, validatePlay } from './event-rules.ts'
import { gainOf } from './gain.ts'
import {
  makeFile,
  makeItem,
  makeManifest,
  makePlaylist,
  makePublication,
} from '@floorcast/testing/manifest-arbitrary.ts'
import { cueAt, filesOf } from './cue.ts'
import { entryOf, nextCue, iterateCues } from './iterate-cues.ts'

const completePlay: PlayMeasurement = {
  entry: 'start',
  offsetSeconds: 0,
  secondsPlayed: 60,
  durationSeconds: 60,
  failure: null,
  cutBy: null,
}

test('The measured play determines its result: complete, joined, cut or failed', () => {
  expect(validatePlay(completePlay)).toEqual({ result: 'complete', why: null })
  expect(validatePlay({ ...completePlay, secondsPlayed: 59.6, cutBy: 'closed' }).result).toBe('complete')
  // Half a second is what decoders and clocks may differ by, and no more.
  expect(validatePlay({ ...completePlay, secondsPlayed: 59.5 }).result).toBe('complete')
  expect(validatePlay({ ...completePlay, secondsPlayed: 59.4 }).result).toBe('cut')
  expect(validatePlay({ ...completePlay, entry: 'join', offsetSeconds: 20, secondsPlayed: 40 }).result).toBe(
    'joined',
  )
  expect(validatePlay({ ...completePlay, secondsPlayed: 30, cutBy: 'closed' })).toEqual({
    result: 'cut',
    why: 'closed',
  })
  expect(validatePlay({ ...completePlay, entry: 'join', offsetSeconds: 20, secondsPlayed: 30 })).toEqual({
    result: 'cut',
    why: 'short-file',
  })
  expect(validatePlay({ ...completePlay, secondsPlayed: 0, failure: 'no audio' })).toEqual({
    result: 'failed',
    why: 'no audio',
  })
})

test('Waits double up to five minutes, and jitter takes up to half away', () => {
  expect([1, 2, 3, 4].map(failures => backoffOf(failures, 0))).toEqual([1000, 2000, 4000, 8000])
  expect(backoffOf(60, 0)).toBe(300_000)
  expect(backoffOf(60, 1)).toBe(150_000)
  expect([0, 0.5, 1].map(jitter => jitteredInterval(60, jitter))).toEqual([54_000, 60_000, 66_000])
})

test('The gain reaches the target, never exceeds the ceiling, and is 0 without a measurement', () => {
  const of = (integratedLufs: number, truePeakDbtp: number) => gainOf({ integratedLufs, truePeakDbtp }, -16)
  expect(of(-10, -0.5)).toBe(-6)
  expect(of(-20, -8)).toBe(4)
  expect(of(-20, -2)).toBe(1)
  expect(of(-20, 0.5)).toBe(0)
  expect(gainOf(null, -16)).toBe(0)
  expect(gainOf({ integratedLufs: -10, truePeakDbtp: -1 }, null)).toBe(0)
  fc.assert(
    fc.property(fc.double({ min: -70, max: 5 }), fc.double({ min: -60, max: 6 }), (lufs, peak) => {
      const gain = of(lufs, peak)
      expect(gain <= 0 || peak + gain <= -0.99).toBe(true)
    }),
  )
})

test('Songs are joined inside, ads begin whole or wait for the boundary, and an iteration goes from end to end', () => {
  const files = [makeFile(0), makeFile(1, { contentType: 'ads' })]
  const manifest = makeManifest({
    files,
    publications: [makePublication(makePlaylist([makeItem(0), makeItem(1)]))],
  })
  const held = filesOf(manifest)
  const from = Date.parse('2026-03-01T08:00:00Z')
  const song = cueAt(manifest, from, held)
  const ad = nextCue(manifest, song, held)
  if (song.kind !== 'play' || ad.kind !== 'play') throw new Error('Both play')
  expect([from, from + 300, from + 301].map(at => entryOf(song, at))).toEqual(['start', 'start', 'join'])
  expect([2000, 2001].map(lateMs => entryOf(ad, ad.startsAt + lateMs))).toEqual(['start', 'wait'])
  expect([30_000, 30_001].map(lateMs => entryOf(ad, ad.startsAt + lateMs, true))).toEqual(['start', 'wait'])
  expect([song.until - 500, song.until - 499].map(at => entryOf(song, at))).toEqual(['join', 'wait'])
  const cues = [...iterateCues(manifest, { from: from + 1000, until: from + 240_000 }, held)]
  expect(cues.map(cue => cue.until - from)).toEqual([60_000, 120_000, 180_000, 240_000])
})
