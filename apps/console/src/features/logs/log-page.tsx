import type { DeviceLogKind } from '@floorcast/contract/devices.ts'
import { Anchor, Group, Stack, Title } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link, useParams } from 'react-router'
import { useFormat } from '../../platform/format.ts'
import { useWords } from '../../platform/i18n.ts'
import { useNamedPage } from '../../platform/page-name.ts'
import { paths } from '../../platform/paths.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { useList } from '../../ui/data-table/use-list.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { logColumns } from './log-columns.tsx'
import { deviceLogQuery, loggedDeviceQuery } from './log-data.ts'
import { LogKinds } from './log-kinds.tsx'
import { readPeriod } from './log-period.ts'
import { PeriodChoice } from './period-choice.tsx'

const defaults = { filters: ['from', 'to'], sort: 'eventTime', dir: 'desc' } as const

/** What one device has reported, of one kind: newest first, live. */
function LogPage({ kind }: { kind: DeviceLogKind }) {
  const { t } = useWords()
  const format = useFormat()
  const { uid = '' } = useParams()
  const list = useList(defaults)
  const device = useQuery(loggedDeviceQuery(uid))
  const { page, size, search, sort, dir, filters } = list.view
  const period = readPeriod(filters)
  const result = useQuery(deviceLogQuery({ uid, kind }, { page, size, search, sort, dir, ...period }))
  const columns = useMemo(() => logColumns({ t, format }, kind), [t, format, kind])
  useNamedPage(device.data?.name)
  return (
    <Stack gap="md">
      <Group justify="space-between" gap="sm">
        <Title order={2}>
          <Anchor component={Link} to={paths.device(uid)} inherit>
            <bdi>{device.data?.name ?? '…'}</bdi>
          </Anchor>
        </Title>
        <LogKinds uid={uid} kind={kind} />
      </Group>
      <DataTable
        name={`log-${kind}`}
        label={t(`logs:kinds.${kind}`)}
        list={list}
        result={result}
        columns={columns}
        rowName={entry => entry.track ?? format.dateTime(entry.eventTime)}
        actions={<PeriodChoice period={period} onChange={next => list.show({ filters: { ...next } })} />}
        empty={<EmptyState icon={IconHistory} title={t(`logs:empty.${kind}`)} text={t('logs:emptyText')} />}
      />
    </Stack>
  )
}

/** /security/playTrack/{id} */
export const PlayTrackPage = () => <LogPage kind="playtrack" />
/** /security/heartBeat/{id} */
export const HeartBeatPage = () => <LogPage kind="heartbeat" />
/** /security/debug/{id} */
export const DebugPage = () => <LogPage kind="debug" />
/** /security/playList/{id} */
export const PlayListPage = () => <LogPage kind="playlist" />
/** /security/updatesLog/{id} */
export const UpdatesLogPage = () => <LogPage kind="update" />
