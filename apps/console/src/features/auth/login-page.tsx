import type { SessionUser } from '@floorcast/contract/auth.ts'
import type { SecondStep } from '@floorcast/contract/problem.ts'
import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'
import { useConsoleSettings } from '../../platform/console-settings.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { paths, homeOf, readConfirmation, readInvite, readReturnPath } from '../../platform/paths.ts'
import { sessionStore } from '../../platform/session.ts'
import type { SignInProgress } from './auth-data.ts'
import { AuthLayout } from './auth-layout.tsx'
import {
  ConfirmView,
  ForgotView,
  RegisterForm,
  RequestForm,
  SecondStepForm,
  titleOfStep,
} from './lazy-forms.tsx'
import { PasskeyButton } from './passkey-button.tsx'
import { AcceptForm, SignInForm } from './sign-in-forms.tsx'

/**
 * Signs in, registers a new client, or sets a password by a one-time link
 * (docs/specification.md#2-screens-and-routes).
 */
export function LoginPage() {
  const { t } = useTranslate()
  const settings = useConsoleSettings()
  const navigate = useNavigate()
  const [address] = useSearchParams()
  const hasEnded = readHasEnded(useLocation().state)
  const [form, setForm] = useState<Form>('signIn')
  const [step, setStep] = useState<SecondStep | null>(null)
  const [invite, setInvite] = useState(() => readInvite(location))
  const [confirmation, setConfirmation] = useState(() => readConfirmation(location))
  const [isForgotten, setIsForgotten] = useState(false)
  const enter = (user: SessionUser) =>
    void navigate(readReturnPath(address) ?? homeOf(user), { replace: true })
  const proceed = (progress: SignInProgress) =>
    progress.step ? setStep(progress.step) : enter(progress.user)
  const beginAgain = () => {
    setStep(null)
    // The link is used up; its password is set.
    setInvite(null)
  }
  if (step)
    return (
      <AuthLayout title={t(titleOfStep(step))}>
        <SecondStepForm step={step} onEnter={enter} onCancel={beginAgain} />
      </AuthLayout>
    )
  if (confirmation !== null)
    return <ConfirmView token={confirmation} onEnter={enter} onBack={() => setConfirmation(null)} />
  if (isForgotten) return <ForgotView onBack={() => setIsForgotten(false)} />
  if (invite !== null)
    return (
      <AuthLayout title={t('auth:accept.title')}>
        <AcceptForm token={invite} onProgress={proceed} />
      </AuthLayout>
    )
  if (address.has('needs') && sessionStore.get().token) return <RoleNeeded role={address.get('needs')} />
  return (
    <AuthLayout title={t(form === 'signIn' ? 'auth:signIn.title' : 'auth:register.title')}>
      {hasEnded && (
        <Alert color="amber" role="status">
          {t('auth:ended.text')}
        </Alert>
      )}
      {settings?.registration !== 'closed' && <FormChoice chosen={form} choose={setForm} />}
      {form === 'signIn' ? (
        <>
          <SignInForm
            onProgress={proceed}
            onForgot={settings?.sendsMail ? () => setIsForgotten(true) : null}
          />
          <PasskeyButton onEnter={enter} />
        </>
      ) : settings?.sendsMail ? (
        <RequestForm onBack={() => setForm('signIn')} />
      ) : (
        <RegisterForm onEnter={enter} />
      )}
    </AuthLayout>
  )
}

type Form = 'signIn' | 'register'

/** Whether the server has ended the session: the shell says so in the state of the address. */
const readHasEnded = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'hasEnded' in state && state.hasEnded === true

function FormChoice({ chosen, choose }: { chosen: Form; choose: (form: Form) => void }) {
  const { t } = useTranslate()
  const forms = ['signIn', 'register'] as const
  return (
    <Group grow gap="xs" role="tablist" aria-label={t('auth:choose')}>
      {forms.map(form => (
        <Button
          key={form}
          variant={form === chosen ? 'light' : 'subtle'}
          {...(form === chosen ? {} : { color: 'gray' })}
          role="tab"
          aria-selected={form === chosen}
          onClick={() => choose(form)}
        >
          {t(`auth:${form}.tab`)}
        </Button>
      ))}
    </Group>
  )
}

/** Shown when a guard redirected a signed-in user: names the role that the page needs, and links to the start page. */
function RoleNeeded({ role }: { role: string | null }) {
  const { t } = useTranslate()
  const { user } = sessionStore.get()
  return (
    <AuthLayout title={t('auth:needs.title')}>
      <Stack gap="md">
        <Alert color="amber">
          {t('auth:needs.text', { role: role === 'admin' ? t('auth:roles.admin') : t('auth:roles.manager') })}
        </Alert>
        <Text c="dimmed" size="sm">
          {t('auth:needs.hint')}
        </Text>
        <Button component={Link} to={user ? homeOf(user) : paths.login} fullWidth>
          {t('auth:needs.continue')}
        </Button>
      </Stack>
    </AuthLayout>
  )
}
