import type { ManifestFile } from '@floorcast/contract/manifest.ts'
import { type Ms, toMs, SECOND } from './instant.ts'

/** What overlapping asks of a file; the console's running times ask the same of a playlist's items. */
export type Sounding = Pick<ManifestFile, 'contentType' | 'durationSeconds'>

export const isAd = (file: Sounding): boolean =>
  file.contentType === 'ads' || file.contentType === 'videosAds'

export const lengthOf = (file: Sounding): Ms => toMs(file.durationSeconds)

/** Milliseconds that two neighbours overlap: none at an ad, and never more than half of the shorter. */
export function overlapOf(first: Sounding, second: Sounding, crossfadeSeconds: number): Ms {
  if (isAd(first) || isAd(second)) return 0
  const shorter = Math.min(lengthOf(first), lengthOf(second))
  return Math.min(Math.round(crossfadeSeconds * SECOND), Math.floor(shorter / 2))
}
