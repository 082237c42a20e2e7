import type { EditAction } from '@floorcast/contract/bulk-calls.ts'
import { Kind } from '@floorcast/contract/fields.ts'
import { EditState, type GroupRow } from '@floorcast/contract/groups.ts'
import { Button } from '@mantine/core'
import { IconPlus, IconStack2 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { useFormat } from '../../platform/format.ts'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import type { PageAddress } from '../../platform/page-address.ts'
import { paths } from '../../platform/paths.ts'
import { queryClient } from '../../platform/query-client.ts'
import { useMayChange } from '../../platform/session.ts'
import { editActions } from '../../ui/bulk/edit-bulk-actions.tsx'
import { useBulkRequest } from '../../ui/bulk/use-bulk-request.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import type { ListFilter } from '../../ui/data-table/list-column.ts'
import { listColumns } from '../../ui/detail/item-fields.tsx'
import { readListQuery, useList, type ListControl } from '../../ui/data-table/use-list.ts'
import { duplicateRow } from '../../ui/duplicate/duplicate-action.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { groupFields } from './group-columns.tsx'
import { BulkGroups, DuplicateGroup, GroupForm } from './group-dialogs.ts'
import { groupsQuery, useRenameGroup } from './groups-data.ts'

const defaults = { views: 'groups', filters: ['kind', 'state'], sort: 'name' } as const

/** The kind is a part of the call's path. */
const readFilter = ({ kind, ...query }: ListControl['query']) => ({
  kind: Kind.options.find(known => known === kind) ?? ('all' as const),
  query,
})

/** The list of groups. */
export function GroupsPage() {
  const { t } = useTranslate()
  const format = useFormat()
  const navigate = useNavigate()
  const list = useList(defaults)
  const { kind, query } = readFilter(list.query)
  const result = useQuery({ ...groupsQuery(kind, query), enabled: list.isReady })
  const [isAdding, setIsAdding] = useState(false)
  const bulk = useBulkRequest<EditAction, GroupRow>()
  const rename = useRenameGroup()
  const [copied, setCopied] = useState<GroupRow | null>(null)
  const columns = useMemo(() => listColumns(groupFields(t, format)), [t, format])
  const mayChange = useMayChange()
  const addButton = mayChange && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setIsAdding(true)}>
      {t('groups:add')}
    </Button>
  )
  return (
    <>
      <DataTable
        name="groups"
        label={t('routes:groups')}
        list={list}
        result={result}
        columns={columns}
        rowName={row => row.name}
        rowHref={row => paths.group(row.uid)}
        filters={groupFilters(t)}
        rename={rename}
        rowActions={mayChange ? [duplicateRow(t, setCopied), bulk.deleteRow] : []}
        bulkActions={mayChange ? editActions(t, bulk) : []}
        actions={addButton}
        empty={
          <EmptyState
            icon={IconStack2}
            title={t('groups:empty.title')}
            text={t('groups:empty.text')}
            action={addButton}
          />
        }
      />
      <GroupForm
        isOpen={isAdding}
        onClose={() => setIsAdding(false)}
        onAdded={uid => void navigate(paths.group(uid))}
      />
      {copied && <DuplicateGroup group={copied} onClose={() => setCopied(null)} />}
      {bulk.request && <BulkGroups {...bulk.request} kind={kind} query={query} onClose={bulk.cancel} />}
    </>
  )
}

GroupsPage.prefetch = async ({ search }: PageAddress) => {
  const asked = readListQuery(search, defaults)
  if (!asked) return
  const { kind, query } = readFilter(asked)
  await queryClient.prefetchQuery(groupsQuery(kind, query))
}

function groupFilters(t: Translate): ListFilter[] {
  return [
    {
      name: 'state',
      label: t('groups:columns.state'),
      options: EditState.options.map(value => ({ value, label: t(`states.group.${value}`) })),
    },
    {
      name: 'kind',
      label: t('groups:columns.kind'),
      options: Kind.options.map(value => ({ value, label: t(`kinds.${value}`) })),
    },
  ]
}
