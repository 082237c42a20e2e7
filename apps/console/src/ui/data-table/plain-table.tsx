import { Table } from '@mantine/core'
import styles from './data-table.module.css'
import type { ReactNode } from 'react'
import type { ListColumn } from './list-column.ts'

interface PlainTableProps<Row> {
  label: string
  columns: readonly ListColumn<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** A last row that sums the others up, by the columns' ids. */
  total?: Readonly<Record<string, ReactNode>> | undefined
  /** It scrolls sideways and holds no links, so that it takes the focus itself. */
  isScrolled?: boolean
}

function classOf<Row>({ header, isNumber }: ListColumn<Row>): string | undefined {
  if (header === '') return styles.menuCell
  return isNumber ? styles.number : undefined
}

/** A short table inside a panel, without paging; on narrow screens its rows are cards like those of the lists. */
export function PlainTable<Row>({
  label,
  columns,
  rows,
  rowKey,
  total,
  isScrolled = false,
}: PlainTableProps<Row>) {
  return (
    <div
      className={styles.plain}
      {...(isScrolled ? { role: 'group', 'aria-label': label, tabIndex: 0 } : {})}
    >
      <Table className={styles.table} aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            {columns.map(column =>
              column.header === '' ? (
                <Table.Td key={column.id} />
              ) : (
                <Table.Th key={column.id} className={column.isNumber ? styles.number : undefined}>
                  {column.header}
                </Table.Th>
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
