import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Clock } from '@floorcast/device-client/clock.ts'
import { PlayLog } from '@floorcast/device-client/play-log.ts'
import { ChangeNotifier } from '@floorcast/device-client/wait.ts'
import { Sequencer } from '@floorcast/device-player/sequencer.ts'
import type { Cue, PlayCue } from '@floorcast/playback/cue-types.ts'
import { mpvsOf } from '@floorcast/testing/agent-process.ts'
import {
  makeFile,
  makeManifest,
  makePlaylist,
  makePublication,
} from '@floorcast/testing/manifest-arbitrary.ts'
import { makeSong } from '@floorcast/testing/media-song.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { MediaStore } from '../store/media-store.ts'
import { EventStore } from '../store/event-store.ts'
import { makeStateStore } from '../store/state-store.ts'
import { openStore } from '../store/store.ts'
import type { CrossfadePlayer } from './crossfade-player.ts'
import { MpvOutput } from './mpv-output.ts'
import { MpvPlayer } from './mpv-player.ts'
import { XPointer } from './x-pointer.ts'

const SECONDS = 4
const OVERLAP_MS = 1000
/** A busy machine, too, has loaded a song by then. */
const LOADED_AFTER_MS = 2000

let folder: string
let output: MpvOutput
let player: CrossfadePlayer
let changes: ChangeNotifier
let log: PlayLog
const clock = new Clock({ system: () => Date.now(), steady: () => performance.now() }, 0, null)
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'floorcast-player-'))
  const store = openStore(folder)
  log = new PlayLog(new EventStore(store), makeStateStore(store), () => clock.now())
  changes = new ChangeNotifier()
  output = new MpvOutput({
    clock,
    log,
    changes,
    options: { audioOutput: 'null', audioOnly: true },
    media: {
      pathOf: (sha256: string) => join(folder, sha256),
      forgive: () => undefined,
      isDamaged: () => Promise.resolve(false),
    } as unknown as MediaStore,
    isStopping: () => false,
    onOutputFailed: () => undefined,
    show: () => undefined,
  })
  player = output.player
})
afterEach(() => {
  vi.restoreAllMocks()
  player.kill()
  player.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A song that begins at an instant and ends in a crossfade. */
function cueOf(
  number: number,
  startsAt: number,
  { seconds, overlapMs } = { seconds: SECONDS, overlapMs: OVERLAP_MS },
): PlayCue {
  const file = makeFile(number, { durationSeconds: seconds })
  writeFileSync(join(folder, file.sha256), makeSong({ notes: [number], seconds }))
  return {
    kind: 'play',
    because: 'loop',
    publication: { ...makePublication(makePlaylist([])), files: [] },
    itemUid: null,
    file,
    startsAt,
    offsetSeconds: 0,
    until: startsAt + seconds * 1000 - overlapMs,
    overlapMs,
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

const alert: Cue = {
  kind: 'alert',
  because: 'alert',
  alert: { uid: '1', kind: 'air', beganAt: '2026-11-22T08:00:00.000Z', isDrill: false, file: null },
  file: null,
  startsAt: 0,
  offsetSeconds: 0,
  until: Infinity,
}

test.each(['hangs', 'plays'])(
  'An alert ends the play that a crossfade fades out, while the other mpv %s',
  async how => {
    // A busy machine, too, has loaded the next song before the crossfade.
    const long = { seconds: 10, overlapMs: 3000 }
    const cue = cueOf(1, clock.now(), long)
    const next = cueOf(2, cue.until, long)
    let isAlert = false
    const sequencer = new Sequencer({
      clock,
      log,
      output,
      changes,
      cueAt: at => (isAlert ? alert : at < cue.until ? cue : next),
      isFollowing: false,
      isStopping: () => false,
      onStarted: () => undefined,
    })
    const preloads = vi.spyOn(MpvPlayer.prototype, 'preload')
    const crossfades = vi.spyOn(player, 'crossfadeTo')
    const first = await player.start(cue, 'start')
    const over = sequencer.run(first, changes.count)
    await vi.waitUntil(() => preloads.mock.settledResults[0]?.type === 'fulfilled', 10_000)
    const others = (await mpvsOf(process.pid)).filter(pid => pid !== player.pid)
    if (how === 'hangs') for (const pid of others) process.kill(pid, 'SIGSTOP')
    await vi.waitUntil(() => crossfades.mock.calls.length === 1, 15_000)
    if (how === 'plays') await crossfades.mock.results[0]?.value
    // A change that ends nothing comes before it.
    changes.notify()
    await pause(20)
    isAlert = true
    changes.notify()
    await player.preemptFor(() => player.stop())
    expect(await first.logged).toEqual({ result: 'cut', why: 'alert' })
    await over
  },
)

test('A video device hides the pointer of its screen; one that plays music leaves it', () => {
  const setHidden = vi.spyOn(XPointer.prototype, 'setHidden').mockReturnValue()
  for (const kind of ['video', 'audio'] as const) player.setDisplay(makeManifest({ device: { kind } }))
  expect(setHidden.mock.calls).toEqual([[true], [false]])
})
