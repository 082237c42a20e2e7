import { Kind } from '@floorcast/contract/fields.ts'
import { PublicationState, type PublicationRow } from '@floorcast/contract/publications.ts'
import { Button } from '@mantine/core'
import { IconBroadcast, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
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
  const adding = useAdding()
  const { deleting, cancel, row, bulk } = useDeleteDialog<PublicationRow>()
  const addButton = mayChange && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={adding.begin}>
      {t('publications:add')}
    </Button>
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
        actions={addButton}
        empty={
          <EmptyState
            icon={IconBroadcast}
            title={t('publications:empty.title')}
            text={t('publications:empty.text')}
            action={addButton}
          />
        }
      />
      <PublicationForm
        key={adding.playlistUid}
        isOpen={adding.isOpen}
        playlistUid={adding.playlistUid}
        onClose={adding.end}
        onAdded={adding.lead}
      />
      {deleting && <DeletePublications {...deleting} kind={kind} query={query} onClose={cancel} />}
    </>
  )
}

/** Whether the form of a new publication is open; a playlist's page opens it by the address, with that playlist. */
function useAdding() {
  const [isAdding, setIsAdding] = useState(false)
  const [address, setAddress] = useSearchParams()
  const playlistUid = address.get('playlist')
  const navigate = useNavigate()
  const isLeaving = useRef(false)
  /** To the new publication's page; going back from there does not open the form again. */
  const lead = (uid: string) => {
    isLeaving.current = true
    void navigate(paths.publication(uid), { replace: playlistUid !== null })
  }
  const end = () => {
    setIsAdding(false)
    // Another address asked for now would take the place of that page.
    if (playlistUid === null || isLeaving.current) return
    const without = (now: URLSearchParams) => {
      const next = new URLSearchParams(now)
      next.delete('playlist')
      return next
    }
    setAddress(without, { replace: true })
  }
  return {
    isOpen: isAdding || playlistUid !== null,
    playlistUid: playlistUid ?? '',
    begin: () => setIsAdding(true),
    lead,
    end,
  }
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
