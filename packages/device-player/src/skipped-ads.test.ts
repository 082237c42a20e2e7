import type { Cue, PlayCue } from '@floorcast/playback/cue-types.ts'
import { cueAt, filesOf } from '@floorcast/playback/cue.ts'
import {
  makeFile,
  makeItem,
  makeManifest,
  makePlaylist,
  makePublication,
} from '@floorcast/testing/manifest-arbitrary.ts'
import { expect, test } from 'vitest'
import { type Arrival, SkippedAds } from './skipped-ads.ts'

/* A minute each: a song, an ad, a song, an ad and so on from eight o'clock. */
const files = [makeFile(0), makeFile(1, { contentType: 'ads' })]
const manifest = makeManifest({
  files,
  publications: [makePublication(makePlaylist([makeItem(0), makeItem(1)]))],
})
const held = filesOf(manifest)
const eight = Date.parse('2026-03-01T08:00:00Z')
const minute = (minutes: number) => eight + minutes * 60_000

function makeSkippedAds(reportedUntil = -Infinity) {
  const logged: [number, string][] = []
  const log = {
    reportedUntil,
    recordSkipped: (cue: PlayCue, _at: number, why: string) =>
      void logged.push([(cue.startsAt - eight) / 60_000, why]),
  }
  const at = (instant: number): Cue => cueAt(manifest, instant, held)
  return { logged, skipped: new SkippedAds({ log, cueAt: at, reportedNow: () => 0 }), at }
}

const cases: {
  what: string
  heardUntil: number
  asked: number
  arrival: Arrival
  logged: [number, string][]
}[] = [
  { what: 'from cue to cue', heardUntil: 2, asked: 2, arrival: 'clock', logged: [] },
  {
    what: 'after an alert of two ads and a half',
    heardUntil: 0.5,
    asked: 5.5,
    arrival: 'alert',
    logged: [
      [1, 'alert'],
      [3, 'alert'],
      [5, 'alert'],
    ],
  },
  {
    what: 'after an alert inside one ad, which is logged as cut',
    heardUntil: 1.2,
    asked: 1.6,
    arrival: 'alert',
    logged: [],
  },
  {
    what: 'after a correction of the clock',
    heardUntil: 0.5,
    asked: 2.5,
    arrival: 'clock',
    logged: [[1, 'clock']],
  },
  {
    what: 'after a clock that was wrong by days',
    heardUntil: -9000,
    asked: 2.5,
    arrival: 'clock',
    logged: [],
  },
  { what: 'back in time', heardUntil: 3, asked: 1.5, arrival: 'clock', logged: [] },
]
test.each(cases)(
  'Ads that are passed over are logged: $what',
  ({ heardUntil, asked, arrival, logged: expected }) => {
    const { logged, skipped, at } = makeSkippedAds()
    skipped.onPlayed(minute(heardUntil))
    for (const arrivedBy of [arrival, 'clock'] as const) {
      skipped.onAsked(minute(asked), arrivedBy)
      const cue = at(minute(asked))
      if (cue.kind === 'play' && cue.startsAt < minute(asked)) skipped.onMissed(cue, arrivedBy)
      expect(logged).toEqual(expected)
      // A change while it waits: it asks again.
      skipped.onPlayed(minute(asked))
    }
  },
)

test.each([
  { what: 'before an ad', reportedUntil: minute(0.9), logged: [[1, 'agent-stopped']] },
  { what: 'inside an ad, which is logged as cut', reportedUntil: minute(1.2), logged: [] },
  { what: 'for an hour', reportedUntil: minute(-60), logged: [] },
])('A player that was stopped $what logs what it did not play', ({ reportedUntil, logged: expected }) => {
  const { logged, skipped, at } = makeSkippedAds(reportedUntil)
  skipped.onAsked(minute(1.5), 'agent-stopped')
  const cue = at(minute(1.5))
  if (cue.kind === 'play') skipped.onMissed(cue, 'agent-stopped')
  expect(logged).toEqual(expected)
})
