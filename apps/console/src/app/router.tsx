import { consolePages, consoleRedirects, type PageName } from '@floorcast/contract/console-routes.ts'
import { Skeleton, Stack, Text } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { createBrowserRouter, redirect, type RouteObject } from 'react-router'
import { loadWords, useTranslate } from '../platform/i18n.ts'
import { isPartWaiting, loadPart } from '../platform/load-part.ts'
import { setRouter } from '../platform/navigate.ts'
import { paths } from '../platform/paths.ts'
import { useSession } from '../platform/session.ts'
import { useStore } from '../platform/store.ts'
import { CrashPage } from './crash-page.tsx'
import { NotFoundPage } from './not-found-page.tsx'
import { forwardSignedIn, guardLock, loadPage, openPage } from './open-page.ts'

/** The skeleton of a page, shown until the first page has loaded; it says so when that waits for the server. */
function PageSkeleton() {
  const { t } = useTranslate()
  const isWaiting = useStore(isPartWaiting)
  return (
    <Stack p="lg" gap="md" maw={1440} mx="auto" aria-busy>
      {isWaiting && (
        <div role="status">
          <Text fw={600}>{t('crash.missingTitle')}</Text>
          <Text c="dimmed">{t('crash.missingText')}</Text>
        </div>
      )}
      <Skeleton height={28} width={200} />
      <Skeleton height={120} />
      <Skeleton height={320} />
    </Stack>
  )
}

const loadShell = () =>
  loadPart(async () => {
    const [{ Shell }] = await Promise.all([import('./shell/shell.tsx'), loadWords('shell')])
    return Shell
  })
const LazyShell = lazy(async () => ({ default: await loadShell() }))

/** An unknown address keeps the menu for those who are signed in. */
function UnknownAddress() {
  const { user, token } = useSession()
  if (!user || !token) return <NotFoundPage />
  return (
    <Suspense fallback={<PageSkeleton />}>
      <LazyShell />
    </Suspense>
  )
}

const pages = Object.entries(consolePages) as [PageName, string][]

/** All addresses of the console. `pages.ts` says what is there; each page is loaded when it is first opened. */
export const router = createBrowserRouter([
  {
    ErrorBoundary: CrashPage,
    HydrateFallback: PageSkeleton,
    children: [
      ...Object.entries(consoleRedirects).map(([path, to]): RouteObject => ({
        path,
        loader: () => redirect(to),
      })),
      {
        path: paths.login,
        loader: forwardSignedIn,
        lazy: () =>
          loadPart(async () => ({ Component: (await import('../features/auth/login-page.tsx')).LoginPage })),
      },
      {
        path: paths.lock,
        loader: guardLock,
        lazy: () =>
          loadPart(async () => ({ Component: (await import('../features/auth/lock-page.tsx')).LockPage })),
      },
      {
        path: paths.verify,
        lazy: () =>
          loadPart(async () => {
            const [{ VerifyPage }] = await Promise.all([
              import('./pages/verify-page.tsx'),
              loadWords('shell', 'account'),
            ])
            return { Component: VerifyPage }
          }),
      },
      {
        path: paths.terms,
        lazy: () =>
          loadPart(async () => {
            const [{ TermsPage }] = await Promise.all([
              import('./pages/terms-page.tsx'),
              loadWords('account'),
            ])
            return { Component: TermsPage }
          }),
      },
      ...(['OperatorHome', 'OperatorLogin'] as const).map((name): RouteObject => ({
        path: name === 'OperatorHome' ? paths.operator : paths.operatorLogin,
        lazy: () =>
          loadPart(async () => {
            const [pagesOfOperators] = await Promise.all([
              import('./pages/operator-pages.tsx'),
              loadWords('shell', 'account', 'operator'),
            ])
            return { Component: pagesOfOperators[name] }
          }),
      })),
      {
        lazy: async () => ({ Component: await loadShell() }),
        children: [
          {
            errorElement: <CrashPage isInShell />,
            children: pages.map(([name, path]): RouteObject => ({
              id: name,
              path,
              loader: args => openPage(name, args),
              lazy: async () => ({ Component: await loadPart(() => loadPage(name)) }),
            })),
          },
        ],
      },
      { Component: UnknownAddress, children: [{ path: '*', element: <NotFoundPage isInShell /> }] },
    ],
  },
])

setRouter({
  navigate: path => router.navigate(path),
  headedFor: () => (router.state.navigation.location ?? router.state.location).pathname,
})
