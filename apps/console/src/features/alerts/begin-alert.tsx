import { useState } from 'react'
import { CHOOSE_TARGET, type AlertStart } from '../../platform/alert-address.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { Modal } from '../../ui/overlay/overlays.tsx'
import { AlertChoice } from './alert-choice.tsx'
import { chosenOf, type AlertDraft } from './alert-draft.ts'
import { ConfirmAlert } from './confirm-alert.tsx'

/** Begins an alert in two steps: what it is, and a confirmation that names how many devices sound it. */
export function BeginAlert({ start, onClose }: { start: AlertStart; onClose: () => void }) {
  const { t } = useTranslate()
  const [draft, setDraft] = useState<AlertDraft>({
    target: start === CHOOSE_TARGET ? null : start,
    kind: null,
    isDrill: null,
  })
  const [isConfirming, setIsConfirming] = useState(false)
  const chosen = chosenOf(draft)
  return (
    <Modal
      opened
      onClose={onClose}
      // A click beside the dialog does not answer it.
      closeOnClickOutside={false}
      title={t('alerts:begin.title')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {isConfirming && chosen ? (
        <ConfirmAlert alert={chosen} onBack={() => setIsConfirming(false)} onClose={onClose} />
      ) : (
        <AlertChoice
          draft={draft}
          isTargetGiven={start !== CHOOSE_TARGET}
          change={some => setDraft(now => ({ ...now, ...some }))}
          onCancel={onClose}
          onChosen={() => setIsConfirming(true)}
        />
      )}
    </Modal>
  )
}
