import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PlayInProgress, PlayLog } from '@floorcast/device-client/play-log.ts'
import { makeFile, makePlaylist, makePublication, uidOf } from '@floorcast/testing/manifest-arbitrary.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { EventStore } from './event-store.ts'
import { makeStateStore } from './state-store.ts'
import { openStore } from './store.ts'

let folder: string
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'floorcast-store-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const START = Date.UTC(2026, 10, 23)

/** A start of the agent with its plays. */
function start() {
  const store = openStore(folder)
  const events = new EventStore(store)
  const log = new PlayLog(events, makeStateStore(store), () => START)
  const plays = () =>
    [...events.readAll()].map(event => {
      const { trackName, result, secondsPlayed } = event as Record<string, unknown>
      return [trackName, result, secondsPlayed]
    })
  return { log, plays }
}

/** A play of ten seconds, one after another. */
const playOf = (number: number): PlayInProgress => ({
  eventId: uidOf(number),
  entry: 'start',
  offsetSeconds: 0,
  startedAt: START + number * 10_000,
  cue: {
    kind: 'play',
    because: 'loop',
    publication: { ...makePublication(makePlaylist([])), files: [] },
    itemUid: null,
    file: makeFile(number, { durationSeconds: 10 }),
    startsAt: START + number * 10_000,
    offsetSeconds: 0,
    until: START + (number + 1) * 10_000,
    overlapMs: 0,
    cutBy: null,
  },
})

test('A kill loses no play that began before the end of that before it was logged', () => {
  const { log } = start()
  const [first, second] = [playOf(0), playOf(1)]
  log.recordProgress(first, first.startedAt)
  log.recordProgress(second, second.startedAt + 200)
  log.recordEnd(first, { endedAt: second.startedAt, secondsHeard: 10, failure: null, cutBy: null })
  const next = start()
  next.log.recoverInterrupted()
  const [nameOfFirst, nameOfSecond] = [first, second].map(({ cue }) => cue.file.name)
  expect(next.plays()).toEqual([
    [nameOfFirst, 'complete', 10],
    [nameOfSecond, 'cut', 0.2],
  ])
  const third = start()
  third.log.recoverInterrupted()
  expect(third.plays()).toHaveLength(2)
})

test('A kill loses neither of two plays of which no end is logged', () => {
  const { log } = start()
  for (const number of [0, 1]) {
    const play = playOf(number)
    log.recordProgress(play, play.startedAt + 3000)
  }
  const next = start()
  next.log.recoverInterrupted()
  expect(next.plays().map(([, ...rest]) => rest)).toEqual([
    ['cut', 3],
    ['cut', 3],
  ])
})
