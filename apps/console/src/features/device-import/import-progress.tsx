import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core'
import { IconCircleCheckFilled, IconDownload } from '@tabler/icons-react'
import { useMemo, useState, type Ref } from 'react'
import { Link } from 'react-router'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { toastFailure } from '../../platform/outcomes.ts'
import { paths } from '../../platform/paths.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Panel } from '../../ui/panel.tsx'
import { FailureText } from '../../ui/failure-text.tsx'
import { downloadImportKeys } from './device-import-data.ts'
import styles from './device-import.module.css'
import { LeftOutLines, toLeftOut } from './left-out-lines.tsx'
import { findLeftOut, nextRows, toLeftOutLine, type RefusedLine } from './send-import.ts'
import type { ImportRun, useImportRun } from './use-import-run.ts'
import { columns, toRowFault, type CheckedRow, type ImportColumn } from './check-rows.ts'
import { RowsTable } from './rows-table.tsx'

interface ImportProgressProps {
  run: ImportRun
  onResume: ReturnType<typeof useImportRun>['resume']
  onStop: () => void
  onStartOver: () => void
  headingRef: Ref<HTMLHeadingElement>
}

/** An import that runs, after a stop or an error, and at its end with the file of the license keys. */
export function ImportProgressPanel({ run, onResume, onStop, onStartOver, headingRef }: ImportProgressProps) {
  const { t } = useTranslate()
  const { state, progress } = run
  const isSending = state === 'sending' || state === 'stopping'
  const leftOut = useMemo(() => findLeftOut(run.job, progress), [run.job, progress])
  return (
    <Panel title={t(`devices:import.states.${state}`)} headingRef={headingRef}>
      <Stack gap="md">
        {state === 'done' ? <Added run={run} /> : <Sent run={run} />}
        {state === 'done' && leftOut.length > 0 && <LeftOutLines lines={leftOut} />}
        {state === 'failed' && <Failed run={run} onResume={onResume} />}
        <Group gap="xs">
          {isSending && (
            <Button variant="default" onClick={onStop} disabled={state === 'stopping'}>
              {t('devices:import.stop')}
            </Button>
          )}
          {(state === 'stopped' || (state === 'failed' && run.refused.size === 0)) && (
            <Button onClick={() => onResume()}>{t('devices:import.continue')}</Button>
          )}
          {!isSending && progress.added > 0 && (
            <KeysButton importUid={run.job.importUid} isMain={state === 'done'} />
          )}
          {state === 'done' && (
            <Button component={Link} to={paths.devices} variant="default">
              {t('devices:import.showDevices')}
            </Button>
          )}
          {!isSending && <StartOverButton run={run} onStartOver={onStartOver} />}
        </Group>
      </Stack>
    </Panel>
  )
}

/** Asks first if lines were sent and others were not. */
function StartOverButton({ run, onStartOver }: Pick<ImportProgressProps, 'run' | 'onStartOver'>) {
  const { t } = useTranslate()
  const [isAsked, setIsAsked] = useState(false)
  const isDone = run.state === 'done'
  const isPartial = !isDone && run.progress.sent > 0
  return (
    <>
      <Button variant="subtle" onClick={() => (isPartial ? setIsAsked(true) : onStartOver())}>
        {t(isDone ? 'devices:import.addMore' : 'devices:import.startOver')}
      </Button>
      {isAsked && (
        <ConfirmDialog
          isOpen
          title={t('devices:import.startOverTitle')}
          confirmLabel={t('devices:import.startOver')}
          isDanger
          onConfirm={async () => onStartOver()}
          onClose={() => setIsAsked(false)}
        >
          {t('devices:import.leave.text')}
        </ConfirmDialog>
      )}
    </>
  )
}

