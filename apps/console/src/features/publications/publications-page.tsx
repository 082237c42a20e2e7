import { Kind } from '@floorcast/contract/fields.ts'
import { PublicationState, type PublicationRow } from '@floorcast/contract/publications.ts'
import { Button, Group } from '@mantine/core'
import { IconBroadcast, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { useFormat } from '../../platform/format.ts'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { useMayChange } from '../../platform/session.ts'
import { useDeleteDialog } from '../../ui/recycle-bin/use-delete-dialog.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import type { ListFilter } from '../../ui/data-table/list-column.ts'
import { listColumns } from '../../ui/detail/item-fields.tsx'
import { useList } from '../../ui/data-table/use-list.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PublishButton } from '../../ui/publish-button.tsx'
import { DeletePublications } from './delete-publications.tsx'
import { publicationFields } from './publication-columns.tsx'
import { publicationQueries, readKind, readPublicationFilter } from './publication-data.ts'
import { PublicationForm } from './publication-form.tsx'

const defaults = { filters: ['state', 'kind'], sort: 'name' } as const

/** Every publication of the client: what plays where. */
export function PublicationsPage() {
  const { t } = useTranslate()
  const format = useFormat()
  const list = useList(defaults)
  const query = readPublicationFilter(list.query)
  const kind = readKind(list.query['kind'])
  const result = useQuery(publicationQueries.list(kind, query))
  const columns = useMemo(() => listColumns(publicationFields(t, format)), [t, format])
  const mayChange = useMayChange()
  const [isAdding, setIsAdding] = useState(false)
  const navigate = useNavigate()
  const { deleting, cancel, row, bulk } = useDeleteDialog<PublicationRow>()
  const addButtons = mayChange && (
    <Group gap="xs">
      <Button
        variant="default"
        leftSection={<IconPlus size={16} aria-hidden />}
        onClick={() => setIsAdding(true)}
      >
        {t('publications:add')}
      </Button>
      <PublishButton start={{}} isMain />
    </Group>
  )
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
        rowActions={mayChange ? [row] : []}
        bulkActions={mayChange ? [bulk] : []}
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
      {deleting && <DeletePublications {...deleting} kind={kind} query={query} onClose={cancel} />}
    </>
  )
}

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
