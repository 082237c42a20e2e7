import type { AlertFault, DeviceCard } from '@floorcast/contract/devices.ts'
import { Alert, Anchor, Button, Grid, Skeleton, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconHeadphones } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { useAfterFirstPaint } from '../../platform/first-paint.ts'
import { useFormat } from '../../platform/format.ts'
import { type Translate, useTranslate } from '../../platform/i18n.ts'
import type { PageAddress } from '../../platform/page-address.ts'
import { paths } from '../../platform/paths.ts'
import { queryClient } from '../../platform/query-client.ts'
import { useSignedInUser } from '../../platform/session.ts'
import { ActivityBadge } from '../../ui/activity-badge.tsx'
import { AlertButton } from '../../ui/alert-button.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { DetailPage } from '../../ui/detail/detail-page.tsx'
import { EditButton } from '../../ui/detail/item-actions.tsx'
import { ItemFields } from '../../ui/detail/item-fields.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { effectiveTagsQuery, EffectiveTagTable } from '../../ui/tags/effective-tags.tsx'
import { Panel } from '../../ui/panel.tsx'
import { PanelSkeletons } from '../../ui/panel-skeletons.tsx'
import { ReportLink } from '../../ui/report-link.tsx'
import { PublishButton } from '../../ui/publish-button.tsx'
import { QrCode } from '../../ui/qr-code.tsx'
import { deviceFields } from './device-columns.tsx'
import { DeviceCommandsPanel } from './device-commands-panel.tsx'
import { DayPanels, DaySkeletons } from './day-panel.tsx'
import { DeviceForm } from './device-dialogs.ts'
import { DeviceMenu } from './device-menu.tsx'
import { deviceQuery } from './devices-data.ts'
import styles from './devices.module.css'
import { InstallLine } from './install-line.tsx'
import { LastPlays } from './last-plays.tsx'
import { NowPlayingPanel } from './now-playing-panel.tsx'
import { useRenameDevice } from './device-name.tsx'

/** Describes a fault of an alert's sound. */
const describeFault = (t: Translate, { name, why }: AlertFault) =>
  t(`devices:alertFaults.${why}`, { name: name ?? t('devices:alertFaults.siren') })

