import { ActionIcon, Alert, Group, Progress, Stack, Text, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { FailureText } from '../../ui/failure-text.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import type { UpdateUpload } from './use-update-upload.ts'

interface UploadLineProps {
  line: UpdateUpload
  fault: 'signature-missing' | 'update-signature' | null
  sign: (signature: string) => void
  /** null while files are sent. */
  remove: (() => void) | null
}

/** A chosen file: its signature, its progress, or why it was refused. */
export function UploadLine({ line, fault, sign, remove }: UploadLineProps) {
  const { t } = useTranslate()
  const format = useFormat()
  const { file, signature, sent, isDone, failure } = line
  const isSending = sent !== null && !isDone
  return (
    <Stack component="li" gap={4} style={{ listStyle: 'none' }}>
      <Group gap="xs" justify="space-between" wrap="nowrap">
        <Text fw={600} truncate>
          <bdi dir="ltr">{file.name}</bdi>{' '}
          <Text span c="dimmed" size="sm">
            {format.size(file.size)}
          </Text>
        </Text>
        {isDone && <StatusBadge tone="good">{t('updates:file.stored')}</StatusBadge>}
        {!isDone && remove && (
          <ActionIcon aria-label={t('updates:file.remove', { name: file.name })} onClick={remove}>
            <IconX size={16} aria-hidden />
          </ActionIcon>
        )}
      </Group>
      {!isDone && !isSending && (
        <TextInput
          label={t('updates:file.signatureOf', { name: file.name })}
          autoComplete="off"
          spellCheck={false}
          dir="ltr"
          value={signature}
          error={
            fault === 'update-signature'
              ? t('fields:update-signature')
              : fault && t('reasons:signature-missing')
          }
          onChange={event => sign(event.currentTarget.value.trim())}
        />
      )}
      {isSending && (
        <Progress value={100 * sent} aria-label={t('uploads:progressOf', { name: file.name })} animated />
      )}
      {failure !== null && (
        <Alert color="red" role="alert">
          <FailureText error={failure} />
        </Alert>
      )}
    </Stack>
  )
}
