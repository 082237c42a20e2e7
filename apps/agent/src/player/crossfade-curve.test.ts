import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeTone, recordMpv, samplesOf } from '@floorcast/testing/recorded-mpv.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { MpvPlayer } from './mpv-player.ts'

const RATE = 48_000
const SECONDS = 4
const FADE_MS = 1000
/** Ten milliseconds. */
const WINDOW = RATE / 100

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'floorcast-fade-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Plays a tone with a fade at both ends. Returns its level every 10 ms, 1 for the tone's own. */
async function recordFades(rate: number): Promise<number[]> {
  const mpv = recordMpv(folder)
  const player = new MpvPlayer(mpv, () => performance.now())
  const path = makeTone(join(folder, 'tone.mp3'), { levels: [0.25, 0.25], rate, seconds: SECONDS })
  const playback = await player.play({
    path,
    isVideo: false,
    gainDb: 0,
    offsetSeconds: 0,
    durationSeconds: SECONDS,
    fadeInMs: FADE_MS,
    fadeOutMs: FADE_MS,
  })
  await playback.ended
  player.close()
  const samples = samplesOf(mpv.recording, RATE)
  const powerOf = (at: number) =>
    samples.subarray(at, at + WINDOW).reduce((sum, sample) => sum + sample ** 2, 0)
  const full = powerOf((SECONDS / 2) * RATE)
  return Array.from({ length: Math.floor(samples.length / WINDOW) }, (_, nr) =>
    Math.sqrt(powerOf(nr * WINDOW) / full),
  )
}

test.each([48_000, 44_100])(
  'A crossfade’s fades begin and end at their millisecond, and are a quarter of a sine within 0.3 dB, at %i Hz',
  async rate => {
    const levels = await recordFades(rate)
    // The resampler keeps back less than a millisecond.
    expect(Math.abs(levels.length - SECONDS * 100)).toBeLessThanOrEqual(1)
    const off = levels.map((level, nr) => {
      const at = nr * 10 + 5
      const share = Math.min(1, at / FADE_MS, (SECONDS * 1000 - at) / FADE_MS)
      const ideal = Math.sin((share * Math.PI) / 2)
      return ideal < 0.1 ? 0 : Math.abs(20 * Math.log10(level / ideal))
    })
    expect(Math.max(...off)).toBeLessThan(0.3)
  },
)
