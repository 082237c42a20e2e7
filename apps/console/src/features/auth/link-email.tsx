import { TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslate } from '../../platform/i18n.ts'

/** The email whose password the link sets; password managers keep it as the user name. Shows nothing while it is unknown. */
export function LinkEmail({ token }: { token: string }) {
  const { t } = useTranslate()
  const [email, setEmail] = useState<string | null>(null)
  useEffect(() => {
    let isShown = true
    void import('./auth-data.ts')
      .then(({ readLinkEmail }) => readLinkEmail(token))
      .then(
        read => isShown && setEmail(read),
        // The form says what is wrong with the link when the password is sent.
        () => {},
      )
    return () => {
      isShown = false
    }
  }, [token])
  if (email === null) return null
  return (
    <TextInput
      label={t('auth:email')}
      type="email"
      name="username"
      autoComplete="username"
      value={email}
      readOnly
    />
  )
}
