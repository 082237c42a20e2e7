import { listDeviceLog, readDevice, type DeviceLogKind } from '@floorcast/contract/devices.ts'
import type { QueryOf } from '@floorcast/contract/endpoint.ts'
import { Anchor, Stack, Title } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link, useParams } from 'react-router'
import { readApiBase } from '../../platform/api-base.ts'
import { callQuery } from '../../platform/call-query.ts'
import { call } from '../../platform/client.ts'
import { consoleSettings } from '../../platform/console-settings.ts'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import type { PageComponent } from '../../platform/page-address.ts'
import { useNamedPage } from '../../platform/page-name.ts'
import { paths } from '../../platform/paths.ts'
import { queryClient } from '../../platform/query-client.ts'
import { queryKeys } from '../../platform/query-keys.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { readListView, type ListView } from '../../ui/data-table/list-address.ts'
import { namesView, useList } from '../../ui/data-table/use-list.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PeriodChoice } from '../../ui/period/period-choice.tsx'
import { readPeriod } from '../../ui/period/period.ts'
import { logColumns, logKinds } from './log-columns.tsx'
import styles from './logs.module.css'

/** The address to which the `/device/logs` calls go (LOGS_URL), without a slash at its end. */
async function readLogsBase(): Promise<string> {
  const apiBase = await readApiBase()
  return consoleSettings.get()?.logsBase || apiBase
}

type LogQuery = QueryOf<typeof listDeviceLog>

const deviceLogQuery = ({ uid, kind }: { uid: string; kind: DeviceLogKind }, query: LogQuery) =>
  queryOptions({
    queryKey: queryKeys.devices.log(uid, kind, query),
    queryFn: async ({ signal }) =>
      call(listDeviceLog, { params: { id: uid, kind }, query, signal }, await readLogsBase()),
    placeholderData: keepPreviousData,
  })

/** The device whose log is shown, for its name. */
const loggedDeviceQuery = (uid: string) =>
  callQuery(queryKeys.devices.logName(uid), readDevice, { params: { id: uid } })

/** Links to the five logs of a device. */
function LogKinds({ uid, kind }: { uid: string; kind: DeviceLogKind }) {
  const { t } = useTranslate()
  return (
    <nav className={styles.kinds} aria-label={t('logs:kindsLabel')}>
      {logKinds.map(other => (
        <Link
          key={other}
          to={paths.deviceLog(other, uid)}
          className={styles.kind}
          aria-current={other === kind ? 'page' : undefined}
        >
          {t(`logs:kinds.${other}`)}
        </Link>
      ))}
    </nav>
  )
}

const usual = { filters: ['from', 'to'], sort: 'eventTime', dir: 'desc' } as const
const defaults = {
  playtrack: { ...usual, views: 'log-playtrack' },
  playlist: { ...usual, views: 'log-playlist' },
  heartbeat: { ...usual, views: 'log-heartbeat' },
  debug: { ...usual, views: 'log-debug' },
  update: { ...usual, views: 'log-update' },
} as const

const queryOf = ({ page, size, search, sort, dir, filters }: ListView): LogQuery => ({
  page,
  size,
  search,
  sort,
  dir,
  ...readPeriod(filters),
})

/** A log of one device: newest first, live. */
function LogPage({ kind }: { kind: DeviceLogKind }) {
  const { t } = useTranslate()
  const format = useFormat()
  const { uid = '' } = useParams()
  const list = useList(defaults[kind])
  const device = useQuery(loggedDeviceQuery(uid))
  const period = readPeriod(list.view.filters)
  const result = useQuery({
    ...deviceLogQuery({ uid, kind }, queryOf(list.view)),
    enabled: list.isReady,
  })
  const columns = useMemo(() => logColumns({ t, format }, kind), [t, format, kind])
  useNamedPage(device.data?.name)
  return (
    <Stack gap="md">
      <Title order={2}>
        <Anchor component={Link} to={paths.device(uid)} inherit>
          <bdi>{device.data?.name ?? (device.isError ? t('routes:device') : '…')}</bdi>
        </Anchor>
      </Title>
      <LogKinds uid={uid} kind={kind} />
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

function makeLogPage(kind: DeviceLogKind): PageComponent {
  const Page: PageComponent = () => <LogPage kind={kind} />
  Page.prefetch = async ({ uid, search }) => {
    const query = queryOf(readListView(search, defaults[kind]))
    await Promise.all([
      queryClient.prefetchQuery(loggedDeviceQuery(uid)),
      namesView(search) ? null : queryClient.prefetchQuery(deviceLogQuery({ uid, kind }, query)),
    ])
  }
  return Page
}

/** /security/playTrack/{id} */
export const PlayTrackPage = makeLogPage('playtrack')
/** /security/heartBeat/{id} */
export const HeartBeatPage = makeLogPage('heartbeat')
/** /security/debug/{id} */
export const DebugPage = makeLogPage('debug')
/** /security/playList/{id} */
export const PlayListPage = makeLogPage('playlist')
/** /security/updatesLog/{id} */
export const UpdatesLogPage = makeLogPage('update')
