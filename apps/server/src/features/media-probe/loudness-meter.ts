/* An EBU R128 meter: K-weighting and gating of ITU-R BS.1770, and the true peak of its annex 2. */

/** The coefficients of a second-order filter, normalized to a0 = 1. */
type Biquad = { b0: number; b1: number; b2: number; a1: number; a2: number }

// BS.1770 gives both filters at 48 kHz only. These analog values give them at any rate, and the same ones at 48 kHz.
function shelf(sampleRate: number): Biquad {
  const quality = 0.7071752369554196
  const gain = 10 ** (3.999843853973347 / 20)
  const middle = gain ** 0.4996667741545416
  const k = Math.tan((Math.PI * 1681.974450955533) / sampleRate)
  const a0 = 1 + k / quality + k * k
  return {
    b0: (gain + (middle * k) / quality + k * k) / a0,
    b1: (2 * (k * k - gain)) / a0,
    b2: (gain - (middle * k) / quality + k * k) / a0,
    a1: (2 * (k * k - 1)) / a0,
    a2: (1 - k / quality + k * k) / a0,
  }
}

function highPass(sampleRate: number): Biquad {
  const quality = 0.5003270373238773
  const k = Math.tan((Math.PI * 38.13547087602444) / sampleRate)
  const a0 = 1 + k / quality + k * k
  return { b0: 1, b1: -2, b2: 1, a1: (2 * (k * k - 1)) / a0, a2: (1 - k / quality + k * k) / a0 }
}

/** Creates the K-weighting of one channel: sample in, weighted sample out. */
function createKWeighting(sampleRate: number): (sample: number) => number {
  const first = shelf(sampleRate)
  const second = highPass(sampleRate)
  let [s1, s2, t1, t2] = [0, 0, 0, 0]
  return sample => {
    const shelved = first.b0 * sample + s1
    s1 = first.b1 * sample - first.a1 * shelved + s2
    s2 = first.b2 * sample - first.a2 * shelved
    const weighted = second.b0 * shelved + t1
    t1 = second.b1 * shelved - second.a1 * weighted + t2
    t2 = second.b2 * shelved - second.a2 * weighted
    return weighted
  }
}

const OVERSAMPLING = 4
const TAPS = 12
const STRETCH_SAMPLES = 64

// A sinc under a Hann window: one row of taps for each of the four positions between two samples.
const phases = Array.from({ length: OVERSAMPLING }, (_, phase) =>
  Float64Array.from({ length: TAPS }, (_, tap) => {
    const x = TAPS / 2 - tap - phase / OVERSAMPLING
    const window = 0.5 + 0.5 * Math.cos((Math.PI * x) / (TAPS / 2))
    return x === 0 ? 1 : (window * Math.sin(Math.PI * x)) / (Math.PI * x)
  }),
)
/** The largest ratio between a point of the signal and the samples around it. */
const MAX_OVERSHOOT = Math.max(...phases.map(taps => taps.reduce((sum, tap) => sum + Math.abs(tap), 0)))

type Stretch = { from: number; to: number }

/** The peak between the samples of a stretch, or `peakBefore` if that is higher. */
function peakBetween(samples: Float32Array, { from, to }: Stretch, peakBefore: number): number {
  let peak = peakBefore
  for (const taps of phases) {
    for (let at = from; at < to; at++) {
      let value = 0
      for (let tap = 0; tap < TAPS; tap++) value += (samples[at + tap] ?? 0) * (taps[tap] ?? 0)
      peak = Math.max(peak, Math.abs(value))
    }
  }
  return peak
}

function samplePeak(samples: Float32Array, { from, to }: Stretch): number {
  let peak = 0
  for (let at = from; at < to; at++) peak = Math.max(peak, Math.abs(samples[at] ?? 0))
  return peak
}

/** Creates the true-peak meter of one channel, four times oversampled. It returns the peak so far; 1 is full scale. */
function createTruePeak(): (samples: Float32Array) => number {
  let peak = 0
  let before = new Float32Array(TAPS - 1)
  return samples => {
    const all = new Float32Array(before.length + samples.length)
    all.set(before)
    all.set(samples, before.length)
    for (let from = 0; from < samples.length; from += STRETCH_SAMPLES) {
      const to = Math.min(from + STRETCH_SAMPLES, samples.length)
      // Most stretches are too quiet for a new peak: they skip the filter, the most expensive part.
      if (samplePeak(all, { from, to: to + TAPS - 1 }) * MAX_OVERSHOOT > peak)
        peak = peakBetween(all, { from, to }, peak)
    }
    before = all.slice(all.length - (TAPS - 1))
    return peak
  }
}

/** EBU R128: integrated loudness in LUFS and true peak in dBTP. */
export type LoudnessFigures = { integratedLufs: number; truePeakDbtp: number }

/** Measures sound that is added in pieces; null for silence and for less than 400 ms. */
export type LoudnessMeter = {
  add: (left: Float32Array, right: Float32Array) => void
  finish: () => LoudnessFigures | null
}

const HOPS_PER_BLOCK = 4
const HOPS_PER_SECOND = 10
const ABSOLUTE_GATE_LUFS = -70
const RELATIVE_GATE_LU = 10
const PIECE_SAMPLES = 4096

const toLufs = (power: number) => -0.691 + 10 * Math.log10(power)
const toPower = (lufs: number) => 10 ** ((lufs + 0.691) / 10)
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

/** Applies both gates of BS.1770 to blocks of 400 ms that overlap by three quarters. */
function integrate(hops: readonly number[]): number | null {
  const blocks = hops.slice(HOPS_PER_BLOCK - 1).map((_, at) => mean(hops.slice(at, at + HOPS_PER_BLOCK)))
  const audible = blocks.filter(power => power > toPower(ABSOLUTE_GATE_LUFS))
  if (audible.length === 0) return null
  const gate = toPower(toLufs(mean(audible)) - RELATIVE_GATE_LU)
  return toLufs(mean(audible.filter(power => power > gate)))
}

/** Creates a stereo meter. Add the one channel of a mono file as both: a shop plays it on two loudspeakers. */
export function createLoudnessMeter(sampleRate: number): LoudnessMeter {
  const weightings = [createKWeighting(sampleRate), createKWeighting(sampleRate)] as const
  const truePeaks = [createTruePeak(), createTruePeak()] as const
  const hopSamples = Math.round(sampleRate / HOPS_PER_SECOND)
  const hops: number[] = []
  let [energy, counted, peak] = [0, 0, 0]
  const addWeighted = (left: Float32Array, right: Float32Array) => {
    for (let i = 0; i < left.length; i++) {
      const l = weightings[0](left[i] ?? 0)
      const r = weightings[1](right[i] ?? 0)
      energy += l * l + r * r
      if (++counted < hopSamples) continue
      hops.push(energy / hopSamples)
      ;[energy, counted] = [0, 0]
    }
  }
  return {
    add: (left, right) => {
      addWeighted(left, right)
      for (let at = 0; at < left.length; at += PIECE_SAMPLES)
        peak = Math.max(
          peak,
          truePeaks[0](left.subarray(at, at + PIECE_SAMPLES)),
          truePeaks[1](right.subarray(at, at + PIECE_SAMPLES)),
        )
    },
    finish: () => {
      const integratedLufs = integrate(hops)
      return integratedLufs === null ? null : { integratedLufs, truePeakDbtp: 20 * Math.log10(peak) }
    },
  }
}
