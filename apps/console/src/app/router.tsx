import { Button, Center, Skeleton, Stack, Text, Title } from '@mantine/core'
import {
  createBrowserRouter,
  isRouteErrorResponse,
  redirect,
  useRouteError,
  type RouteObject,
} from 'react-router'
import { loadAllCatalogues, useTranslate } from '../platform/i18n.ts'
import { paths } from '../platform/paths.ts'
import { forwardSignedIn, guard, guardLock } from './guards.ts'
import { NotFoundPage } from './not-found-page.tsx'
import { pages, redirects } from './pages.ts'

/** The skeleton of a page, shown until the first page has loaded. */
function PageSkeleton() {
  return (
    <Stack p="lg" gap="md" maw={1440} mx="auto" aria-busy>
      <Skeleton height={28} width={200} />
      <Skeleton height={120} />
      <Skeleton height={320} />
    </Stack>
  )
}

/**
 * Shown when a page fails (docs/specification.md#8-error-catalogue). A reload also fetches the chunks of a new
 * version.
 */
function CrashPage() {
  const { t } = useTranslate()
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

/** All addresses of the console. Pages are listed in `pages.ts`; each is loaded when it is first opened. */
export const router = createBrowserRouter([
  {
    ErrorBoundary: CrashPage,
    HydrateFallback: PageSkeleton,
    children: [
      ...Object.entries(redirects).map(([path, to]): RouteObject => ({ path, loader: () => redirect(to) })),
      {
        path: paths.login,
        loader: forwardSignedIn,
        lazy: async () => ({ Component: (await import('../features/auth/login-page.tsx')).LoginPage }),
      },
      {
        path: paths.lock,
        loader: guardLock,
        lazy: async () => ({ Component: (await import('../features/auth/lock-page.tsx')).LockPage }),
      },
      {
        path: paths.verify,
        lazy: async () => {
          const [{ VerifyPage }] = await Promise.all([import('./pages/verify-page.tsx'), loadAllCatalogues()])
          return { Component: VerifyPage }
        },
      },
      {
        lazy: async () => {
          const [{ Shell }] = await Promise.all([import('./shell/shell.tsx'), loadAllCatalogues()])
          return { Component: Shell }
        },
        children: [
          {
            ErrorBoundary: CrashPage,
            children: pages.map((page): RouteObject => ({
              path: page.path,
              handle: page,
              loader: guard(page.roles),
              lazy: async () => ({ Component: await page.load() }),
            })),
          },
        ],
      },
      { path: '*', Component: NotFoundPage },
    ],
  },
])
