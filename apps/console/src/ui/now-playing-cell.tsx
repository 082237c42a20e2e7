import type { DeviceRow } from '@floorcast/contract/devices.ts'
import { Text } from '@mantine/core'
import type { Translate } from '../platform/i18n.ts'

/** Why a device plays nothing. */
export const describeSilence = (t: Translate, { silentReason }: Pick<DeviceRow, 'silentReason'>) =>
  t(`activity:silentReasons.${silentReason ?? 'unknown'}`)

/** The track that a device plays, or why it plays nothing; without a value while neither is known. */
export function nowPlayingCell(t: Translate, device: Pick<DeviceRow, 'nowPlaying' | 'silentReason'>) {
  if (device.silentReason === null) return device.nowPlaying?.name
  return (
    <Text span inherit c="dimmed" className="fc-sentence">
      {describeSilence(t, device)}
    </Text>
  )
}
