import type { SavedView } from '@floorcast/contract/saved-views.ts'
import type { ListView } from '../list-address.ts'

/** The content of a view. */
export type ViewContent = Pick<SavedView, 'columns' | 'dir' | 'filters' | 'search' | 'sort'>

/** The content of a list, without its page and the size of its pages. */
export const contentOf = (
  { search, sort, dir, filters }: Pick<ListView, 'dir' | 'filters' | 'search' | 'sort'>,
  columns: readonly string[],
): ViewContent => ({ search, sort: sort ?? null, dir, filters: { ...filters }, columns: [...columns] })

const inOrder = (filters: Readonly<Record<string, string>>) =>
  JSON.stringify(Object.entries(filters).toSorted(([one], [other]) => (one < other ? -1 : 1)))

/** Whether a list shows something else than the open view. Filters that the list does not have any more do not count. */
export function isChanged(
  { view, goneFilters }: { view: SavedView | null; goneFilters: readonly string[] },
  content: ViewContent,
): boolean {
  if (!view) return false
  const filters = Object.fromEntries(
    Object.entries(view.filters).filter(([name]) => !goneFilters.includes(name)),
  )
  const hasColumns =
    view.columns.length === 0 || content.columns.toSorted().join() === view.columns.toSorted().join()
  return !(
    hasColumns &&
    view.search === content.search &&
    (view.sort === null || view.sort === content.sort) &&
    view.dir === content.dir &&
    inOrder(filters) === inOrder(content.filters)
  )
}
