import type { DeviceCard } from '@floorcast/contract/devices.ts'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { Field, Fields } from '../../ui/detail/fields.tsx'
import { Panel } from '../../ui/panel.tsx'
import { EntityLink } from '../../ui/entity-link.tsx'

/** All fields of the device card in docs/specification.md#2-screens-and-routes, the most used first. */
export function DeviceFields({ device }: { device: DeviceCard }) {
  const { t } = useTranslate()
  return (
    <>
      <Panel title={t('devices:card.placement')}>
        <Placement device={device} />
      </Panel>
      <Panel title={t('devices:card.player')}>
        <Box device={device} />
      </Panel>
      <Panel title={t('devices:card.record')}>
        <Record device={device} />
      </Panel>
    </>
  )
}

function Placement({ device }: { device: DeviceCard }) {
  const { t } = useTranslate()
  const format = useFormat()
  return (
    <Fields>
      <Field label={t('devices:columns.group')}>
        <EntityLink entity={device.group} to={paths.group} none={t('devices:card.noGroup')} />
      </Field>
      <Field label={t('devices:card.currentPublication')}>
        <EntityLink entity={device.publication} to={paths.publication} none={t('devices:card.none')} />
      </Field>
      <Field label={t('devices:card.currentPlaylist')}>
        <EntityLink entity={device.playlist} to={paths.playlist} none={t('devices:card.none')} />
      </Field>
      <Field label={t('devices:card.volume')}>{format.percent(device.volume / 100)}</Field>
    </Fields>
  )
}

function Box({ device }: { device: DeviceCard }) {
  const { t } = useTranslate()
  const format = useFormat()
  const { temperatureCelsius, memorySizeBytes, freeMemoryBytes } = device
  return (
    <Fields>
      <Field label={t('devices:card.model')}>{device.model}</Field>
      <Field label={t('devices:card.programVersion')}>{ltr(device.programVersion)}</Field>
      <Field label={t('devices:card.ipAddress')}>{ltr(device.ipAddress)}</Field>
      <Field label={t('devices:card.macAddress')}>{ltr(device.macAddress)}</Field>
      <Field label={t('devices:card.temperature')}>
        {temperatureCelsius === null ? null : format.temperature(temperatureCelsius)}
      </Field>
      <Field label={t('devices:card.memorySize')}>
        {memorySizeBytes === null ? null : format.size(memorySizeBytes)}
      </Field>
      <Field label={t('devices:card.freeMemory')}>
        {freeMemoryBytes === null ? null : format.size(freeMemoryBytes)}
      </Field>
      <Field label={t('devices:columns.lastContact')}>
        {device.lastContactAt && format.dateTime(device.lastContactAt)}
      </Field>
    </Fields>
  )
}

function Record({ device }: { device: DeviceCard }) {
  const { t } = useTranslate()
  const format = useFormat()
  const { lastPlayed } = device
  return (
    <Fields>
      <Field label={t('name')}>{device.name}</Field>
      <Field label={t('devices:storeNumber')}>
        {device.storeNumber === '' ? t('devices:card.none') : <bdi>{device.storeNumber}</bdi>}
      </Field>
      <Field label={t('devices:columns.kind')}>{t(`kinds.${device.kind}`)}</Field>
      <Field label={t('description')} isWide={device.description !== ''}>
        {device.description || t('devices:card.none')}
      </Field>
      <Field label={t('devices:card.licenseKey')}>
        {device.licenseKey === null ? t('devices:card.bound') : ltr(device.licenseKey)}
      </Field>
      <Field label={t('devices:card.expires')}>{format.date(device.expiresAt)}</Field>
      <Field label={t('devices:card.created')}>{format.dateTime(device.createdAt)}</Field>
      <Field label={t('devices:columns.changed')}>{format.dateTime(device.changedAt)}</Field>
      <Field label={t('devices:card.lastPlayed')}>
        {lastPlayed ? (
          <>
            <div>{lastPlayed.name}</div>
            <time dateTime={lastPlayed.startedAt}>{format.dateTime(lastPlayed.startedAt)}</time>
          </>
        ) : (
          t('devices:card.noPlays')
        )}
      </Field>
    </Fields>
  )
}

/** Addresses, keys and versions read left to right in every language. */
function ltr(text: string | null) {
  return text === null ? null : <bdi dir="ltr">{text}</bdi>
}
