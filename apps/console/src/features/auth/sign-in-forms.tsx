import { Button, Text, TextInput } from '@mantine/core'
import { useTranslate } from '../../platform/i18n.ts'
import { AuthForm, useAuthForm } from './auth-form.tsx'
import type { SignInProgress } from './auth-data.ts'
import { LinkEmail } from './link-email.tsx'
import { PasswordField } from '../../ui/password-field.tsx'

interface AcceptFormProps {
  /** The token of the one-time link. */
  token: string
  onProgress: (progress: SignInProgress) => void
}

/** The form of an invitation or password reset: sets a password and signs in. */
export function AcceptForm({ token, onProgress }: AcceptFormProps) {
  const { t } = useTranslate()
  const auth = useAuthForm({
    name: 'accept',
    initial: { password: '' },
    send: async (calls, { password }) => onProgress(await calls.acceptInvite(token, password)),
  })
  return (
    <AuthForm form={auth} submitLabel={t('auth:accept.submit')}>
      <Text size="sm" c="dimmed">
        {t('auth:accept.hint')}
      </Text>
      <LinkEmail token={token} />
      <PasswordField
        label={t('auth:password')}
        autoComplete="new-password"
        hint={t('auth:passwordHint')}
        field={auth.form.getInputProps('password')}
      />
    </AuthForm>
  )
}

interface SignInFormProps {
  onProgress: (progress: SignInProgress) => void
  /** Null where there is no mail server. */
  onForgot: (() => void) | null
}

/** Email and password; a toast and the form show a wrong pair (docs/specification.md#8-error-catalogue). */
export function SignInForm({ onProgress, onForgot }: SignInFormProps) {
  const { t } = useTranslate()
  const auth = useAuthForm({
    name: 'signIn',
    initial: { email: '', password: '' },
    send: async (calls, { email, password }) => onProgress(await calls.signIn(email, password)),
  })
  const { getInputProps } = auth.form
  const foot = onForgot && (
    <Button variant="subtle" onClick={onForgot} fullWidth>
      {t('auth:signIn.forgot')}
    </Button>
  )
  return (
    <AuthForm form={auth} submitLabel={t('auth:signIn.submit')} foot={foot}>
      <TextInput
        label={t('auth:email')}
        type="email"
        autoComplete="username"
        required
        {...getInputProps('email')}
      />
      <PasswordField
        label={t('auth:password')}
        autoComplete="current-password"
        field={getInputProps('password')}
      />
    </AuthForm>
  )
}
