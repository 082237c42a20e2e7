import { useTranslate } from '../../platform/i18n.ts'
import { Text } from '@mantine/core'
import { IconChevronDown, type Icon } from '@tabler/icons-react'
import { useEffect, useId, useRef, useState } from 'react'
import { Link, NavLink } from 'react-router'
import { useSignedInUser } from '../../platform/session.ts'
import { Mark } from '../../ui/brand.tsx'
import { homeOf } from '../../platform/paths.ts'
import { Tooltip } from '../../ui/overlay/overlays.tsx'
import type { Page } from '../pages.ts'
import { sectionsFor, type ShownSection } from '../sections.ts'
import { usePage } from '../use-page.ts'
import styles from './sidebar.module.css'

/**
 * Links to every page that the user may open.
 * @param isSmall icons only, names as tooltips
 */
export function Sidebar({ isSmall, onNavigate }: { isSmall: boolean; onNavigate?: () => void }) {
  const { t } = useTranslate()
  const user = useSignedInUser()
  const menu = useOpenPageInView()
  return (
    <nav ref={menu} className={styles.sidebar} data-small={isSmall || undefined} aria-label={t('shell:menu')}>
      <Link to={homeOf(user)} className={styles.brand} aria-label="Floorcast" onClick={onNavigate}>
        <Mark />
        {!isSmall && <span>Floorcast</span>}
      </Link>
      {sectionsFor(user).map(section => (
        <SidebarSection key={section.name} section={section} isSmall={isSmall} onNavigate={onNavigate} />
      ))}
    </nav>
  )
}

/** Scrolls the menu to the open page's link, if that is out of view. To measure it at once would lay the page out twice. */
function useOpenPageInView() {
  const menu = useRef<HTMLElement>(null)
  const path = usePage()?.path
  useEffect(() => {
    const link = menu.current?.querySelector('[aria-current=page], [data-within]')
    if (!link) return
    const observer = new IntersectionObserver(([entry]) => {
      observer.disconnect()
      if (entry && entry.intersectionRatio < 1) link.scrollIntoView({ block: 'nearest' })
    })
    observer.observe(link)
    return () => observer.disconnect()
  }, [path])
  return menu
}

interface SectionProps {
  section: ShownSection
  isSmall: boolean
  onNavigate: (() => void) | undefined
}

/** The links of a section. One of rarer use is folded unless its page is open or a person unfolds it. */
function SidebarSection({ section, isSmall, onNavigate }: SectionProps) {
  const { t } = useTranslate()
  const list = useId()
  const page = usePage()
  const isWithin = section.pages.some(each => each.name === page?.name || each.name === page?.parent)
  const [isUnfolded, setIsUnfolded] = useState(false)
  const isOpen = !section.isFolded || isWithin || isUnfolded
  const name = t(`routes:sections.${section.name}`)
  const [first] = section.pages
  if (isSmall && !isOpen && first)
    return (
      <div className={styles.section}>
        <PageLink page={first} name={name} icon={section.icon} isSmall onNavigate={onNavigate} />
      </div>
    )
  const isTitled = section.pages.length > 1
  return (
    <div className={styles.section}>
      {isTitled && isSmall && <hr className={styles.rule} />}
      {isTitled && !isSmall && !section.isFolded && <Text className={styles.heading}>{name}</Text>}
      {isTitled && !isSmall && section.isFolded && (
        <button
          type="button"
          className={styles.fold}
          aria-expanded={isOpen}
          aria-controls={list}
          disabled={isWithin}
          onClick={() => setIsUnfolded(!isUnfolded)}
        >
          <span>{name}</span>
          <IconChevronDown size={14} aria-hidden />
        </button>
      )}
      <div id={list} className={styles.links}>
        {isOpen &&
          section.pages.map(each => (
            <PageLink
              key={each.name}
              page={each}
              name={t(`routes:${each.name}`)}
              icon={each.icon}
              isSmall={isSmall}
              onNavigate={onNavigate}
            />
          ))}
      </div>
    </div>
  )
}

interface PageLinkProps {
  page: Page
  name: string
  icon: Icon
  isSmall: boolean
  onNavigate: (() => void) | undefined
}

function PageLink({ page, name, icon: Glyph, isSmall, onNavigate }: PageLinkProps) {
  const isWithin = usePage()?.parent === page.name
  return (
    <Tooltip label={name} position="right" disabled={!isSmall}>
      <NavLink
        to={page.path}
        // A text: the tooltip drops a function. The router adds `pending` to it.
        className={styles.link ?? ''}
        onClick={onNavigate}
        aria-label={isSmall ? name : undefined}
        data-within={isWithin || undefined}
      >
        <Glyph size={20} stroke={1.75} aria-hidden />
        {!isSmall && <span>{name}</span>}
      </NavLink>
    </Tooltip>
  )
}
