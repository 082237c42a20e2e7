import { useWords } from '../../platform/i18n.ts'
import { Alert, Button, Drawer, Group, Stack } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useState, type ReactNode } from 'react'
import type { z } from 'zod'
import { ConfirmDialog } from '../confirm-dialog.tsx'
import { useCheckedForm } from './use-checked-form.ts'
import { useKeptDraft } from './use-kept-draft.ts'
import { useLeaveGuard } from './use-leave-guard.ts'

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
  const { t } = useWords()
  const [isAsking, ask] = useState(false)
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
  const close = () => (form.isDirty() ? ask(true) : props.onClose())
  const discard = async () => {
    if (leave.isWaiting) leave.proceed()
    else props.onClose()
  }
  const stay = () => {
    ask(false)
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
  const { t } = useWords()
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
