import { readAudit, AuditedKind, type AuditEntry } from '@floorcast/contract/audit.ts'
import type { QueryOf } from '@floorcast/contract/endpoint.ts'
import { Uid } from '@floorcast/contract/fields.ts'
import { listUsers } from '@floorcast/contract/users.ts'
import { Button, Group, Text } from '@mantine/core'
import { IconFileSearch, IconHistory, IconUser, IconX } from '@tabler/icons-react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { listQuery } from '../../platform/call-query.ts'
import { call } from '../../platform/client.ts'
import { useFormat } from '../../platform/format.ts'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import { queryKeys } from '../../platform/query-keys.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import type { FoundValues, ListFilter, RowAction } from '../../ui/data-table/list-column.ts'
import { useList, type ListControl } from '../../ui/data-table/use-list.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PeriodChoice } from '../../ui/period/period-choice.tsx'
import { readPeriod } from '../../ui/period/period.ts'
import { auditColumns } from './audit-columns.tsx'
import { ChangeDrawer } from './changes.tsx'

type AuditQuery = QueryOf<typeof readAudit>

/** @param about the uid of an item or user, or `all` */
const auditQuery = (about: string, query: AuditQuery) =>
  listQuery(queryKeys.audit.list(about, query), readAudit, { params: { id: about }, query })

/** Users to choose for the filter; a client has few. */
const MAX_USERS = 200

/** The users whose changes can be chosen, found by name or email. */
const auditUsersQuery = (search: string, chosen: readonly string[]) =>
  queryOptions({
    queryKey: queryKeys.audit.users(search, chosen),
    queryFn: async ({ signal }): Promise<FoundValues> => {
      const { items, total } = await call(listUsers, { query: { search, size: MAX_USERS }, signal })
      return {
        values: items.map(({ uid, email }) => ({ value: uid, name: email, count: null })),
        more: total > items.length,
        chosen: items
          .filter(({ uid }) => chosen.includes(uid))
          .map(({ uid, email }) => ({ uid, name: email })),
      }
    },
  })

/** The newest entry of an item or user, for its name. */
const auditedItemQuery = (uid: string) => auditQuery(uid, { size: 1 })

const defaults = {
  views: 'audit',
  filters: ['type', 'user', 'item', 'from', 'to'],
  sort: 'eventTime',
  dir: 'desc',
} as const

/** The change history: /security/audit. */
export function AuditPage() {
  const { t } = useTranslate()
  const format = useFormat()
  const list = useList(defaults)
  const { item, type, user, from: _from, to: _to, ...query } = list.query
  const period = readPeriod(list.view.filters)
  const about = Uid.safeParse(item).data ?? 'all'
  const result = useQuery({
    ...auditQuery(about, { ...query, ...filterOf(type, user), ...period }),
    enabled: list.isReady,
  })
  const [shown, setShown] = useState<AuditEntry | null>(null)
  const columns = useMemo(() => auditColumns(t, format, setShown), [t, format])
  const choosePeriod = ({ from = '', to = '' }: typeof period) =>
    list.show(({ filters }) => ({ filters: { ...filters, from, to } }))
  return (
    <>
      {about !== 'all' && <OneItem uid={about} list={list} />}
      <DataTable
        name="audit"
        label={t('routes:audit')}
        list={list}
        result={result}
        columns={columns}
        rowName={entry => `${entry.thingName ?? ''} ${format.moment(entry.eventTime)}`}
        filters={auditFilters(t)}
        rowActions={rowActions(t, list, setShown)}
        actions={<PeriodChoice period={period} onChange={choosePeriod} />}
        empty={<EmptyState icon={IconHistory} title={t('audit:empty.title')} text={t('audit:empty.text')} />}
      />
      <ChangeDrawer entry={shown} onClose={() => setShown(null)} />
    </>
  )
}

/** Filters of the address as the call takes them; the server refuses what it does not know. */
const filterOf = (type: unknown, user: unknown) => ({
  ...(typeof type === 'string' ? { type } : {}),
  ...(typeof user === 'string' ? { user } : {}),
})

/** Says that the history is of one item, and shows all again. */
function OneItem({ uid, list }: { uid: string; list: ListControl }) {
  const { t } = useTranslate()
  const { data } = useQuery(auditedItemQuery(uid))
  const [newest] = data?.items ?? []
  const name = (newest?.thingUid === uid ? newest.thingName : newest?.userName) ?? '…'
  const showAll = () => list.show(({ filters }) => ({ filters: { ...filters, item: '' } }))
  return (
    <Group gap="xs" mb="md">
      <Text>{t('audit:ofItem', { name })}</Text>
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<IconX size={16} aria-hidden />}
        onClick={showAll}
      >
        {t('audit:ofAll')}
      </Button>
    </Group>
  )
}

function auditFilters(t: Translate): ListFilter[] {
  return [
    {
      name: 'type',
      label: t('audit:columns.kind'),
      isMulti: true,
      options: AuditedKind.options.map(value => ({ value, label: t(`audit:kinds.${value}`) })),
    },
    { name: 'user', label: t('audit:columns.user'), options: [], found: { query: auditUsersQuery } },
  ]
}

function rowActions(
  t: Translate,
  list: ListControl,
  show: (entry: AuditEntry) => void,
): RowAction<AuditEntry>[] {
  const only = (filter: Record<string, string>) =>
    list.show(({ filters }) => ({ search: '', filters: { ...filters, ...filter } }))
  return [
    { label: t('audit:show'), icon: <IconFileSearch size={16} aria-hidden />, run: show },
    {
      label: t('audit:onlyItem'),
      icon: <IconHistory size={16} aria-hidden />,
      isHidden: ({ thingUid }) => thingUid === null,
      run: ({ thingUid }) => only({ item: thingUid ?? '' }),
    },
    {
      label: t('audit:onlyUser'),
      icon: <IconUser size={16} aria-hidden />,
      isHidden: ({ userUid }) => userUid === null,
      run: ({ userUid }) => only({ user: userUid ?? '' }),
    },
  ]
}
