import { Stack, Text } from '@mantine/core'
import { useTranslate } from '../../platform/i18n.ts'
import { Modal } from '../../ui/overlay/overlays.tsx'
import { InstallLine } from './install-line.tsx'

/** The line that installs the player program again on a machine that has its key. */
export function ReinstallDialog({ line, onClose }: { line: string; onClose: () => void }) {
  const { t } = useTranslate()
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('devices:license.line')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Stack gap="sm">
        <Text c="dimmed">{t('devices:license.again')}</Text>
        <InstallLine line={line} />
      </Stack>
    </Modal>
  )
}
