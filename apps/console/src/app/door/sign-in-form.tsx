import { useWords } from '../../platform/i18n.ts'
import { authenticate, Credentials, type SessionUser } from '@floorcast/contract/session.ts'
import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { call } from '../../platform/client.ts'
import { toastFailure } from '../../platform/outcomes.ts'
import { keepSession } from '../../platform/session.ts'
import { useCheckedForm } from '../../ui/side-form/use-checked-form.ts'

/** Email and password; a wrong pair is said in a toast and in the form (SPEC section 8, status 400). */
export function SignInForm({ onEnter }: { onEnter: (user: SessionUser) => void }) {
  const { t } = useWords()
  const { form, isBusy, failure, submit } = useCheckedForm({
    schema: Credentials,
    initial: { email: '', password: '' },
    save: async values => {
      const signedIn = await call(authenticate, { body: values }).catch(tellFailure)
      keepSession(signedIn)
      onEnter(signedIn)
    },
  })
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {failure !== null && (
          <Alert color="red" role="alert">
            {failure}
          </Alert>
        )}
        <TextInput
          label={t('door:email')}
          type="email"
          autoComplete="username"
          required
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label={t('door:password')}
          autoComplete="current-password"
          required
          visibilityToggleButtonProps={{ 'aria-label': t('door:showPassword') }}
          {...form.getInputProps('password')}
        />
        <Button type="submit" loading={isBusy} fullWidth>
          {t('door:signIn.submit')}
        </Button>
      </Stack>
    </form>
  )
}

/** Tells a failure as a toast and passes it on to the form, where it stays. */
export function tellFailure(error: unknown): never {
  toastFailure(error)
  throw error
}
