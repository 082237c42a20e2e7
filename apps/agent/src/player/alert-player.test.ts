import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Clock } from '@floorcast/device-client/clock.ts'
import { makeFile } from '@floorcast/testing/manifest-arbitrary.ts'
import { makeSong } from '@floorcast/testing/media-song.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AlertPlayer } from './alert-player.ts'
import { MpvPlayer } from './mpv-player.ts'

/** The first samples of an alert may come some 20 ms after mpv says that it plays them. */
const FIRST_SAMPLES_MS = 20

let folder: string
let player: AlertPlayer
const clock = new Clock({ system: () => Date.now(), steady: () => performance.now() }, 0, null)
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'floorcast-alert-'))
  player = new AlertPlayer({
    options: { audioOutput: 'null', audioOnly: true },
    clock,
    pathOf: sha256 => join(folder, sha256),
    onFault: () => undefined,
  })
  player.prepare()
})
afterEach(() => {
  vi.restoreAllMocks()
  player.close()
  rmSync(folder, { recursive: true, force: true })
})

const file = makeFile(1, { durationSeconds: 1 })
test.each([
  { sound: 'its own sound', of: file },
  { sound: 'the siren', of: null },
])('The music goes on until the first samples of an alert: $sound', async ({ of }) => {
  writeFileSync(join(folder, file.sha256), makeSong({ notes: [1], seconds: 1 }))
  expect(await player.checkSiren()).toBe(true)
  const begunAt: number[] = []
  const unpause = Reflect.get<MpvPlayer, 'unpause'>(MpvPlayer.prototype, 'unpause')
  vi.spyOn(MpvPlayer.prototype, 'unpause').mockImplementation(async function (this: MpvPlayer, playback) {
    await unpause.call(this, playback)
    begunAt.push(clock.steady())
  })
  const interrupted = Promise.withResolvers<void>()
  const silencedAt: number[] = []
  const playing = player.play(of, {
    volume: 50,
    interrupted: interrupted.promise,
    silenceMusic: async () => void silencedAt.push(clock.steady()),
    onSound: () => begunAt.push(clock.steady()),
  })
  await vi.waitFor(() => expect(silencedAt).not.toHaveLength(0), 10_000)
  interrupted.resolve()
  await playing
  expect(Math.min(...silencedAt) - Math.min(...begunAt)).toBeGreaterThan(FIRST_SAMPLES_MS)
})
