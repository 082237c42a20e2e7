import type { AlertRow } from '@floorcast/contract/alerts.ts'
import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useState } from 'react'
import { Refusal } from '../../platform/client.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { describeFailure } from '../../platform/outcomes.ts'
import { toast } from '../../platform/toasts.ts'
import { Modal } from '../../ui/overlay/overlays.tsx'
import { useEndAlert } from './alerts-data.ts'
import { nameAlert, nameTarget } from './alert-words.ts'

const hasEndedBefore = (error: unknown) =>
  error instanceof Refusal && error.outcome.reason === 'no-open-alert'

/** Asks before an alert ends. Without the server's answer it says that the alert is still on. */
export function EndAlert({ alert, onClose }: { alert: AlertRow; onClose: () => void }) {
  const { t } = useTranslate()
  const { mutate, isPending } = useEndAlert()
  // It stays while the next try waits: the button would move, and a double click would fall beside the dialog.
  const [failure, setFailure] = useState<Error | null>(null)
  const name = nameAlert(t, alert)
  const target = nameTarget(t, alert.target)
  const end = () =>
    mutate(
      { uid: alert.uid, kind: alert.kind, target: alert.target },
      {
        onSuccess: () => {
          void toast('success', t('alerts:ended', { alert: name, target }))
          onClose()
        },
        onError: error => {
          if (!hasEndedBefore(error)) return setFailure(error)
          void toast('info', t('alerts:endedBefore', { alert: name, target }))
          onClose()
        },
      },
    )
  // The answer has to be seen.
  const close = () => isPending || onClose()
  return (
    <Modal
      opened
      onClose={close}
      closeOnClickOutside={false}
      title={t('alerts:endTitle', { alert: name })}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Stack gap="md">
        <Text>{t('alerts:endText', { target })}</Text>
        {failure && (
          <Alert
            color="red"
            role="alert"
            title={t('alerts:notEnded')}
            icon={<IconAlertTriangle size={20} aria-hidden />}
          >
            {describeFailure(t, failure)}
          </Alert>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close} data-autofocus>
            {t('alerts:keepOn')}
          </Button>
          <Button color="red" loading={isPending} onClick={end}>
            {t(failure ? 'tryAgain' : 'alerts:endNow')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
