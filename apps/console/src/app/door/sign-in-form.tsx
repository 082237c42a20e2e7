import type { SessionUser } from '@floorcast/contract/auth.ts'
import { TextInput } from '@mantine/core'
import { useWords } from '../../platform/i18n.ts'
import { DoorFormFrame } from './door-form.tsx'
import { PasswordField } from './password-field.tsx'
import { useDoorForm } from './use-door-form.ts'

/** Email and password; a wrong pair is said in a toast and in the form (docs/specification.md#8-error-catalogue). */
export function SignInForm({ onEnter }: { onEnter: (user: SessionUser) => void }) {
  const { t } = useWords()
  const door = useDoorForm({
    name: 'signIn',
    initial: { email: '', password: '' },
    send: async (calls, { email, password }) => onEnter(await calls.signIn(email, password)),
  })
  const { getInputProps } = door.form
  return (
    <DoorFormFrame form={door} submitLabel={t('door:signIn.submit')}>
      <TextInput
        label={t('door:email')}
        type="email"
        autoComplete="username"
        required
        {...getInputProps('email')}
      />
      <PasswordField autoComplete="current-password" field={getInputProps('password')} />
    </DoorFormFrame>
  )
}
