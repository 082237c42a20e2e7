import { useEffect } from 'react'
import { createStore, useStore } from './store.ts'

const pageName = createStore<string | null>(null)

/** Sets the name of a detail page's item for the breadcrumbs and the window's title. */
export function useNamedPage(name: string | undefined): void {
  useEffect(() => {
    pageName.set(name ?? null)
    return () => pageName.set(null)
  }, [name])
}

/** The name of the current page's item; null for other pages. */
export function usePageName(): string | null {
  return useStore(pageName)
}
