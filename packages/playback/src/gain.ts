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
