import type { CreditChange } from '@floorcast/contract/media-credit-calls.ts'
import { creditFields, type CreditField } from '@floorcast/contract/media-credits.ts'
import { Alert, Stack, Text } from '@mantine/core'
import { IconArrowRight, IconCircleXFilled } from '@tabler/icons-react'
import { useState } from 'react'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { splitAtSlot } from '../../platform/sentences.ts'
import type { ListColumn } from '../../ui/data-table/list-column.ts'
import { PlainTable } from '../../ui/data-table/plain-table.tsx'
import { Pager } from '../../ui/pager.tsx'
import { CreditText } from './credit-fields.tsx'
import type { CreditsPreview } from './media-data.ts'
import type { CreditColumn } from './read-credits.ts'
import styles from './media.module.css'

const rowsPerPage = 8

/** A table of what a file has, by page. */
function PagedTable<Row>(props: {
  label: string
  columns: readonly ListColumn<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
}) {
  const { label, rows } = props
  const [page, setPage] = useState(1)
  return (
    <div>
      <PlainTable {...props} rows={rows.slice((page - 1) * rowsPerPage, page * rowsPerPage)} />
      <Pager label={label} page={page} size={rowsPerPage} total={rows.length} onChange={setPage} />
    </div>
  )
}

/** A fault of a row. `message` is a key of `fields.json`. */
export interface CreditFault {
  line: number
  column: CreditColumn
  message: string
}

const faultMessages = ['empty', 'too-long', 'special-characters', 'isrc', 'unknown', 'twice'] as const
type FaultMessage = (typeof faultMessages)[number] | 'wrong'
const toFaultMessage = (message: string): FaultMessage =>
  faultMessages.find(known => known === message) ?? 'wrong'

/** The rows that the server refuses; nothing of the file is stored. */
export function CreditFaults({ faults }: { faults: readonly CreditFault[] }) {
  const { t } = useTranslate()
  const format = useFormat()
  const columns: ListColumn<CreditFault>[] = [
    {
      id: 'line',
      header: t('media:credits.line'),
      cell: ({ line }) => t('media:credits.lineOf', { line: format.number(line) }),
    },
    { id: 'column', header: t('media:credits.column'), cell: ({ column }) => t(`media:credits.${column}`) },
    {
      id: 'fault',
      header: t('media:credits.fault'),
      cell: ({ message }) => (
        <span className={styles.fault}>
          <IconCircleXFilled size={16} aria-hidden />
          {t(`media:credits.faults.${toFaultMessage(message)}`)}
        </span>
      ),
    },
  ]
  return (
    <Stack gap="xs">
      <Alert color="red" role="alert">
        {t('media:credits.refused', { count: faults.length })}
      </Alert>
      <PagedTable
        label={t('media:credits.refused', { count: faults.length })}
        columns={columns}
        rows={faults}
        rowKey={({ line, column }) => `${line} ${column}`}
      />
    </Stack>
  )
}

/** One changed credit: its value before and after. */
function ChangedCredit({ field, change }: { field: CreditField; change: CreditChange }) {
  const { t } = useTranslate()
  const [before, after] = [change.before[field], change.after[field]]
  const none = t('media:credits.none')
  const [label, end] = splitAtSlot(value => t('labeled', { label: t(`media:credits.${field}`), value }))
  return (
    <div>
      <Text span size="xs" c="dimmed">
        {label}
      </Text>
      {before === '' ? none : <CreditText field={field} text={before} />}{' '}
      <IconArrowRight size={14} className="fc-points" role="img" aria-label={t('media:credits.becomes')} />{' '}
      <Text span fw={500}>
        {after === '' ? none : <CreditText field={field} text={after} />}
      </Text>
      {end}
    </div>
  )
}

/** The changes of a file, item by item. */
export function CreditChanges({ preview, lines }: { preview: CreditsPreview; lines: readonly number[] }) {
  const { t } = useTranslate()
  const format = useFormat()
  const { changed = 0, unchanged = 0, changes = [] } = preview
  const columns: ListColumn<CreditChange>[] = [
    {
      id: 'name',
      header: t('name'),
      cell: ({ name, index }) => (
        <>
          <bdi>{name}</bdi>{' '}
          <Text span size="xs" c="dimmed">
            {t('media:credits.lineOf', { line: format.number(lines[index] ?? 0) })}
          </Text>
        </>
      ),
    },
    {
      id: 'changes',
      header: t('media:credits.changes'),
      cell: change => (
        <div className={styles.changes}>
          {creditFields
            .filter(field => change.before[field] !== change.after[field])
            .map(field => (
              <ChangedCredit key={field} field={field} change={change} />
            ))}
        </div>
      ),
    },
  ]
  return (
    <Stack gap="xs">
      <Text fw={500}>
        {changed === 0
          ? t('media:credits.nothingChanges')
          : t('media:credits.willChange', { count: changed, unchanged: format.number(unchanged) })}
      </Text>
      {changes.length > 0 && (
        <PagedTable
          label={t('media:credits.changes')}
          columns={columns}
          rows={changes}
          rowKey={({ index }) => String(index)}
        />
      )}
      {changes.length < changed && (
        <Text size="sm" c="dimmed">
          {t('media:credits.more', { count: changed - changes.length })}
        </Text>
      )}
    </Stack>
  )
}
