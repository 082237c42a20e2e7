import { useWords } from '../../platform/i18n.ts'
import { authenticate } from '@floorcast/contract/session.ts'
import { Alert, Button, PasswordInput, Stack, Text } from '@mantine/core'
import { useNavigate, useSearchParams } from 'react-router'
import { z } from 'zod'
import { call } from '../../platform/client.ts'
import { paths } from '../../platform/paths.ts'
import { dropSession, keepSession, useSession } from '../../platform/session.ts'
import { useCheckedForm } from '../../ui/side-form/use-checked-form.ts'
import { homeOf, readWayBack } from '../guards.ts'
import { DoorFrame } from './door-frame.tsx'
import { tellFailure } from './sign-in-form.tsx'

const Unlocking = z.object({ password: z.string().min(1, 'empty').max(200, 'too-long') })

/** The lock screen: the user is known, the token is gone; unlocking is signing in with the kept email. */
export function LockPage() {
  const { t } = useWords()
  const { user } = useSession()
  const navigate = useNavigate()
  const [address] = useSearchParams()
  const email = user?.email ?? ''
  const { form, isBusy, failure, submit } = useCheckedForm({
    schema: Unlocking,
    initial: { password: '' },
    save: async ({ password }) => {
      const signedIn = await call(authenticate, { body: { email, password } }).catch(tellFailure)
      keepSession(signedIn)
      await navigate(readWayBack(address) ?? homeOf(signedIn), { replace: true })
    },
  })
  const signOut = () => {
    dropSession()
    void navigate(paths.login, { replace: true })
  }
  const name = [user?.firstName, user?.lastName].filter(Boolean).join(' ')
  return (
    <DoorFrame title={t('door:lock.title')}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <div>
            <Text fw={600}>{name}</Text>
            <Text c="dimmed" size="sm" dir="auto">
              {email}
            </Text>
          </div>
          {failure !== null && (
            <Alert color="red" role="alert">
              {failure}
            </Alert>
          )}
          <input type="hidden" autoComplete="username" value={email} readOnly />
          <PasswordInput
            label={t('door:password')}
            autoComplete="current-password"
            required
            data-autofocus
            visibilityToggleButtonProps={{ 'aria-label': t('door:showPassword') }}
            {...form.getInputProps('password')}
          />
          <Button type="submit" loading={isBusy} fullWidth>
            {t('door:lock.submit')}
          </Button>
          <Button variant="subtle" onClick={signOut} fullWidth>
            {t('door:lock.other')}
          </Button>
        </Stack>
      </form>
    </DoorFrame>
  )
}
