import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Clock } from '@floorcast/device-client/clock.ts'
import { PlayLog } from '@floorcast/device-client/play-log.ts'
import type { PlayCue } from '@floorcast/playback/cue-types.ts'
import { makeFile, makePlaylist, makePublication } from '@floorcast/testing/manifest-arbitrary.ts'
import { makeSong } from '@floorcast/testing/media-song.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { EventStore } from '../store/event-store.ts'
import { makeStateStore } from '../store/state-store.ts'
import { openStore } from '../store/store.ts'
import { CrossfadePlayer } from './crossfade-player.ts'
import { MpvPlayer } from './mpv-player.ts'

const SECONDS = 4
const OVERLAP_MS = 1000
/** A busy machine, too, has loaded a song by then. */
const LOADED_AFTER_MS = 2000

let folder: string
let player: CrossfadePlayer
const clock = new Clock({ system: () => Date.now(), steady: () => performance.now() }, 0, null)
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'floorcast-player-'))
  const store = openStore(folder)
  player = new CrossfadePlayer({
    clock,
    log: new PlayLog(new EventStore(store), makeStateStore(store), () => clock.now()),
    options: { audioOutput: 'null', audioOnly: true },
    pathOf: sha256 => join(folder, sha256),
    onLogged: () => undefined,
  })
})
afterEach(() => {
  player.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A song that begins at an instant and ends in a crossfade. */
function cueOf(number: number, startsAt: number): PlayCue {
  const file = makeFile(number, { durationSeconds: SECONDS })
  writeFileSync(join(folder, file.sha256), makeSong({ notes: [number], seconds: SECONDS }))
  return {
    kind: 'play',
    because: 'loop',
    publication: { ...makePublication(makePlaylist([])), files: [] },
    itemUid: null,
    file,
    startsAt,
    offsetSeconds: 0,
    until: startsAt + SECONDS * 1000 - OVERLAP_MS,
    overlapMs: OVERLAP_MS,
    cutBy: null,
  }
}

test('Drift is looked at once mpv says an exact position, and after the fade of a crossfade', async () => {
  const lookedAt: number[] = []
  const look = async () => void lookedAt.push(clock.steady())
  vi.spyOn(MpvPlayer.prototype, 'correctDrift').mockImplementation(look)
  const first = await player.start(cueOf(1, clock.now()), 'start')
  const firstAt = await first.playback.started
  const cue = cueOf(2, first.cue.until)
  player.preload(cue, first)
  await pause(LOADED_AFTER_MS)
  const second = await player.crossfadeTo(cue, firstAt + SECONDS * 1000 - OVERLAP_MS, first)
  const secondAt = await second.playback.started
  await vi.waitFor(() => expect(lookedAt).toHaveLength(2), 10_000)
  expect(lookedAt[0]).toBeGreaterThanOrEqual(firstAt + 299)
  expect(lookedAt[1]).toBeGreaterThanOrEqual(secondAt + OVERLAP_MS - 1)
})
