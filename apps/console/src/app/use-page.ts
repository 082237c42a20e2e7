import { useMatches } from 'react-router'
import type { Page } from './pages.ts'

function isPage(handle: unknown): handle is Page {
  return typeof handle === 'object' && handle !== null && 'section' in handle
}

/** The current page in `pages.ts`. */
export function usePage(): Page | undefined {
  return useMatches()
    .map(match => match.handle)
    .find(isPage)
}
