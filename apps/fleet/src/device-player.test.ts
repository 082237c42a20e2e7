import type { EventDraft } from '@floorcast/playback/event-rules.ts'
import { iterateCues, SLIP_TOLERANCE_MS } from '@floorcast/playback/iterate-cues.ts'
import { filesOf } from '@floorcast/playback/cue.ts'
import {
  makeFile,
  makeItem,
  makeManifest,
  makePlaylist,
  makePublication,
} from '@floorcast/testing/manifest-arbitrary.ts'
import { runs } from '@floorcast/testing/runs.ts'
import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { DevicePlayer } from './device-player.ts'
import { FleetClock } from './fleet-clock.ts'

afterEach(() => void vi.useRealTimers())

const begin = Date.parse('2026-03-02T08:00:00Z')
const until = begin + 3 * 3_600_000

type Played = Extract<EventDraft, { kind: 'playtrack' }>

/** The log of a device with all files from an instant on. */
async function playFor(manifest: Parameters<DevicePlayer['setManifest']>[0], from: number, speed: number) {
  vi.useFakeTimers({ now: from })
  const plays: Played[] = []
  const player = new DevicePlayer({
    clock: new FleetClock(speed),
    bootId: '',
    append: event => void (event.kind === 'playtrack' && plays.push(event)),
    held: new Set(filesOf(manifest)),
    onChange: () => undefined,
  })
  player.setManifest(manifest)
  const running = player.run()
  // The last track before the end is whole too.
  await vi.advanceTimersByTimeAsync((until + 10 * 60_000 - from) / speed)
  player.stop()
  await vi.advanceTimersByTimeAsync(2000)
  await running
  vi.useRealTimers()
  return plays
}

/** A loop of songs and ads, with or without a crossfade. */
const anyLoop = fc
  .record({
    files: fc.array(fc.record({ seconds: fc.integer({ min: 2, max: 300 }), isAd: fc.boolean() }), {
      minLength: 1,
      maxLength: 6,
    }),
    crossfadeSeconds: fc.constantFrom(0, 1, 5),
  })
  .map(({ files, crossfadeSeconds }) =>
    makeManifest({
      files: files.map(({ seconds, isAd }, number) =>
        makeFile(number, { durationSeconds: seconds, contentType: isAd ? 'ads' : 'melodies' }),
      ),
      publications: [
        makePublication(
          makePlaylist(
            files.map((_, number) => makeItem(number)),
            { crossfadeSeconds },
          ),
        ),
      ],
    }),
  )
const anyBegin = fc.integer({ min: begin, max: begin + 3_600_000 })

test('A device logs each play of its schedule once, in its order, whole, at any speed', async () => {
  await fc.assert(
    fc.asyncProperty(anyLoop, anyBegin, fc.constantFrom(1, 60), async (manifest, from, speed) => {
      const cues = [...iterateCues(manifest, { from, until }, filesOf(manifest))]
      // The first one may be joined.
      const scheduled = cues.flatMap(cue => (cue.kind === 'play' && cue.startsAt > from ? cue : []))
      const plays = await playFor(manifest, from, speed)
      const logged = plays
        .toSorted((one, other) => one.scheduledAt.localeCompare(other.scheduledAt))
        .filter(({ scheduledAt }) => Date.parse(scheduledAt) > from && Date.parse(scheduledAt) < until)
      expect(logged.map(({ sha256, scheduledAt }) => [sha256, Date.parse(scheduledAt)])).toEqual(
        scheduled.map(({ file, startsAt }) => [file.sha256, startsAt]),
      )
      // An ad that is entered late is heard whole, and the others follow it.
      const slips = logged.map(play => Date.parse(play.startedAt) - Date.parse(play.scheduledAt))
      expect(slips.filter(ms => ms < 0 || ms > SLIP_TOLERANCE_MS)).toEqual([])
      expect(new Set(logged.map(({ result }) => result))).toEqual(new Set(['complete']))
    }),
    { numRuns: runs(25, 300) },
  )
})
