import { listDeviceLog, readDevice, type DeviceLogKind } from '@floorcast/contract/devices.ts'
import type { QueryOf } from '@floorcast/contract/endpoint.ts'
import { Anchor, Stack, Title } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link, useParams } from 'react-router'
import { call } from '../../platform/client.ts'
import { readLogsBase } from '../../platform/console-settings.ts'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { useNamedPage } from '../../platform/page-name.ts'
import { paths } from '../../platform/paths.ts'
import { queryKeys } from '../../platform/query-keys.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { useList } from '../../ui/data-table/use-list.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { logColumns, logKinds } from './log-columns.tsx'
import styles from './logs.module.css'
import { readPeriod } from '../../ui/period/period.ts'
import { PeriodChoice } from '../../ui/period/period-choice.tsx'

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
  queryOptions({
    queryKey: queryKeys.devices.logName(uid),
    queryFn: ({ signal }) => call(readDevice, { params: { id: uid }, signal }),
  })

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

/** A log of one device: newest first, live. */
function LogPage({ kind }: { kind: DeviceLogKind }) {
  const { t } = useTranslate()
  const format = useFormat()
  const { uid = '' } = useParams()
  const list = useList(defaults[kind])
  const device = useQuery(loggedDeviceQuery(uid))
  const { page, size, search, sort, dir, filters } = list.view
  const period = readPeriod(filters)
  const result = useQuery({
    ...deviceLogQuery({ uid, kind }, { page, size, search, sort, dir, ...period }),
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
