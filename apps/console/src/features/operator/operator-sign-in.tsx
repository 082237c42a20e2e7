import * as calls from '@floorcast/contract/operator-sign-in.ts'
import type { TotpDraft } from '@floorcast/contract/second-factor.ts'
import { Alert, Button, Stack, Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslate } from '../../platform/i18n.ts'
import { PasswordField } from '../../ui/password-field.tsx'
import { CodeField, TotpKey } from '../../ui/second-factor.tsx'
import { checkBy, explainFailure } from '../../ui/side-form/field-rules.ts'
import { type SavingForm, useSavingForm } from '../../ui/side-form/use-saving-form.ts'
import { callAsOperator, keepOperatorToken } from './operator-data.ts'
import type { z } from 'zod'

interface FormProps<Values extends Record<string, unknown>> {
  saving: SavingForm<Values>
  label: string
  children: ReactNode
}

function SignInFrame<Values extends Record<string, unknown>>({ saving, label, children }: FormProps<Values>) {
  const submit = (event: React.FormEvent) => {
    event.preventDefault()
    saving.submit()
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {saving.failure !== null && (
          <Alert color="red" role="alert">
            {saving.failure}
          </Alert>
        )}
        {children}
        <Button type="submit" loading={saving.isBusy} fullWidth>
          {label}
        </Button>
      </Stack>
    </form>
  )
}

function useSignInForm<Values extends Record<string, unknown>>(
  schema: z.ZodType,
  initial: Values,
  save: (values: Values) => Promise<unknown>,
) {
  const { t } = useTranslate()
  return useSavingForm<Values>({
    initial,
    check: checkBy(t, schema),
    save,
    explain: error => explainFailure(t, error, Object.keys(initial)),
  })
}

/** Email and password, or the password of a link; then always a code. */
export function OperatorSignIn({ invite }: { invite: string | null }) {
  const [step, setStep] = useState<calls.OperatorStep | null>(null)
  if (step) return step.mustEnroll ? <SetUp ticket={step.ticket} /> : <CodeStep ticket={step.ticket} />
  return invite === null ? <PasswordStep onStep={setStep} /> : <LinkStep token={invite} onStep={setStep} />
}

type OnStep = (step: calls.OperatorStep) => void

function PasswordStep({ onStep }: { onStep: OnStep }) {
  const { t } = useTranslate()
  const saving = useSignInForm(calls.authenticateOperator.body, { email: '', password: '' }, async body =>
    onStep(await callAsOperator(calls.authenticateOperator, { body })),
  )
  const { getInputProps } = saving.form
  return (
    <SignInFrame saving={saving} label={t('auth:signIn.submit')}>
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
    </SignInFrame>
  )
}

function LinkStep({ token, onStep }: { token: string; onStep: OnStep }) {
  const { t } = useTranslate()
  const schema = calls.acceptOperatorLink.body.pick({ password: true })
  const saving = useSignInForm(schema, { password: '' }, async ({ password }) =>
    onStep(await callAsOperator(calls.acceptOperatorLink, { body: { token, password } })),
  )
  return (
    <SignInFrame saving={saving} label={t('auth:accept.submit')}>
      <PasswordField
        label={t('auth:password')}
        autoComplete="new-password"
        hint={t('auth:passwordHint')}
        field={saving.form.getInputProps('password')}
      />
    </SignInFrame>
  )
}

const codeSchema = calls.completeOperatorSignIn.body.pick({ code: true })

function CodeStep({ ticket }: { ticket: string }) {
  const { t } = useTranslate()
  const saving = useSignInForm(codeSchema, { code: '' }, async ({ code }) => {
    const { token } = await callAsOperator(calls.completeOperatorSignIn, { body: { ticket, code } })
    keepOperatorToken(token)
  })
  return (
    <SignInFrame saving={saving} label={t('account:step.submit')}>
      <CodeField label={t('account:step.code')} field={saving.form.getInputProps('code')} />
    </SignInFrame>
  )
}

function SetUp({ ticket }: { ticket: string }) {
  const { t } = useTranslate()
  const [draft, setDraft] = useState<TotpDraft | null>(null)
  const begin = useSignInForm(calls.beginOperatorEnrollment.body.pick({}), {}, async () =>
    setDraft(await callAsOperator(calls.beginOperatorEnrollment, { body: { ticket } })),
  )
  const confirm = useSignInForm(codeSchema, { code: '' }, async ({ code }) => {
    const { token } = await callAsOperator(calls.confirmOperatorEnrollment, { body: { ticket, code } })
    keepOperatorToken(token)
  })
  if (!draft)
    return (
      <SignInFrame saving={begin} label={t('operator:setUp')}>
        <Text size="sm">{t('account:factor.app')}</Text>
      </SignInFrame>
    )
  return (
    <SignInFrame saving={confirm} label={t('account:step.confirm')}>
      <TotpKey draft={draft} />
      <CodeField label={t('account:step.codeOfApp')} field={confirm.form.getInputProps('code')} />
    </SignInFrame>
  )
}
