import { useWords } from '../../platform/i18n.ts'
import { Drawer } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Outlet, ScrollRestoration } from 'react-router'
import { useMatches } from '../../platform/media-query.ts'
import { personalize, usePersonalization } from '../../platform/personalization.ts'
import { queryClient } from '../../platform/query-client.ts'
import { useSession } from '../../platform/session.ts'
import { prepareToasts } from '../../platform/toasts.ts'
import { useChangeFeed } from '../../platform/use-change-feed.ts'
import { UploadTray } from '../../ui/upload/upload-tray.tsx'
import { CommandPalette } from '../command-palette/command-palette.tsx'
import { Notices } from './notices.tsx'
import { SettingsPanel } from './settings-panel.tsx'
import styles from './shell.module.css'
import { Sidebar } from './sidebar.tsx'
import { TopBar } from './top-bar.tsx'
import { useSessionEnd } from './use-session-end.ts'
import { FixedToggle } from './fixed-toggle.tsx'

/** What stands around every page behind the sign-in guard. */
export function Shell() {
  useSessionEnd()
  const { user, token } = useSession()
  // The moment between the session's end and the way to /login or /lock.
  if (!user || !token) return null
  return (
    <QueryClientProvider client={queryClient}>
      <Frame key={token} />
    </QueryClientProvider>
  )
}

function Frame() {
  useChangeFeed()
  useEffect(prepareToasts, [])
  const { t } = useWords()
  const { menuType } = usePersonalization()
  const isNarrow = useMatches('(max-width: 900px)')
  const [isMenuOpen, openMenu] = useState(false)
  const [isSettingsOpen, openSettings] = useState(false)
  const [isPaletteOpen, openPalette] = useState(false)
  const toggleMenu = () => {
    if (isNarrow) openMenu(!isMenuOpen)
    else personalize({ menuType: menuType === 'full' ? 'minimized' : 'full' })
  }
  const shown = isNarrow ? 'hidden' : menuType
  return (
    <div className={styles.shell} data-menu={shown}>
      <a href="#content" className={styles.skip}>
        {t('skip')}
      </a>
      {shown !== 'hidden' && (
        <div className={styles.side}>
          <Sidebar isSmall={shown === 'minimized'} />
        </div>
      )}
      <Drawer.Root opened={isNarrow && isMenuOpen} onClose={() => openMenu(false)} size={264}>
        <Drawer.Overlay />
        <Drawer.Content aria-label={t('menu')}>
          <Sidebar isSmall={false} onNavigate={() => openMenu(false)} />
        </Drawer.Content>
      </Drawer.Root>
      <div className={styles.column}>
        <TopBar
          toggleMenu={toggleMenu}
          openSettings={() => openSettings(true)}
          openPalette={() => openPalette(true)}
        />
        <Notices />
        <main id="content" className={styles.content} tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      <FixedToggle toggleMenu={toggleMenu} />
      <SettingsPanel isOpen={isSettingsOpen} onClose={() => openSettings(false)} />
      <CommandPalette isOpen={isPaletteOpen} open={openPalette} />
      <UploadTray />
      <ScrollRestoration />
    </div>
  )
}
