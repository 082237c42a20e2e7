import type { UserSession } from '@floorcast/contract/sessions.ts'
import type { UserRow } from '@floorcast/contract/users.ts'
import { Button, Group, List, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { readUserAgent } from '../../platform/browser-name.ts'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { toast } from '../../platform/toasts.ts'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Modal } from '../../ui/overlay/overlays.tsx'
import { PasswordStep } from '../../ui/side-form/password-step.tsx'
import { nameUser } from './user-names.ts'
import { useEndUserSessions, userSessionsQuery } from './users-data.ts'

/** The sessions of a user; ends all of them. An admin's own session of this console continues. */
export function SessionsDialog({ user, onClose }: { user: UserRow; onClose: () => void }) {
  const { t } = useTranslate()
  const result = useQuery(userSessionsQuery(user.uid))
  const { mutateAsync } = useEndUserSessions()
  const name = nameUser(user)
  const others = result.data?.filter(({ isCurrent }) => !isCurrent) ?? []
  const end = async (password: string) => {
    await mutateAsync({ uid: user.uid, password })
    void toast('success', t('users:sessions.done', { name }))
    onClose()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('users:sessions.title', { name })}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Stack gap="md">
        {result.isPending && <Skeleton height={48} aria-busy />}
        {result.isError && <ErrorPanel error={result.error} retry={() => void result.refetch()} />}
        {result.data?.length === 0 && <Text c="dimmed">{t('users:sessions.none')}</Text>}
        {result.data && result.data.length > 0 && (
          <List size="sm" spacing="xs">
            {result.data.map(session => (
              <List.Item key={session.uid}>
                <SessionLine session={session} />
              </List.Item>
            ))}
          </List>
        )}
        {others.length > 0 ? (
          <PasswordStep submitLabel={t('users:sessions.end')} onPassword={end} onClose={onClose}>
            {t('users:sessions.text')}
          </PasswordStep>
        ) : (
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose} data-autofocus>
              {t('cancel')}
            </Button>
            <Button color="red" disabled>
              {t('users:sessions.end')}
            </Button>
          </Group>
        )}
      </Stack>
    </Modal>
  )
}

function SessionLine({ session }: { session: UserSession }) {
  const { t } = useTranslate()
  const format = useFormat()
  const named = readUserAgent(session.userAgent)
  const program = named?.program ?? t('users:sessions.unknownProgram')
  return (
    <>
      {named?.system ? t('users:sessions.on', { program, system: named.system }) : program}
      {session.isCurrent && (
        <>
          {' · '}
          {t('users:sessions.this')}
        </>
      )}
      {session.address !== null && (
        <>
          {' · '}
          <bdi dir="ltr">{session.address}</bdi>
        </>
      )}
      {' · '}
      {format.dateTime(session.lastUsedAt)}
    </>
  )
}
