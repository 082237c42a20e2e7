import { useEffect, useTransition, type PointerEvent, type SyntheticEvent } from 'react'
import { useNavigation, matchPath } from 'react-router'
import { LoadingBar } from '../../ui/overlay/loading-bar.tsx'
import { fetchWaiting } from '../../ui/overlay/on-demand.tsx'
import { loadPage } from '../open-page.ts'
import { pages, type Page } from '../pages.ts'
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

/** A bar at the top of the window while a page is loading. */
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

const preloaded = new Set<Page>()
/** The page itself comes first. */
const waitMs = 100
let timer: ReturnType<typeof setTimeout> | undefined

/** Loads what the page needs when it is used: a click then has it at once. */
function preloadParts(): void {
  timer ??= setTimeout(() => {
    timer = undefined
    void fetchWaiting()
  }, waitMs)
}

/** Loads the page that a link leads to. */
function preloadLinked({ target }: SyntheticEvent): void {
  const link = target instanceof Element ? target.closest('a') : null
  if (!link || link.origin !== location.origin) return
  const page = pages.find(({ path }) => matchPath(path, link.pathname))
  if (!page || preloaded.has(page)) return
  preloaded.add(page)
  // The click tries again, and says it.
  loadPage(page.name).catch(() => preloaded.delete(page))
}

/** Listeners that load what the user is about to need: over links, and as soon as the pointer moves or something has the focus. */
export const preloading = {
  onPointerOver: preloadLinked,
  // A page that comes below a pointer that lies still has an event too.
  onPointerMove: ({ movementX, movementY }: PointerEvent) => {
    if (movementX !== 0 || movementY !== 0) preloadParts()
  },
  onPointerDown: preloadParts,
  onFocus: (event: SyntheticEvent) => {
    preloadLinked(event)
    preloadParts()
  },
}
