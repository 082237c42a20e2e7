import type { ManifestFile } from '@floorcast/contract/manifest.ts'
import { type Millis, millisOf, SECOND } from './instant.ts'

export const isAd = (file: ManifestFile): boolean =>
  file.contentType === 'ads' || file.contentType === 'videosAds'

export const lengthOf = (file: ManifestFile): Millis => millisOf(file.durationSeconds)

/** Milliseconds that two neighbours overlap: none at an ad, and never more than half of the shorter. */
export function overlapOf(first: ManifestFile, second: ManifestFile, crossfadeSeconds: number): Millis {
  if (isAd(first) || isAd(second)) return 0
  const shorter = Math.min(lengthOf(first), lengthOf(second))
  return Math.min(Math.round(crossfadeSeconds * SECOND), Math.floor(shorter / 2))
}
