import type { DeviceDay } from '@floorcast/contract/device-day.ts'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { ConnectivityBadge } from '../../ui/connectivity-badge.tsx'
import type { ListColumn } from '../../ui/data-table/list-column.ts'
import { PlainTable } from '../../ui/data-table/plain-table.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { Panel } from '../../ui/panel.tsx'
import { connectionsOf, type DayConnection } from './day-connections.ts'
import { zoneClock } from './day-text.ts'

/** The connection of the device over its day, as a list: the newest interval first. Nothing before its first contact. */
export function ConnectionPanel({ day }: { day: DeviceDay }) {
  const { t } = useTranslate()
  const format = useFormat()
  const rows = connectionsOf(day)
  const clock = zoneClock(day.timeZone)
  const timeOf = (at: string) => (at === day.until ? '24:00' : clock.timeAt(Date.parse(at)))
  const columns: ListColumn<DayConnection>[] = [
    {
      id: 'state',
      header: t('devices:connection.state'),
      cell: ({ state }) =>
        state === 'unreported' ? (
          <StatusBadge tone="late">{t('devices:connection.unreported')}</StatusBadge>
        ) : (
          <ConnectivityBadge state={state} />
        ),
    },
    {
      id: 'from',
      header: t('devices:connection.from'),
      isNumber: true,
      cell: ({ from }) => clock.timeAt(Date.parse(from)),
    },
    {
      id: 'until',
      header: t('devices:connection.until'),
      isNumber: true,
      cell: ({ until, isNow }) => (isNow ? t('devices:connection.now') : timeOf(until)),
    },
    {
      id: 'length',
      header: t('devices:connection.length'),
      isNumber: true,
      cell: ({ seconds }) => format.span(seconds),
    },
    {
      id: 'why',
      header: t('devices:connection.why'),
      cell: ({ why }) => (why === null ? '–' : t(`devices:connection.reasons.${why}`)),
    },
  ]
  if (rows.every(({ state }) => state === 'neverup')) return null
  return (
    <Panel title={t('devices:columns.connectivity')}>
      <PlainTable
        label={t('devices:connection.label')}
        columns={columns}
        rows={rows}
        rowKey={({ from }) => from}
      />
    </Panel>
  )
}
