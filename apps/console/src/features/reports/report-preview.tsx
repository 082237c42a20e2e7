import { CallError } from '@floorcast/contract/client.ts'
import { DEVICE_ZONES } from '@floorcast/contract/reports.ts'
import type { ReportNote, ReportPreview as Preview } from '@floorcast/contract/report-calls.ts'
import { Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { IconInfoCircle, IconReportAnalytics } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormat, type Format } from '../../platform/format.ts'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import type { ListColumn } from '../../ui/data-table/list-column.ts'
import { PlainTable } from '../../ui/data-table/plain-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Panel } from '../../ui/panel.tsx'
import { formatCell, isNumberColumn, nameColumn, sharedOffset } from './preview-cell.ts'
import { isServerBusy, previewQuery } from './report-data.ts'
import { presetPeriod } from './report-period.ts'
import { definitionOf, toParams, type ReportView } from './report-view.ts'
import styles from './reports.module.css'

const ROWS_AT_FIRST = 10

interface ReportPreviewProps {
  view: ReportView
  /** In the report's zone. */
  today: string
  change: (change: Partial<ReportView>) => void
}

/** The first rows of the report; the former ones stay dimmed until new ones have come. */
export function ReportPreview({ view, today, change }: ReportPreviewProps) {
  const { t } = useTranslate()
  const result = useQuery({
    ...previewQuery(view.report, toParams(view)),
    // Another report has other columns.
    placeholderData: (last, query) => (query?.queryKey[1] === view.report ? last : undefined),
  })
  const { data } = result
  const isGone = result.error instanceof CallError && result.error.status === 404
  return (
    <Panel title={t('reports:screen.preview')} end={<PreviewSize preview={data} />}>
      <div
        aria-busy={result.isFetching}
        data-waiting={result.isPlaceholderData || undefined}
        className={styles.preview}
      >
        {result.isPending && <Waiting isBusy={isServerBusy(result.failureReason)} />}
        {result.isError && !data && isGone && <NoItem clear={() => change({ filters: {} })} />}
        {result.isError && !data && !isGone && (
          <ErrorPanel error={result.error} retry={() => void result.refetch()} />
        )}
        {data?.rows.length === 0 && <NoRows view={view} today={today} change={change} />}
        {data && data.rows.length > 0 && (
          <Stack gap="sm">
            <Notes notes={data.notes} />
            <Rows key={view.report} preview={data} view={view} />
          </Stack>
        )}
      </div>
    </Panel>
  )
}

function PreviewSize({ preview }: { preview: Preview | undefined }) {
  const { t } = useTranslate()
  const count = preview?.rows.length ?? 0
  return (
    <Text size="sm" c="dimmed" role="status">
      {count > 0 && t(preview?.hasMore ? 'reports:screen.firstRows' : 'reports:screen.allRows', { count })}
    </Text>
  )
}

function Waiting({ isBusy }: { isBusy: boolean }) {
  const { t } = useTranslate()
  return (
    <Stack gap="md">
      {isBusy && (
        <Text c="dimmed" role="status">
          {t('reports:screen.previewWaits')}
        </Text>
      )}
      {[100, 90, 95, 80, 85].map(width => (
        <Skeleton key={width} height={16} width={`${width}%`} />
      ))}
    </Stack>
  )
}

function NoRows({ view, today, change }: ReportPreviewProps) {
  const { t } = useTranslate()
  const week = presetPeriod('week', today)
  const isWeek = view.period.from === week.from && view.period.to === week.to
  const isFiltered = definitionOf(view.report).filters.some(({ key }) => view.filters[key] !== undefined)
  return (
    <EmptyState
      icon={IconReportAnalytics}
      title={t('reports:screen.empty')}
      text={t('reports:screen.emptyText')}
      action={
        <Group gap="xs" justify="center">
          {!isWeek && (
            <Button variant="default" onClick={() => change({ period: week })}>
              {t('reports:screen.showWeek')}
            </Button>
          )}
          {isFiltered && (
            <Button variant="default" onClick={() => change({ filters: {} })}>
              {t('reports:screen.clearFilters')}
            </Button>
          )}
        </Group>
      }
    />
  )
}

/** An item of the filters was deleted for good; another attempt would not help. */
function NoItem({ clear }: { clear: () => void }) {
  const { t } = useTranslate()
  return (
    <EmptyState
      icon={IconReportAnalytics}
      title={t('reports:screen.noItem')}
      text={t('reports:screen.noItemText')}
      action={
        <Button variant="default" onClick={clear}>
          {t('reports:screen.clearFilters')}
        </Button>
      }
    />
  )
}

type NoteCode = 'currentTags'

/** The notes that a reader of the figures needs. */
function Notes({ notes }: { notes: readonly ReportNote[] }) {
  const { t } = useTranslate()
  if (notes.length === 0) return null
  return (
    <Alert color="gray" variant="light" icon={<IconInfoCircle size={20} aria-hidden />}>
      {notes.map(({ code, values = {} }) => (
        <Text key={code} size="sm">
          {t(`reports:notes.${code as NoteCode}`, values)}
        </Text>
      ))}
    </Alert>
  )
}

const wrapped: readonly Preview['columns'][number]['type'][] = ['text', 'breakdown']

interface PreviewRow {
  key: string
  cells: Preview['rows'][number]
}

function previewColumns(
  { t, format }: { t: Translate; format: Format },
  preview: Preview,
  zone: string,
): ListColumn<PreviewRow>[] {
  const hasZones = zone === DEVICE_ZONES
  return preview.columns.map((column, index) => {
    const offset = hasZones
      ? sharedOffset(
          column,
          preview.rows.map(cells => cells[index]),
        )
      : null
    const tools = { t, format, hasOffsets: hasZones && offset === null }
    const name = nameColumn(t, column)
    return {
      id: column.key,
      header: offset === null ? name : t('reports:screen.columnInZone', { column: name, zone: offset }),
      isNumber: isNumberColumn(column),
      cell: ({ cells }) => {
        const text = formatCell(tools, column, cells[index] ?? null)
        return text === null ? (
          '–'
        ) : (
          <bdi className={wrapped.includes(column.type) ? styles.text : undefined}>{text}</bdi>
        )
      },
    }
  })
}

function Rows({ preview, view }: { preview: Preview; view: ReportView }) {
  const { t } = useTranslate()
  const format = useFormat()
  const [isWhole, setIsWhole] = useState(false)
  const rows = preview.rows.map((cells, index): PreviewRow => ({ key: String(index), cells }))
  const shown = isWhole ? rows : rows.slice(0, ROWS_AT_FIRST)
  return (
    <>
      <PlainTable
        label={t(`reports:names.${view.report}`)}
        columns={previewColumns({ t, format }, preview, view.zone)}
        rows={shown}
        rowKey={({ key }) => key}
      />
      {shown.length < rows.length && (
        <Group justify="center">
          <Button variant="subtle" onClick={() => setIsWhole(true)}>
            {t('reports:screen.showMore', { count: rows.length })}
          </Button>
        </Group>
      )}
      <Text size="xs" c="dimmed">
        {view.zone === DEVICE_ZONES
          ? t('reports:screen.inDeviceZones')
          : t('reports:screen.inZone', { zone: view.zone })}
      </Text>
    </>
  )
}
