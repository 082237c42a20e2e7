import { SegmentedControl } from '@mantine/core'
import { IconCircleXFilled } from '@tabler/icons-react'
import { useState } from 'react'
import { useFormat, type Format } from '../../platform/format.ts'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import type { ListColumn } from '../../ui/data-table/list-column.ts'
import { PlainTable } from '../../ui/data-table/plain-table.tsx'
import { Pager } from '../../ui/pager.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { isPlaceColumn, lacksGroup, type CheckedRow, type ImportColumn } from './check-rows.ts'
import styles from './device-import.module.css'

const rowsPerPage = 10

interface RowsTableProps {
  rows: readonly CheckedRow[]
  /** The number of rows with a fault. */
  faulty: number
  /** The groups that rows lack can still be created. */
  isPreview?: boolean
}

/** The rows of a list by line; those with errors alone, if there are any. */
export function RowsTable({ rows, faulty, isPreview = false }: RowsTableProps) {
  const { t } = useTranslate()
  const format = useFormat()
  const [isAll, setIsAll] = useState(false)
  const [page, setPage] = useState(1)
  const shown = isAll || faulty === 0 ? rows : rows.filter(row => row.fault !== null && !lacksGroup(row))
  const current = Math.min(page, Math.max(1, Math.ceil(shown.length / rowsPerPage)))
  const label = t('devices:import.preview')
  return (
    <div>
      {faulty > 0 && (
        <SegmentedControl
          mb="xs"
          aria-label={label}
          value={isAll ? 'all' : 'faulty'}
          onChange={value => setIsAll(value === 'all')}
          data={[
            { value: 'faulty', label: t('devices:import.faulty', { shown: format.number(faulty) }) },
            { value: 'all', label: t('devices:import.all', { shown: format.number(rows.length) }) },
          ]}
        />
      )}
      <PlainTable
        label={label}
        columns={rowColumns(t, format, isPreview)}
        rows={shown.slice((current - 1) * rowsPerPage, current * rowsPerPage)}
        rowKey={({ line }) => String(line)}
      />
      <Pager label={label} page={current} size={rowsPerPage} total={shown.length} onChange={setPage} />
    </div>
  )
}

/** The heading of a column; an import reads it. */
export function nameColumn(t: Translate, column: ImportColumn): string {
  return isPlaceColumn(column) ? t(`tagKeys:keys.${column}`) : t(`devices:import.columns.${column}`)
}

export const describeFault = (t: Translate, { column, message }: NonNullable<CheckedRow['fault']>) =>
  t('devices:import.fault', {
    column: nameColumn(t, column),
    reason: t(`devices:import.faults.${message}`),
  })

function RowState({ row, isPreview }: { row: CheckedRow; isPreview: boolean }) {
  const { t } = useTranslate()
  const { fault } = row
  if (!fault) return <StatusBadge tone="good">{t('devices:import.ready')}</StatusBadge>
  if (isPreview && lacksGroup(row))
    return <StatusBadge tone="waiting">{t('devices:import.groupless')}</StatusBadge>
  return (
    <span className={styles.fault}>
      <IconCircleXFilled size={16} aria-hidden />
      {describeFault(t, fault)}
    </span>
  )
}

function rowColumns(t: Translate, format: Format, isPreview: boolean): ListColumn<CheckedRow>[] {
  return [
    {
      id: 'line',
      header: t('devices:import.line'),
      cell: ({ line }) => (
        <>
          <span className={styles.narrow}>{t('devices:import.line')} </span>
          {format.number(line)}
        </>
      ),
    },
    { id: 'name', header: t('name'), cell: ({ texts }) => <bdi>{texts.name || '–'}</bdi> },
    {
      id: 'storeNumber',
      header: t('devices:storeNumber'),
      cell: ({ texts }) => <bdi>{texts.storeNumber || '–'}</bdi>,
    },
    { id: 'group', header: t('devices:card.group'), cell: ({ texts }) => <bdi>{texts.group || '–'}</bdi> },
    {
      id: 'fault',
      header: t('devices:import.check'),
      cell: row => <RowState row={row} isPreview={isPreview} />,
    },
  ]
}
