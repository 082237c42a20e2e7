import type { SecondStep } from '@floorcast/contract/problem.ts'
import { Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslate } from '../../platform/i18n.ts'
import { useSession } from '../../platform/session.ts'
import { Modal } from '../../ui/overlay/overlays.tsx'
import { SecondStepForm } from './lazy-forms.tsx'
import { UnlockForm } from './unlock-form.tsx'

const ignore = () => undefined

/** Covers a page whose session has ended while the user typed there: the page waits, unreadable. */
export function SignInAgain() {
  const { t } = useTranslate()
  const { user } = useSession()
  const [step, setStep] = useState<SecondStep | null>(null)
  return (
    <Modal
      opened
      onClose={ignore}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={t('auth:ended.title')}
      zIndex={400}
      overlayProps={{ backgroundOpacity: 0.75, blur: 16 }}
    >
      <Stack gap="md">
        {step ? (
          <SecondStepForm step={step} onEnter={ignore} onCancel={() => setStep(null)} />
        ) : (
          <>
            <Text>{t('auth:ended.text')}</Text>
            <UnlockForm
              user={user}
              submitLabel={t('auth:signIn.submit')}
              onProgress={progress => progress.step && setStep(progress.step)}
            />
          </>
        )}
      </Stack>
    </Modal>
  )
}
