import { volumeGainDb } from '@floorcast/playback/gain.ts'
import type { Format } from '../../platform/format.ts'
import type { Translate } from '../../platform/i18n.ts'

/** A volume (0 to 100) with its gain: 50% (−10 dB). */
export function describeVolume(t: Translate, format: Format, volume: number): string {
  const share = format.percent(volume / 100)
  if (volume === 0) return t('devices:card.volumeSilent', { volume: share })
  // Rounded before, so that no −0 is shown.
  const gain = format.number(Math.round(volumeGainDb(volume)) + 0, 0)
  return t('devices:card.volumeGain', { volume: share, gain })
}
