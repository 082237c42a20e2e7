import { useWords } from '../../platform/i18n.ts'
import { register, Registration, type SessionUser } from '@floorcast/contract/session.ts'
import { Alert, Button, Checkbox, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { call } from '../../platform/client.ts'
import { keepSession } from '../../platform/session.ts'
import { useCheckedForm } from '../../ui/side-form/use-checked-form.ts'
import { tellFailure } from './sign-in-form.tsx'

/** SPEC section 2's second form: full name, email, password, terms. It makes a client on the Trial plan. */
export function RegisterForm({ onEnter }: { onEnter: (user: SessionUser) => void }) {
  const { t } = useWords()
  const { form, isBusy, failure, submit } = useCheckedForm({
    schema: Registration,
    initial: { fullName: '', email: '', password: '', terms: false },
    save: async values => {
      const body = Registration.parse(values)
      const signedIn = await call(register, { body }).catch(tellFailure)
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
          label={t('door:fullName')}
          autoComplete="name"
          required
          {...form.getInputProps('fullName')}
        />
        <TextInput
          label={t('door:email')}
          type="email"
          autoComplete="username"
          required
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label={t('door:password')}
          description={t('door:passwordHint')}
          autoComplete="new-password"
          required
          visibilityToggleButtonProps={{ 'aria-label': t('door:showPassword') }}
          {...form.getInputProps('password')}
        />
        <Checkbox label={t('door:terms')} required {...form.getInputProps('terms', { type: 'checkbox' })} />
        <Button type="submit" loading={isBusy} fullWidth>
          {t('door:register.submit')}
        </Button>
        <Text size="xs" c="dimmed">
          {t('door:register.hint')}
        </Text>
      </Stack>
    </form>
  )
}
