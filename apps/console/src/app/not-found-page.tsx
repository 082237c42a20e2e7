import { useTranslate } from '../platform/i18n.ts'
import { Button, Center, Stack, Text, Title } from '@mantine/core'
import { Link } from 'react-router'
import { paths } from '../platform/paths.ts'
import { useSession } from '../platform/session.ts'
import { homeOf } from '../platform/paths.ts'

/** Shown for an unknown address (docs/specification.md#2-screens-and-routes). */
export function NotFoundPage({ isInShell = false }: { isInShell?: boolean }) {
  const { t } = useTranslate()
  const { user } = useSession()
  return (
    <Center component={isInShell ? 'div' : 'main'} mih={isInShell ? '60vh' : '100vh'} p="md">
      <Stack align="center" gap="xs" ta="center">
        <title>{t('notFound.title')}</title>
        <Text c="dimmed" fw={600}>
          404
        </Text>
        <Title order={1}>{t('notFound.title')}</Title>
        <Text c="dimmed">{t('notFound.text')}</Text>
        <Button component={Link} to={user ? homeOf(user) : paths.login} mt="sm">
          {t('notFound.home')}
        </Button>
      </Stack>
    </Center>
  )
}
