import { useTranslate } from '../../platform/i18n.ts'
import styles from './loading-bar.module.css'

/** A bar at the top of the window while a page or a part of it is on its way. */
export function LoadingBar() {
  const { t } = useTranslate()
  return <div className={styles.bar} role="progressbar" aria-label={t('loading')} />
}
