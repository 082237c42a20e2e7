import { useWords } from '../../platform/i18n.ts'
import { ActionIcon } from '@mantine/core'
import { IconMenu2 } from '@tabler/icons-react'
import { useSyncExternalStore } from 'react'
import styles from './shell.module.css'

/** The toggle is fixed in view once the page is scrolled this far, in px (docs/specification.md#9-business-constants-and-limits). */
const appearsAfter = 50

function follow(notify: () => void): () => void {
  addEventListener('scroll', notify, { passive: true })
  return () => removeEventListener('scroll', notify)
}

export function FixedToggle({ toggleMenu }: { toggleMenu: () => void }) {
  const { t } = useWords()
  const isScrolled = useSyncExternalStore(follow, () => scrollY > appearsAfter)
  if (!isScrolled) return null
  return (
    <ActionIcon
      variant="default"
      className={styles.fixedToggle}
      aria-label={t('toggleMenu')}
      onClick={toggleMenu}
    >
      <IconMenu2 size={20} aria-hidden />
    </ActionIcon>
  )
}
