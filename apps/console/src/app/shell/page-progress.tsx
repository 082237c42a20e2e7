import { useEffect, useTransition } from 'react'
import { useNavigation } from 'react-router'
import { LoadingBar } from '../../ui/overlay/loading-bar.tsx'
import styles from './page-progress.module.css'

/**
 * Whether the page behind a clicked link is being drawn. The router draws a page as a transition, and this one ends with it. A page
 * whose parts are all there comes without a pause, but takes up to 200 ms to draw on a slow machine.
 */
function useIsDrawing(): boolean {
  const [isDrawing, startTransition] = useTransition()
  useEffect(() => {
    const note = ({ target, defaultPrevented }: MouseEvent) => {
      // The router prevents what the browser would do.
      if (defaultPrevented && target instanceof Element && target.closest('a[href]'))
        startTransition(() => undefined)
    }
    document.addEventListener('click', note)
    return () => document.removeEventListener('click', note)
  }, [])
  return isDrawing
}

/** A bar at the top of the window while a page is on its way. */
export function PageProgress() {
  const { state } = useNavigation()
  const isDrawing = useIsDrawing()
  if (state !== 'idle') return <LoadingBar />
  return isDrawing ? (
    <div className={styles.drawing}>
      <LoadingBar />
    </div>
  ) : null
}