function Sent({ run }: { run: ImportRun }) {
  const { t } = useTranslate()
  const format = useFormat()
  const { progress, job } = run
  const words = t('devices:import.sent', {
    sent: format.number(progress.sent),
    total: format.number(job.rows.length),
  })
  return (
    <div>
      <Progress
        size="lg"
        value={(progress.sent / job.rows.length) * 100}
        aria-label={t('devices:import.states.sending')}
      />
      <Text mt="xs" className="fc-figures" aria-live="polite">
        {words}
      </Text>
    </div>
  )
}

function Added({ run }: { run: ImportRun }) {
  const { t } = useTranslate()
  const format = useFormat()
  const { added, skippedLines } = run.progress
  return (
    <Group gap="sm" wrap="nowrap" align="flex-start" role="status">
      <IconCircleCheckFilled size={24} aria-hidden className={styles.good} />
      <div>
        <Text fw={600}>{t('devices:import.added', { count: added })}</Text>
        {skippedLines.length > 0 && (
          <Text c="dimmed">
            {t('devices:import.skipped', { skipped: format.number(skippedLines.length) })}
          </Text>
        )}
        <Text c="dimmed">{t('devices:import.keysHint')}</Text>
      </div>
    </Group>
  )
}

function Failed({ run, onResume }: Pick<ImportProgressProps, 'run' | 'onResume'>) {
  const { t } = useTranslate()
  const { refused } = run
  if (refused.size > 0) return <RefusedLines run={run} onResume={onResume} />
  return (
    <Alert color="red" role="alert">
      <Text size="sm">
        <FailureText error={run.error} />
      </Text>
      <Text size="sm">{t('devices:import.failedHint')}</Text>
    </Alert>
  )
}

function KeysButton({ importUid, isMain }: { importUid: string; isMain: boolean }) {
  const { t } = useTranslate()
  const [isBusy, setIsBusy] = useState(false)
  const download = () => {
    setIsBusy(true)
    downloadImportKeys(importUid)
      .catch((error: unknown) => toastFailure(error))
      .finally(() => setIsBusy(false))
  }
  return (
    <Button
      variant={isMain ? 'filled' : 'default'}
      leftSection={<IconDownload size={16} aria-hidden />}
      loading={isBusy}
      onClick={download}
    >
      {t('devices:import.keys')}
    </Button>
  )
}

interface RefusedLinesProps {
  run: ImportRun
  onResume: ReturnType<typeof useImportRun>['resume']
}

const columnOf = ({ field }: RefusedLine): ImportColumn =>
  field === 'groupUid' ? 'group' : (columns.find(column => column === field) ?? 'name')

/** The lines that the server has refused, and the ways to go on without them. Nothing of their call was stored. */
function RefusedLines({ run, onResume }: RefusedLinesProps) {
  const { t } = useTranslate()
  const { job, progress, refused } = run
  const rows = job.rows.flatMap((row): CheckedRow[] => {
    const fault = refused.get(row.line)
    if (!fault) return []
    const why = { column: columnOf(fault), message: toRowFault(fault.message) }
    return [{ ...toLeftOutLine(row, why), row: null }]
  })
  // None of the rows of the call was added.
  const count = nextRows(job.rows, progress).length
  const doExist = rows.every(({ fault }) => fault?.message === 'exists')
  const leaveOut = () =>
    onResume(
      doExist
        ? { existing: 'skip' }
        : {
            rows: job.rows.filter(({ line }) => !refused.has(line)),
            leftOut: [...job.leftOut, ...rows.flatMap(toLeftOut)],
          },
    )
  return (
    <>
      <Alert color="red" role="alert" title={t('devices:import.refused', { count: rows.length })}>
        <Stack gap="xs" align="flex-start">
          <Text size="sm">
            {doExist
              ? t('devices:import.existHint', { count: rows.length })
              : t('devices:import.refusedHint', { count })}
          </Text>
          <Button size="compact-sm" variant="default" onClick={leaveOut}>
            {t(doExist ? 'devices:import.skipExisting' : 'devices:import.leaveOutAndContinue')}
          </Button>
        </Stack>
      </Alert>
      <RowsTable rows={rows} faulty={0} />
    </>
  )
}
