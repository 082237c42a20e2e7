import { createKWeighting } from './k-weighting.ts'
import { createTruePeak } from './true-peak.ts'

/** EBU R128: integrated loudness in LUFS and true peak in dBTP. */
export type LoudnessFigures = { integratedLufs: number; truePeakDbtp: number }

/** Takes sound piece by piece, then says how loud it was; null for silence and for less than 400 ms. */
export type LoudnessMeter = {
  add: (left: Float32Array, right: Float32Array) => void
  finish: () => LoudnessFigures | null
}

const HOPS_PER_BLOCK = 4
const HOPS_PER_SECOND = 10
const ABSOLUTE_GATE_LUFS = -70
const RELATIVE_GATE_LU = 10
const PIECE = 4096

const toLufs = (power: number) => -0.691 + 10 * Math.log10(power)
const toPower = (lufs: number) => 10 ** ((lufs + 0.691) / 10)
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

/** BS.1770's two gates over blocks of 400 ms that overlap by three quarters. */
function integrate(hops: readonly number[]): number | null {
  const blocks = hops.slice(HOPS_PER_BLOCK - 1).map((_, at) => mean(hops.slice(at, at + HOPS_PER_BLOCK)))
  const audible = blocks.filter(power => power > toPower(ABSOLUTE_GATE_LUFS))
  if (audible.length === 0) return null
  const gate = toPower(toLufs(mean(audible)) - RELATIVE_GATE_LU)
  return toLufs(mean(audible.filter(power => power > gate)))
}

/** Makes a meter of stereo sound; a mono file gives the same channel twice, as a shop's two loudspeakers do. */
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
      for (let at = 0; at < left.length; at += PIECE)
        peak = Math.max(
          peak,
          truePeaks[0](left.subarray(at, at + PIECE)),
          truePeaks[1](right.subarray(at, at + PIECE)),
        )
    },
    finish: () => {
      const integratedLufs = integrate(hops)
      return integratedLufs === null ? null : { integratedLufs, truePeakDbtp: 20 * Math.log10(peak) }
    },
  }
}
