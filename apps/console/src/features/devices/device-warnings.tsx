import type { DeviceCard } from '@floorcast/contract/devices.ts'
import { Alert, Stack } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useFormat } from '../../platform/format.ts'
import { useWords } from '../../platform/i18n.ts'

/** What is wrong with a device and would otherwise go unseen: events that never came, bad files, an expired licence. */
export function DeviceWarnings({ device }: { device: DeviceCard }) {
  const { t } = useWords()
  const format = useFormat()
  const missing = device.gaps.reduce((sum, gap) => sum + gap.to - gap.from + 1, 0)
  const ranges = device.gaps.map(gap => `${format.number(gap.from)}–${format.number(gap.to)}`)
  if (missing === 0 && device.quarantined.length === 0 && !device.isExpired) return null
  return (
    <Stack gap="xs">
      {missing > 0 && (
        <Warning>{t('devices:warnings.gaps', { count: missing, ranges: format.list(ranges) })}</Warning>
      )}
      {device.quarantined.length > 0 && (
        <Warning>
          {t('devices:warnings.quarantined', {
            names: format.list(device.quarantined.map(({ name }) => name)),
          })}
        </Warning>
      )}
      {device.isExpired && (
        <Warning>{t('devices:warnings.expired', { date: format.date(device.expiresAt) })}</Warning>
      )}
    </Stack>
  )
}

function Warning({ children }: { children: ReactNode }) {
  return (
    <Alert color="amber" icon={<IconAlertTriangle size={20} aria-hidden />}>
      {children}
    </Alert>
  )
}
