import { useMatches } from 'react-router'
import { type Page, pages } from './pages.ts'

/** The current page in `pages.ts`: the router has its name as the id of its route. */
export function usePage(): Page | undefined {
  const ids = useMatches().map(({ id }) => id)
  return pages.find(({ name }) => ids.includes(name))
}
