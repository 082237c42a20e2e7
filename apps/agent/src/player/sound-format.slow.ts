import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatOf, loudnessOf, makeTone, recordMpv } from '@floorcast/testing/recorded-mpv.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { MpvPlayer } from './mpv-player.ts'
import type { Track } from './playback.ts'

const SECONDS = 3
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'floorcast-sound-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

interface Sound {
  name: string
  levels: number[]
  rate: number
}

const trackOf = ({ name, levels, rate }: Sound): Track => ({
  path: makeTone(join(folder, name), { levels, rate, seconds: SECONDS }),
  isVideo: name.endsWith('.mp4'),
  gainDb: 0,
  offsetSeconds: 0,
  durationSeconds: SECONDS,
})

/** Plays the sounds without a gap at a volume. Returns the loudness of each as recorded, and the recording. */
async function record(sounds: readonly Sound[], volume = 100) {
  const mpv = recordMpv(folder)
  const player = new MpvPlayer(mpv, () => performance.now())
  await player.setVolume(volume)
  const [first, ...rest] = sounds.map(trackOf)
  if (!first) throw new Error('nothing to play')
  const playbacks = [await player.play(first)]
  for (const track of rest) playbacks.push(await player.enqueue(track))
  const endings = await Promise.all(playbacks.map(({ ended }) => ended))
  player.close()
  expect(endings.map(({ kind }) => kind)).toEqual(sounds.map(() => 'end'))
  const loudness = sounds.map((_, index) =>
    loudnessOf(mpv.recording, { from: index * SECONDS + 0.5, seconds: SECONDS - 1 }),
  )
  return { loudness, recording: mpv.recording }
}

const stereo = { name: 'stereo.mp3', levels: [0.25, 0.25], rate: 44_100 }

test('A chain that begins with a mono file of 16 kHz keeps the channels, the rate and the loudness of all that follow', async () => {
  const { loudness, recording } = await record([
    { name: 'mono-16.mp3', levels: [0.25], rate: 16_000 },
    { name: 'mono.mp3', levels: [0.25], rate: 44_100 },
    stereo,
    { name: 'mono.mp4', levels: [0.25], rate: 48_000 },
    { name: 'surround.mp4', levels: [0.25, 0.25, 0, 0, 0, 0], rate: 48_000 },
  ])
  expect(formatOf(recording)).toEqual({ rate: 48_000, channels: 2 })
  expect(Math.max(...loudness) - Math.min(...loudness)).toBeLessThan(1)
})

test('Half the volume is half as loud, 10 dB less', async () => {
  const [full = 0] = (await record([stereo])).loudness
  const [half = 0] = (await record([stereo], 50)).loudness
  const [quarter = 0] = (await record([stereo], 25)).loudness
  expect(full - half).toBeCloseTo(10, 0)
  expect(full - quarter).toBeCloseTo(20, 0)
})

test('The volume 0 is silent', async () => {
  const { loudness } = await record([stereo], 0)
  expect(loudness[0]).toBeLessThanOrEqual(-70)
})
