import { AlertDeviceState, type AlertCard, type AlertDevice } from '@floorcast/contract/alert-devices.ts'
import { Text, Title } from '@mantine/core'
import { IconDevices } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useFormat, type Format } from '../../platform/format.ts'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import type { ListColumn } from '../../ui/data-table/list-column.ts'
import { useList } from '../../ui/data-table/use-list.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { EntityLink } from '../../ui/entity-link.tsx'
import { Panel } from '../../ui/panel.tsx'
import { StateCounts } from '../../ui/state-counts.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { nameDeviceState, stateTones } from './alert-words.ts'
import { alertQueries } from './alerts-data.ts'

const defaults = { filters: ['state'], sort: 'state' } as const

/** The progress of an alert, and its devices, those that need a person first. */
export function AlertDevices({ alert }: { alert: AlertCard }) {
  const { t } = useTranslate()
  const format = useFormat()
  const list = useList(defaults)
  const result = useQuery(alertQueries.devices(alert, list.query))
  const hasEnded = alert.endedAt !== null
  const columns = useMemo(() => deviceColumns(t, format, hasEnded), [t, format, hasEnded])
  return (
    <>
      <AlertProgress
        alert={alert}
        chosen={AlertDeviceState.safeParse(list.view.filters['state']).data ?? null}
        choose={state => list.show({ filters: state === null ? {} : { state }, page: 1 })}
      />
      <Title order={2}>{t('alerts:devices')}</Title>
      <DataTable
        name="alert-devices"
        label={t('alerts:devices')}
        list={list}
        result={result}
        columns={columns}
        rowName={device => device.name ?? t('alerts:goneDevice')}
        rowHref={device => paths.device(device.uid)}
        filters={[
          {
            name: 'state',
            label: t('alerts:columns.progress'),
            options: AlertDeviceState.options.map(value => ({
              value,
              label: nameDeviceState(t, value, hasEnded),
            })),
          },
        ]}
        empty={
          <EmptyState
            icon={IconDevices}
            title={t('alerts:noDevices.title')}
            text={t('alerts:noDevices.text')}
          />
        }
      />
    </>
  )
}

interface AlertProgressProps {
  alert: AlertCard
  /** The state that the list below is filtered by. */
  chosen: AlertDeviceState | null
  choose: (state: AlertDeviceState | null) => void
}

/** In the order in which a device passes them. */
const shown = ['sounding', 'received', 'not-reached', 'failed', 'ended'] as const
/** The states that the bar shows, with their colors. */
const bar = [
  ['ended', 'gray'],
  ['sounding', 'green'],
  ['received', 'amber'],
  ['failed', 'red'],
] as const

/** How many devices have received, played and ended it; a number filters the list of devices. */
function AlertProgress({ alert, chosen, choose }: AlertProgressProps) {
  const { t } = useTranslate()
  const format = useFormat()
  const { devices } = alert
  const total = AlertDeviceState.options.reduce((sum, state) => sum + devices[state], 0)
  return (
    <Panel title={t('alerts:progressTitle')}>
      <Text mb="xs">
        {t('alerts:soundedOn', { sounded: format.number(alert.soundedCount), count: total })}
      </Text>
      <StateCounts
        counts={devices}
        total={total}
        bar={bar}
        states={shown}
        tones={stateTones}
        name={state => nameDeviceState(t, state, alert.endedAt !== null)}
        chosen={chosen}
        choose={choose}
      />
    </Panel>
  )
}

function deviceColumns(t: Translate, format: Format, hasEnded: boolean): ListColumn<AlertDevice>[] {
  return [
    {
      id: 'name',
      header: t('name'),
      isSortable: true,
      cell: row => <bdi>{row.name ?? t('alerts:goneDevice')}</bdi>,
    },
    {
      id: 'storeNumber',
      header: t('alerts:columns.storeNumber'),
      isSortable: true,
      isMinor: true,
      cell: row => row.storeNumber && <bdi>{row.storeNumber}</bdi>,
    },
    {
      id: 'state',
      header: t('alerts:columns.progress'),
      isSortable: true,
      cell: row => (
        <StatusBadge tone={hasEnded && row.state === 'sounding' ? 'late' : stateTones[row.state]}>
          {nameDeviceState(t, row.state, hasEnded)}
        </StatusBadge>
      ),
    },
    {
      id: 'why',
      header: t('alerts:columns.why'),
      isProse: true,
      cell: row => describeProblem(t, format, row),
    },
    {
      id: 'group',
      header: t('alerts:columns.group'),
      isSortable: true,
      isHiddenAtFirst: true,
      cell: row => row.group && <EntityLink entity={row.group} to={paths.group} />,
    },
    ...(['receivedAt', 'startedAt', 'endedAt'] as const).map(id => ({
      id,
      header: t(`alerts:steps.${id}`),
      isSortable: true,
      isNumber: true,
      isMinor: id === 'receivedAt',
      cell: (row: AlertDevice) => momentCell(row[id], format),
    })),
  ]
}

/** A time, with its day on hover. */
const momentCell = (at: string | null, format: Format) =>
  at && <span title={format.moment(at)}>{format.time(at)}</span>

/** Why a device does not play the alert, or not with its sound; null where nothing is wrong. */
function describeProblem(t: Translate, format: Format, device: AlertDevice) {
  if (device.failure !== null) return <bdi>{device.failure}</bdi>
  if (device.state !== 'not-reached') return null
  const connection = t(`activity:connectivity.${device.connectivity}`)
  if (device.lastContactAt === null) return connection
  return t('alerts:lastContact', { connection, time: format.dateTime(device.lastContactAt) })
}
