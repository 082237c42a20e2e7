import { CallError } from '@floorcast/contract/client.ts'
import { Button, Table } from '@mantine/core'
import { IconSearchOff } from '@tabler/icons-react'
import { useEffect, useMemo, useRef, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import type { RenameItem } from '../../platform/renaming.ts'
import { EmptyState } from '../empty-state.tsx'
import { ErrorPanel } from '../error-panel.tsx'
import { BulkBar } from './bulk-bar.tsx'
import styles from './data-table.module.css'
import {
  type BulkAction,
  type ListColumn,
  type ListFilter,
  type RowAction,
  useColumns,
} from './list-column.ts'
import { ListFooter } from './list-footer.tsx'
import { ListHead } from './list-head.tsx'
import { useRowFocus } from './list-memory.ts'
import { ListRow, SkeletonRows, useRowRename } from './list-row.tsx'
import { ListToolbar } from './list-toolbar.tsx'
import { rowKeyHandler } from './row-keys.ts'
import { ViewNotice } from './saved-views/view-notice.tsx'
import type { ListControl } from './use-list.ts'
import { useSelection, useToggleRow, type SelectionControl, type ToggleRow } from './use-selection.ts'

/** Nothing matches: says so and leads back. */
function NothingFound({ list }: { list: ListControl }) {
  const { t } = useTranslate()
  const reset = () => list.show({ search: '', filters: {}, page: 1 })
  return (
    <EmptyState
      icon={IconSearchOff}
      title={t('list:nothingFound')}
      text={t('list:nothingFoundHint')}
      action={
        <Button variant="default" onClick={reset}>
          {t('list:showAll')}
        </Button>
      }
    />
  )
}

/*
 * The one list of the console. A feature page has four parts:
 *
 * 1. `<noun>-data.ts`: queries with a key of `platform/query-keys.ts`:
 *      export const devicesQuery = (query: QueryOf<typeof listDevices>) =>
 *        listQuery(queryKeys.devices.list(query), listDevices, { query })
 * 2. `<noun>-page.tsx`: the address bar's state and the data:
 *      const defaults = { views: 'devices', filters: ['connectivity'], sort: 'name' }   // a constant outside the component
 *      const list = useList(defaults)
 *      const result = useQuery({ ...devicesQuery(list.query), enabled: list.isReady })
 * 3. `<noun>-columns.tsx`: the fields of list and card (`ui/detail/item-fields.tsx`); filters, row and bulk actions as plain
 *    objects (`list-column.ts`), with words from the feature's catalogue;
 * 4. <DataTable name="devices" label={t('title')} list={list} result={result} columns={columns}
 *        rowName={row => row.name} rowHref={row => paths.device(row.uid)} filters={filters} rowActions={…}
 *        bulkActions={…} actions={<Button>…</Button>} empty={<EmptyState …/>} />
 *
 * Items that have a page each, a form and copies are listed by `itemListPage` (ui/item-list/item-list-page.tsx), which does 2 and 4.
 *
 * Forms are `ui/side-form`, questions `ui/confirm-dialog.tsx`, detail pages `ui/detail`, uploads `ui/upload`.
 * Rows need `uid`. A row's change of state comes by the live stream: nothing is polled.
 */

/** The result of a list's query; TanStack's result fits as it is. */
export interface ListResult<Row> {
  data: { items: Row[]; total: number; more?: boolean | undefined } | undefined
  isPending: boolean
  isError: boolean
  isPlaceholderData: boolean
  error: unknown
  refetch: () => unknown
}

interface DataTableProps<Row extends { uid: string }> {
  /** The key under which the chosen columns are remembered. */
  name: string
  /** The name of the list for screen readers. */
  label: string
  list: ListControl
  result: ListResult<Row>
  columns: readonly ListColumn<Row>[]
  rowName: (row: Row) => string
  rowHref?: (row: Row) => string
  filters?: readonly ListFilter[]
  /** Offers to rename a row in its place, by its menu and by F2. */
  rename?: RenameItem<Row>
  rowActions?: readonly RowAction<Row>[]
  bulkActions?: readonly BulkAction[]
  /** Buttons at the end of the toolbar: what begins a new one. */
  actions?: ReactNode
  /** Shown when there is nothing at all: what this is for, and the button that begins it. */
  empty: ReactNode
  hasSearch?: boolean
}

const nothing: never[] = []

export function DataTable<Row extends { uid: string }>(props: DataTableProps<Row>) {
  const { list, result } = props
  const total = result.data?.total ?? 0
  useLastPage(list, result)
  if (result.data && total === 0 && !list.isFiltered && list.view.page === 1) return props.empty
  return <ListBox {...props} rows={result.data?.items ?? nothing} total={total} />
}

/** An address past the last page shows the last page. */
function useLastPage<Row>(list: ListControl, { data, isPlaceholderData }: ListResult<Row>): void {
  const { page, size } = list.view
  const pages = data && !data.more && !isPlaceholderData ? Math.max(1, Math.ceil(data.total / size)) : page
  useEffect(() => {
    if (page > pages) list.show({ page: pages }, true)
  }, [list, page, pages])
}

type ListBoxProps<Row extends { uid: string }> = DataTableProps<Row> & { rows: Row[]; total: number }

function ListBox<Row extends { uid: string }>({ rows, total, ...props }: ListBoxProps<Row>) {
  const { list, result, columns, bulkActions = [] } = props
  const chosen = useColumns(props.name, columns, list.saved.view)
  const scope = JSON.stringify([list.view.search, list.view.filters])
  const control = useSelection(scope, total)
  const searchField = useRef<HTMLInputElement>(null)
  const isWaiting = result.isPending || result.isPlaceholderData
  return (
    <section className={styles.list} aria-label={props.label} aria-busy={isWaiting}>
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
      <ViewNotice list={list} />
      {control.selection.count > 0 && (
        <BulkBar control={control} actions={bulkActions} total={total} onPage={rows.map(row => row.uid)} />
      )}
      <div className={styles.scroll}>
        {result.isError && !result.data ? (
          <ListFailure
            list={list}
            filters={props.filters ?? []}
            error={result.error}
            retry={() => void result.refetch()}
          />
        ) : (
          <Rows
            {...props}
            rows={rows}
            shown={chosen.shown}
            choice={bulkActions.length > 0 ? control : null}
          />
        )}
        {result.data && rows.length === 0 && <NothingFound list={list} />}
      </div>
      <ListFooter list={list} total={total} isMore={result.data?.more === true} />
    </section>
  )
}

interface RowsProps<Row extends { uid: string }> extends DataTableProps<Row> {
  rows: Row[]
  shown: readonly ListColumn<Row>[]
  choice: SelectionControl | null
}

function Rows<Row extends { uid: string }>({ rows, choice, shown, ...props }: RowsProps<Row>) {
  const { list, result } = props
  const renaming = useRowRename(props.rename, props.rowActions)
  const uids = useMemo(() => rows.map(({ uid }) => uid), [rows])
  const toggleRow = useToggleRow(uids, choice?.change)
  const rowKeys = useKeysOfRows(rows, { href: props.rowHref, toggle: toggleRow, rename: renaming.start })
  const rowFocus = useRowFocus(uids)
  const cells = shown.length + Number(choice !== null) + Number(renaming.actions.length > 0)
  return (
    <Table
      className={styles.table}
      data-waiting={result.isPlaceholderData || undefined}
      aria-label={props.label}
    >
      <ListHead
        columns={shown}
        list={list}
        choice={choice && { control: choice, onPage: uids }}
        hasMenu={renaming.actions.length > 0}
      />
      <Table.Tbody onKeyDown={rowKeys} {...rowFocus}>
        {result.isPending && <SkeletonRows rows={list.view.size} columns={cells} />}
        {rows.map((row, index) => (
          <ListRow
            key={row.uid}
            row={row}
            isFirst={index === 0}
            columns={shown}
            name={props.rowName(row)}
            href={props.rowHref?.(row)}
            isChosen={choice && choice.has(row.uid)}
            toggle={toggleRow}
            actions={renaming.actions}
            renaming={renaming.of(row)}
            onRenamed={renaming.end}
          />
        ))}
      </Table.Tbody>
    </Table>
  )
}

interface RowUses<Row> {
  href: ((row: Row) => string) | undefined
  toggle: ToggleRow
  rename: (row: Row) => void
}

function useKeysOfRows<Row extends { uid: string }>(
  rows: readonly Row[],
  { href, toggle, rename }: RowUses<Row>,
) {
  const navigate = useNavigate()
  const withRow = (use: (row: Row, isShifted: boolean) => void) => (index: number, isShifted: boolean) => {
    const row = rows[index]
    if (row) use(row, isShifted)
  }
  return rowKeyHandler({
    Enter: withRow(row => href && void navigate(href(row))),
    ' ': withRow(({ uid }, isShifted) => toggle(uid, isShifted)),
    F2: withRow(rename),
  })
}

interface ListFailureProps {
  list: ListControl
  filters: readonly ListFilter[]
  error: unknown
  retry: () => void
}

/** Why a list has no rows: the address asks for what there is not, or the server has not answered. */
function ListFailure({ list, filters, error, retry }: ListFailureProps) {
  const { t } = useTranslate()
  const format = useFormat()
  const wrong = error instanceof CallError && error.status === 422 ? (error.problem?.errors ?? []) : []
  if (wrong.length === 0) return <ErrorPanel error={error} retry={retry} />
  // A filter of several values is named once, however many of them are wrong.
  const names = new Set(wrong.map(({ path }) => path.replace(/\.\d+$/, '')))
  const parts = [...names].map(name => {
    const label = filters.find(filter => filter.name === name)?.label ?? name
    return t('labeled', { label, value: list.view.filters[name] ?? '–' })
  })
  return (
    <EmptyState
      icon={IconSearchOff}
      title={t('list:wrongAddress')}
      text={t('list:wrongAddressText', { parts: format.list(parts) })}
      action={
        <Button variant="default" onClick={() => list.open(null)}>
          {t('list:showAll')}
        </Button>
      }
    />
  )
}
