import { useTranslate } from '../../platform/i18n.ts'
import { ActionIcon, Button, Kbd, Title } from '@mantine/core'
import { IconChevronRight, IconHelp, IconMenu2, IconSearch, IconSettings } from '@tabler/icons-react'
import { useSyncExternalStore } from 'react'
import { Link, useLocation } from 'react-router'
import { useManualAddress } from '../../platform/manual-address.ts'
import { useMatches as useMediaMatches } from '../../platform/media-query.ts'
import { usePageName } from '../../platform/page-name.ts'
import { nameKey } from '../../ui/key-names.ts'
import { Tooltip } from '../../ui/overlay/overlays.tsx'
import { LanguageMenu } from '../language-menu.tsx'
import { pageOf } from '../pages.ts'
import { usePage } from '../use-page.ts'
import { PageHeading } from './page-heading.tsx'
import styles from './shell.module.css'
import { UserMenu } from './user-menu.tsx'

interface TopBarProps {
  toggleMenu: () => void
  openSettings: () => void
  openPalette: () => void
}

/** The title and breadcrumbs of the page, and the menus that every page has. */
export function TopBar({ toggleMenu, openSettings, openPalette }: TopBarProps) {
  const { t } = useTranslate()
  const isNarrow = useMediaMatches('(max-width: 900px)')
  return (
    <header className={styles.topBar}>
      <ActionIcon aria-label={t('shell:toggleMenu')} onClick={toggleMenu} me="xs">
        <IconMenu2 size={20} aria-hidden />
      </ActionIcon>
      <Where />
      {isNarrow ? (
        <ActionIcon aria-label={t('search')} onClick={openPalette}>
          <IconSearch size={20} aria-hidden />
        </ActionIcon>
      ) : (
        <Button
          variant="default"
          className={styles.search}
          leftSection={<IconSearch size={16} aria-hidden />}
          rightSection={<Kbd size="xs">{`${nameKey(t, 'ctrl')} K`}</Kbd>}
          onClick={openPalette}
        >
          {t('search')}
        </Button>
      )}
      <LanguageMenu />
      <HelpLink />
      <Tooltip label={t('shell:settings.title')}>
        <ActionIcon aria-label={t('shell:settings.title')} onClick={openSettings}>
          <IconSettings size={20} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <UserMenu openSettings={openSettings} openPalette={openPalette} />
      <FixedBar toggleMenu={toggleMenu} />
    </header>
  )
}

/** Opens the manual at the page that explains this one. */
function HelpLink() {
  const { t } = useTranslate()
  const manual = useManualAddress(usePage()?.path)
  return (
    <Tooltip label={t('shell:settings.help')}>
      <ActionIcon
        component="a"
        href={manual}
        target="_blank"
        rel="noreferrer"
        aria-label={t('shell:settings.help')}
      >
        <IconHelp size={20} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}

/** The toggle is fixed in view once the page is scrolled this far, in px (docs/specification.md#9-business-constants-and-limits). */
const appearsAfter = 50

let isScrolledBeyond = false

/** Follows the scroll position. To read it while a page is drawn would lay the page out twice. */
function followScroll(notify: () => void): () => void {
  const read = () => {
    isScrolledBeyond = scrollY > appearsAfter
    notify()
  }
  const first = requestAnimationFrame(read)
  addEventListener('scroll', read, { passive: true })
  return () => {
    cancelAnimationFrame(first)
    removeEventListener('scroll', read)
  }
}

/** The menu's toggle and the page's title, in view while the top bar is not. */
function FixedBar({ toggleMenu }: { toggleMenu: () => void }) {
  const { t } = useTranslate()
  const named = usePageName()
  const page = usePage()
  const isScrolled = useSyncExternalStore(followScroll, () => isScrolledBeyond)
  if (!isScrolled) return null
  return (
    <div className={styles.fixedBar}>
      <ActionIcon aria-label={t('shell:toggleMenu')} onClick={toggleMenu}>
        <IconMenu2 size={20} aria-hidden />
      </ActionIcon>
      {page && <bdi className={styles.fixedTitle}>{named?.name ?? t(`routes:${page.name}`)}</bdi>}
    </div>
  )
}

/** The page's title, its breadcrumbs, and the title of the window. */
function Where() {
  const { t } = useTranslate()
  const named = usePageName()
  const page = usePage()
  const { pathname } = useLocation()
  if (!page) return <div className={styles.where} />
  const title = t(`routes:${page.name}`)
  const crumb = named && !named.isHeading ? named.name : title
  const section = t(`routes:sections.${page.section}`)
  const list = page.parent && t(`routes:${page.parent}`)
  // A section with one list has the same name; so have a list and its item in languages without a plural. Each is shown once.
  const isRepeated = crumb === title && title === (list ?? section)
  return (
    <div className={styles.where}>
      <title>{`${named?.name ?? title} · Floorcast`}</title>
      <nav aria-label={t('shell:breadcrumbs')}>
        <ol className={styles.crumbs}>
          {section !== list && <li>{section}</li>}
          {page.parent && (
            <li>
              {section !== list && <Pointer />}
              <Link to={pageOf(page.parent).path}>{list}</Link>
            </li>
          )}
          {!isRepeated && (
            <li aria-current="page">
              <Pointer />
              <bdi>{crumb}</bdi>
            </li>
          )}
        </ol>
      </nav>
      {named?.isHeading ? (
        <PageHeading key={pathname} name={named.name} renaming={named.renaming} />
      ) : (
        <Title order={1}>{title}</Title>
      )}
    </div>
  )
}

function Pointer() {
  return <IconChevronRight size={12} className="fc-points" aria-hidden />
}
