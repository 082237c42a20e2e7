import * as contract from '@floorcast/contract/operator.ts'
import { Group, Stack, Text, TextInput } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { queryKeys } from '../../platform/query-keys.ts'
import type { ListColumn } from '../../ui/data-table/list-column.ts'
import type { Sorting } from '../../ui/data-table/list-head.tsx'
import { PlainTable } from '../../ui/data-table/plain-table.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Panel } from '../../ui/panel.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { callAsOperator } from './operator-data.ts'
import { TimeOr } from './operator-panels.tsx'

const clientsSize = 25

type Client = contract.OperatedClient

function useClientColumns(): ListColumn<Client>[] {
  const { t } = useTranslate()
  const format = useFormat()
  return [
    {
      id: 'name',
      isSortable: true,
      header: t('operator:columns.name'),
      cell: (row: Client) => <bdi>{row.name}</bdi>,
    },
    { id: 'plan', isSortable: true, header: t('operator:columns.plan'), cell: (row: Client) => row.plan },
    {
      id: 'expires',
      isSortable: true,
      header: t('operator:columns.until'),
      cell: (row: Client) => format.date(row.subscriptionExpiresAt),
    },
    {
      id: 'lastSignIn',
      isSortable: true,
      header: t('operator:columns.lastSignIn'),
      cell: (row: Client) => <TimeOr instant={row.lastSignInAt} />,
    },
    {
      id: 'devices',
      isSortable: true,
      header: t('operator:figures.devices'),
      isNumber: true,
      cell: ({ devices }: Client) =>
        t('operator:ofMax', { used: format.number(devices.used), limit: format.number(devices.limit) }),
    },
    ...(['online', 'silent', 'down'] as const).map(id => ({
      id,
      isSortable: true,
      header: t(`operator:figures.${id}`),
      isNumber: true,
      cell: (row: Client) => format.number(row[id]),
    })),
    {
      id: 'media',
      header: t('operator:columns.media'),
      isNumber: true,
      cell: (row: Client) => format.size(row.mediaBytes.used),
    },
    {
      id: 'statistics',
      header: t('operator:columns.statistics'),
      isNumber: true,
      cell: (row: Client) => format.size(row.statisticsBytes.used),
    },
  ]
}

interface ClientsView {
  page: number
  search: string
  sort: contract.ClientSort
  dir: 'asc' | 'desc'
}

export function ClientsPanel() {
  const { t } = useTranslate()
  const [view, setView] = useState<ClientsView>({ page: 1, search: '', sort: 'name', dir: 'asc' })
  const show = (change: Partial<ClientsView>) => setView({ ...view, page: 1, ...change })
  return (
    <Panel title={t('operator:sections.clients')}>
      <Stack gap="sm">
        <TextInput
          aria-label={t('operator:search')}
          placeholder={t('operator:search')}
          value={view.search}
          maxLength={200}
          onChange={event => show({ search: event.currentTarget.value })}
        />
        <Clients view={view} show={show} />
      </Stack>
    </Panel>
  )
}

function Clients({ view, show }: { view: ClientsView; show: (change: Partial<ClientsView>) => void }) {
  const { t } = useTranslate()
  const query = { ...view, size: clientsSize }
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.operator.clients(query),
    queryFn: () => callAsOperator(contract.listClients, { query }),
    placeholderData: keepPreviousData,
  })
  const columns = useClientColumns()
  const sorting: Sorting = {
    view,
    show: ({ sort, dir }) => show({ sort: contract.ClientSort.parse(sort), dir }),
  }
  return (
    <>
      {error && <ErrorPanel error={error} retry={() => void refetch()} />}
      {data?.items.length === 0 && (
        <Text size="sm" c="dimmed" role="status">
          {t('operator:none')}
        </Text>
      )}
      {data && data.items.length > 0 && (
        <PlainTable
          label={t('operator:sections.clients')}
          columns={columns}
          rows={data.items}
          rowKey={({ uid }) => uid}
          sorting={sorting}
        />
      )}
      {data && (
        <Pager
          label={t('operator:sections.clients')}
          page={view.page}
          size={clientsSize}
          total={data.total}
          onChange={page => show({ page })}
        />
      )}
    </>
  )
}

export function RequestsPanel() {
  const { t } = useTranslate()
  const format = useFormat()
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.operator.requests(),
    queryFn: () => callAsOperator(contract.listPlanRequests, {}),
  })
  const columns = [
    {
      id: 'name',
      header: t('operator:columns.name'),
      cell: ({ client }: contract.PlanRequest) => <bdi>{client}</bdi>,
    },
    {
      id: 'email',
      header: t('operator:columns.email'),
      cell: ({ email }: contract.PlanRequest) => <bdi>{email ?? '–'}</bdi>,
    },
    {
      id: 'wanted',
      header: t('operator:columns.wanted'),
      cell: ({ planKey }: contract.PlanRequest) => planKey,
    },
    {
      id: 'plan',
      header: t('operator:columns.plan'),
      cell: ({ currentKey }: contract.PlanRequest) => currentKey,
    },
    {
      id: 'devices',
      header: t('operator:figures.devices'),
      isNumber: true,
      cell: ({ devices }: contract.PlanRequest) => format.number(devices),
    },
    {
      id: 'at',
      header: t('operator:columns.at'),
      cell: ({ requestedAt }: contract.PlanRequest) => <RelativeTime instant={requestedAt} />,
    },
  ]
  return (
    <Panel title={t('operator:sections.requests')}>
      {error && <ErrorPanel error={error} retry={() => void refetch()} />}
      {data?.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('operator:none')}
        </Text>
      )}
      {data && data.length > 0 && (
        <PlainTable
          label={t('operator:sections.requests')}
          columns={columns}
          rows={data}
          rowKey={row => `${row.client} ${row.requestedAt}`}
        />
      )}
    </Panel>
  )
}

const auditSize = 10

export function AuditPanel() {
  const { t } = useTranslate()
  const format = useFormat()
  const [page, setPage] = useState(1)
  const query = { page, size: auditSize }
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.operator.audit(query),
    queryFn: () => callAsOperator(contract.listOperatorAudit, { query }),
    placeholderData: keepPreviousData,
  })
  const columns = [
    {
      id: 'at',
      header: t('operator:columns.at'),
      cell: ({ at }: contract.OperatorEntry) => format.dateTime(at),
    },
    {
      id: 'who',
      header: t('operator:columns.who'),
      cell: ({ email }: contract.OperatorEntry) => <bdi>{email ?? t('operator:machine')}</bdi>,
    },
    {
      id: 'what',
      header: t('operator:columns.what'),
      cell: ({ action }: contract.OperatorEntry) => t(`operator:actions.${action}`),
    },
    {
      id: 'subject',
      header: t('operator:columns.subject'),
      cell: ({ subject }: contract.OperatorEntry) => <bdi>{subject || '–'}</bdi>,
    },
  ]
  return (
    <Panel title={t('operator:sections.audit')}>
      {error && <ErrorPanel error={error} retry={() => void refetch()} />}
      {data && (
        <PlainTable
          label={t('operator:sections.audit')}
          columns={columns}
          rows={data.items}
          rowKey={({ uid }) => uid}
        />
      )}
      {data && (
        <Group justify="end">
          <Pager
            label={t('operator:sections.audit')}
            page={page}
            size={auditSize}
            total={data.total}
            onChange={setPage}
          />
        </Group>
      )}
    </Panel>
  )
}
