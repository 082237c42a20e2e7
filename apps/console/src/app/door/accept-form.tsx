import type { SessionUser } from '@floorcast/contract/auth.ts'
import { Text } from '@mantine/core'
import { useWords } from '../../platform/i18n.ts'
import { DoorFormFrame } from './door-form.tsx'
import { PasswordField } from './password-field.tsx'
import { useDoorForm } from './use-door-form.ts'

interface AcceptFormProps {
  /** Of the one-time link. */
  token: string
  onEnter: (user: SessionUser) => void
}

/** Where an invitation's or a reset's link leads: a password of one's own, and in. */
export function AcceptForm({ token, onEnter }: AcceptFormProps) {
  const { t } = useWords()
  const door = useDoorForm({
    name: 'accept',
    initial: { password: '' },
    send: async (calls, { password }) => onEnter(await calls.acceptInvite(token, password)),
  })
  return (
    <DoorFormFrame form={door} submitLabel={t('door:accept.submit')}>
      <Text size="sm" c="dimmed">
        {t('door:accept.hint')}
      </Text>
      <PasswordField
        autoComplete="new-password"
        hint={t('door:passwordHint')}
        field={door.form.getInputProps('password')}
      />
    </DoorFormFrame>
  )
}
