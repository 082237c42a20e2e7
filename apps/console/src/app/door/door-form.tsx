import { Alert, Button, Stack } from '@mantine/core'
import type { ReactNode } from 'react'

interface DoorFormProps {
  form: { submit: () => void; prepare: () => void; failure: string | null; isBusy: boolean }
  submitLabel: string
  children: ReactNode
  /** What stands below the button. */
  foot?: ReactNode
}

/** What the door's forms have in common: why the last try failed, the fields, one button. */
export function DoorFormFrame({ form, submitLabel, children, foot }: DoorFormProps) {
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack gap="md" onFocus={form.prepare}>
        {form.failure !== null && (
          <Alert color="red" role="alert">
            {form.failure}
          </Alert>
        )}
        {children}
        <Button type="submit" loading={form.isBusy} fullWidth>
          {submitLabel}
        </Button>
        {foot}
      </Stack>
    </form>
  )
}
