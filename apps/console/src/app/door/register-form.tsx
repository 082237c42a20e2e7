import type { SessionUser } from '@floorcast/contract/auth.ts'
import { Checkbox, Text, TextInput } from '@mantine/core'
import { useWords } from '../../platform/i18n.ts'
import { DoorFormFrame } from './door-form.tsx'
import { PasswordField } from './password-field.tsx'
import { useDoorForm } from './use-door-form.ts'

/** Full name, email, password, terms (docs/specification.md#2-screens-and-routes). It makes a client on the Trial plan. */
export function RegisterForm({ onEnter }: { onEnter: (user: SessionUser) => void }) {
  const { t } = useWords()
  const door = useDoorForm({
    name: 'register',
    initial: { fullName: '', email: '', password: '', terms: false },
    send: async (calls, values) => onEnter(await calls.registerClient(values)),
  })
  const { getInputProps } = door.form
  const hint = (
    <Text size="xs" c="dimmed">
      {t('door:register.hint')}
    </Text>
  )
  return (
    <DoorFormFrame form={door} submitLabel={t('door:register.submit')} foot={hint}>
      <TextInput label={t('door:fullName')} autoComplete="name" required {...getInputProps('fullName')} />
      <TextInput
        label={t('door:email')}
        type="email"
        autoComplete="username"
        required
        {...getInputProps('email')}
      />
      <PasswordField
        autoComplete="new-password"
        hint={t('door:passwordHint')}
        field={getInputProps('password')}
      />
      <Checkbox label={t('door:terms')} required {...getInputProps('terms', { type: 'checkbox' })} />
    </DoorFormFrame>
  )
}