/** Problems that are not visible elsewhere: missing events, bad files, alerts that would not play, an expired license. */
function DeviceWarnings({ device }: { device: DeviceCard }) {
  const { t } = useTranslate()
  const format = useFormat()
  const missing = device.gaps.reduce((sum, gap) => sum + gap.to - gap.from + 1, 0)
  const ranges = device.gaps.map(gap => `${format.number(gap.from)}–${format.number(gap.to)}`)
  const alertFaults = device.alertCheck?.faults ?? []
  const isSirenFaulty = alertFaults.some(({ name }) => name === null)
  const { server } = device
  const hasFaults =
    missing > 0 || device.quarantined.length > 0 || alertFaults.length > 0 || Boolean(server?.refused)
  if (!hasFaults && !device.isExpired) return null
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
      {alertFaults.length > 0 && (
        <Warning>
          {t(isSirenFaulty ? 'devices:warnings.alerts' : 'devices:warnings.alertSounds', {
            faults: format.list(alertFaults.map(fault => describeFault(t, fault))),
          })}
        </Warning>
      )}
      {server?.refused && (
        <Warning>
          {t('devices:warnings.address', { address: server.address, refused: server.refused.address })}
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

/** Starting the player: the license key, a QR code of it, and the install line. */
function LicensePanel({ device }: { device: DeviceCard }) {
  const { t } = useTranslate()
  const { licenseKey, installLine } = device
  if (licenseKey === null || installLine === null) return null
  return (
    <Panel title={t('devices:license.title')}>
      <div className={styles.license}>
        <QrCode text={licenseKey} label={t('devices:license.qr')} />
        <Stack gap="sm">
          <Text c="dimmed">{t('devices:license.text')}</Text>
          <div>
            <Text size="sm" fw={500} mb={4}>
              {t('devices:card.licenseKey')}
            </Text>
            <CopyField label={t('devices:card.licenseKey')} text={licenseKey} />
          </div>
          <div>
            <Text size="sm" fw={500} mb={4}>
              {t('devices:license.line')}
            </Text>
            <InstallLine line={installLine} />
          </div>
        </Stack>
      </div>
    </Panel>
  )
}

/** Every field of the device, the most asked first. */
function DevicePanels({ device }: { device: DeviceCard }) {
  const { t } = useTranslate()
  const format = useFormat()
  const fields = deviceFields(t, format)
  const describeLacking = (labels: readonly string[]) =>
    t('devices:card.notReported', { fields: format.list(labels) })
  return (['placement', 'player', 'record'] as const).map(panel => (
    <Panel key={panel} title={t(`devices:card.${panel}`)}>
      <ItemFields fields={fields} card={device} panel={panel} describeLacking={describeLacking} />
    </Panel>
  ))
}

function ListenButton({ uid }: { uid: string }) {
  const { t } = useTranslate()
  return (
    <Button
      component={Link}
      to={paths.streaming(uid)}
      variant="default"
      leftSection={<IconHeadphones size={16} aria-hidden />}
    >
      {t('devices:listen')}
    </Button>
  )
}

/** The tags that apply to the device, and where each comes from. */
function TagsPanel({ uid }: { uid: string }) {
  const { t } = useTranslate()
  const result = useQuery(effectiveTagsQuery(uid))
  const isAdmin = useSignedInUser().role === 'admin'
  return (
    <Panel
      title={t('tagKeys:title')}
      end={
        isAdmin && (
          <Anchor component={Link} to={paths.tagsOf('device', uid)} size="sm">
            {t('tagKeys:edit')}
          </Anchor>
        )
      }
    >
      {result.isPending && <Skeleton height={176} aria-busy />}
      {result.isError && !result.data && (
        <ErrorPanel error={result.error} retry={() => void result.refetch()} />
      )}
      {result.data && <EffectiveTagTable tags={result.data.tags} />}
    </Panel>
  )
}

const fieldHeights = [
  { base: 150, sm: 140 },
  { base: 328, sm: 216 },
  { base: 300, sm: 236 },
]
const playsHeight = { base: 376, sm: 376 }
const commandsHeight = { base: 246, sm: 246 }
const tagsHeight = { base: 220, sm: 220 }

/** The current track and the way to start the player come first. */
function DeviceParts({ device }: { device: DeviceCard }) {
  const isWhole = useAfterFirstPaint()
  return (
    <Grid gap="md">
      <Grid.Col span={{ base: 12, md: 8 }}>
        <Stack gap="md">
          <NowPlayingPanel device={device} />
          {device.installLine !== null && <LicensePanel device={device} />}
          {isWhole ? (
            <>
              <DayPanels key={device.uid} device={device} />
              <DevicePanels device={device} />
            </>
          ) : (
            <>
              <DaySkeletons device={device} />
              <PanelSkeletons heights={fieldHeights} />
            </>
          )}
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 4 }}>
        <Stack gap="md">
          {isWhole ? (
            <>
              <LastPlays uid={device.uid} hasPlayed={device.lastPlayed !== null} />
              <DeviceCommandsPanel device={device} />
              <TagsPanel uid={device.uid} />
            </>
          ) : (
            <PanelSkeletons heights={[playsHeight, commandsHeight, tagsHeight]} />
          )}
        </Stack>
      </Grid.Col>
    </Grid>
  )
}

/** The card of one device: current play, last plays and all fields. */
export function DevicePage() {
  const { t } = useTranslate()
  const navigate = useNavigate()
  const { uid = '' } = useParams()
  const result = useQuery(deviceQuery(uid))
  const rename = useRenameDevice()
  const [isEditing, setIsEditing] = useState(false)
  return (
    <DetailPage<DeviceCard>
      result={result}
      name={device => device.name}
      rename={rename}
      status={device => <ActivityBadge device={device} />}
      actions={device => (
        <>
          <PublishButton start={{ device: device.uid }} />
          <ListenButton uid={device.uid} />
          <AlertButton start={device.uid} />
          <ReportLink to={paths.report('r1ext', { playpoint: device.uid })} />
          {device.permissions.mayEdit && (
            <>
              <EditButton label={t('edit')} onClick={() => setIsEditing(true)} />
              <DeviceMenu device={device} onDeleted={() => void navigate(paths.devices)} />
            </>
          )}
        </>
      )}
    >
      {device => (
        <>
          <DeviceWarnings device={device} />
          <DeviceParts device={device} />
          {isEditing && <DeviceForm item={device} onClose={() => setIsEditing(false)} />}
        </>
      )}
    </DetailPage>
  )
}

DevicePage.prefetch = ({ uid }: PageAddress) => queryClient.prefetchQuery(deviceQuery(uid))
