import type { SyntheticEvent } from 'react'
import { matchPath } from 'react-router'
import { pages, type Page } from '../pages.ts'

const preloaded = new Set<Page>()

/** Loads the page that a link leads to while the pointer is over it or it has the focus: a click then has it at once. */
export function preloadLinked({ target }: SyntheticEvent): void {
  const link = target instanceof Element ? target.closest('a') : null
  if (!link || link.origin !== location.origin) return
  const page = pages.find(({ path }) => matchPath(path, link.pathname))
  if (!page || preloaded.has(page)) return
  preloaded.add(page)
  // The click tries again, and says it.
  page.load().catch(() => preloaded.delete(page))
}
