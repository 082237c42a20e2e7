import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Outlet, ScrollRestoration, useLocation, useNavigate, useNavigation } from 'react-router'
import { expiredSessions } from '../../platform/client.ts'
import { currentTranslate, useTranslate } from '../../platform/i18n.ts'
import { useMatches } from '../../platform/media-query.ts'
import { homeOf, paths } from '../../platform/paths.ts'
import { personalize, usePersonalization } from '../../platform/personalization.ts'
import { queryClient } from '../../platform/query-client.ts'
import { sessionStore, useSession } from '../../platform/session.ts'
import { useStore } from '../../platform/store.ts'
import { prepareToasts, toast } from '../../platform/toasts.ts'
import { useChangeFeed } from '../../platform/use-change-feed.ts'
import { useSearchKey } from '../../ui/data-table/search-key.ts'
import { UploadTray } from '../../ui/upload/upload-tray.tsx'
import { fetchLater, onDemand } from '../../ui/overlay/on-demand.tsx'
import { PaletteHost, ShortcutsHost } from '../command-palette/palette-host.tsx'
import { AlertBanner, AlertHost, PublishHost } from './address-hosts.tsx'
import { Notices } from './notices.tsx'
import { PageProgress, preloading } from './page-loading.tsx'
import styles from './shell.module.css'
import { Sidebar } from './sidebar.tsx'
import { TopBar } from './top-bar.tsx'
import { dropKnownAnswers, useAppShell, useKnownAnswers } from './use-app-shell.ts'

const MobileMenu = onDemand(async () => (await import('./shell-parts.tsx')).MobileMenu)
const SettingsPanel = onDemand(async () => (await import('./shell-parts.tsx')).SettingsPanel)
const SignInAgain = onDemand(async () => (await import('../../features/auth/sign-in-again.tsx')).SignInAgain)
fetchLater(prepareToasts)

/** The user whose answers the cache has. */
let cacheOwner = sessionStore.get().user?.uid

// Also while no page of the shell is open, and before anything is drawn for the next user.
sessionStore.subscribe(() => {
  const uid = sessionStore.get().user?.uid
  if (uid === cacheOwner) return
  cacheOwner = uid
  queryClient.clear()
  void dropKnownAnswers()
})

// While a page waits for its user, Escape closes nothing beneath: dialogs listen at the window too, but from later on.
addEventListener(
  'keydown',
  event => {
    if (event.key === 'Escape' && sessionStore.get().isInterrupted) event.stopImmediatePropagation()
  },
  { capture: true },
)

let announcedCount = 0

/**
 * Navigates when the session ends, here or in another tab: to /login without a user, to /lock without a token. A
 * toast announces an expired session (docs/specification.md#8-error-catalogue), and /login returns the user to the
 * same page and says why one is there. A page on which something is being typed stays, and signs in over it (decision 0269).
 */
function useSessionEnd(): void {
  const { user, token, isInterrupted = false } = useSession()
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const expired = useStore(expiredSessions)
  // Until the next sign-in: another page that opens while /login is on its way runs the effect again.
  const hasExpired = useRef(false)
  useEffect(() => {
    if (user && token) {
      hasExpired.current = false
      return
    }
    const isNew = expired > announcedCount
    announcedCount = expired
    hasExpired.current ||= isNew
    const isExpired = hasExpired.current
    if (user && isInterrupted) return
    queryClient.clear()
    void dropKnownAnswers()
    if (isNew) void toast('warning', currentTranslate().t('problems:expired'))
    const from = encodeURIComponent(pathname + search)
    const to = user ? `${paths.lock}?from=${from}` : isExpired ? `${paths.login}?from=${from}` : paths.login
    void navigate(to, { replace: true, state: isExpired ? { hasEnded: true } : null })
  }, [user, token, isInterrupted, expired, navigate, pathname, search])
}

/** The page of one user is not for the next one, who has signed in over it or in another tab. */
function useUserChange(): void {
  const { user, token } = useSession()
  const navigate = useNavigate()
  const former = useRef(user?.uid)
  const uid = user?.uid
  const home = user && homeOf(user)
  useEffect(() => {
    if (uid === undefined || home === null) return
    if (former.current !== undefined && former.current !== uid) void navigate(home, { replace: true })
    former.current = uid
  }, [uid, home, navigate])
  const formerToken = useRef(token)
  useEffect(() => {
    // Reads what the page could not read before.
    if (token && formerToken.current === null) void queryClient.invalidateQueries()
    formerToken.current = token
  }, [token])
}

/** The frame of every page behind the sign-in guard. */
export function Shell() {
  useSessionEnd()
  useUserChange()
  const { user, token, isInterrupted } = useSession()
  // The session has ended, and the redirect has not rendered yet.
  if (!user || !(token || isInterrupted)) return null
  return (
    <QueryClientProvider client={queryClient}>
      <Frame key={user.uid} />
      {!token && <SignInAgain />}
    </QueryClientProvider>
  )
}

/** Whether another page is loading. */
function useIsLeaving(): boolean {
  const { pathname } = useLocation()
  const { location } = useNavigation()
  return location !== undefined && location.pathname !== pathname
}

function Frame() {
  useChangeFeed()
  useAppShell()
  useKnownAnswers()
  useSearchKey(useIsLeaving())
  const { t } = useTranslate()
  const { menuType } = usePersonalization()
  const isNarrow = useMatches('(max-width: 900px)')
  const [isMenuOpen, setIsMenuOpen] = useState<boolean | null>(null)
  const [isSettingsOpen, setIsSettingsOpen] = useState<boolean | null>(null)
  const [isPaletteOpen, setIsPaletteOpen] = useState(false)
  const toggleMenu = () => {
    if (isNarrow) setIsMenuOpen(!isMenuOpen)
    else personalize({ menuType: menuType === 'full' ? 'minimized' : 'full' })
  }
  const shown = isNarrow ? 'hidden' : menuType
  return (
    <div className={styles.shell} data-menu={shown} {...preloading}>
      <PageProgress />
      <a href="#content" className={styles.skip}>
        {t('shell:skip')}
      </a>
      {shown !== 'hidden' && (
        <div className={styles.side}>
          <Sidebar isSmall={shown === 'minimized'} />
        </div>
      )}
      {isMenuOpen !== null && (
        <MobileMenu isOpen={isNarrow && isMenuOpen} onClose={() => setIsMenuOpen(false)} />
      )}
      <div className={styles.column}>
        <TopBar
          toggleMenu={toggleMenu}
          openSettings={() => setIsSettingsOpen(true)}
          openPalette={() => setIsPaletteOpen(true)}
        />
        <AlertBanner />
        <Notices />
        <main id="content" className={styles.content} tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      {isSettingsOpen !== null && (
        <SettingsPanel isOpen={isSettingsOpen} onClose={() => setIsSettingsOpen(false)} />
      )}
      <PaletteHost isOpen={isPaletteOpen} open={setIsPaletteOpen} />
      <ShortcutsHost />
      <PublishHost />
      <AlertHost />
      <UploadTray />
      <ScrollRestoration />
    </div>
  )
}
