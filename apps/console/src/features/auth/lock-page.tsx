import { Button, Text } from '@mantine/core'
import { useNavigate, useSearchParams } from 'react-router'
import { useTranslate } from '../../platform/i18n.ts'
import { paths, homeOf, readReturnPath } from '../../platform/paths.ts'
import { dropSession, useSession } from '../../platform/session.ts'
import { AuthForm, useAuthForm } from './auth-form.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { PasswordField } from './password-field.tsx'

/** The lock screen: the user is known and the token is gone. Unlocking signs in with the stored email. */
export function LockPage() {
  const { t } = useTranslate()
  const { user } = useSession()
  const navigate = useNavigate()
  const [address] = useSearchParams()
  const email = user?.email ?? ''
  const auth = useAuthForm({
    name: 'unlock',
    initial: { password: '' },
    send: async (calls, { password }) => {
      const signedIn = await calls.signIn(email, password)
      await navigate(readReturnPath(address) ?? homeOf(signedIn), { replace: true })
    },
  })
  const signOut = () => {
    dropSession()
    void navigate(paths.login, { replace: true })
  }
  const other = (
    <Button variant="subtle" onClick={signOut} fullWidth>
      {t('auth:lock.other')}
    </Button>
  )
  return (
    <AuthLayout title={t('auth:lock.title')}>
      <div>
        <Text fw={600}>{[user?.firstName, user?.lastName].filter(Boolean).join(' ')}</Text>
        <Text c="dimmed" size="sm" dir="auto">
          {email}
        </Text>
      </div>
      <AuthForm form={auth} submitLabel={t('auth:lock.submit')} foot={other}>
        <input type="hidden" autoComplete="username" value={email} readOnly />
        <PasswordField autoComplete="current-password" field={auth.form.getInputProps('password')} />
      </AuthForm>
    </AuthLayout>
  )
}
