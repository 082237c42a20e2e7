import { Table } from '@mantine/core'
import styles from './data-table.module.css'
import type { ListColumn } from './list-column.ts'

interface PlainTableProps<Row> {
  label: string
  columns: readonly ListColumn<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
}

/** A short table inside a panel, without paging; on narrow screens its rows are cards like those of the lists. */
export function PlainTable<Row>({ label, columns, rows, rowKey }: PlainTableProps<Row>) {
  return (
    <div className={styles.plain}>
      <Table className={styles.table} aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            {columns.map(column =>
              column.header === '' ? (
                <Table.Td key={column.id} />
              ) : (
                <Table.Th key={column.id}>{column.header}</Table.Th>
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
                  className={column.header === '' ? styles.menuCell : undefined}
                  {...(column.header === '' ? {} : { 'data-label': column.header })}
                >
                  {column.cell(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}
