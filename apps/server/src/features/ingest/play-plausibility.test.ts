import { type PlayEvent, SHORTER_THAN_FILE, UNKNOWN_PUBLICATION } from '@floorcast/contract/events.ts'
import { makePlay } from '@floorcast/testing/test-device.ts'
import { expect, test } from 'vitest'
import { checkPlay, heardMsOf, type KnownNames, wholeSecondsOf, whyNotPlayed } from './play-plausibility.ts'

const start = Date.parse('2026-11-20T09:00:00.000Z')
const WEEK_SECONDS = 7 * 86_400

/** A play of a medium, of so many seconds by the player's count and by its dates. */
const play = (durationSeconds: number, seconds: number, more: Partial<PlayEvent> = {}): PlayEvent =>
  makePlay(1, {
    startedAt: new Date(start).toISOString(),
    endedAt: new Date(start + seconds * 1000).toISOString(),
    secondsPlayed: seconds,
    durationSeconds,
    ...more,
  })
const endingAt = (seconds: number) => ({ endedAt: new Date(start + seconds * 1000).toISOString() })

test('a play is impossible just beyond the bounds: a week, the end before the start, a hundredth and a minute more', () => {
  const longest = 100 * 1.01 + 60
  const possible = [
    play(WEEK_SECONDS, 20),
    play(100, 0),
    play(100, longest),
    play(100, 20, endingAt(longest)),
  ]
  expect(possible.map(whyNotPlayed)).toEqual([null, null, null, null])
  expect(whyNotPlayed(play(WEEK_SECONDS + 1, 20))).toMatch(/^durationSeconds: /)
  expect(whyNotPlayed(play(100, 0, endingAt(-0.001)))).toMatch(/^endedAt: before/)
  expect(whyNotPlayed(play(100, 20, { secondsPlayed: longest + 0.01 }))).toMatch(/^secondsPlayed: /)
  expect(whyNotPlayed(play(100, 20, endingAt(longest + 0.01)))).toMatch(/^endedAt: later/)
})

test('a file is heard whole up to half a second and half a hundredth before its end, a short one from its middle on', () => {
  expect(wholeSecondsOf(100)).toBe(99)
  expect(wholeSecondsOf(20)).toBeCloseTo(19.4, 9)
  expect(wholeSecondsOf(1)).toBe(0.5)
})

test('a play lasted as long as its seconds or its dates say, whichever is more', () => {
  expect([heardMsOf(play(100, 20)), heardMsOf(play(100, 20, endingAt(30)))]).toEqual([20_000, 30_000])
  expect(heardMsOf(play(100, 40, endingAt(30)))).toBe(40_000)
})

const of = (durationSeconds: number, more: Partial<KnownNames> = {}): KnownNames => ({
  file: { contentType: 'melodies', durationSeconds },
  hasPublication: true,
  ...more,
})

test.each([
  { file: 100, longest: 151 },
  { file: 1000, longest: 1070 },
  { file: 2, longest: 4 },
])('a play of a file of $file s counts up to $longest s', ({ file, longest }) => {
  const check = (seconds: number) => checkPlay(play(9, seconds, { result: 'cut' }), of(file)).leftOut
  expect([check(longest), check(longest + 0.01)]).toEqual([null, 'too-long'])
})

test('a play has the length of the file that the client had, and is complete if that was heard whole', () => {
  expect(checkPlay(play(9, 99), of(100))).toMatchObject({
    durationSeconds: 100,
    result: 'complete',
    why: null,
  })
  const short = { result: 'cut', why: SHORTER_THAN_FILE, leftOut: null }
  expect(checkPlay(play(9, 98.99), of(100))).toMatchObject(short)
  expect(checkPlay(play(9, 98.99, { why: 'device' }), of(100))).toMatchObject({ ...short, why: 'device' })
  expect(checkPlay(play(9, 5, { result: 'joined' }), of(100))).toMatchObject({ result: 'joined', why: null })
})

test('a play is left out if its file is of another kind, or was never the client’s', () => {
  expect(checkPlay(play(9, 9, { contentType: 'ads' }), of(9))).toMatchObject({ leftOut: 'other-kind' })
  const unknown = checkPlay(play(9, 9), of(100, { file: 'unknown-file' }))
  expect(unknown).toMatchObject({ leftOut: 'unknown-file', durationSeconds: 9, result: 'complete' })
})

test('a play of a publication that the client has not names none, and says why unless it has a reason', () => {
  const named = { publicationUid: '01933d4e-0000-7000-8000-00000000000f' }
  expect(checkPlay(play(9, 9, named), of(9))).toMatchObject(named)
  const unknown = of(9, { hasPublication: false })
  expect(checkPlay(play(9, 9, named), unknown)).toMatchObject({
    publicationUid: null,
    why: UNKNOWN_PUBLICATION,
  })
  expect(checkPlay(play(9, 9, { ...named, why: 'alert' }), unknown)).toMatchObject({ why: 'alert' })
})
