import { createBrowserRouter, redirect, type RouteObject } from 'react-router'
import { loadAllWords } from '../platform/i18n.ts'
import { paths } from '../platform/paths.ts'
import { forwardSignedIn, guard, guardLock } from './guards.ts'
import { NotFoundPage } from './not-found-page.tsx'
import { PageSkeleton } from './page-skeleton.tsx'
import { CrashPage } from './crash-page.tsx'
import { pages, redirects } from './pages.ts'

/** Every address of the console. Pages are listed in `pages.ts`; each is loaded when it is first opened. */
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
        lazy: async () => {
          const [{ Shell }] = await Promise.all([import('./shell/shell.tsx'), loadAllWords()])
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
