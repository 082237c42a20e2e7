import { Alert } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useWords } from '../../platform/i18n.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useLeaveGuard } from '../../ui/side-form/use-leave-guard.ts'

/** The browser has no room for the draft: says so, and asks before it is left behind. */
export function NotKept() {
  const { t } = useWords()
  const leave = useLeaveGuard(true)
  return (
    <Alert color="amber" role="status" icon={<IconAlertTriangle aria-hidden />}>
      {t('wizard:notKept')}
      {leave.isWaiting && (
        <ConfirmDialog
          isOpen
          title={t('unsaved.title')}
          confirmLabel={t('unsaved.discard')}
          cancelLabel={t('unsaved.stay')}
          isDanger
          onConfirm={async () => leave.proceed()}
          onClose={leave.stay}
        >
          {t('unsaved.text')}
        </ConfirmDialog>
      )}
    </Alert>
  )
}
