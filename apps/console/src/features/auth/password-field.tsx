import { PasswordInput } from '@mantine/core'
import { useTranslate } from '../../platform/i18n.ts'

interface PasswordFieldProps {
  /** The hint for password managers. */
  autoComplete: 'current-password' | 'new-password'
  hint?: string
  /** Of the form's `getInputProps`. */
  field: object
}

export function PasswordField({ autoComplete, hint, field }: PasswordFieldProps) {
  const { t } = useTranslate()
  return (
    <PasswordInput
      label={t('auth:password')}
      description={hint}
      autoComplete={autoComplete}
      required
      visibilityToggleButtonProps={{ 'aria-label': t('auth:showPassword') }}
      {...field}
    />
  )
}
