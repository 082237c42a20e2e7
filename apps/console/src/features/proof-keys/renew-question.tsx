import { useTranslate } from '../../platform/i18n.ts'
import { toast } from '../../platform/toasts.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useRenewProofKey } from './proof-keys-data.ts'

/** Asks before the key that signs is replaced, or makes the first one. */
export function RenewQuestion({ isFirst, onClose }: { isFirst: boolean; onClose: () => void }) {
  const { t } = useTranslate()
  const { mutateAsync } = useRenewProofKey()
  const renew = async () => {
    await mutateAsync()
    void toast('success', t('proofKeys:renew.done'))
  }
  return (
    <ConfirmDialog
      isOpen
      title={t(isFirst ? 'proofKeys:renew.firstTitle' : 'proofKeys:renew.title')}
      confirmLabel={t(isFirst ? 'proofKeys:renew.first' : 'proofKeys:renew.button')}
      onConfirm={renew}
      onClose={onClose}
    >
      {t(isFirst ? 'proofKeys:renew.firstText' : 'proofKeys:renew.text')}
    </ConfirmDialog>
  )
}
