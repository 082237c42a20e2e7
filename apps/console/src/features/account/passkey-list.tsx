import type { Passkey } from '@floorcast/contract/second-factor.ts'
import { ActionIcon, Group, Stack, Text } from '@mantine/core'
import { IconKey, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { RemovePasskeyDialog } from './second-factor-dialogs.tsx'

/** The user's passkeys, each with a button that removes it. */
export function PasskeyList({ passkeys }: { passkeys: readonly Passkey[] }) {
  const { t } = useTranslate()
  const format = useFormat()
  const [removed, setRemoved] = useState<Passkey | null>(null)
  if (passkeys.length === 0) return null
  return (
    <Stack gap="xs" component="ul" p={0} m={0} aria-label={t('account:factor.passkeys')}>
      {passkeys.map(passkey => (
        <Group key={passkey.uid} component="li" gap="xs" wrap="nowrap" style={{ listStyle: 'none' }}>
          <IconKey size={20} aria-hidden />
          <Text style={{ flex: 1 }}>
            <bdi>{passkey.name}</bdi>{' '}
            <Text span c="dimmed" size="sm">
              {t('account:factor.passkeyMade', { date: format.date(passkey.createdAt) })}
            </Text>
          </Text>
          <ActionIcon
            aria-label={t('account:factor.removePasskey', { name: passkey.name })}
            onClick={() => setRemoved(passkey)}
          >
            <IconTrash size={20} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
      {removed && <RemovePasskeyDialog passkey={removed} onClose={() => setRemoved(null)} />}
    </Stack>
  )
}
