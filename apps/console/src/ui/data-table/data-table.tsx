/*
 * The one list of the console. A feature page is made of four things:
 *
 * 1. `<noun>-data.ts`: a query factory whose keys begin with the noun in the singular, as the live stream names it:
 *      export const devicesQuery = (query: QueryOf<typeof listDevices>) =>
 *        queryOptions({ queryKey: ['device', 'list', query], queryFn: ({ signal }) => call(listDevices, { query, signal }),
 *                       placeholderData: keepPreviousData })
 * 2. `<noun>-page.tsx`: the address bar's state and the data:
 *      const defaults = { filters: ['connectivity'], sort: 'name' }          // a constant outside the component
 *      const list = useList(defaults)
 *      const result = useQuery(devicesQuery(list.query))
 * 3. columns, filters, row and bulk actions as plain objects (`list-column.ts`), with words from the feature's catalogue;
 * 4. <DataTable name="devices" label={t('title')} list={list} result={result} columns={columns}
 *        rowName={row => row.name} rowHref={row => paths.device(row.uid)} filters={filters} rowActions={…}
 *        bulkActions={…} actions={<Button>…</Button>} empty={<EmptyState …/>} />
 *
 * Forms are `ui/side-form`, questions `ui/confirm-dialog.tsx`, detail pages `ui/detail`, uploads `ui/upload`.
 * Rows need `uid`. A row's change of state comes by the live stream: nothing is polled.
 */
import { Table } from '@mantine/core'
import { columnVisibilityFeature, tableFeatures, useTable, type ColumnDef } from '@tanstack/react-table'
import { useMemo, useRef, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { ErrorPanel } from '../error-panel.tsx'
import { BulkBar } from './bulk-bar.tsx'
import styles from './data-table.module.css'
import type { BulkAction, ListColumn, ListFilter, RowAction } from './list-column.ts'
import { ListFooter } from './list-footer.tsx'
import { ListHead } from './list-head.tsx'
import { ListRow, SkeletonRows } from './list-row.tsx'
import { ListToolbar } from './list-toolbar.tsx'
import { NothingFound } from './nothing-found.tsx'
import { useColumns } from './use-columns.ts'
import type { ListControl } from './use-list.ts'
import { useRowKeys } from './use-row-keys.ts'
import { useSelection } from './use-selection.ts'

/** What a query of a list gives; TanStack's result fits as it is. */
export interface ListResult<Row> {
  data: { items: Row[]; total: number; more?: boolean | undefined } | undefined
  isPending: boolean
  isError: boolean
  isPlaceholderData: boolean
  error: unknown
  refetch: () => unknown
}

export interface DataTableProps<Row extends { uid: string }> {
  /** Under this name the chosen columns are remembered. */
  name: string
  /** What the list is, for screen readers. */
  label: string
  list: ListControl
  result: ListResult<Row>
  columns: readonly ListColumn<Row>[]
  rowName: (row: Row) => string
  rowHref?: (row: Row) => string
  filters?: readonly ListFilter[]
  rowActions?: readonly RowAction<Row>[]
  bulkActions?: readonly BulkAction[]
  /** Buttons at the end of the toolbar: what begins a new one. */
  actions?: ReactNode
  /** Shown when there is nothing at all: what this is for, and the button that begins it. */
  empty: ReactNode
  hasSearch?: boolean
}

const features = tableFeatures({ columnVisibilityFeature })
const noRows: never[] = []

export function DataTable<Row extends { uid: string }>(props: DataTableProps<Row>) {
  const { list, result, columns, rowActions = [], bulkActions = [] } = props
  const navigate = useNavigate()
  const rows: Row[] = result.data?.items ?? noRows
  const total = result.data?.total ?? 0
  const chosen = useColumns(props.name, columns)
  const definitions = useMemo(() => columns.map(column => defineColumn(column)), [columns])
  const table = useTable({
    features,
    columns: definitions,
    data: rows,
    getRowId: row => row.uid,
    state: { columnVisibility: chosen.visibility },
  })
  const shown = table
    .getVisibleLeafColumns()
    .flatMap(({ id }) => columns.find(column => column.id === id) ?? [])
  const scope = JSON.stringify([list.view.search, list.view.filters])
  const selection = useSelection(scope, total)
  const canChoose = bulkActions.length > 0
  const rowKeys = useRowKeys(
    index => {
      const row = rows[index]
      if (row && props.rowHref) void navigate(props.rowHref(row))
    },
    index => {
      const row = rows[index]
      if (row && canChoose) selection.toggle([row.uid], !selection.has(row.uid))
    },
  )
  const searchField = useRef<HTMLInputElement>(null)
  const uids = rows.map(row => row.uid)

  if (result.isError && !result.data) {
    return <ErrorPanel error={result.error} retry={() => void result.refetch()} />
  }
  if (!result.isPending && total === 0 && !list.isFiltered && list.view.page === 1) return props.empty
  return (
    <section
      className={styles.list}
      aria-label={props.label}
      aria-busy={result.isPending || result.isPlaceholderData}
    >
      <ListToolbar
        list={list}
        filters={props.filters ?? []}
        columns={columns}
        visibility={chosen.visibility}
        toggleColumn={chosen.toggle}
        actions={props.actions}
        searchField={searchField}
        hasSearch={props.hasSearch ?? true}
      />
      {selection.selection.count > 0 && (
        <BulkBar control={selection} actions={bulkActions} total={total} onPage={uids} />
      )}
      <div className={styles.scroll}>
        <Table
          className={styles.table}
          data-waiting={result.isPlaceholderData || undefined}
          aria-label={props.label}
        >
          <ListHead
            columns={shown}
            list={list}
            choice={canChoose ? { control: selection, onPage: uids } : null}
            hasMenu={rowActions.length > 0}
          />
          <Table.Tbody onKeyDown={rowKeys}>
            {result.isPending && (
              <SkeletonRows
                rows={list.view.size}
                columns={shown.length + Number(canChoose) + Number(rowActions.length > 0)}
              />
            )}
            {table.getRowModel().rows.map((row, index) => (
              <ListRow
                key={row.id}
                row={row.original}
                isFirst={index === 0}
                columns={shown}
                name={props.rowName(row.original)}
                href={props.rowHref?.(row.original)}
                choice={canChoose ? selection : null}
                actions={rowActions}
              />
            ))}
          </Table.Tbody>
        </Table>
        {!result.isPending && rows.length === 0 && <NothingFound list={list} />}
      </div>
      <ListFooter list={list} total={total} isMore={result.data?.more === true} />
    </section>
  )
}

function defineColumn<Row extends { uid: string }>(column: ListColumn<Row>): ColumnDef<typeof features, Row> {
  return { id: column.id, header: column.header, enableHiding: true }
}
