/** What a recording says: where in a known sound it is, when a tone begins, how loud it is, and how long it is silent. */

/** Samples of the recording that one search compares. */
const COMPARED = 4096
/** A first, rough search compares each eighth sample at each second place. */
const ROUGH_STEP = 8
/** Below so much of full scale, about −60 dB, it is silent. */
const SILENT = 33

export interface Place {
  /** The sample of the known sound, with its fraction, that the recording has at the asked one. */
  at: number
  /** How alike they are there: 1 is the same. */
  likeness: number
}

interface Sounds {
  recorded: Int16Array
  reference: Int16Array
}

/** How alike the sounds are from sample `at` of the one and `place` of the other on, by each `step`-th sample. */
function likenessOf(
  { recorded, reference }: Sounds,
  at: number,
  { place, step = 1 }: { place: number; step?: number },
) {
  const count = Math.min(COMPARED, recorded.length - at, reference.length - place)
  let [product, ofRecorded, ofReference] = [0, 0, 0]
  for (let n = 0; n < count; n += step) {
    const a = recorded[at + n] as number
    const b = reference[place + n] as number
    product += a * b
    ofRecorded += a * a
    ofReference += b * b
  }
  return product / Math.sqrt(ofRecorded * ofReference || 1)
}

/** Finds which part of a known sound a recording has from sample `at` on, within `radius` samples of the expected place. */
export function findPlace(
  sounds: Sounds,
  at: number,
  { expected, radius }: { expected: number; radius: number },
): Place {
  const bestOf = ({ from, until, step }: { from: number; until: number; step: number }) => {
    let best = { at: from, likeness: -Infinity }
    for (let place = Math.max(0, from); place <= until; place += Math.max(1, step / 4)) {
      const likeness = likenessOf(sounds, at, { place, step })
      if (likeness > best.likeness) best = { at: place, likeness }
    }
    return best
  }
  const middle = Math.round(expected)
  const last = sounds.reference.length - COMPARED
  const rough = bestOf({ from: middle - radius, until: Math.min(last, middle + radius), step: ROUGH_STEP })
  const best = bestOf({ from: rough.at - ROUGH_STEP, until: Math.min(last, rough.at + ROUGH_STEP), step: 1 })
  // The top of the parabola through the best place and its neighbours.
  const [before, after] = [-1, 1].map(side => likenessOf(sounds, at, { place: best.at + side })) as [
    number,
    number,
  ]
  const bend = before - 2 * best.likeness + after
  return { ...best, at: best.at + (bend < 0 ? (before - after) / (2 * bend) : 0) }
}

/** The amplitude of a tone in samples (Goertzel), in parts of full scale. */
function amplitudeOf(samples: Int16Array, hertz: number, rate: number): number {
  const factor = 2 * Math.cos((2 * Math.PI * hertz) / rate)
  let [last, former] = [0, 0]
  for (const sample of samples) [last, former] = [sample + factor * last - former, last]
  const power = last * last + former * former - factor * last * former
  return (2 * Math.sqrt(Math.max(0, power))) / samples.length / 32_768
}

/** The amplitude of a tone in windows of `size` samples, one each `step` samples; a window that has whole periods of other tones does not hear them. */
export function envelopeOf(
  samples: Int16Array,
  { hertz, rate, size, step }: { hertz: number; rate: number; size: number; step: number },
): Float64Array {
  const windows = Math.max(0, Math.floor((samples.length - size) / step) + 1)
  return Float64Array.from({ length: windows }, (_, n) =>
    amplitudeOf(samples.subarray(n * step, n * step + size), hertz, rate),
  )
}

/** The longest time without sound, in samples. */
export function longestSilence(samples: Int16Array): number {
  let [longest, current] = [0, 0]
  for (const sample of samples) {
    current = Math.abs(sample) < SILENT ? current + 1 : 0
    longest = Math.max(longest, current)
  }
  return longest
}

/** The line through points with the least squares: its value at 0, and its rise. */
export function lineThrough(points: readonly (readonly [number, number])[]): { start: number; rise: number } {
  const mean = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / values.length
  const [x, y] = [mean(points.map(([each]) => each)), mean(points.map(([, each]) => each))]
  const across = points.reduce((sum, [px, py]) => sum + (px - x) * (py - y), 0)
  const along = points.reduce((sum, [px]) => sum + (px - x) ** 2, 0)
  const rise = along === 0 ? 0 : across / along
  return { start: y - rise * x, rise }
}
