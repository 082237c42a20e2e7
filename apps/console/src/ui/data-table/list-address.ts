import type { z } from 'zod'

/** The view of a list, as the address bar holds it; a default leaves no trace there. */
export interface ListView {
  page: number
  size: number
  search: string
  sort: string | undefined
  dir: 'asc' | 'desc'
  /** The list's own filters by name; an absent one filters nothing. */
  filters: Readonly<Record<string, string>>
}

/** 10 per page (docs/specification.md#9-business-constants-and-limits); users can choose 25, 50 and 100. */
export const pageSizes = [10, 25, 50, 100] as const

export interface ListDefaults {
  /** Names of the list's own filters; anything else in the address is left alone. */
  filters?: readonly string[]
  sort?: string
  dir?: 'asc' | 'desc'
  /** The search and the filters of a list whose address has none: a saved view's. */
  search?: string
  values?: Readonly<Record<string, string>>
}

/** Reads a list's view from the address; what makes no sense there is the default. */
export function readListView(address: URLSearchParams, defaults: ListDefaults = {}): ListView {
  const size = Number(address.get('size'))
  const page = Number(address.get('page'))
  const filters: Record<string, string> = {}
  for (const name of defaults.filters ?? []) {
    const value = address.get(name) ?? defaults.values?.[name]
    if (value) filters[name] = value
  }
  const dir = address.get('dir') ?? defaults.dir
  return {
    page: Number.isInteger(page) && page >= 1 ? page : 1,
    size: pageSizes.find(known => known === size) ?? pageSizes[0],
    search: address.get('search') ?? defaults.search ?? '',
    sort: address.get('sort') ?? defaults.sort,
    dir: dir === 'desc' ? 'desc' : 'asc',
    filters,
  }
}

/** The address with a list's view in it; everything that is not the list's stays. */
export function writeListView(
  address: URLSearchParams,
  view: ListView,
  defaults: ListDefaults = {},
): URLSearchParams {
  const next = new URLSearchParams(address)
  const put = (name: string, value: string | undefined, usual: string | undefined) => {
    if (value === undefined || value === '' || value === usual) next.delete(name)
    else next.set(name, value)
  }
  // An empty text takes back what a saved view searches or filters by.
  const putText = (name: string, value = '', usual = '') => {
    if (value === usual) next.delete(name)
    else next.set(name, value)
  }
  put('page', String(view.page), '1')
  put('size', String(view.size), String(pageSizes[0]))
  putText('search', view.search, defaults.search)
  put('sort', view.sort, defaults.sort)
  put('dir', view.dir, defaults.dir ?? 'asc')
  for (const name of defaults.filters ?? []) putText(name, view.filters[name], defaults.values?.[name])
  return next
}

/** The query of the server's list calls: page, size, search, sort, dir and the filters in one object. */
export type ListQuery = Pick<ListView, 'page' | 'size' | 'search' | 'dir'> & { sort?: string } & Record<
    string,
    unknown
  >

export const queryOf = ({ page, size, search, dir, sort, filters }: ListView): ListQuery => ({
  page,
  size,
  search,
  ...(sort === undefined ? {} : { sort }),
  dir,
  ...filters,
})

/** The filter of a list's call in its query; one that the call would refuse filters nothing. */
export const readFilter = <Filter extends z.ZodType>(filter: Filter, query: ListQuery): z.output<Filter> =>
  filter.safeParse(query).data ?? filter.parse({})

/** The page numbers to link: `links` of them around the page (docs/specification.md#9-business-constants-and-limits). */
export function pageWindow(page: number, pages: number, links = 5): number[] {
  const count = Math.min(links, Math.max(1, pages))
  const first = Math.max(1, Math.min(page - Math.floor(links / 2), pages - count + 1))
  return Array.from({ length: count }, (_, index) => first + index)
}
