import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslate } from '../../platform/i18n.ts'
import { useMayChange } from '../../platform/session.ts'
import { CopyField, CopyFieldSkeleton } from '../../ui/copy-field.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Panel } from '../../ui/panel.tsx'
import { ButtonSkeleton } from '../../ui/skeletons.tsx'
import { ConfirmUpdate, KeyForm } from './update-dialogs.ts'
import type { UpdateRequest } from './update-requests.ts'
import { updateQueries, useSetUpdateKey } from './updates-data.ts'

/** The client's public key for signatures, and what it is for. */
export function KeyPanel() {
  const { t } = useTranslate()
  const { data, error, isPending, refetch } = useQuery(updateQueries.key())
  const { mutateAsync } = useSetUpdateKey()
  const mayChange = useMayChange()
  const [isEditing, setIsEditing] = useState(false)
  const [request, setRequest] = useState<UpdateRequest | null>(null)
  if (isPending) return <KeySkeleton hasButtons={mayChange} />
  if (!data) return <ErrorPanel error={error} retry={() => void refetch()} />
  const { publicKey } = data
  const askToRemove = () =>
    setRequest({
      title: t('updates:key.remove.title'),
      text: t('updates:key.remove.text'),
      confirmLabel: t('updates:key.remove.button'),
      isDanger: true,
      run: () => mutateAsync({ publicKey: null }),
      doneText: t('updates:key.remove.done'),
    })
  return (
    <Panel>
      <Stack gap="xs">
        <Group justify="space-between" gap="sm">
          <Title order={2}>{t('updates:key.title')}</Title>
          {mayChange && (
            <Group gap="xs">
              {publicKey !== null && (
                <Button variant="subtle" color="gray" onClick={askToRemove}>
                  {t('updates:key.remove.button')}
                </Button>
              )}
              <Button
                variant={publicKey === null ? 'filled' : 'default'}
                leftSection={<IconKey size={16} aria-hidden />}
                onClick={() => setIsEditing(true)}
              >
                {t(publicKey === null ? 'updates:key.set' : 'updates:key.replace')}
              </Button>
            </Group>
          )}
        </Group>
        <Text size="sm" c="dimmed" maw={720}>
          {t('updates:key.text')}
        </Text>
        {publicKey === null ? (
          // As high as the key.
          <Group mih={40}>
            <Text fw={600}>{t('updates:key.missingText')}</Text>
          </Group>
        ) : (
          <CopyField label={t('updates:key.label')} text={publicKey} />
        )}
      </Stack>
      {isEditing && <KeyForm former={publicKey} onClose={() => setIsEditing(false)} />}
      {request && <ConfirmUpdate request={request} onClose={() => setRequest(null)} />}
    </Panel>
  )
}

/** The skeleton of a key that is set: a client has one from its first package on. */
function KeySkeleton({ hasButtons }: { hasButtons: boolean }) {
  const { t } = useTranslate()
  return (
    <Panel>
      <Stack gap="xs" aria-busy>
        <Group justify="space-between" gap="sm">
          <Title order={2}>{t('updates:key.title')}</Title>
          {hasButtons && (
            <Group gap="xs">
              <ButtonSkeleton label={t('updates:key.remove.button')} />
              <ButtonSkeleton label={t('updates:key.replace')} hasIcon />
            </Group>
          )}
        </Group>
        <Text size="sm" c="dimmed" maw={720}>
          {t('updates:key.text')}
        </Text>
        <CopyFieldSkeleton text={'k'.repeat(44)} />
      </Stack>
    </Panel>
  )
}
