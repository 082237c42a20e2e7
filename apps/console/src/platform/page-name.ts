import { useEffect } from 'react'
import type { Renaming } from './renaming.ts'
import { createStore, useStore } from './store.ts'

interface PageName {
  name: string
  /** It is the page's heading, and the breadcrumbs say what it is; else the other way round. */
  isHeading: boolean
  /** Null: the name cannot be changed in the heading. */
  renaming: Renaming | null
}

const pageName = createStore<PageName | null>(null)

/** Sets the name of a detail page's item for the heading or the breadcrumbs, and for the window's title. */
export function useNamedPage(
  name: string | undefined,
  isHeading = false,
  renaming: Renaming | null = null,
): void {
  useEffect(() => {
    pageName.set(name === undefined ? null : { name, isHeading, renaming })
  }, [name, isHeading, renaming])
  useEffect(() => () => pageName.set(null), [])
}

/** The name of the current page's item; null for other pages. */
export function usePageName(): PageName | null {
  return useStore(pageName)
}
