import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { toWav } from '@floorcast/testing/wav.ts'

/** Known sounds, and files of them. */
export const SIGNAL_RATE = 48_000

const NOISE_LEVEL = 6000
/** The share of the former sample in the next one, which keeps the noise where MP3 keeps it. */
const SMOOTHING = 0.8
/** Of the generator of pseudo-random numbers (Numerical Recipes). */
const [MULTIPLIER, INCREMENT] = [1_664_525, 1_013_904_223]

/** Noise, the same each time: each part of it is like no other, so that a recording of it says where it is. */
export function makeNoise(seconds: number): Int16Array {
  const samples = new Int16Array(Math.round(seconds * SIGNAL_RATE))
  let [state, low, lower] = [1, 0, 0]
  for (let n = 0; n < samples.length; n += 1) {
    state = (Math.imul(state, MULTIPLIER) + INCREMENT) >>> 0
    low = SMOOTHING * low + (1 - SMOOTHING) * (state / 2 ** 31 - 1)
    lower = SMOOTHING * lower + (1 - SMOOTHING) * low
    samples[n] = Math.max(-32_000, Math.min(32_000, 4 * NOISE_LEVEL * lower))
  }
  return samples
}

export function makeTone(hertz: number, seconds: number, level: number): Int16Array {
  const radians = (2 * Math.PI * hertz) / SIGNAL_RATE
  return Int16Array.from({ length: Math.round(seconds * SIGNAL_RATE) }, (_, n) =>
    Math.round(level * 32_767 * Math.sin(radians * n)),
  )
}

export interface SoundForm {
  rate?: number
  channels?: 1 | 2
  /** Whether the file says how much its encoder has added. */
  isTagged?: boolean
}

/** Writes an MP3, by ffmpeg's LAME, beside its samples. `base` is its path without the ending. Returns its path. */
export function writeMp3(
  base: string,
  samples: Int16Array,
  { rate = SIGNAL_RATE, channels = 2, isTagged = true }: SoundForm = {},
): string {
  const [source, path] = [`${base}.wav`, `${base}.mp3`]
  writeFileSync(source, toWav(samples, SIGNAL_RATE))
  const form = ['-ar', String(rate), '-ac', String(channels), '-b:a', channels === 1 ? '96k' : '160k']
  const tag = ['-write_xing', isTagged ? '1' : '0', '-id3v2_version', '0']
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', source, '-c:a', 'libmp3lame', ...form, ...tag, path])
  return path
}
