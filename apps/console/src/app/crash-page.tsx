import { Button, Center, Loader, Stack, Text, Title } from '@mantine/core'
import { useEffect } from 'react'
import { isRouteErrorResponse, useRouteError } from 'react-router'
import { useTranslate } from '../platform/i18n.ts'
import { isServerThere, PartMissing, waitForNetwork } from '../platform/load-part.ts'
import { NotFoundPage } from './not-found-page.tsx'

const reload = () => location.reload()

/** When the page was last loaded again by itself. A second failure soon after waits for the user. */
const RELOADED_KEY = 'floorcast.reloadedAt'
const RELOAD_AGAIN_MS = 60_000

/** A part of the page has not come: the page is loaded again as soon as the server answers, also with a newer version. */
function MissingPart() {
  const { t } = useTranslate()
  useEffect(() => {
    let isShown = true
    const waitForServer = async () => {
      while (isShown && !(await isServerThere())) await waitForNetwork()
      const reloadedAt = Number(sessionStorage.getItem(RELOADED_KEY))
      if (!isShown || Date.now() - reloadedAt < RELOAD_AGAIN_MS) return
      sessionStorage.setItem(RELOADED_KEY, String(Date.now()))
      reload()
    }
    void waitForServer()
    return () => void (isShown = false)
  }, [])
  return (
    <Stack align="center" gap="xs" ta="center" role="alert">
      <Loader aria-hidden />
      <Title order={1}>{t('crash.missingTitle')}</Title>
      <Text c="dimmed">{t('crash.missingText')}</Text>
      <Button onClick={reload} mt="sm">
        {t('crash.reload')}
      </Button>
    </Stack>
  )
}

function Crash({ error }: { error: unknown }) {
  const { t } = useTranslate()
  const code = error instanceof Error ? error.message : String(error)
  return (
    <Stack align="center" gap="xs" ta="center" role="alert">
      <Title order={1}>{t('crash.title')}</Title>
      <Text c="dimmed">{t('crash.text')}</Text>
      <Text component="code" size="sm" dir="ltr">
        {code}
      </Text>
      <Button onClick={reload} mt="sm">
        {t('crash.reload')}
      </Button>
    </Stack>
  )
}

/** Shown when a page fails (docs/specification.md#8-error-catalogue). */
export function CrashPage({ isInShell = false }: { isInShell?: boolean }) {
  const error = useRouteError()
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFoundPage isInShell={isInShell} />
  return (
    <Center component={isInShell ? 'div' : 'main'} mih="60vh" p="md">
      {error instanceof PartMissing ? <MissingPart /> : <Crash error={error} />}
    </Center>
  )
}
