import type { ManifestFile } from '@floorcast/contract/manifest.ts'
import { type Ms, toMs, SECOND } from './instant.ts'

/** The fields that an overlap depends on. The console computes the same for a playlist's items. */
export type TimedFile = Pick<ManifestFile, 'contentType' | 'durationSeconds'>

export const isAd = (file: TimedFile): boolean =>
  file.contentType === 'ads' || file.contentType === 'videosAds'

export const lengthMsOf = (file: TimedFile): Ms => toMs(file.durationSeconds)

/** The overlap of two neighbors: none at an ad, and at most half of the shorter one. */
export function overlapMsOf(first: TimedFile, second: TimedFile, crossfadeSeconds: number): Ms {
  if (isAd(first) || isAd(second)) return 0
  const shorter = Math.min(lengthMsOf(first), lengthMsOf(second))
  return Math.min(Math.round(crossfadeSeconds * SECOND), Math.floor(shorter / 2))
}
