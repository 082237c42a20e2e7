import type { MediaRow } from '@floorcast/contract/media.ts'
import type { Format } from '../../platform/format.ts'
import type { Translate } from '../../platform/i18n.ts'

/** Describes integrated loudness: '−14.2 LUFS', or why there is none. */
export function describeLoudness(
  { t, format }: { t: Translate; format: Format },
  { loudness, loudnessState }: Pick<MediaRow, 'loudness' | 'loudnessState'>,
): string {
  if (loudness) return t('media:lufs', { value: format.number(loudness.integratedLufs, 1) })
  return loudnessState === 'pending' ? t('media:measuring') : t('media:notMeasured')
}
