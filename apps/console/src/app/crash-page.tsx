import { useWords } from '../platform/i18n.ts'
import { Button, Center, Stack, Text, Title } from '@mantine/core'
import { isRouteErrorResponse, useRouteError } from 'react-router'
import { NotFoundPage } from './not-found-page.tsx'

/** The generic text of docs/specification.md#8-error-catalogue: the page itself failed. A reload also fetches the parts of a new version. */
export function CrashPage() {
  const { t } = useWords()
  const error = useRouteError()
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFoundPage />
  const code = error instanceof Error ? error.message : String(error)
  return (
    <Center component="main" mih="60vh" p="md">
      <Stack align="center" gap="xs" ta="center" role="alert">
        <Title order={1}>{t('crash.title')}</Title>
        <Text c="dimmed">{t('crash.text')}</Text>
        <Text component="code" size="sm" dir="ltr">
          {code}
        </Text>
        <Button onClick={() => location.reload()} mt="sm">
          {t('crash.reload')}
        </Button>
      </Stack>
    </Center>
  )
}
