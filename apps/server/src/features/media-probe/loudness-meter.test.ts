import { expect, test } from 'vitest'
import { createLoudnessMeter } from './loudness-meter.ts'

type Part = { dbfs: number; seconds: number }

function sine(parts: readonly Part[], sampleRate: number, { hertz = 1000, phase = 0 } = {}): Float32Array {
  const pieces = parts.map(({ dbfs, seconds }) => ({
    level: 10 ** (dbfs / 20),
    count: Math.round(seconds * sampleRate),
  }))
  const samples = new Float32Array(pieces.reduce((sum, { count }) => sum + count, 0))
  let at = 0
  for (const { level, count } of pieces)
    for (const end = at + count; at < end; at += 1)
      samples[at] = level * Math.sin((2 * Math.PI * hertz * at) / sampleRate + phase)
  return samples
}

function measure(samples: Float32Array, sampleRate: number) {
  const meter = createLoudnessMeter(sampleRate)
  for (let at = 0; at < samples.length; at += 5000) {
    const piece = samples.subarray(at, at + 5000)
    meter.add(piece, piece)
  }
  return meter.finish()
}

/** Without a fade the first sample would be a click, and louder than the tone. */
function faded(samples: Float32Array): Float32Array {
  const fade = samples.length / 10
  return samples.map((sample, at) => sample * Math.min(1, at / fade, (samples.length - at) / fade))
}

/** Cases and tolerances of EBU Tech 3341, "Minimum requirements test signals". */

test.each([44100, 48000, 22050])(
  'the meter follows EBU Tech 3341 1 kHz at -23 dBFS is -23 LUFS at %i Hz',
  sampleRate => {
    const figures = measure(sine([{ dbfs: -23, seconds: 20 }], sampleRate), sampleRate)
    expect(Math.abs((figures?.integratedLufs ?? 0) + 23)).toBeLessThan(0.1)
  },
)

test('the meter follows EBU Tech 3341 quiet parts are gated out (case 3)', () => {
  const parts = [
    { dbfs: -36, seconds: 10 },
    { dbfs: -23, seconds: 60 },
    { dbfs: -36, seconds: 10 },
  ]
  expect(Math.abs((measure(sine(parts, 48000), 48000)?.integratedLufs ?? 0) + 23)).toBeLessThan(0.1)
})

test('the meter follows EBU Tech 3341 near silence is gated out before the mean (case 4)', () => {
  const levels = [-72, -36, -23, -36, -72].map(dbfs => ({ dbfs, seconds: dbfs === -23 ? 60 : 10 }))
  expect(Math.abs((measure(sine(levels, 48000), 48000)?.integratedLufs ?? 0) + 23)).toBeLessThan(0.1)
})

test.each([
  { title: 'between samples (case 16)', hertz: 12000, phase: Math.PI / 4 },
  { title: 'off the grid (case 17)', hertz: 8000, phase: Math.PI / 3 },
  { title: 'far off the grid (case 18)', hertz: 6000, phase: (67.5 * Math.PI) / 180 },
])('the meter follows EBU Tech 3341 a peak $title is -6 dBTP', ({ hertz, phase }) => {
  const peak =
    measure(faded(sine([{ dbfs: -6.0206, seconds: 1 }], 48000, { hertz, phase })), 48000)?.truePeakDbtp ?? 0
  expect(peak).toBeGreaterThan(-6.4)
  expect(peak).toBeLessThan(-5.8)
})

test('the meter follows EBU Tech 3341 silence, and less than 400 ms, have no figure', () => {
  expect(measure(new Float32Array(48000), 48000)).toBeNull()
  expect(measure(sine([{ dbfs: -23, seconds: 0.3 }], 48000), 48000)).toBeNull()
})
