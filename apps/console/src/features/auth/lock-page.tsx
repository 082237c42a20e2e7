import type { SessionUser } from '@floorcast/contract/auth.ts'
import type { SecondStep } from '@floorcast/contract/problem.ts'
import { useEffect, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { useTranslate } from '../../platform/i18n.ts'
import { paths, homeOf, readReturnPath } from '../../platform/paths.ts'
import { useSession } from '../../platform/session.ts'
import { AuthLayout } from './auth-layout.tsx'
import { SecondStepForm, titleOfStep } from './lazy-forms.tsx'
import { UnlockForm } from './unlock-form.tsx'

/** The lock screen: the user is known and the token is gone. Unlocking signs in with the stored email. */
export function LockPage() {
  const { t } = useTranslate()
  const { user } = useSession()
  const navigate = useNavigate()
  const [address] = useSearchParams()
  const [step, setStep] = useState<SecondStep | null>(null)
  const enter = (signedIn: SessionUser) =>
    void navigate(readReturnPath(address) ?? homeOf(signedIn), { replace: true })
  const isSignedOut = user === null
  useEffect(() => {
    if (isSignedOut) void navigate(paths.login, { replace: true })
  }, [isSignedOut, navigate])
  if (step)
    return (
      <AuthLayout title={t(titleOfStep(step))}>
        <SecondStepForm step={step} onEnter={enter} onCancel={() => setStep(null)} />
      </AuthLayout>
    )
  return (
    <AuthLayout title={t('auth:lock.title')}>
      <UnlockForm
        user={user}
        submitLabel={t('auth:lock.submit')}
        onProgress={progress => (progress.step ? setStep(progress.step) : enter(progress.user))}
      />
    </AuthLayout>
  )
}
