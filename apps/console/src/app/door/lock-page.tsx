import { Button, Text } from '@mantine/core'
import { useNavigate, useSearchParams } from 'react-router'
import { useWords } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { dropSession, useSession } from '../../platform/session.ts'
import { homeOf, readWayBack } from '../guards.ts'
import { DoorFormFrame } from './door-form.tsx'
import { DoorFrame } from './door-frame.tsx'
import { PasswordField } from './password-field.tsx'
import { useDoorForm } from './use-door-form.ts'

/** The lock screen: the user is known, the token is gone; unlocking is signing in with the kept email. */
export function LockPage() {
  const { t } = useWords()
  const { user } = useSession()
  const navigate = useNavigate()
  const [address] = useSearchParams()
  const email = user?.email ?? ''
  const door = useDoorForm({
    name: 'unlock',
    initial: { password: '' },
    send: async (calls, { password }) => {
      const signedIn = await calls.signIn(email, password)
      await navigate(readWayBack(address) ?? homeOf(signedIn), { replace: true })
    },
  })
  const signOut = () => {
    dropSession()
    void navigate(paths.login, { replace: true })
  }
  const other = (
    <Button variant="subtle" onClick={signOut} fullWidth>
      {t('door:lock.other')}
    </Button>
  )
  return (
    <DoorFrame title={t('door:lock.title')}>
      <div>
        <Text fw={600}>{[user?.firstName, user?.lastName].filter(Boolean).join(' ')}</Text>
        <Text c="dimmed" size="sm" dir="auto">
          {email}
        </Text>
      </div>
      <DoorFormFrame form={door} submitLabel={t('door:lock.submit')} foot={other}>
        <input type="hidden" autoComplete="username" value={email} readOnly />
        <PasswordField autoComplete="current-password" field={door.form.getInputProps('password')} />
      </DoorFormFrame>
    </DoorFrame>
  )
}
