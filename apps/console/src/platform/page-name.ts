import { useEffect } from 'react'
import { createStore, useStore } from './store.ts'

const pageName = createStore<string | null>(null)

/** A detail page tells the top bar what its thing is called: the last crumb and the window's title. */
export function useNamedPage(name: string | undefined): void {
  useEffect(() => {
    pageName.set(name ?? null)
    return () => pageName.set(null)
  }, [name])
}

/** What the page in view is called, null for pages without a thing of their own. */
export function usePageName(): string | null {
  return useStore(pageName)
}
