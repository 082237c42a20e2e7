import { buildPath } from '@floorcast/contract/client.ts'
import { csvSeparatorOf, csvSeparators } from '@floorcast/contract/csv.ts'
import { reportCalls, reportFormats, type ReportFormat } from '@floorcast/contract/report-calls.ts'
import { Button, Group, Stack } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useLanguage, useTranslate } from '../../platform/i18n.ts'
import { DownloadPanel } from './download-panel.tsx'
import { LateSelect } from './late-select.tsx'
import { startDownload, useReportDownload, type DownloadRequest } from './report-download.ts'
import { toParams, type ReportView } from './report-view.ts'
import styles from './reports.module.css'

interface DownloadBarProps {
  view: ReportView
  change: (change: Partial<ReportView>) => void
  /** Period and zone are right. */
  isReady: boolean
}

/** The format, the separator of csv and the language of the file, and the button that downloads it. */
export function DownloadBar({ view, change, isReady }: DownloadBarProps) {
  const { t } = useTranslate()
  const { available } = useLanguage()
  const download = useReportDownload()
  const isRunning = download?.step === 'receiving' || download?.step === 'waiting'
  const start = (format: ReportFormat) =>
    void startDownload(toRequest(view, format, t(`reports:names.${view.report}`)))
  return (
    <Stack gap="sm">
      <Group className={styles.bar} align="flex-end" gap="sm">
        <LateSelect
          className={styles.choice ?? ''}
          label={t('reports:screen.format')}
          value={view.format}
          data={reportFormats.map(value => ({ value, label: t(`reports:formats.${value}`) }))}
          onChange={value => {
            const format = reportFormats.find(known => known === value)
            if (format) change({ format })
          }}
        />
        {view.format === 'csv' && <SeparatorSelect view={view} change={change} />}
        <LateSelect
          className={styles.choice ?? ''}
          label={t('language')}
          value={view.lang}
          data={available.map(({ code, name }) => ({ value: code, label: name }))}
          onChange={value => {
            const lang = available.find(({ code }) => code === value)?.code
            if (lang) change({ lang })
          }}
        />
        <Button
          leftSection={<IconDownload size={16} aria-hidden />}
          disabled={!isReady || isRunning}
          onClick={() => start(view.format)}
        >
          {t('reports:screen.download')}
        </Button>
      </Group>
      <DownloadPanel
        asCsv={
          view.format === 'csv'
            ? undefined
            : () => {
                change({ format: 'csv' })
                start('csv')
              }
        }
      />
    </Stack>
  )
}

function SeparatorSelect({ view, change }: Omit<DownloadBarProps, 'isReady'>) {
  const { t } = useTranslate()
  return (
    <LateSelect
      className={styles.choice ?? ''}
      label={t('reports:screen.separator')}
      value={view.separator ?? csvSeparatorOf(view.lang)}
      data={csvSeparators.map(value => ({ value, label: t(`reports:separators.${value}`) }))}
      onChange={value => {
        const separator = csvSeparators.find(known => known === value)
        if (separator) change({ separator })
      }}
    />
  )
}

function toRequest(view: ReportView, format: ReportFormat, title: string): DownloadRequest {
  const { period, lang, separator } = view
  const { from, to } = period
  const query = { format, lang, separator: format === 'csv' ? separator : undefined }
  return {
    path: buildPath(reportCalls[view.report].download.path, toParams(view), query),
    title,
    fileName: `${view.report}-${from}-${to}.${format}`,
  }
}
