import { Button, Group, Stack, Text } from '@mantine/core'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { CopyField } from '../../ui/copy-field.tsx'
import { Modal } from '../../ui/overlay/overlays.tsx'
import type { UserLink } from './users-data.ts'

/** Shows a one-time link. The server stores only its hash, so it cannot be shown again. */
export function LinkDialog({ email, link, expiresAt, onClose }: UserLink & { onClose: () => void }) {
  const { t } = useTranslate()
  const format = useFormat()
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnClickOutside={false}
      title={t('users:link.title', { email })}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Stack gap="md">
        <Text>{t('users:link.text')}</Text>
        <CopyField label={t('users:link.label')} text={link} />
        {expiresAt !== undefined && (
          <Text c="dimmed" size="sm">
            {t('users:link.until', { time: format.dateTime(expiresAt) })}
          </Text>
        )}
        <Group justify="flex-end">
          <Button onClick={onClose}>{t('users:link.done')}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
