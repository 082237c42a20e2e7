import { useTranslate } from '../platform/i18n.ts'
import { Alert, Button, Group, List, Stack, Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { describeFailure } from '../platform/outcomes.ts'
import { useFrozen } from '../platform/use-frozen.ts'
import { Modal } from './overlay/overlays.tsx'

interface ConfirmDialogProps {
  isOpen: boolean
  title: string
  /** The consequence, in one or two sentences. */
  children: ReactNode
  /** The names of dependent items, shown before the user confirms. */
  dependents?: readonly string[] | undefined
  confirmLabel: string
  /** Default: 'Cancel'. */
  cancelLabel?: string
  isDanger?: boolean
  /** A rejection is shown in the dialog. */
  onConfirm: () => Promise<unknown>
  onClose: () => void
}

/**
 * Asks for confirmation. A refusal is shown in the dialog. From the click on it says what was confirmed, also while the change makes
 * it untrue and while it closes.
 */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { t } = useTranslate()
  const { failure, isBusy, confirm, close } = useConfirmation(props)
  const shown = useFrozen(props, isBusy || !props.isOpen)
  return (
    <Modal
      opened={props.isOpen}
      onClose={close}
      title={shown.title}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Stack gap="md">
        <Text component="div">{shown.children}</Text>
        {shown.dependents && shown.dependents.length > 0 && (
          <List size="sm" withPadding>
            {shown.dependents.map(name => (
              <List.Item key={name}>{name}</List.Item>
            ))}
          </List>
        )}
        {failure !== null && (
          <Alert color="red" role="alert">
            {describeFailure(t, failure)}
          </Alert>
        )}
        <Group justify="flex-end" gap="xs">
          {/* The focus is on Cancel, so that Enter does not delete by accident. */}
          <Button variant="default" onClick={close} data-autofocus={shown.isDanger || undefined}>
            {shown.cancelLabel ?? t('cancel')}
          </Button>
          <Button
            {...(shown.isDanger ? { color: 'red' } : {})}
            loading={isBusy}
            onClick={() => void confirm()}
            data-autofocus={!shown.isDanger || undefined}
          >
            {shown.confirmLabel}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

function useConfirmation({ onConfirm, onClose }: ConfirmDialogProps) {
  const [failure, setFailure] = useState<unknown>(null)
  const [isBusy, setIsBusy] = useState(false)
  const close = () => {
    setFailure(null)
    onClose()
  }
  const confirm = async () => {
    // A former failure stays meanwhile: the buttons would move, and a double click would fall beside the dialog.
    setIsBusy(true)
    try {
      await onConfirm()
      close()
    } catch (error) {
      setFailure(error)
    } finally {
      setIsBusy(false)
    }
  }
  return { failure, isBusy, confirm, close }
}
