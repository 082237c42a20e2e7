import type { UseFormReturnType } from '@mantine/form'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import type { z } from 'zod'
import { useTranslate } from '../../platform/i18n.ts'
import { sessionStore } from '../../platform/session.ts'
import { useIsShown } from '../../platform/use-is-shown.ts'
import { Drawer } from '../overlay/overlays.tsx'
import { checkBy, explainFailure } from './field-rules.ts'
import { FormFrame } from './form-frame.tsx'
import { UnsavedDialog } from './unsaved-dialog.tsx'
import { useLeaveGuard } from './use-leave-guard.ts'
import { useSavingForm, type SavingForm } from './use-saving-form.ts'

/** A form with the contract's schema, checked while the user types. Errors of a 422 answer appear at their fields. */
function useCheckedForm<Values extends Record<string, unknown>>(options: {
  schema: z.ZodType
  initial: Values
  save: (values: Values) => Promise<unknown>
}): SavingForm<Values> {
  const { t } = useTranslate()
  return useSavingForm({
    initial: options.initial,
    check: checkBy(t, options.schema),
    save: options.save,
    explain: error => explainFailure(t, error, Object.keys(options.initial)),
  })
}

/** The values of the form that was open when the session ended. */
let savedDraft: { owner: string; key: string; values: object } | null = null

/**
 * Saves the values when the session ends while a form is open (docs/specification.md#8-error-catalogue), and restores
 * them when the same user opens the same form again.
 * @param title identifies the form together with the page's path
 */
function useSavedDraft<Values extends Record<string, unknown>>(
  title: string,
  form: UseFormReturnType<Values>,
): void {
  const opened = useRef({ title, form })
  useEffect(() => {
    const { title: name, form: fields } = opened.current
    const owner = sessionStore.get().user?.uid ?? ''
    const key = `${location.pathname} ${name}`
    if (savedDraft?.owner === owner && savedDraft.key === key) {
      if (isOfForm(savedDraft.values, fields.getInitialValues())) fields.setValues(savedDraft.values)
      savedDraft = null
    }
    return () => {
      if (sessionStore.get().token === null && fields.isDirty())
        savedDraft = { owner, key, values: fields.getValues() }
    }
  }, [])
}

function isOfForm<Values extends object>(values: object, initial: Values): values is Partial<Values> {
  return Object.keys(values).every(name => Object.hasOwn(initial, name))
}

interface SideFormProps<Values extends Record<string, unknown>> {
  title: string
  /** The contract's draft or change schema, checked while the user types. */
  schema: z.ZodType
  initial: Values
  saveLabel?: string
  /** A rejection is shown in the form; on success the form closes. */
  onSave: (values: Values) => Promise<unknown>
  onClose: () => void
  children: (form: UseFormReturnType<Values>) => ReactNode
}

/** A form at the side of the page. It is mounted each time it opens, with the values of that moment. */
export function SideForm<Values extends Record<string, unknown>>(props: SideFormProps<Values>) {
  const { t } = useTranslate()
  const [isAsking, setIsAsking] = useState(false)
  const isShown = useIsShown()
  const { form, ...saving } = useCheckedForm<Values>({
    schema: props.schema,
    initial: props.initial,
    save: async values => {
      await props.onSave(values)
      // The same form may be open again.
      if (!isShown()) return
      form.resetDirty(values)
      props.onClose()
    },
  })
  useSavedDraft(props.title, form)
  const leave = useLeaveGuard(form.isDirty() && !saving.isBusy)
  const close = () => (form.isDirty() ? setIsAsking(true) : props.onClose())
  const discard = () => {
    if (leave.isWaiting) leave.proceed()
    else props.onClose()
  }
  const stay = () => {
    setIsAsking(false)
    leave.stay()
  }
  return (
    <>
      <Drawer
        opened
        onClose={close}
        position="right"
        title={props.title}
        closeButtonProps={{ 'aria-label': t('close') }}
      >
        <FormFrame {...saving} saveLabel={props.saveLabel ?? t('save')} onCancel={close}>
          {props.children(form)}
        </FormFrame>
      </Drawer>
      {(isAsking || leave.isWaiting) && <UnsavedDialog onDiscard={discard} onStay={stay} />}
    </>
  )
}
