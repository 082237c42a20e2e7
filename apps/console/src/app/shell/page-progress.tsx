import { useNavigation } from 'react-router'
import { useTranslate } from '../../platform/i18n.ts'
import styles from './shell.module.css'

/** A bar at the top of the window while a page is on its way. */
export function PageProgress() {
  const { t } = useTranslate()
  const { state } = useNavigation()
  if (state === 'idle') return null
  return <div className={styles.progress} role="progressbar" aria-label={t('loading')} />
}
