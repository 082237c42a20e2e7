import type { SessionUser } from '@floorcast/contract/auth.ts'
import { Alert, Button, Stack, Text, TextInput, Anchor, Checkbox } from '@mantine/core'
import { useState } from 'react'
import { useConsoleSettings } from '../../platform/console-settings.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { PasswordField } from '../../ui/password-field.tsx'
import { AuthForm, useAuthForm } from './auth-form.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { LinkEmail } from './link-email.tsx'

/*
 * The forms of links by mail, where the installation has a mail server: ask for an account, confirm it, ask for a new
 * password. The answer never tells whether an email has an account.
 */

type AuthCalls = typeof import('./auth-data.ts')

interface BackProps {
  /** Back to email and password. */
  onBack: () => void
}

function BackButton({ onBack }: BackProps) {
  const { t } = useTranslate()
  return (
    <Button variant="subtle" onClick={onBack} fullWidth>
      {t('links:back')}
    </Button>
  )
}

const Hint = ({ children }: { children: string }) => (
  <Text size="sm" c="dimmed">
    {children}
  </Text>
)

function EmailField({ field }: { field: object }) {
  const { t } = useTranslate()
  return <TextInput label={t('auth:email')} type="email" autoComplete="username" required {...field} />
}

interface SentProps extends BackProps {
  /** Says where the mail goes. */
  text: string
  send: (calls: AuthCalls) => Promise<unknown>
}

/** Says where the mail went, and sends another one. */
function SentNotice({ text, send, onBack }: SentProps) {
  const { t } = useTranslate()
  const [state, setState] = useState<'idle' | 'busy' | 'sent'>('idle')
  const [failure, setFailure] = useState<string | null>(null)
  const sendAgain = async () => {
    setState('busy')
    setFailure(null)
    try {
      const calls = await import('./auth-data.ts')
      await send(calls).catch((error: unknown) => {
        setFailure(calls.explainFailure(t, error, []).message)
        throw error
      })
      setState('sent')
    } catch {
      setFailure(current => current ?? t('problems:noAnswer'))
      setState('idle')
    }
  }
  return (
    <Stack gap="md">
      <Alert role="status">{text}</Alert>
      {failure !== null && (
        <Alert color="red" role="alert">
          {failure}
        </Alert>
      )}
      <Hint>{t(state === 'sent' ? 'links:sentAgain' : 'links:spam')}</Hint>
      <Button variant="default" loading={state === 'busy'} onClick={() => void sendAgain()} fullWidth>
        {t('links:again')}
      </Button>
      <BackButton onBack={onBack} />
    </Stack>
  )
}

/** Full name, email and terms. The owner of the email sets the password at the link. */
export function RequestForm({ onBack }: BackProps) {
  const { t } = useTranslate()
  const [sent, setSent] = useState<{ email: string } | null>(null)
  const auth = useAuthForm({
    name: 'request',
    initial: { fullName: '', email: '', terms: false },
    send: async (calls, values) => {
      await calls.askForAccount(values)
      setSent(values)
    },
  })
  const { getInputProps } = auth.form
  if (sent) {
    const text = t('links:request.sent', { email: sent.email })
    return <SentNotice text={text} send={calls => calls.askForAccount(sent)} onBack={onBack} />
  }
  return (
    <AuthForm form={auth} submitLabel={t('links:request.submit')}>
      <Hint>{t('links:request.hint')}</Hint>
      <TextInput label={t('auth:fullName')} autoComplete="name" required {...getInputProps('fullName')} />
      <EmailField field={getInputProps('email')} />
      <TermsField field={getInputProps('terms', { type: 'checkbox' })} />
    </AuthForm>
  )
}

/** Asks for a link to set a new password. */
export function ForgotView({ onBack }: BackProps) {
  const { t } = useTranslate()
  const [sent, setSent] = useState<{ email: string } | null>(null)
  const auth = useAuthForm({
    name: 'forgot',
    initial: { email: '' },
    send: async (calls, values) => {
      await calls.askForReset(values)
      setSent(values)
    },
  })
  return (
    <AuthLayout title={t('links:forgot.title')}>
      {sent ? (
        <SentNotice
          text={t('links:forgot.sent', { email: sent.email })}
          send={calls => calls.askForReset(sent)}
          onBack={onBack}
        />
      ) : (
        <AuthForm form={auth} submitLabel={t('links:forgot.submit')} foot={<BackButton onBack={onBack} />}>
          <Hint>{t('links:forgot.hint')}</Hint>
          <EmailField field={auth.form.getInputProps('email')} />
        </AuthForm>
      )}
    </AuthLayout>
  )
}

interface ConfirmProps extends BackProps {
  /** The token of the mailed link. */
  token: string
  onEnter: (user: SessionUser) => void
}

/** Sets the password of a new account by its mailed link, and signs in. */
export function ConfirmView({ token, onEnter, onBack }: ConfirmProps) {
  const { t } = useTranslate()
  const auth = useAuthForm({
    name: 'accept',
    initial: { password: '' },
    send: async (calls, { password }) => onEnter(await calls.confirmRegistration(token, password)),
  })
  return (
    <AuthLayout title={t('links:confirm.title')}>
      <AuthForm form={auth} submitLabel={t('auth:accept.submit')} foot={<BackButton onBack={onBack} />}>
        <Hint>{t('links:confirm.hint')}</Hint>
        <LinkEmail token={token} />
        <PasswordField
          label={t('auth:password')}
          autoComplete="new-password"
          hint={t('auth:passwordHint')}
          field={auth.form.getInputProps('password')}
        />
      </AuthForm>
    </AuthLayout>
  )
}

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

/** The agreement to the terms of use, with the link to them. @param field of the form's `getInputProps` */
function TermsField({ field }: { field: object }) {
  const { t } = useTranslate()
  const termsUrl = useConsoleSettings()?.termsUrl ?? paths.terms
  const link = (
    <Anchor href={termsUrl} target="_blank" rel="noreferrer" inherit>
      {t('auth:readTerms')}
    </Anchor>
  )
  return <Checkbox label={t('auth:terms')} description={link} required {...field} />
}
