import { Alert, Button, Drawer, Group, Stack } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import type { z } from 'zod'
import { useTranslate } from '../../platform/i18n.ts'
import { sessionStore } from '../../platform/session.ts'
import { ConfirmDialog } from '../confirm-dialog.tsx'
import { checkBy, explainFailure } from './field-rules.ts'
import { useLeaveGuard } from './use-leave-guard.ts'
import { useSavingForm, type SavingForm } from './use-saving-form.ts'

/** A form checked by the contract's schema as one types; the server's 422 answers land at their fields. */
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

/** What was typed in the one form that a session ended under. */
let kept: { owner: string; key: string; values: object } | null = null

/**
 * A session that ends in the middle of a form takes the page away (docs/specification.md#8-error-catalogue), not what was typed:
 * the same person finds it when the same form is opened again.
 * @param title of the form; with the page's address it says which form it is
 */
function useKeptDraft<Values extends Record<string, unknown>>(
  title: string,
  form: UseFormReturnType<Values>,
): void {
  const opened = useRef({ title, form })
  useEffect(() => {
    const { title: name, form: fields } = opened.current
    const owner = sessionStore.get().user?.uid ?? ''
    const key = `${location.pathname} ${name}`
    if (kept?.owner === owner && kept.key === key) {
      if (isOfForm(kept.values, fields.getInitialValues())) fields.setValues(kept.values)
      kept = null
    }
    return () => {
      if (sessionStore.get().token === null && fields.isDirty())
        kept = { owner, key, values: fields.getValues() }
    }
  }, [])
}

function isOfForm<Values extends object>(values: object, initial: Values): values is Partial<Values> {
  return Object.keys(values).every(name => Object.hasOwn(initial, name))
}

interface SideFormProps<Values extends Record<string, unknown>> {
  isOpen: boolean
  title: string
  /** The contract's draft or change schema: its rules show at the field as one types. */
  schema: z.ZodType
  initial: Values
  saveLabel?: string
  /** A rejection stays in the form, in words; on success the form closes. */
  onSave: (values: Values) => Promise<unknown>
  onClose: () => void
  children: (form: UseFormReturnType<Values>) => ReactNode
}

/** A form at the side of the page it changes. Mounted afresh each time it opens, with the values of that moment. */
export function SideForm<Values extends Record<string, unknown>>(props: SideFormProps<Values>) {
  if (!props.isOpen) return null
  return <OpenSideForm {...props} />
}

function OpenSideForm<Values extends Record<string, unknown>>(props: SideFormProps<Values>) {
  const { t } = useTranslate()
  const [isAsking, setIsAsking] = useState(false)
  const { form, isBusy, failure, submit } = useCheckedForm<Values>({
    schema: props.schema,
    initial: props.initial,
    save: async values => {
      await props.onSave(values)
      form.resetDirty(values)
      props.onClose()
    },
  })
  useKeptDraft(props.title, form)
  const leave = useLeaveGuard(form.isDirty() && !isBusy)
  const close = () => (form.isDirty() ? setIsAsking(true) : props.onClose())
  const discard = async () => {
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
        <form onSubmit={event => (event.preventDefault(), submit())} noValidate>
          <Stack gap="md">
            {failure !== null && (
              <Alert color="red" role="alert">
                {failure}
              </Alert>
            )}
            {props.children(form)}
            <FormButtons saveLabel={props.saveLabel ?? t('save')} isBusy={isBusy} cancel={close} />
          </Stack>
        </form>
      </Drawer>
      {(isAsking || leave.isWaiting) && (
        <ConfirmDialog
          isOpen
          title={t('unsaved.title')}
          confirmLabel={t('unsaved.discard')}
          cancelLabel={t('unsaved.stay')}
          isDanger
          onConfirm={discard}
          onClose={stay}
        >
          {t('unsaved.text')}
        </ConfirmDialog>
      )}
    </>
  )
}

function FormButtons({
  saveLabel,
  isBusy,
  cancel,
}: {
  saveLabel: string
  isBusy: boolean
  cancel: () => void
}) {
  const { t } = useTranslate()
  return (
    <Group justify="flex-end" gap="xs">
      <Button variant="default" onClick={cancel}>
        {t('cancel')}
      </Button>
      <Button type="submit" loading={isBusy}>
        {saveLabel}
      </Button>
    </Group>
  )
}
