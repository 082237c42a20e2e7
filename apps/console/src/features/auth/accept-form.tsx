import type { SessionUser } from '@floorcast/contract/auth.ts'
import { Text } from '@mantine/core'
import { useWords } from '../../platform/i18n.ts'
import { AuthForm, useAuthForm } from './auth-form.tsx'
import { PasswordField } from './password-field.tsx'

interface AcceptFormProps {
  /** Of the one-time link. */
  token: string
  onEnter: (user: SessionUser) => void
}

/** Where an invitation's or a reset's link leads: a password of one's own, and in. */
export function AcceptForm({ token, onEnter }: AcceptFormProps) {
  const { t } = useWords()
  const auth = useAuthForm({
    name: 'accept',
    initial: { password: '' },
    send: async (calls, { password }) => onEnter(await calls.acceptInvite(token, password)),
  })
  return (
    <AuthForm form={auth} submitLabel={t('auth:accept.submit')}>
      <Text size="sm" c="dimmed">
        {t('auth:accept.hint')}
      </Text>
      <PasswordField
        autoComplete="new-password"
        hint={t('auth:passwordHint')}
        field={auth.form.getInputProps('password')}
      />
    </AuthForm>
  )
}
