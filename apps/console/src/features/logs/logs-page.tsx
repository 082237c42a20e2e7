import { listDevices, type DeviceRow } from '@floorcast/contract/devices.ts'
import type { QueryOf } from '@floorcast/contract/endpoint.ts'
import { Anchor, Group } from '@mantine/core'
import { IconFileText } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { listQuery } from '../../platform/call-query.ts'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { queryKeys } from '../../platform/query-keys.ts'
import { ActivityBadge } from '../../ui/activity-badge.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import type { ListColumn } from '../../ui/data-table/list-column.ts'
import { useList } from '../../ui/data-table/use-list.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { EntityLink } from '../../ui/entity-link.tsx'
import { logKinds } from './log-columns.tsx'

const loggedDevicesQuery = (query: QueryOf<typeof listDevices>) =>
  listQuery(queryKeys.devices.list(query), listDevices, { query })

const defaults = { sort: 'name' } as const

/** Chooses a device and one of its logs: /security/logs. */
export function LogsPage() {
  const { t } = useTranslate()
  const list = useList(defaults)
  const result = useQuery({ ...loggedDevicesQuery(list.query), enabled: list.isReady })
  const columns = useMemo(() => logsColumns(t), [t])
  return (
    <DataTable
      name="logs"
      label={t('routes:logs')}
      list={list}
      result={result}
      columns={columns}
      rowName={device => device.name}
      rowHref={device => paths.deviceLog('playtrack', device.uid)}
      empty={<EmptyState icon={IconFileText} title={t('logs:noDevices')} text={t('logs:noDevicesText')} />}
    />
  )
}

const logsColumns = (t: Translate): ListColumn<DeviceRow>[] => [
  { id: 'name', header: t('name'), isSortable: true, cell: device => device.name },
  {
    id: 'connectivity',
    header: t('activity:state'),
    cell: device => <ActivityBadge device={device} />,
  },
  {
    id: 'group',
    header: t('logs:group'),
    isMinor: true,
    cell: device => device.group && <EntityLink entity={device.group} to={paths.group} />,
  },
  { id: 'logs', header: t('logs:openLog'), cell: device => <LogLinks device={device} /> },
]

function LogLinks({ device: { uid, name } }: { device: DeviceRow }) {
  const { t } = useTranslate()
  return (
    <Group component="span" gap="sm" wrap="wrap" style={{ rowGap: 4 }}>
      {logKinds.map(kind => (
        <Anchor
          key={kind}
          component={Link}
          to={paths.deviceLog(kind, uid)}
          inherit
          aria-label={t('logs:kindOf', { kind: t(`logs:kinds.${kind}`), name })}
        >
          {t(`logs:kinds.${kind}`)}
        </Anchor>
      ))}
    </Group>
  )
}
