import { useTranslate } from '../../platform/i18n.ts'
import { ConfirmDialog } from '../confirm-dialog.tsx'

/** Asks before the user leaves unsaved changes. */
export function UnsavedDialog({ onDiscard, onStay }: { onDiscard: () => void; onStay: () => void }) {
  const { t } = useTranslate()
  return (
    <ConfirmDialog
      isOpen
      title={t('unsaved.title')}
      confirmLabel={t('unsaved.discard')}
      cancelLabel={t('unsaved.stay')}
      isDanger
      onConfirm={async () => onDiscard()}
      onClose={onStay}
    >
      {t('unsaved.text')}
    </ConfirmDialog>
  )
}
