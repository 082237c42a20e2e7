import { useTranslate } from '../../platform/i18n.ts'
import { Text } from '@mantine/core'
import { Link, NavLink } from 'react-router'
import { useSignedInUser } from '../../platform/session.ts'
import { Mark } from '../../ui/brand.tsx'
import { homeOf } from '../../platform/paths.ts'
import { Tooltip } from '../../ui/overlay/overlays.tsx'
import { pageIcons } from '../page-icons.ts'
import type { Page } from '../pages.ts'
import { sectionsFor } from '../sections.ts'
import { usePage } from '../use-page.ts'
import styles from './sidebar.module.css'

/**
 * Links to every page that the user may open.
 * @param isSmall icons only, names as tooltips
 */
export function Sidebar({ isSmall, onNavigate }: { isSmall: boolean; onNavigate?: () => void }) {
  const { t } = useTranslate()
  const user = useSignedInUser()
  return (
    <nav className={styles.sidebar} data-small={isSmall || undefined} aria-label={t('shell:menu')}>
      <Link to={homeOf(user)} className={styles.brand} aria-label="Floorcast" onClick={onNavigate}>
        <Mark />
        {!isSmall && <span>Floorcast</span>}
      </Link>
      {sectionsFor(user).map(section => (
        <div key={section.name} className={styles.section}>
          {section.pages.length > 1 && !isSmall && (
            <Text className={styles.heading}>{t(`routes:sections.${section.name}`)}</Text>
          )}
          {section.pages.length > 1 && isSmall && <hr className={styles.rule} />}
          {section.pages.map(page => (
            <PageLink key={page.name} page={page} isSmall={isSmall} onNavigate={onNavigate} />
          ))}
        </div>
      ))}
    </nav>
  )
}

function PageLink({
  page,
  isSmall,
  onNavigate,
}: {
  page: Page
  isSmall: boolean
  onNavigate: (() => void) | undefined
}) {
  const { t } = useTranslate()
  const name = t(`routes:${page.name}`)
  const Icon = pageIcons[page.name]
  const isWithin = usePage()?.parent?.path === page.path
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
        <Icon size={20} stroke={1.75} aria-hidden />
        {!isSmall && <span>{name}</span>}
      </NavLink>
    </Tooltip>
  )
}
