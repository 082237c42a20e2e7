import type { SavedView, ViewedList } from '@floorcast/contract/saved-views.ts'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useLayoutEffect, useMemo, useRef } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { hasLeft } from '../../platform/navigate.ts'
import { savedViewsQuery } from './saved-views/saved-views-data.ts'
import {
  queryOf,
  readListView,
  writeListView,
  type ListDefaults,
  type ListQuery,
  type ListView,
} from './list-address.ts'

/** The saved view that the address names. */
interface OpenView {
  /** The list whose views can be opened; null: it keeps none. */
  list: ViewedList | null
  view: SavedView | null
  /** Why there is none, although the address names one. */
  fault: 'missing' | 'failed' | null
  /** Names of its filters that the list does not have. */
  goneFilters: readonly string[]
}

type ViewChange = Partial<ListView> | ((now: ListView) => Partial<ListView>)

/** A list's view and the way to change it. */
export interface ListControl {
  view: ListView
  query: ListQuery
  /** False until the saved view that the address names is there: the page's query waits for it. */
  isReady: boolean
  saved: OpenView
  /**
   * Changes the view; anything but a page turn leads back to page 1. A correction leaves no step in the history. What
   * depends on the view is a function: it is given the newest one, which may not be drawn yet.
   */
  show(change: ViewChange, isCorrection?: boolean): void
  /** Shows a saved view as it was saved; null: everything. */
  open(viewUid: string | null): void
  /** The address that shows the same list to another user, without the columns of a view that is not shared. */
  link(): string
  isFiltered: boolean
}

export interface ListPageDefaults extends ListDefaults {
  /** The list keeps views under this name. */
  views?: ViewedList
}

const PARAMETER = 'view'
const nothing: SavedView[] = []

/** The saved view that the address names; null while it is looked up. */
function useOpenView({ views, filters }: ListPageDefaults, uid: string | null): OpenView | null {
  const isNamed = views !== undefined && uid !== null
  const {
    data = nothing,
    isFetching,
    isError,
  } = useQuery({ ...savedViewsQuery(views ?? 'devices'), enabled: isNamed })
  const view = isNamed ? (data.find(saved => saved.uid === uid) ?? null) : null
  const isLookedUp = isNamed && view === null && isFetching
  return useMemo(() => {
    if (isLookedUp) return null
    return {
      list: views ?? null,
      view,
      fault: isNamed && !view ? (isError ? 'failed' : 'missing') : null,
      goneFilters: Object.keys(view?.filters ?? {}).filter(name => !filters?.includes(name)),
    }
  }, [isLookedUp, views, view, isNamed, isError, filters])
}

/** The defaults of a list while a saved view is open: an address that names nothing else shows it. */
const defaultsOf = (defaults: ListPageDefaults, view: SavedView | null): ListPageDefaults =>
  view
    ? {
        ...defaults,
        search: view.search,
        values: view.filters,
        dir: view.dir,
        ...(view.sort === null ? {} : { sort: view.sort }),
      }
    : defaults

/** Whether an address names a saved view. */
export const namesView = (address: URLSearchParams): boolean => address.has(PARAMETER)

/** The first query of a list at an address; null: the saved view that the address names comes first. */
export const readListQuery = (address: URLSearchParams, defaults: ListPageDefaults): ListQuery | null =>
  namesView(address) ? null : queryOf(readListView(address, defaults))

/**
 * A list whose page, size, search, order and filters live in the address bar, so that back, reload and a shared link
 * show the same. @param defaults must be a constant: it is compared by identity
 */
export function useList(defaults: ListPageDefaults): ListControl {
  const [address, setAddress] = useSearchParams()
  const { pathname } = useLocation()
  const opened = useOpenView(defaults, address.get(PARAMETER))
  const saved = opened ?? { list: defaults.views ?? null, view: null, fault: null, goneFilters: [] }
  const usual = useMemo(() => defaultsOf(defaults, saved.view), [defaults, saved.view])
  const view = useMemo(() => readListView(address, usual), [address, usual])
  // A change goes on from the one before it, which may not be drawn yet: the router's own update function starts from what is drawn.
  const newest = useRef(address)
  useLayoutEffect(() => {
    newest.current = address
  }, [address])
  const show = useCallback(
    (wanted: ViewChange, isCorrection = false) => {
      const now = readListView(newest.current, usual)
      const change = typeof wanted === 'function' ? wanted(now) : wanted
      const isLate = isCorrection || change.search !== undefined
      if (isLate && hasLeft(pathname)) return
      newest.current = writeListView(newest.current, { ...now, page: 1, ...change }, usual)
      setAddress(newest.current, { replace: isLate, preventScrollReset: true })
    },
    [setAddress, pathname, usual],
  )
  const open = useCallback(
    (viewUid: string | null) => {
      newest.current = addressOfView(newest.current, defaults, viewUid)
      setAddress(newest.current, { preventScrollReset: true })
    },
    [setAddress, defaults],
  )
  const query = useMemo(() => queryOf(view), [view])
  const link = () => {
    const { origin, pathname } = window.location
    const kept = saved.view?.isShared
      ? address
      : writeListView(addressOfView(address, defaults, null), view, defaults)
    return `${origin}${pathname}?${kept.toString()}`
  }
  const isFiltered = view.search !== '' || Object.keys(view.filters).length > 0
  return { view, query, isReady: opened !== null, saved, show, open, link, isFiltered }
}

/** The address with a saved view alone; everything that is not the list's stays. */
function addressOfView(
  address: URLSearchParams,
  defaults: ListPageDefaults,
  viewUid: string | null,
): URLSearchParams {
  const next = writeListView(address, readListView(new URLSearchParams(), defaults), defaults)
  if (viewUid === null) next.delete(PARAMETER)
  else next.set(PARAMETER, viewUid)
  return next
}
