import { removeSecondFactor } from '@floorcast/contract/second-factor.ts'
import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslate } from '../../platform/i18n.ts'
import { PasswordField } from '../password-field.tsx'
import { checkBy, explainFailure } from './field-rules.ts'
import { FormFrame } from './form-frame.tsx'
import { useSavingForm } from './use-saving-form.ts'

interface PasswordStepProps {
  /** Describes the change. */
  children: ReactNode
  submitLabel: string
  onPassword: (password: string) => Promise<unknown>
  onClose: () => void
}

/** Asks for the user's own password before a change of security. */
export function PasswordStep({ children, submitLabel, onPassword, onClose }: PasswordStepProps) {
  const { t } = useTranslate()
  const { form, ...saving } = useSavingForm({
    initial: { password: '' },
    check: checkBy(t, removeSecondFactor.body),
    save: ({ password }) => onPassword(password),
    explain: error => explainFailure(t, error, ['password']),
  })
  return (
    <FormFrame {...saving} saveLabel={submitLabel} onCancel={onClose}>
      <Text size="sm">{children}</Text>
      <PasswordField
        label={t('ownPassword')}
        autoComplete="current-password"
        field={form.getInputProps('password')}
        isFirst
      />
    </FormFrame>
  )
}
