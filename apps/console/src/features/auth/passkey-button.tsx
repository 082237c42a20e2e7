import type { SessionUser } from '@floorcast/contract/auth.ts'
import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslate } from '../../platform/i18n.ts'

/** Browsers have passkeys for https and localhost, and none for an address of numbers. */
const hasPasskeys = () => 'PublicKeyCredential' in globalThis && !/^[\d.]+$|^\[/.test(location.hostname)

interface PasskeyButtonProps {
  /** The ticket of the first step, which the passkey completes. */
  ticket?: string
  onEnter: (user: SessionUser) => void
}

/** Signs in with a passkey. It is not shown where the browser has none. */
export function PasskeyButton({ ticket, onEnter }: PasskeyButtonProps) {
  const { t } = useTranslate()
  const [isBusy, setIsBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  if (!hasPasskeys()) return null
  const signIn = async () => {
    setIsBusy(true)
    setFailure(null)
    try {
      const calls = await import('./auth-data.ts')
      const user = await calls.signInByPasskey(ticket).catch((error: unknown) => {
        const isRefused = error instanceof calls.PasskeyRefused
        setFailure(isRefused ? t('auth:factor.passkeyFailed') : calls.explainFailure(t, error, []).message)
      })
      if (user) onEnter(user)
    } catch {
      setFailure(t('problems:noAnswer'))
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <>
      <Button variant="default" fullWidth loading={isBusy} onClick={() => void signIn()}>
        {t('auth:factor.passkey')}
      </Button>
      {failure !== null && (
        <Text size="sm" c="red" role="alert">
          {failure}
        </Text>
      )}
    </>
  )
}
