import type { ManifestFile } from '@floorcast/contract/manifest.ts'

/** True peak that no file is raised over, in dBTP. */
const CEILING_DBTP = -1
/** A near-silent file is not raised to noise. */
const MAX_GAIN_DB = 20

/**
 * Decibels that bring a file to the target loudness: target − measured, limited so that its true peak stays under
 * −1 dBTP. 0 when either is unknown: a figure is never guessed.
 */
export function gainOf(loudness: ManifestFile['loudness'], targetLufs: number | null): number {
  if (loudness === null || targetLufs === null) return 0
  const wanted = targetLufs - loudness.integratedLufs
  const headroom = CEILING_DBTP - loudness.truePeakDbtp
  // Turning down is never limited; turning up stops at the ceiling, and never becomes turning down by it.
  const gain = wanted <= 0 ? wanted : Math.min(wanted, Math.max(0, headroom), MAX_GAIN_DB)
  return Number.isFinite(gain) ? Math.round(gain * 100) / 100 : 0
}
