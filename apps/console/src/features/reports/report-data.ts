import { CallError } from '@floorcast/contract/client.ts'
import { listDevices, readDevice } from '@floorcast/contract/devices.ts'
import type { Reference } from '@floorcast/contract/fields.ts'
import { listGroups, readGroup } from '@floorcast/contract/groups.ts'
import { isAd, listMedia, MediaType, readMedia } from '@floorcast/contract/media.ts'
import { listPlaylists, readPlaylist } from '@floorcast/contract/playlists.ts'
import { reportCalls, type ReportParams } from '@floorcast/contract/report-calls.ts'
import type { ReportName } from '@floorcast/contract/reports.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/client.ts'
import { queryKeys } from '../../platform/query-keys.ts'

/** While it makes another report of the client, the server refuses more. */
export const isServerBusy = (error: unknown): error is CallError =>
  error instanceof CallError && (error.status === 429 || error.status === 503)

const MAX_TRIES = 40

/** The first rows of a report; asks again while the server is busy. */
export const previewQuery = (report: ReportName, params: ReportParams) =>
  queryOptions({
    queryKey: queryKeys.reports.preview(report, params),
    queryFn: ({ signal }) => call(reportCalls[report].preview, { params, signal }),
    staleTime: 60_000,
    retry: (count, error) => (isServerBusy(error) ? count < MAX_TRIES : isPassing(error) && count < 2),
    retryDelay: (count, error) =>
      error instanceof CallError ? (error.retryAfterSeconds ?? 2) * 1000 : 1000 * 2 ** count,
  })

const isPassing = (error: unknown) =>
  error instanceof CallError && (error.status === 0 || error.status >= 502)

/** An item of a filter; of a media item its content type, which its uid does not tell. */
export interface FilterItem {
  uid: string
  contentType?: MediaType | undefined
}

/** The items found for a filter. */
interface Found {
  items: readonly (FilterItem & Reference)[]
  hasMore: boolean
}

interface ItemSource {
  search: (search: string, signal: AbortSignal) => Promise<Found>
  /** @throws CallError 404 for what was deleted */
  read: (item: FilterItem, signal: AbortSignal) => Promise<Reference>
}

const isGone = (error: unknown) => error instanceof CallError && error.status === 404

const SHOWN = 20

interface ListAnswer {
  items: readonly (FilterItem & Reference)[]
  total: number
}

function toFound(lists: readonly ListAnswer[]): Found {
  const items = lists.flatMap(list => list.items)
  return {
    items: items.slice(0, SHOWN),
    hasMore: lists.reduce((sum, { total }) => sum + total, 0) > SHOWN,
  }
}

const listOf = (search: string) => ({ search, size: SHOWN, sort: 'name' }) as const

/** Media items of some content types. */
const mediaOf = (types: readonly MediaType[]): ItemSource => ({
  search: async (search, signal) =>
    toFound(
      await Promise.all(
        types.map(async contentType => {
          const query = listOf(search)
          const { items, total } = await call(listMedia, { params: { contentType }, query, signal })
          return { total, items: items.map(({ uid, name }) => ({ uid, name, contentType })) }
        }),
      ),
    ),
  read: async ({ uid, contentType }, signal) => {
    const read = (of: MediaType) => call(readMedia, { params: { contentType: of, uid }, signal })
    if (contentType) return read(contentType)
    // An address that was written without a content type: most have an ad.
    try {
      return await read('ads')
    } catch (error) {
      if (!isGone(error)) throw error
      return Promise.any(types.filter(each => each !== 'ads').map(read))
    }
  },
})

const sources = {
  device: {
    search: async (search, signal) => toFound([await call(listDevices, { query: listOf(search), signal })]),
    read: ({ uid }, signal) => call(readDevice, { params: { id: uid }, signal }),
  },
  group: {
    search: async (search, signal) =>
      toFound([await call(listGroups, { params: { x: 'all' }, query: listOf(search), signal })]),
    read: ({ uid }, signal) => call(readGroup, { params: { id: uid }, signal }),
  },
  playlist: {
    search: async (search, signal) =>
      toFound([await call(listPlaylists, { params: { x: 'all' }, query: listOf(search), signal })]),
    read: ({ uid }, signal) => call(readPlaylist, { params: { id: uid }, signal }),
  },
  media: mediaOf(MediaType.options),
  ad: mediaOf(MediaType.options.filter(isAd)),
} as const satisfies Record<string, ItemSource>

/** The kinds of items that a filter picks. */
export type ItemKind = keyof typeof sources

export const itemOptionsQuery = (kind: ItemKind, search: string) =>
  queryOptions({
    queryKey: queryKeys.reports.options(kind, search),
    queryFn: ({ signal }) => sources[kind].search(search, signal),
  })

/** The name of a picked item; null for one that no longer exists. */
export const itemNameQuery = (kind: ItemKind, item: FilterItem) =>
  queryOptions({
    queryKey: queryKeys.reports.itemName(kind, item),
    queryFn: async ({ signal }): Promise<string | null> => {
      try {
        return (await sources[kind].read(item, signal)).name
      } catch (error) {
        const causes: unknown[] = error instanceof AggregateError ? error.errors : [error]
        if (causes.every(isGone)) return null
        throw error
      }
    },
    staleTime: 60_000,
  })
