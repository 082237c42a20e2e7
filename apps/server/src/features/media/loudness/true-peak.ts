const FACTOR = 4
const TAPS = 12
const STRETCH = 64

// A sinc under a Hann window, one row of taps for each of the four places between two samples.
const phases = Array.from({ length: FACTOR }, (_, phase) =>
  Float64Array.from({ length: TAPS }, (_, tap) => {
    const x = TAPS / 2 - tap - phase / FACTOR
    const window = 0.5 + 0.5 * Math.cos((Math.PI * x) / (TAPS / 2))
    return x === 0 ? 1 : (window * Math.sin(Math.PI * x)) / (Math.PI * x)
  }),
)
/** No point between samples is louder than this times the loudest sample about it. */
const MOST_OVERSHOOT = Math.max(...phases.map(taps => taps.reduce((sum, tap) => sum + Math.abs(tap), 0)))

type Stretch = { from: number; to: number }

/** The loudest place between the samples of a stretch, or `most` if that is louder. */
function peakBetween(samples: Float32Array, { from, to }: Stretch, most: number): number {
  let peak = most
  for (const taps of phases) {
    for (let at = from; at < to; at++) {
      let value = 0
      for (let tap = 0; tap < TAPS; tap++) value += (samples[at + tap] ?? 0) * (taps[tap] ?? 0)
      peak = Math.max(peak, Math.abs(value))
    }
  }
  return peak
}

function loudestOf(samples: Float32Array, { from, to }: Stretch): number {
  let loudest = 0
  for (let at = from; at < to; at++) loudest = Math.max(loudest, Math.abs(samples[at] ?? 0))
  return loudest
}

/** Makes one channel's true peak meter (BS.1770 annex 2, four times oversampled); it answers the peak so far, 1 = full scale. */
export function createTruePeak(): (samples: Float32Array) => number {
  let peak = 0
  let before = new Float32Array(TAPS - 1)
  return samples => {
    const all = new Float32Array(before.length + samples.length)
    all.set(before)
    all.set(samples, before.length)
    for (let from = 0; from < samples.length; from += STRETCH) {
      const to = Math.min(from + STRETCH, samples.length)
      // Most stretches are too quiet to hold a new peak; the filter, the dearest part, skips them.
      if (loudestOf(all, { from, to: to + TAPS - 1 }) * MOST_OVERSHOOT > peak)
        peak = peakBetween(all, { from, to }, peak)
    }
    before = all.slice(all.length - (TAPS - 1))
    return peak
  }
}
