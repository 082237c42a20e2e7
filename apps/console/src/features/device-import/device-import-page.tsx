import type { Kind } from '@floorcast/contract/fields.ts'
import { Stack } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useTranslate } from '../../platform/i18n.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useLeaveGuard } from '../../ui/side-form/use-leave-guard.ts'
import type { CheckedRow } from './check-rows.ts'
import { toLeftOut } from './left-out-lines.tsx'
import { ImportDraft, noList, type ImportList } from './import-draft.tsx'
import { ImportProgressPanel } from './import-progress.tsx'
import { forgetImport } from './saved-import.ts'
import type { ImportJob } from './send-import.ts'
import { useImportRun } from './use-import-run.ts'

/** Focuses the heading when the panel changes: the button that was pressed is gone, and the focus with it. */
function useFocusOnChange(panel: string) {
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = useRef(panel)
  useEffect(() => {
    if (shown.current !== panel) heading.current?.focus()
    shown.current = panel
  }, [panel])
  return heading
}

/** /equipments/devicesImport: adds the devices of a list, after a preview of its errors. */
export function DeviceImportPage() {
  const { t } = useTranslate()
  const [kind, setKind] = useState<Kind>('audio')
  const [list, setList] = useState<ImportList>(noList)
  const { run, start, resume, stop, reset } = useImportRun()
  const headingRef = useFocusOnChange(run?.state ?? 'draft')
  const leave = useLeaveGuard(run !== null && run.state !== 'done')
  const begin = (checked: readonly CheckedRow[], existing: ImportJob['existing']) =>
    start({
      importUid: crypto.randomUUID(),
      kind,
      rows: checked.flatMap(({ row }) => row ?? []),
      existing,
      leftOut: checked.flatMap(toLeftOut),
    })
  const startOver = () => {
    reset()
    setList(noList)
  }
  return (
    <Stack gap="md">
      {run ? (
        <ImportProgressPanel
          run={run}
          onResume={resume}
          onStop={stop}
          onStartOver={startOver}
          headingRef={headingRef}
        />
      ) : (
        <ImportDraft
          kind={kind}
          setKind={setKind}
          list={list}
          setList={setList}
          onStart={begin}
          headingRef={headingRef}
        />
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
