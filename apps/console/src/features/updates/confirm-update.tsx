import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { toast } from '../../platform/toasts.ts'
import type { UpdateRequest } from './update-requests.ts'

/** Says what a step does, and does it once it is confirmed. A refusal stays in the dialog. */
export function ConfirmUpdate({ request, onClose }: { request: UpdateRequest; onClose: () => void }) {
  const { title, text, confirmLabel, isDanger = false, run, doneText } = request
  const confirm = async () => {
    await run()
    void toast('success', doneText)
    request.onDone?.()
  }
  return (
    <ConfirmDialog
      isOpen
      title={title}
      confirmLabel={confirmLabel}
      isDanger={isDanger}
      onConfirm={confirm}
      onClose={onClose}
    >
      {text}
    </ConfirmDialog>
  )
}
