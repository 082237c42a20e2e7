import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { readListView, writeListView, type ListDefaults, type ListView } from './list-address.ts'

/** A list's view and the way to change it. */
export interface ListControl {
  view: ListView
  /** What the server's list calls take: page, size, search, sort, dir and the filters in one object. */
  query: { page: number; size: number; search: string; dir: 'asc' | 'desc'; sort?: string } & Record<
    string,
    unknown
  >
  /** Changes the view; anything but a page turn leads back to page 1. A correction leaves no step in the history. */
  show(change: Partial<ListView>, isCorrection?: boolean): void
  isFiltered: boolean
}

/**
 * A list whose page, size, search, order and filters live in the address bar, so that back, reload and a shared link
 * show the same. @param defaults must be a constant: it is compared by identity
 */
export function useList(defaults: ListDefaults): ListControl {
  const [address, setAddress] = useSearchParams()
  const view = useMemo(() => readListView(address, defaults), [address, defaults])
  const show = useCallback(
    (change: Partial<ListView>, isCorrection = false) => {
      setAddress(
        now => writeListView(now, { ...readListView(now, defaults), page: 1, ...change }, defaults),
        { replace: isCorrection || change.search !== undefined, preventScrollReset: true },
      )
    },
    [setAddress, defaults],
  )
  const query = useMemo(() => {
    const { page, size, search, dir, sort, filters } = view
    return { page, size, search, dir, ...(sort === undefined ? {} : { sort }), ...filters }
  }, [view])
  return { view, query, show, isFiltered: view.search !== '' || Object.keys(view.filters).length > 0 }
}
