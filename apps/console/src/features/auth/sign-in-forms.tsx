import type { SessionUser } from '@floorcast/contract/auth.ts'
import { Checkbox, Text, TextInput } from '@mantine/core'
import { useTranslate } from '../../platform/i18n.ts'
import { AuthForm, useAuthForm } from './auth-form.tsx'
import type { SignInProgress } from './auth-data.ts'
import { PasswordField } from './password-field.tsx'

/**
 * Full name, email, password, terms (docs/specification.md#2-screens-and-routes). Creates a client on the Trial plan.
 */
export function RegisterForm({ onEnter }: { onEnter: (user: SessionUser) => void }) {
  const { t } = useTranslate()
  const auth = useAuthForm({
    name: 'register',
    initial: { fullName: '', email: '', password: '', terms: false },
    send: async (calls, values) => onEnter(await calls.registerClient(values)),
  })
  const { getInputProps } = auth.form
  const hint = (
    <Text size="xs" c="dimmed">
      {t('auth:register.hint')}
    </Text>
  )
  return (
    <AuthForm form={auth} submitLabel={t('auth:register.submit')} foot={hint}>
      <TextInput label={t('auth:fullName')} autoComplete="name" required {...getInputProps('fullName')} />
      <TextInput
        label={t('auth:email')}
        type="email"
        autoComplete="username"
        required
        {...getInputProps('email')}
      />
      <PasswordField
        autoComplete="new-password"
        hint={t('auth:passwordHint')}
        field={getInputProps('password')}
      />
      <Checkbox label={t('auth:terms')} required {...getInputProps('terms', { type: 'checkbox' })} />
    </AuthForm>
  )
}

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
      <PasswordField
        autoComplete="new-password"
        hint={t('auth:passwordHint')}
        field={auth.form.getInputProps('password')}
      />
    </AuthForm>
  )
}

/** Email and password; a toast and the form show a wrong pair (docs/specification.md#8-error-catalogue). */
export function SignInForm({ onProgress }: { onProgress: (progress: SignInProgress) => void }) {
  const { t } = useTranslate()
  const auth = useAuthForm({
    name: 'signIn',
    initial: { email: '', password: '' },
    send: async (calls, { email, password }) => onProgress(await calls.signIn(email, password)),
  })
  const { getInputProps } = auth.form
  return (
    <AuthForm form={auth} submitLabel={t('auth:signIn.submit')}>
      <TextInput
        label={t('auth:email')}
        type="email"
        autoComplete="username"
        required
        {...getInputProps('email')}
      />
      <PasswordField autoComplete="current-password" field={getInputProps('password')} />
    </AuthForm>
  )
}
