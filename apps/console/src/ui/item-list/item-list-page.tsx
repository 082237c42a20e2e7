import type { listOf } from '@floorcast/contract/fields.ts'
import { Button } from '@mantine/core'
import { IconPlus, type Icon } from '@tabler/icons-react'
import { type QueryKey, useQuery, type UseQueryOptions } from '@tanstack/react-query'
import { useMemo, useState, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import type { z } from 'zod'
import { type Format, useFormat } from '../../platform/format.ts'
import { type Translate, useTranslate } from '../../platform/i18n.ts'
import type { PageComponent } from '../../platform/page-address.ts'
import { queryClient } from '../../platform/query-client.ts'
import type { RenameItem } from '../../platform/renaming.ts'
import { useMayChange } from '../../platform/session.ts'
import { type BulkRequest, useBulkRequest } from '../bulk/use-bulk-request.tsx'
import { duplicateRow } from '../duplicate/duplicate-action.tsx'
import { EmptyState } from '../empty-state.tsx'
import { DataTable } from '../data-table/data-table.tsx'
import type { BulkAction, ListColumn, ListFilter } from '../data-table/list-column.ts'
import { type ListControl, type ListPageDefaults, readListQuery, useList } from '../data-table/use-list.ts'

type BulkRequests<Action extends string, Row extends { uid: string }> = ReturnType<
  typeof useBulkRequest<Action, Row>
>

/** A page of the contract's list of such rows. */
type Rows<Row extends object> = z.output<ReturnType<typeof listOf<z.ZodType<Row>>>>

/** The properties of a noun in the list of items that have a page each, a form and copies. */
interface ItemListing<
  Row extends { uid: string; name: string },
  Asked,
  Action extends string,
  Key extends QueryKey,
> {
  /** The key under which the chosen columns are remembered. */
  name: string
  label: (t: Translate) => string
  icon: Icon
  /** Says what the list is for while it is empty. */
  empty: (t: Translate) => { title: string; text: string }
  defaults: ListPageDefaults
  /** Makes the query of the calls from the address. */
  read: (query: ListControl['query']) => Asked
  rows: (asked: Asked) => UseQueryOptions<Rows<Row>, Error, Rows<Row>, Key>
  columns: (t: Translate, format: Format) => readonly ListColumn<Row>[]
  filters: (t: Translate) => ListFilter[]
  pathOf: (uid: string) => string
  useRename: () => RenameItem<Row>
  /** The buttons that begin a new one. They go when the list is no longer empty; what they open stays. */
  addButtons: (t: Translate, open: (dialog: 'add' | 'import') => void) => ReactNode
  form: (props: { onClose: () => void; onAdded: (uid: string) => void }) => ReactNode
  importDialog?: (onClose: () => void) => ReactNode
  copy: (row: Row, onClose: () => void) => ReactNode
  bulk?: {
    actions: (t: Translate, requests: BulkRequests<Action, Row>) => BulkAction[]
    dialog: (request: BulkRequest<Action | 'delete', Row>, asked: Asked, onClose: () => void) => ReactNode
  }
  /** Shown beside the list. */
  more?: ReactNode
}

/** The button that begins a new item. */
export const AddButton = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={onClick}>
    {label}
  </Button>
)

/** The page of a noun's list. It asks for its rows while its frame is drawn. */
export function itemListPage<
  Row extends { uid: string; name: string },
  Asked,
  Action extends string,
  Key extends QueryKey,
>(listing: ItemListing<Row, Asked, Action, Key>): PageComponent {
  const { defaults, read, bulk, pathOf } = listing
  function ItemListPage() {
    const { t } = useTranslate()
    const format = useFormat()
    const navigate = useNavigate()
    const list = useList(defaults)
    const asked = read(list.query)
    const result = useQuery({ ...listing.rows(asked), enabled: list.isReady })
    const columns = useMemo(() => listing.columns(t, format), [t, format])
    const mayChange = useMayChange()
    const [dialog, setDialog] = useState<'add' | 'import' | null>(null)
    const close = () => setDialog(null)
    const [copied, setCopied] = useState<Row | null>(null)
    const requests = useBulkRequest<Action, Row>()
    const rename = listing.useRename()
    const buttons = mayChange && listing.addButtons(t, setDialog)
    const deleteRow = bulk ? [requests.deleteRow] : []
    return (
      <>
        <DataTable
          name={listing.name}
          label={listing.label(t)}
          list={list}
          result={result}
          columns={columns}
          rowName={row => row.name}
          rowHref={row => pathOf(row.uid)}
          filters={listing.filters(t)}
          rename={rename}
          rowActions={mayChange ? [duplicateRow(t, setCopied), ...deleteRow] : []}
          bulkActions={mayChange && bulk ? bulk.actions(t, requests) : []}
          actions={buttons}
          empty={<EmptyState icon={listing.icon} {...listing.empty(t)} action={buttons} />}
        />
        {dialog === 'add' && listing.form({ onClose: close, onAdded: uid => void navigate(pathOf(uid)) })}
        {dialog === 'import' && listing.importDialog?.(close)}
        {listing.more}
        {copied && listing.copy(copied, () => setCopied(null))}
        {requests.request && bulk?.dialog(requests.request, asked, requests.cancel)}
      </>
    )
  }
  ItemListPage.prefetch = async ({ search }: { search: URLSearchParams }) => {
    const first = readListQuery(search, defaults)
    if (first) await queryClient.prefetchQuery(listing.rows(read(first)))
  }
  return ItemListPage
}
