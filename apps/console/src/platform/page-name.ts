import { useEffect } from 'react'
import { createStore, useStore } from './store.ts'

interface PageName {
  name: string
  /** It is the page's heading, and the breadcrumbs say what it is; else the other way round. */
  isHeading: boolean
}

const pageName = createStore<PageName | null>(null)

/** Sets the name of a detail page's item for the heading or the breadcrumbs, and for the window's title. */
export function useNamedPage(name: string | undefined, isHeading = false): void {
  useEffect(() => {
    pageName.set(name === undefined ? null : { name, isHeading })
    return () => pageName.set(null)
  }, [name, isHeading])
}

/** The name of the current page's item; null for other pages. */
export function usePageName(): PageName | null {
  return useStore(pageName)
}
