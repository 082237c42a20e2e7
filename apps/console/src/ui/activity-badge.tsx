import type { DeviceRow } from '@floorcast/contract/devices.ts'
import { useFormat } from '../platform/format.ts'
import { useTranslate } from '../platform/i18n.ts'
import { useNow } from '../platform/use-now.ts'
import { ConnectivityBadge } from './connectivity-badge.tsx'
import { StatusBadge } from './status-badge.tsx'

type Reports = Pick<DeviceRow, 'connectivity' | 'activity' | 'isConnectionLost' | 'lastContactAt'>

/** Often enough for 'seen 4 minutes ago'. */
const tickMs = 15_000

/** The connectivity of a device, and within 'online' whether its reports are overdue or its connection is lost. */
export function ActivityBadge({ device }: { device: Reports }) {
  const { t } = useTranslate()
  const format = useFormat()
  const isLate = device.activity === 'late'
  const nowMs = useNow(isLate ? tickMs : null)
  if (isLate && device.lastContactAt !== null)
    return (
      <StatusBadge tone="late">
        {t('activity:seen', { time: format.relative(device.lastContactAt, nowMs) })}
      </StatusBadge>
    )
  if (device.connectivity === 'online' && device.isConnectionLost)
    return <StatusBadge tone="late">{t('activity:connectionLost')}</StatusBadge>
  return <ConnectivityBadge state={device.connectivity} />
}
