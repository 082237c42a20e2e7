import type { PublicationAction } from '@floorcast/contract/bulk-calls.ts'
import { Kind } from '@floorcast/contract/fields.ts'
import { PublicationState, type PublicationRow } from '@floorcast/contract/publications.ts'
import { Group } from '@mantine/core'
import { IconBroadcast, IconBroadcastOff, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { useFormat } from '../../platform/format.ts'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import type { PageAddress } from '../../platform/page-address.ts'
import { paths } from '../../platform/paths.ts'
import { queryClient } from '../../platform/query-client.ts'
import { useMayChange } from '../../platform/session.ts'
import { useBulkRequest } from '../../ui/bulk/use-bulk-request.tsx'
import { ListActions } from '../../ui/data-table/list-actions.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import type { BulkAction, ListFilter } from '../../ui/data-table/list-column.ts'
import { listColumns } from '../../ui/detail/item-fields.tsx'
import { readListQuery, useList } from '../../ui/data-table/use-list.ts'
import { duplicateRow } from '../../ui/duplicate/duplicate-action.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PublishButton } from '../../ui/publish-button.tsx'
import { publicationFields } from './publication-columns.tsx'
import {
  publicationQueries,
  readKind,
  readPublicationFilter,
  useRenamePublication,
} from './publications-data.ts'
import { BulkPublications, DuplicatePublication, PublicationForm } from './publication-dialogs.ts'

const defaults = { views: 'publications', filters: ['state', 'kind'], sort: 'name' } as const

/** Every publication of the client: what plays where. */
export function PublicationsPage() {
  const { t } = useTranslate()
  const format = useFormat()
  const list = useList(defaults)
  const query = readPublicationFilter(list.query)
  const kind = readKind(list.query['kind'])
  const result = useQuery({ ...publicationQueries.list(kind, query), enabled: list.isReady })
  const columns = useMemo(() => listColumns(publicationFields(t, format)), [t, format])
  const mayChange = useMayChange()
  const [isAdding, setIsAdding] = useState(false)
  const navigate = useNavigate()
  const bulk = useBulkRequest<PublicationAction, PublicationRow>()
  const rename = useRenamePublication()
  const [copied, setCopied] = useState<PublicationRow | null>(null)
  const addButtons = mayChange && <AddButtons onAdd={() => setIsAdding(true)} />
  return (
    <>
      <DataTable
        name="publications"
        label={t('routes:publications')}
        list={list}
        result={result}
        columns={columns}
        rowName={publication => publication.name}
        rowHref={publication => paths.publication(publication.uid)}
        filters={publicationFilters(t)}
        rename={rename}
        rowActions={mayChange ? [duplicateRow(t, setCopied), bulk.deleteRow] : []}
        bulkActions={mayChange ? bulkActions(t, bulk) : []}
        actions={addButtons}
        empty={
          <EmptyState
            icon={IconBroadcast}
            title={t('publications:empty.title')}
            text={t('publications:empty.text')}
            action={addButtons}
          />
        }
      />
      <PublicationForm
        isOpen={isAdding}
        onClose={() => setIsAdding(false)}
        onAdded={uid => void navigate(paths.publication(uid))}
      />
      {copied && <DuplicatePublication publication={copied} onClose={() => setCopied(null)} />}
      {bulk.request && <BulkPublications {...bulk.request} kind={kind} query={query} onClose={bulk.cancel} />}
    </>
  )
}

PublicationsPage.prefetch = async ({ search }: PageAddress) => {
  const query = readListQuery(search, defaults)
  if (query)
    await queryClient.prefetchQuery(
      publicationQueries.list(readKind(query['kind']), readPublicationFilter(query)),
    )
}

/** Adds a publication, turned off, or publishes at once. */
function AddButtons({ onAdd }: { onAdd: () => void }) {
  const { t } = useTranslate()
  return (
    <Group gap="xs">
      <ListActions
        actions={[{ label: t('publications:add'), icon: <IconPlus size={16} aria-hidden />, run: onAdd }]}
      />
      <PublishButton start={{}} isMain />
    </Group>
  )
}

type BulkRequests = ReturnType<typeof useBulkRequest<PublicationAction, PublicationRow>>

const bulkActions = (t: Translate, { ask, deleteMany }: BulkRequests): BulkAction[] => [
  {
    label: t('publications:activate'),
    icon: <IconBroadcast size={16} aria-hidden />,
    run: ask('turn-on'),
  },
  {
    label: t('publications:deactivate'),
    icon: <IconBroadcastOff size={16} aria-hidden />,
    run: ask('turn-off'),
  },
  deleteMany,
]

function publicationFilters(t: Translate): ListFilter[] {
  return [
    {
      name: 'state',
      label: t('publications:state'),
      options: PublicationState.options.map(value => ({
        value,
        label: t(`publications:states.${value}`),
      })),
    },
    {
      name: 'kind',
      label: t('publications:kind'),
      options: Kind.options.map(value => ({ value, label: t(`kinds.${value}`) })),
    },
  ]
}
