/** A tone, or silence (null), from one second of a recording to another. */
export interface Heard {
  tone: number | null
  from: number
  to: number
}

const WINDOW_SECONDS = 0.04
/** A lower level, about −60 dB of full scale, is silence. */
const SILENT = 0.001
/** A shorter tone is the seam of two others. */
const MIN_TONE_SECONDS = 0.1

/** The power of a frequency in samples (Goertzel). */
function powerOf(samples: Int16Array, frequency: number, rate: number): number {
  const factor = 2 * Math.cos((2 * Math.PI * frequency) / rate)
  let [last, former] = [0, 0]
  for (const sample of samples) [last, former] = [sample + factor * last - former, last]
  return last * last + former * former - factor * last * former
}

function loudestTone(samples: Int16Array, frequencies: readonly number[], rate: number): number | null {
  const squares = samples.reduce((sum, sample) => sum + (sample / 32_768) ** 2, 0)
  if (Math.sqrt(squares / samples.length) < SILENT) return null
  const powers = frequencies.map(frequency => powerOf(samples, frequency, rate))
  return powers.indexOf(Math.max(...powers))
}

/** The tones of a recording as they follow, by their number in `frequencies` (Hz), to a twenty-fifth of a second. */
export function listTones(samples: Int16Array, frequencies: readonly number[], rate: number): Heard[] {
  const size = Math.round(WINDOW_SECONDS * rate)
  const heard: Heard[] = []
  for (let at = 0; at + size <= samples.length; at += size) {
    const tone = loudestTone(samples.subarray(at, at + size), frequencies, rate)
    const last = heard.at(-1)
    if (last?.tone === tone) last.to = (at + size) / rate
    else heard.push({ tone, from: at / rate, to: (at + size) / rate })
  }
  return joinAlike(heard.filter(({ tone, from, to }) => tone === null || to - from >= MIN_TONE_SECONDS))
}

/** Joins tones that only a short seam has separated. */
function joinAlike(heard: readonly Heard[]): Heard[] {
  const joined: Heard[] = []
  for (const each of heard) {
    const last = joined.at(-1)
    if (last?.tone === each.tone) last.to = each.to
    else joined.push({ ...each, from: last ? last.to : each.from })
  }
  return joined
}
