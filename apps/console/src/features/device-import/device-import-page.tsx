import type { Kind } from '@floorcast/contract/fields.ts'
import { Stack } from '@mantine/core'
import { useState } from 'react'
import { useTranslate } from '../../platform/i18n.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useLeaveGuard } from '../../ui/side-form/use-leave-guard.ts'
import type { CheckedRow } from './check-rows.ts'
import { ImportDraft, noList, type ImportList } from './import-draft.tsx'
import { ImportProgressPanel } from './import-progress.tsx'
import { forgetImport } from './saved-import.ts'
import type { ImportJob } from './send-import.ts'
import { useImportRun } from './use-import-run.ts'

const rowsOf = (checked: readonly CheckedRow[]) => checked.flatMap(({ row }) => row ?? [])

/** /equipments/devicesImport: adds the devices of a list, after a preview of its errors. */
export function DeviceImportPage() {
  const { t } = useTranslate()
  const [kind, setKind] = useState<Kind>('audio')
  const [list, setList] = useState<ImportList>(noList)
  const { run, start, resume, stop, reset } = useImportRun()
  const leave = useLeaveGuard(run !== null && run.state !== 'done')
  const begin = (checked: readonly CheckedRow[], existing: ImportJob['existing']) =>
    start({ importUid: crypto.randomUUID(), kind, rows: rowsOf(checked), existing })
  const startOver = () => {
    reset()
    setList(noList)
  }
  return (
    <Stack gap="md">
      {run ? (
        <ImportProgressPanel run={run} onResume={resume} onStop={stop} onStartOver={startOver} />
      ) : (
        <ImportDraft kind={kind} setKind={setKind} list={list} setList={setList} onStart={begin} />
      )}
      {leave.isWaiting && (
        <ConfirmDialog
          isOpen
          title={t('devices:import.leave.title')}
          confirmLabel={t('devices:import.leave.confirm')}
          cancelLabel={t('devices:import.leave.stay')}
          isDanger
          onConfirm={async () => {
            forgetImport()
            leave.proceed()
          }}
          onClose={leave.stay}
        >
          {t('devices:import.leave.text')}
        </ConfirmDialog>
      )}
    </Stack>
  )
}
