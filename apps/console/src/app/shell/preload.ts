import type { SyntheticEvent } from 'react'
import { matchPath } from 'react-router'
import { fetchWaiting } from '../../ui/overlay/on-demand.tsx'
import { loadPage, pages, type Page } from '../pages.ts'

const preloaded = new Set<Page>()
/** The page itself comes first. */
const waitMs = 100
let timer: ReturnType<typeof setTimeout> | undefined

/**
 * While the pointer is over the page or something has the focus, loads what the page needs when it is used, and the page
 * that a link leads to: a click then has it at once.
 */
export function preloadLinked({ target }: SyntheticEvent): void {
  timer ??= setTimeout(() => {
    timer = undefined
    void fetchWaiting()
  }, waitMs)
  const link = target instanceof Element ? target.closest('a') : null
  if (!link || link.origin !== location.origin) return
  const page = pages.find(({ path }) => matchPath(path, link.pathname))
  if (!page || preloaded.has(page)) return
  preloaded.add(page)
  // The click tries again, and says it.
  loadPage(page).catch(() => preloaded.delete(page))
}
