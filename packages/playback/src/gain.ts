import type { ManifestFile } from '@floorcast/contract/manifest.ts'

/** The limit of the true peak after a raise, in dBTP. */
const CEILING_DBTP = -1
/** The limit of a raise, so that a near-silent file does not become noise. */
const MAX_GAIN_DB = 20

/**
 * The gain in decibels that brings a file to the target loudness: target − measured, limited so that the true peak stays
 * under −1 dBTP. 0 if either is unknown.
 */
export function gainOf(loudness: ManifestFile['loudness'], targetLufs: number | null): number {
  if (loudness === null || targetLufs === null) return 0
  const wanted = targetLufs - loudness.integratedLufs
  const headroom = CEILING_DBTP - loudness.truePeakDbtp
  // Attenuation is never limited. Amplification stops at the ceiling, but never becomes attenuation.
  const gain = wanted <= 0 ? wanted : Math.min(wanted, Math.max(0, headroom), MAX_GAIN_DB)
  return Number.isFinite(gain) ? Math.round(gain * 100) / 100 : 0
}

/** How many decibels louder a sound is that people call twice as loud. */
const TWICE_AS_LOUD_DB = 10

/**
 * The gain in decibels of a volume (0 to 100): each half of it is half as loud, so 50 is −10 dB and 25 is −20 dB. 100 plays as is, 0 is
 * silent (−Infinity).
 */
export const volumeGainDb = (volume: number): number => TWICE_AS_LOUD_DB * Math.log2(volume / 100)
