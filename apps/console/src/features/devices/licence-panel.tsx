import type { DeviceCard } from '@floorcast/contract/devices.ts'
import { Stack, Text } from '@mantine/core'
import { useWords } from '../../platform/i18n.ts'
import { CopyField } from '../../ui/copy-field.tsx'
import { Panel } from '../../ui/panel.tsx'
import { QrCode } from '../../ui/qr-code.tsx'
import styles from './devices.module.css'

/** How this device's player is started: its key, a QR code of it, and the one line for the shop's box. */
export function LicencePanel({ device }: { device: DeviceCard }) {
  const { t } = useWords()
  const { licenseKey, installLine } = device
  if (licenseKey === null) return null
  return (
    <Panel title={t('devices:licence.title')}>
      <div className={styles.licence}>
        <QrCode text={licenseKey} label={t('devices:licence.qr')} />
        <Stack gap="sm">
          <Text c="dimmed">{t('devices:licence.text')}</Text>
          <div>
            <Text size="sm" fw={500} mb={4}>
              {t('devices:card.licenseKey')}
            </Text>
            <CopyField label={t('devices:card.licenseKey')} text={licenseKey} />
          </div>
          {installLine !== null && (
            <div>
              <Text size="sm" fw={500} mb={4}>
                {t('devices:licence.line')}
              </Text>
              <CopyField label={t('devices:licence.line')} text={installLine} />
            </div>
          )}
        </Stack>
      </div>
    </Panel>
  )
}
