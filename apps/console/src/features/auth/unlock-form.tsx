import type { SessionUser } from '@floorcast/contract/auth.ts'
import { Button, Text } from '@mantine/core'
import { useTranslate } from '../../platform/i18n.ts'
import { namePerson } from '../../platform/person-name.ts'
import { removeBrowserData } from '../../platform/browser-data.ts'
import { dropSession } from '../../platform/session.ts'
import { PasswordField } from '../../ui/password-field.tsx'
import type { SignInProgress } from './auth-data.ts'
import { AuthForm, useAuthForm } from './auth-form.tsx'

/** Another user signs in: nothing of the former one stays in this browser. */
async function forgetUser(): Promise<void> {
  await removeBrowserData()
  dropSession()
}

interface UnlockFormProps {
  /** The user who was signed in; null: nobody, and the page is about to change. */
  user: SessionUser | null
  submitLabel: string
  onProgress: (progress: SignInProgress) => void
}

/** Signs in the user who was signed in before, by the password alone; or nobody, for somebody else. */
export function UnlockForm({ user, submitLabel, onProgress }: UnlockFormProps) {
  const { t } = useTranslate()
  const email = user?.email ?? ''
  const auth = useAuthForm({
    name: 'unlock',
    initial: { password: '' },
    send: async (calls, { password }) => onProgress(await calls.signIn(email, password)),
  })
  const other = (
    <Button variant="subtle" onClick={() => void forgetUser()} fullWidth>
      {t('auth:lock.other')}
    </Button>
  )
  return (
    <>
      <div>
        <Text fw={600}>{user && namePerson(user)}</Text>
        <Text c="dimmed" size="sm" dir="auto">
          {email}
        </Text>
      </div>
      <AuthForm form={auth} submitLabel={submitLabel} foot={other}>
        <input type="hidden" autoComplete="username" value={email} readOnly />
        <PasswordField
          label={t('auth:password')}
          autoComplete="current-password"
          field={auth.form.getInputProps('password')}
        />
      </AuthForm>
    </>
  )
}
