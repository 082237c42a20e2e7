import { useFormat } from '../platform/format.ts'
import { useTranslate } from '../platform/i18n.ts'
import { useNow } from '../platform/use-now.ts'
import { describeDevice } from './device-state.ts'
import { StatusBadge } from './status-badge.tsx'

type Reports = Parameters<typeof describeDevice>[1]

/** Often enough for 'seen 4 minutes ago'. */
const tickMs = 15_000

/** The state of a device: playing, silent, closed, late, offline. */
export function ActivityBadge({ device }: { device: Reports }) {
  const { t } = useTranslate()
  const format = useFormat()
  const nowMs = useNow(device.activity === 'late' ? tickMs : null)
  const { tone, word } = describeDevice({ t, format }, device, nowMs)
  return <StatusBadge tone={tone}>{word}</StatusBadge>
}
