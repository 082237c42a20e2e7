import { readDelivery } from '@floorcast/contract/delivery-report.ts'
import {
  editMedia,
  listMedia,
  listMediaGroups,
  listMediaPlaylists,
  MediaFilter,
  readMedia,
  type MediaType,
} from '@floorcast/contract/media.ts'
import type { BodyOf, QueryOf } from '@floorcast/contract/endpoint.ts'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { call, change } from '../../platform/client.ts'

type Filter = z.output<typeof MediaFilter>

/** What names a media item in the calls. */
export interface MediaAddress {
  contentType: MediaType
  uid: string
}

const everything = ['media'] as const

/** What is read about media. Every key begins with `media`, so that the live stream finds it. */
export const mediaQueries = {
  list: (contentType: MediaType, query: Filter) =>
    queryOptions({
      queryKey: [...everything, 'list', contentType, query],
      queryFn: ({ signal }) => call(listMedia, { params: { contentType }, query, signal }),
      placeholderData: keepPreviousData,
    }),
  card: (params: MediaAddress) =>
    queryOptions({
      queryKey: [...everything, 'card', params],
      queryFn: ({ signal }) => call(readMedia, { params, signal }),
    }),
  /** Plays by the plan and as made, by publication, over the last days up to today. */
  delivery: (uid: string, period: { from: string; to: string }) =>
    queryOptions({
      queryKey: [...everything, 'delivery', uid, period],
      queryFn: ({ signal }) => call(readDelivery, { params: { uid }, query: period, signal }),
      placeholderData: keepPreviousData,
    }),
  playlists: (params: MediaAddress, query: QueryOf<typeof listMediaPlaylists>) =>
    queryOptions({
      queryKey: [...everything, 'playlists', params, query],
      queryFn: ({ signal }) => call(listMediaPlaylists, { params, query, signal }),
      placeholderData: keepPreviousData,
    }),
  groups: (params: MediaAddress, query: QueryOf<typeof listMediaPlaylists>) =>
    queryOptions({
      queryKey: [...everything, 'groups', params, query],
      queryFn: ({ signal }) => call(listMediaGroups, { params, query, signal }),
      placeholderData: keepPreviousData,
    }),
}

/** What a list's address asks for; what makes no sense there filters nothing. */
export const readMediaFilter = (query: Record<string, unknown>): Filter =>
  MediaFilter.safeParse(query).data ?? MediaFilter.parse({})

/** Reads everything about media again. */
export function useMediaRefresh(): () => Promise<void> {
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ queryKey: everything })
}

/** Changes name or description. @throws Refusal, CallError */
export function useMediaEdit(contentType: MediaType) {
  const refresh = useMediaRefresh()
  return useMutation({
    mutationFn: (body: BodyOf<typeof editMedia>) => change(editMedia, { params: { contentType }, body }),
    onSuccess: refresh,
  })
}
