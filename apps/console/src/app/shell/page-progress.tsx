import { useNavigation } from 'react-router'
import { useTranslate } from '../../platform/i18n.ts'
import styles from './shell.module.css'

/** A bar at the top of the window: what was asked for is on its way. */
export function ProgressBar() {
  const { t } = useTranslate()
  return <div className={styles.progress} role="progressbar" aria-label={t('loading')} />
}

/** While a page is on its way. */
export function PageProgress() {
  const { state } = useNavigation()
  return state === 'idle' ? null : <ProgressBar />
}
