import type { SessionUser } from '@floorcast/contract/auth.ts'
import { TextInput } from '@mantine/core'
import { useWords } from '../../platform/i18n.ts'
import { AuthForm, useAuthForm } from './auth-form.tsx'
import { PasswordField } from './password-field.tsx'

/** Email and password; a wrong pair is said in a toast and in the form (docs/specification.md#8-error-catalogue). */
export function SignInForm({ onEnter }: { onEnter: (user: SessionUser) => void }) {
  const { t } = useWords()
  const auth = useAuthForm({
    name: 'signIn',
    initial: { email: '', password: '' },
    send: async (calls, { email, password }) => onEnter(await calls.signIn(email, password)),
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
