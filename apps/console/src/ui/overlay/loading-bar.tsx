import { useTranslate } from '../../platform/i18n.ts'

/** A bar at the top of the window while a page or a part of it is loading: the one of `index.html`, which comes before any script. */
export function LoadingBar() {
  const { t } = useTranslate()
  return <div className="loading-bar" role="progressbar" aria-label={t('loading')} />
}
