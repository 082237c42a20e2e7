import type { SessionUser } from '@floorcast/contract/auth.ts'
import type { SecondStep } from '@floorcast/contract/problem.ts'
import type { TotpDraft } from '@floorcast/contract/second-factor.ts'
import { Button, Stack, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useTranslate } from '../../platform/i18n.ts'
import { saveSession } from '../../platform/session.ts'
import { CodeField, RecoveryCodes, TotpKey } from '../../ui/second-factor.tsx'
import type { Enrolled } from './auth-data.ts'
import { AuthForm, useAuthForm } from './auth-form.tsx'
import { PasskeyButton } from './passkey-button.tsx'

interface SecondStepProps {
  step: SecondStep
  onEnter: (user: SessionUser) => void
  /** Back to email and password. */
  onCancel: () => void
}

/** The second step of a sign-in: a code, or the enrollment that the client requires. */
export function SecondStepForm(props: SecondStepProps) {
  return props.step.mustEnroll ? <RequiredEnrollment {...props} /> : <CodeForm {...props} />
}

function BackButton({ onCancel }: Pick<SecondStepProps, 'onCancel'>) {
  const { t } = useTranslate()
  return (
    <Button variant="subtle" onClick={onCancel} fullWidth>
      {t('account:step.back')}
    </Button>
  )
}

function CodeForm({ step, onEnter, onCancel }: SecondStepProps) {
  const { t } = useTranslate()
  const auth = useAuthForm({
    name: 'code',
    initial: { code: '' },
    send: async (calls, { code }) => onEnter(await calls.completeStep(step.ticket, code)),
  })
  const foot = (
    <>
      {step.hasPasskey && <PasskeyButton ticket={step.ticket} onEnter={onEnter} />}
      <Text size="xs" c="dimmed">
        {t('account:step.lost')}
      </Text>
      <BackButton onCancel={onCancel} />
    </>
  )
  return (
    <AuthForm form={auth} submitLabel={t('account:step.submit')} foot={foot}>
      <Text size="sm" c="dimmed">
        {t('account:step.hint')}
      </Text>
      <CodeField label={t('account:step.code')} field={auth.form.getInputProps('code')} />
    </AuthForm>
  )
}

function RequiredEnrollment({ step, onEnter, onCancel }: SecondStepProps) {
  const [draft, setDraft] = useState<TotpDraft | null>(null)
  const [enrolled, setEnrolled] = useState<Enrolled | null>(null)
  if (enrolled) {
    const enter = () => {
      saveSession(enrolled.signedIn)
      onEnter(enrolled.signedIn)
    }
    return <RecoveryCodes codes={enrolled.recoveryCodes} onDone={enter} />
  }
  if (draft)
    return <ConfirmForm draft={draft} ticket={step.ticket} onDone={setEnrolled} onCancel={onCancel} />
  return <BeginForm ticket={step.ticket} onDone={setDraft} onCancel={onCancel} />
}

interface StepFormProps<Done> {
  ticket: string
  onDone: (done: Done) => void
  onCancel: () => void
}

function BeginForm({ ticket, onDone, onCancel }: StepFormProps<TotpDraft>) {
  const { t } = useTranslate()
  const text = useRef<HTMLParagraphElement>(null)
  // The form of the password, which had the focus, is gone.
  useEffect(() => text.current?.focus(), [])
  const auth = useAuthForm({
    name: 'begin',
    initial: {},
    send: async calls => onDone(await calls.beginEnrollment(ticket)),
  })
  return (
    <AuthForm form={auth} submitLabel={t('account:step.begin')} foot={<BackButton onCancel={onCancel} />}>
      <Text ref={text} tabIndex={-1} style={{ outline: 'none' }}>
        {t('account:step.required')}
      </Text>
    </AuthForm>
  )
}

function ConfirmForm({ draft, ticket, onDone, onCancel }: StepFormProps<Enrolled> & { draft: TotpDraft }) {
  const { t } = useTranslate()
  const auth = useAuthForm({
    name: 'code',
    initial: { code: '' },
    send: async (calls, { code }) => onDone(await calls.confirmEnrollment(ticket, code)),
  })
  return (
    <AuthForm form={auth} submitLabel={t('account:step.confirm')} foot={<BackButton onCancel={onCancel} />}>
      <Stack gap="md">
        <TotpKey draft={draft} />
        <CodeField label={t('account:step.codeOfApp')} field={auth.form.getInputProps('code')} />
      </Stack>
    </AuthForm>
  )
}
