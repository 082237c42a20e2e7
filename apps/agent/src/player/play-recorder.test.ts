import { Clock } from '@floorcast/device-client/clock.ts'
import type { PlayLog } from '@floorcast/device-client/play-log.ts'
import type { PlayCue } from '@floorcast/playback/cue-types.ts'
import { makeFile, makePlaylist, makePublication } from '@floorcast/testing/manifest-arbitrary.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { makePlay, PlayRecorder } from './play-recorder.ts'
import { Playback } from './playback.ts'

const MINUTE_MS = 60_000

test('A play of three minutes is written to the disk at its start and every half minute, and its drift corrected every five seconds', async () => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance', 'Date'],
  })
  onTestFinished(() => void vi.useRealTimers())
  const clock = new Clock({ system: () => Date.now(), steady: () => performance.now() }, 0, null)
  const recordProgress = vi.fn<PlayLog['recordProgress']>()
  const recordEnd = vi.fn<PlayLog['recordEnd']>(() => ({ result: 'complete', why: null }))
  const log = { recordProgress, recordEnd } as unknown as PlayLog
  const recorder = new PlayRecorder({ clock, log, onLogged: () => undefined })
  const startsAt = clock.now()
  const file = makeFile(1, { durationSeconds: 180 })
  const cue: PlayCue = {
    kind: 'play',
    because: 'loop',
    publication: { ...makePublication(makePlaylist([])), files: [] },
    itemUid: null,
    file,
    startsAt,
    offsetSeconds: 0,
    until: startsAt + 3 * MINUTE_MS,
    overlapMs: 0,
    cutBy: null,
  }
  const track = { path: '', isVideo: false, gainDb: 0, offsetSeconds: 0, durationSeconds: 180 }
  const playback = new Playback(track, false)
  const commandedAt = clock.steady()
  const instance = makePlay({ cue, entry: 'start', offsetSeconds: 0, playback, commandedAt })
  const onProgress = vi.fn<() => Promise<void>>(() => Promise.resolve())
  const logged = recorder.recordWhenEnded(instance, onProgress)
  playback.start(clock.steady(), clock.steady())
  await vi.advanceTimersByTimeAsync(3 * MINUTE_MS - 1)
  expect(onProgress).toHaveBeenCalledTimes(36)
  expect(recordProgress.mock.calls.map(([, at]) => Math.round((at - startsAt) / 1000))).toEqual([
    0, 30, 60, 90, 120, 150,
  ])
  playback.end({ kind: 'end', at: clock.steady() })
  await vi.advanceTimersByTimeAsync(MINUTE_MS)
  await logged
  expect(recordProgress).toHaveBeenCalledTimes(6)
  expect(recordEnd).toHaveBeenCalledTimes(1)
})
