import { CallError } from '@floorcast/contract/client.ts'
import { Alert, Button, CloseButton, Group, Progress, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { describeFailure } from '../../platform/outcomes.ts'
import { useNow } from '../../platform/use-now.ts'
import {
  cancelDownload,
  dismissDownload,
  startDownload,
  useReportDownload,
  type ReportDownload,
} from './report-download.ts'

/** The last download: how far it is, or how it ended. */
export function DownloadPanel({ asCsv }: { asCsv: (() => void) | undefined }) {
  const download = useReportDownload()
  if (!download) return null
  if (download.step === 'failed') return <Failed download={download} error={download.error} asCsv={asCsv} />
  if (download.step === 'saved') return <Saved download={download} fileName={download.fileName} />
  return <Running download={download} />
}

function Running({ download }: { download: ReportDownload }) {
  const { t } = useTranslate()
  const format = useFormat()
  const { title } = download.request
  return (
    <Stack gap={4}>
      <Group justify="space-between" gap="xs">
        {/* The bytes change several times a second: only the steps are announced. */}
        <Text size="sm" role="status">
          {download.step === 'waiting' ? (
            <Countdown untilMs={download.untilMs} />
          ) : (
            t(download.bytes > 0 ? 'reports:screen.receiving' : 'reports:screen.preparing', { title })
          )}
        </Text>
        <Group gap="sm">
          <Text size="sm" c="dimmed" className="fc-figures">
            {download.bytes > 0 && format.size(download.bytes)}
          </Text>
          <Button size="compact-sm" variant="default" onClick={cancelDownload}>
            {t('cancel')}
          </Button>
        </Group>
      </Group>
      {/* The size is not known before the end. */}
      <Progress.Root size="sm">
        <Progress.Section
          value={100}
          withAria={false}
          animated
          striped
          role="progressbar"
          aria-label={title}
          aria-valuetext={format.size(download.bytes)}
        />
      </Progress.Root>
    </Stack>
  )
}

function Countdown({ untilMs }: { untilMs: number }) {
  const { t } = useTranslate()
  const now = useNow(1000)
  return t('reports:screen.waiting', { count: Math.max(1, Math.ceil((untilMs - now) / 1000)) })
}

function Saved({ download, fileName }: { download: ReportDownload; fileName: string }) {
  const { t } = useTranslate()
  const format = useFormat()
  return (
    <Ended color="green" icon={<IconCircleCheck size={20} aria-hidden />}>
      <Text size="sm">
        {t('reports:screen.savedSize', { name: fileName, size: format.size(download.bytes) })}
      </Text>
    </Ended>
  )
}

interface FailedProps {
  download: ReportDownload
  error: unknown
  /** Undefined for a report in csv. */
  asCsv: (() => void) | undefined
}

function Failed({ download, error, asCsv }: FailedProps) {
  const { t } = useTranslate()
  const format = useFormat()
  const { request, bytes } = download
  const isTooLarge = error instanceof CallError && error.status === 413
  const isBroken = error instanceof CallError && error.status === 0 && bytes > 0
  const text = () => {
    if (error instanceof DOMException && error.name === 'QuotaExceededError')
      return t('reports:screen.noSpace')
    if (isTooLarge) return t('reports:screen.tooLarge')
    return isBroken ? t('reports:screen.broken', { size: format.size(bytes) }) : describeFailure(t, error)
  }
  return (
    <Ended color="red" icon={<IconAlertTriangle size={20} aria-hidden />}>
      <Text size="sm" role="alert">
        {t('reports:screen.failed', { title: request.title, reason: text() })}
      </Text>
      <Group gap="xs" mt={8}>
        {isTooLarge && asCsv ? (
          <Button size="compact-sm" onClick={asCsv}>
            {t('reports:screen.asCsv')}
          </Button>
        ) : (
          <Button size="compact-sm" variant="default" onClick={() => void startDownload(request)}>
            {t('tryAgain')}
          </Button>
        )}
      </Group>
    </Ended>
  )
}

function Ended({ color, icon, children }: { color: string; icon: ReactNode; children: ReactNode }) {
  const { t } = useTranslate()
  return (
    <Alert color={color} variant="light" icon={icon}>
      <Group justify="space-between" align="flex-start" wrap="nowrap" gap="xs">
        <div>{children}</div>
        <CloseButton size="sm" aria-label={t('close')} onClick={dismissDownload} />
      </Group>
    </Alert>
  )
}
