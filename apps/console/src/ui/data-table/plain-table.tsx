import { Table } from '@mantine/core'
import styles from './data-table.module.css'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import type { ListColumn } from './list-column.ts'
import { HeadCell, type Sorting } from './list-head.tsx'

interface PlainTableProps<Row> {
  label: string
  columns: readonly ListColumn<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  sorting?: Sorting | undefined
  /** A last row that sums the others up, by the columns' ids. */
  total?: Readonly<Record<string, ReactNode>> | undefined
}

/** Whether an element has more columns than it shows. */
function useScrolled(): [RefObject<HTMLDivElement | null>, boolean] {
  const ref = useRef<HTMLDivElement>(null)
  const [isScrolled, setIsScrolled] = useState(false)
  useEffect(() => {
    const element = ref.current
    if (!element) return
    const observer = new ResizeObserver(() => setIsScrolled(element.scrollWidth > element.clientWidth))
    for (const each of [element, ...element.children]) observer.observe(each)
    return () => observer.disconnect()
  }, [])
  return [ref, isScrolled]
}

function classOf<Row>({ header, isNumber }: ListColumn<Row>): string | undefined {
  if (header === '') return styles.menuCell
  return isNumber ? styles.number : undefined
}

/** A short table inside a panel, without paging; on narrow screens its rows are cards like those of the lists. */
export function PlainTable<Row>({ label, columns, rows, rowKey, sorting, total }: PlainTableProps<Row>) {
  const [ref, isScrolled] = useScrolled()
  // By its own focus the arrow keys reach what is out of view.
  const focus = isScrolled ? { role: 'group', 'aria-label': label, tabIndex: 0 } : {}
  return (
    <div ref={ref} className={styles.plain} {...focus}>
      <Table className={styles.table} aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            {columns.map(column =>
              column.header === '' ? (
                <Table.Td key={column.id} />
              ) : (
                <HeadCell key={column.id} column={column} sorting={sorting} />
              ),
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(row => (
            <Table.Tr key={rowKey(row)} className={styles.row}>
              {columns.map(column => (
                <Table.Td
                  key={column.id}
                  className={classOf(column)}
                  {...(column.header === '' ? {} : { 'data-label': column.header })}
                >
                  {column.cell(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
        {total && (
          <Table.Tfoot>
            <Table.Tr className={styles.row}>
              {columns.map(column => (
                <Table.Td key={column.id} className={classOf(column)} data-label={column.header}>
                  {total[column.id]}
                </Table.Td>
              ))}
            </Table.Tr>
          </Table.Tfoot>
        )}
      </Table>
    </div>
  )
}
