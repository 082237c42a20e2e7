import { Alert, Button, Stack, Text } from '@mantine/core'
import { useTranslate } from '../../platform/i18n.ts'
import { columns, toRowFault, type CheckedRow, type ImportColumn } from './check-rows.ts'
import { toLeftOut } from './left-out-lines.tsx'
import { RowsTable } from './rows-table.tsx'
import { nextRows, toLeftOutLine, type RefusedLine } from './send-import.ts'
import type { ImportRun, useImportRun } from './use-import-run.ts'

interface RefusedLinesProps {
  run: ImportRun
  onResume: ReturnType<typeof useImportRun>['resume']
}

const columnOf = ({ field }: RefusedLine): ImportColumn =>
  field === 'groupUid' ? 'group' : (columns.find(column => column === field) ?? 'name')

/** The lines that the server has refused, and the ways to go on without them. Nothing of their call was stored. */
export function RefusedLines({ run, onResume }: RefusedLinesProps) {
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
