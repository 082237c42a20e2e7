import { Alert, Button, Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslate } from '../../platform/i18n.ts'
import { PlansLink } from '../failure-text.tsx'
import type { SavingForm } from './use-saving-form.ts'

interface FormFrameProps extends Pick<SavingForm<never>, 'failure' | 'isOverPlan' | 'isBusy' | 'submit'> {
  saveLabel: string
  onCancel: () => void
  /** The fields. */
  children: ReactNode
}

/** The frame of every form: the failure of a save above its fields, and its buttons below them. */
export function FormFrame(props: FormFrameProps) {
  const { t } = useTranslate()
  const { failure, isOverPlan, isBusy, submit, saveLabel, onCancel, children } = props
  return (
    <form onSubmit={event => (event.preventDefault(), submit())} noValidate>
      <Stack gap="md">
        {failure !== null && (
          <Alert color="red" role="alert">
            {failure} {isOverPlan && <PlansLink />}
          </Alert>
        )}
        {children}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={isBusy}>
            {saveLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
