import type { SessionUser } from '@floorcast/contract/auth.ts'
import { Text, TextInput } from '@mantine/core'
import { useTranslate } from '../../platform/i18n.ts'
import { PasswordField } from '../../ui/password-field.tsx'
import { AuthForm, useAuthForm } from './auth-form.tsx'
import { TermsField } from './terms-field.tsx'

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
        label={t('auth:password')}
        autoComplete="new-password"
        hint={t('auth:passwordHint')}
        field={getInputProps('password')}
      />
      <TermsField field={getInputProps('terms', { type: 'checkbox' })} />
    </AuthForm>
  )
}
