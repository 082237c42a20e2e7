import type { DeviceCard } from '@floorcast/contract/devices.ts'
import { Image, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { screenshotQuery } from './device-commands-data.ts'

/** The newest screenshot that a device has sent. */
export function DeviceScreenshot({ device, madeAt }: { device: DeviceCard; madeAt: string }) {
  const { t } = useTranslate()
  const format = useFormat()
  const { data: address } = useQuery(screenshotQuery(device.uid, madeAt))
  const time = format.dateTime(madeAt)
  return (
    <Stack gap={4}>
      <Text size="sm">{t('devices:commands.screenshot', { time })}</Text>
      {address !== undefined && (
        <Image
          src={address}
          alt={t('devices:commands.screenshotAlt', { name: device.name, time })}
          radius="sm"
        />
      )}
    </Stack>
  )
}
