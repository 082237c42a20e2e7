import type { DeviceRow } from '@floorcast/contract/devices.ts'
import { Text } from '@mantine/core'
import type { Translate } from '../platform/i18n.ts'
import { describeSilence } from './device-state.ts'

/** The track that a device plays, or why it plays nothing; without a value while neither is known. */
export function nowPlayingCell(t: Translate, device: Pick<DeviceRow, 'nowPlaying' | 'silentReason'>) {
  if (device.silentReason === null) return device.nowPlaying?.name
  const { tone, word } = describeSilence(t, device.silentReason)
  return (
    <Text span inherit c={tone === 'late' ? 'var(--fc-late)' : 'dimmed'} className="fc-sentence">
      {word}
    </Text>
  )
}
