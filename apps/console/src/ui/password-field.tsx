import { PasswordInput } from '@mantine/core'
import { useTranslate } from '../platform/i18n.ts'

interface PasswordFieldProps {
  label: string
  /** The hint for password managers. */
  autoComplete: 'current-password' | 'new-password'
  hint?: string
  /** The props of the form's `getInputProps`. */
  field: object
  /** Whether it has the focus when its dialog opens. */
  isFirst?: boolean
}

export function PasswordField({ label, autoComplete, hint, field, isFirst = false }: PasswordFieldProps) {
  const { t } = useTranslate()
  return (
    <PasswordInput
      label={label}
      description={hint}
      autoComplete={autoComplete}
      required
      data-autofocus={isFirst || undefined}
      visibilityToggleButtonProps={{ 'aria-label': t('auth:showPassword') }}
      {...field}
    />
  )
}
