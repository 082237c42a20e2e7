import '../ui/theme/styles.css'
import type { SessionUser } from '@floorcast/contract/auth.ts'
import type { LocaleCode } from '@floorcast/contract/locales.ts'
import { notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { createMemoryRouter, type RouteObject } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { page } from 'vitest/browser'
import { Looks } from '../app/looks.tsx'
import { changeLanguage } from '../platform/change-language.ts'
import { setRouter } from '../platform/navigate.ts'
import { queryClient } from '../platform/query-client.ts'
import { dropSession, saveSession } from '../platform/session.ts'

/** The signed-in user while a component is tested. */
export const signedInUser: SessionUser = {
  uid: '0193a1f0-0000-7000-8000-000000000001',
  username: 'ines@example.com',
  role: 'admin',
  rights: 'full',
  linkedDeviceUid: null,
  firstName: 'Inês',
  lastName: 'Prado',
  email: 'ines@example.com',
  subscriptionExpiresAt: '2031-01-01T00:00:00.000Z',
}

interface DrawOptions {
  language?: LocaleCode
  /** The address that the component is drawn at. */
  path?: string
  /** The pattern of the address, where it has parameters. */
  route?: string
  /** The state that the page before has left with the address. */
  state?: unknown
  /** The component is a page with its own frame. */
  isWholePage?: boolean
  /** The pages within a component that is a frame of pages. */
  pages?: RouteObject[]
  /** The differences of the signed-in user; null: nobody is signed in. */
  user?: Partial<SessionUser> | null
  /** The window in CSS pixels. */
  width?: number
  height?: number
}

export interface DrawnComponent {
  /** The router's address: path and query. */
  address: () => string
  back: () => Promise<void>
  /** Takes the component away, as the user who opens another page. */
  leave: () => void
}

let drawn: { root: Root; place: HTMLElement } | null = null

/**
 * Draws a component at an address with what the console draws its pages with: theme, texts, direction, session, cached data,
 * toasts. Its links lead to a page without content.
 */
export async function drawComponent(
  component: ReactNode,
  options: DrawOptions = {},
): Promise<DrawnComponent> {
  const { language = 'en', path = '/', width = 1280, height = 800 } = options
  const { pathname, search } = new URL(path, location.origin)
  const { route = pathname, state, pages = [], user, isWholePage = false } = options
  removeComponent()
  await page.viewport(width, height)
  await changeLanguage(language)
  if (user === null) dropSession()
  else saveSession({ ...signedInUser, ...user, token: 'token' })
  const router = createMemoryRouter(
    [
      pages.length > 0 ? { element: component, children: pages } : { path: route, element: component },
      { path: '*', element: null },
    ],
    { initialEntries: [{ pathname, search, state }] },
  )
  setRouter({
    navigate: to => router.navigate(to),
    headedFor: () => (router.state.navigation.location ?? router.state.location).pathname,
  })
  const place = document.createElement(isWholePage ? 'div' : 'main')
  document.body.append(place)
  const root = createRoot(place)
  drawn = { root, place }
  root.render(
    <Looks>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </Looks>,
  )
  return {
    address: () => router.state.location.pathname + router.state.location.search,
    back: () => router.navigate(-1),
    leave: removeComponent,
  }
}

export function removeComponent(): void {
  drawn?.root.unmount()
  // The next component may be one of another file.
  notifications.clean()
  drawn?.place.remove()
  drawn = null
  // Libraries add to the page too: what they measure with, and a lock of its scrolling.
  document.body.replaceChildren()
  for (const name of document.body.getAttributeNames()) document.body.removeAttribute(name)
}
