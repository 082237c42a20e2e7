import { useTranslate } from '../../platform/i18n.ts'
import { Checkbox, Table, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconArrowsSort } from '@tabler/icons-react'
import styles from './data-table.module.css'
import type { ListColumn } from './list-column.ts'
import type { ListControl } from './use-list.ts'
import type { SelectionControl } from './use-selection.ts'

interface HeadProps<Row> {
  columns: readonly ListColumn<Row>[]
  list: ListControl
  choice: { control: SelectionControl; onPage: readonly string[] } | null
  hasMenu: boolean
}

export function ListHead<Row>({ columns, list, choice, hasMenu }: HeadProps<Row>) {
  const { t } = useTranslate()
  return (
    <Table.Thead>
      <Table.Tr>
        {choice && <ChoosePage {...choice} />}
        {columns.map(column => (
          <HeadCell key={column.id} column={column} sorting={list} />
        ))}
        {hasMenu && (
          <Table.Th scope="col" className={styles.menuCell}>
            <VisuallyHidden>{t('list:rowMenu')}</VisuallyHidden>
          </Table.Th>
        )}
      </Table.Tr>
    </Table.Thead>
  )
}

function ChoosePage({ control, onPage }: { control: SelectionControl; onPage: readonly string[] }) {
  const { t } = useTranslate()
  const count = onPage.filter(uid => control.has(uid)).length
  const isWhole = count > 0 && count === onPage.length
  return (
    <Table.Th scope="col" className={styles.chooseCell}>
      <Checkbox
        aria-label={t('list:choosePage')}
        checked={isWhole}
        disabled={onPage.length === 0}
        indeterminate={count > 0 && !isWhole}
        onChange={() => control.toggle(onPage, !isWhole)}
      />
    </Table.Th>
  )
}

/** How rows are sorted, and what sorts them in another way. */
export interface Sorting {
  view: { sort: string | undefined; dir: 'asc' | 'desc' }
  show: (by: { sort: string; dir: 'asc' | 'desc' }) => void
}

interface HeadCellProps<Row> {
  column: ListColumn<Row>
  /** Undefined where nothing can be sorted. */
  sorting: Sorting | undefined
}

export function HeadCell<Row>({ column, sorting }: HeadCellProps<Row>) {
  const className = column.isNumber ? styles.number : undefined
  if (!column.isSortable || !sorting)
    return (
      <Table.Th scope="col" className={className}>
        {column.header}
      </Table.Th>
    )
  const { sort, dir } = sorting.view
  const isSorted = sort === column.id
  const Icon = isSorted ? (dir === 'asc' ? IconArrowUp : IconArrowDown) : IconArrowsSort
  const sortBy = () => sorting.show({ sort: column.id, dir: isSorted && dir === 'asc' ? 'desc' : 'asc' })
  return (
    <Table.Th
      scope="col"
      className={className}
      aria-sort={isSorted ? (dir === 'asc' ? 'ascending' : 'descending') : 'none'}
    >
      <UnstyledButton className={styles.sort} data-sorted={isSorted || undefined} onClick={sortBy}>
        {column.header}
        <Icon size={14} aria-hidden />
      </UnstyledButton>
    </Table.Th>
  )
}
