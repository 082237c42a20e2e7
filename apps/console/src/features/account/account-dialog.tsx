import type { UseFormReturnType } from '@mantine/form'
import type { ReactNode } from 'react'
import type { z } from 'zod'
import { useTranslate } from '../../platform/i18n.ts'
import { Modal } from '../../ui/overlay/overlays.tsx'
import { checkBy, explainFailure } from '../../ui/side-form/field-rules.ts'
import { FormFrame } from '../../ui/side-form/form-frame.tsx'
import { useSavingForm } from '../../ui/side-form/use-saving-form.ts'
import { PasskeyNotMade } from './passkey-data.ts'

export interface DialogProps {
  onClose: () => void
}

interface AccountDialogProps extends DialogProps {
  title: string
  children: ReactNode
  /** The dialog closes by its own button only. */
  isKept?: boolean
}

/** A form about the account, which a click beside it does not close. */
export function AccountDialog({ title, onClose, children, isKept = false }: AccountDialogProps) {
  const { t } = useTranslate()
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      closeOnClickOutside={false}
      closeOnEscape={!isKept}
      withCloseButton={!isKept}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {children}
    </Modal>
  )
}

interface DialogFormProps<Values extends Record<string, unknown>> extends DialogProps {
  schema: z.ZodType
  initial: Values
  submitLabel: string
  onSave: (values: Values) => Promise<unknown>
  children: (form: UseFormReturnType<Values>) => ReactNode
}

/** The form of a dialog. A rejection is shown at its field, or above all fields. */
export function DialogForm<Values extends Record<string, unknown>>(props: DialogFormProps<Values>) {
  const { t } = useTranslate()
  const { form, ...saving } = useSavingForm<Values>({
    initial: props.initial,
    check: checkBy(t, props.schema),
    save: props.onSave,
    explain: error =>
      error instanceof PasskeyNotMade
        ? { fields: {}, message: t('account:factor.passkeyFailed') }
        : explainFailure(t, error, Object.keys(props.initial)),
  })
  return (
    <FormFrame {...saving} saveLabel={props.submitLabel} onCancel={props.onClose}>
      {props.children(form)}
    </FormFrame>
  )
}
