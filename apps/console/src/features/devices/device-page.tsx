import type { DeviceCard } from '@floorcast/contract/devices.ts'
import { Button, Grid, Stack } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { useWords } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { DetailPage } from '../../ui/detail/detail-page.tsx'
import { ConnectivityBadge } from '../../ui/connectivity-badge.tsx'
import { DeviceFields } from './device-fields.tsx'
import { DeviceMenu } from './device-menu.tsx'
import { DeviceWarnings } from './device-warnings.tsx'
import { deviceQuery } from './devices-data.ts'
import { EditDeviceForm } from './edit-device-form.tsx'
import { LastPlays } from './last-plays.tsx'
import { LicencePanel } from './licence-panel.tsx'
import { NowPlayingPanel } from './now-playing-panel.tsx'

/** The card of one play point: what it plays, what it has played, and everything known of it. */
export function DevicePage() {
  const { t } = useWords()
  const navigate = useNavigate()
  const { uid = '' } = useParams()
  const result = useQuery(deviceQuery(uid))
  const [isEditing, edit] = useState(false)
  return (
    <DetailPage<DeviceCard>
      result={result}
      name={device => device.name}
      status={device => <ConnectivityBadge state={device.connectivity} />}
      actions={device =>
        device.permissions.mayEdit && (
          <>
            <Button
              variant="default"
              leftSection={<IconPencil size={16} aria-hidden />}
              onClick={() => edit(true)}
            >
              {t('edit')}
            </Button>
            <DeviceMenu device={device} onDeleted={() => void navigate(paths.devices)} />
          </>
        )
      }
    >
      {device => (
        <>
          <DeviceWarnings device={device} />
          <Grid gap="md">
            <Grid.Col span={{ base: 12, md: 8 }}>
              <Stack gap="md">
                {device.licenseKey !== null && <LicencePanel device={device} />}
                <NowPlayingPanel device={device} />
                <DeviceFields device={device} />
              </Stack>
            </Grid.Col>
            <Grid.Col span={{ base: 12, md: 4 }}>
              <LastPlays uid={device.uid} />
            </Grid.Col>
          </Grid>
          <EditDeviceForm device={device} isOpen={isEditing} onClose={() => edit(false)} />
        </>
      )}
    </DetailPage>
  )
}
