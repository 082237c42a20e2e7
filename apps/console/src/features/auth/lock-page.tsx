import type { SessionUser } from '@floorcast/contract/auth.ts'
import type { SecondStep } from '@floorcast/contract/problem.ts'
import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { useTranslate } from '../../platform/i18n.ts'
import { paths, homeOf, readReturnPath } from '../../platform/paths.ts'
import { namePerson } from '../../platform/person-name.ts'
import { dropSession, useSession } from '../../platform/session.ts'
import { AuthForm, useAuthForm } from './auth-form.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { SecondStepForm, titleOfStep } from './lazy-forms.tsx'
import { PasswordField } from '../../ui/password-field.tsx'

/** The lock screen: the user is known and the token is gone. Unlocking signs in with the stored email. */
export function LockPage() {
  const { t } = useTranslate()
  const { user } = useSession()
  const navigate = useNavigate()
  const [address] = useSearchParams()
  const [step, setStep] = useState<SecondStep | null>(null)
  const email = user?.email ?? ''
  const enter = (signedIn: SessionUser) =>
    navigate(readReturnPath(address) ?? homeOf(signedIn), { replace: true })
  const auth = useAuthForm({
    name: 'unlock',
    initial: { password: '' },
    send: async (calls, { password }) => {
      const progress = await calls.signIn(email, password)
      if (progress.step) setStep(progress.step)
      else await enter(progress.user)
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
  if (step)
    return (
      <AuthLayout title={t(titleOfStep(step))}>
        <SecondStepForm step={step} onEnter={user => void enter(user)} onCancel={() => setStep(null)} />
      </AuthLayout>
    )
  return (
    <AuthLayout title={t('auth:lock.title')}>
      <div>
        <Text fw={600}>{user && namePerson(user)}</Text>
        <Text c="dimmed" size="sm" dir="auto">
          {email}
        </Text>
      </div>
      <AuthForm form={auth} submitLabel={t('auth:lock.submit')} foot={other}>
        <input type="hidden" autoComplete="username" value={email} readOnly />
        <PasswordField
          label={t('auth:password')}
          autoComplete="current-password"
          field={auth.form.getInputProps('password')}
        />
      </AuthForm>
    </AuthLayout>
  )
}
