import {
  addPublication,
  changePublicationState,
  delayPublication,
  editPublication,
  listPublicationDevices,
  listPublications,
  PublicationDeviceFilter,
  PublicationFilter,
  readPublication,
  replacePublicationPlaylist,
  returnPublicationPlaylist,
  type PublicationRow,
  type PublicationState,
} from '@floorcast/contract/publications.ts'
import { readGroup } from '@floorcast/contract/groups.ts'
import { readPlaylist } from '@floorcast/contract/playlists.ts'
import type { BodyOf } from '@floorcast/contract/endpoint.ts'
import { KindFilter, type Kind } from '@floorcast/contract/fields.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { call, change } from '../../platform/client.ts'
import { queryKeys } from '../../platform/query-keys.ts'
import { useRenaming } from '../../platform/renaming.ts'
import { useChange } from '../../platform/use-change.ts'

type Filter = z.output<typeof PublicationFilter>
type DeviceFilter = z.output<typeof PublicationDeviceFilter>

export const publicationQueries = {
  list: (kind: KindFilter, query: Filter) =>
    queryOptions({
      queryKey: queryKeys.publications.list(kind, query),
      queryFn: ({ signal }) => call(listPublications, { params: { x: kind }, query, signal }),
      placeholderData: keepPreviousData,
    }),
  card: (uid: string) =>
    queryOptions({
      queryKey: queryKeys.publications.card(uid),
      queryFn: ({ signal }) => call(readPublication, { params: { id: uid }, signal }),
    }),
  devices: (uid: string, query: DeviceFilter) =>
    queryOptions({
      queryKey: queryKeys.publications.devices(uid, query),
      queryFn: ({ signal }) => call(listPublicationDevices, { params: { id: uid }, query, signal }),
      placeholderData: keepPreviousData,
    }),
  /** A group or playlist that was chosen. */
  group: (uid: string | null) =>
    queryOptions({
      queryKey: queryKeys.groups.card(uid ?? ''),
      queryFn: ({ signal }) => call(readGroup, { params: { id: uid ?? '' }, signal }),
      enabled: uid !== null,
    }),
  playlist: (uid: string | null) =>
    queryOptions({
      queryKey: queryKeys.playlists.card(uid ?? ''),
      queryFn: ({ signal }) => call(readPlaylist, { params: { id: uid ?? '' }, signal }),
      enabled: uid !== null,
    }),
}

/** The filter in a list's address; an invalid one filters nothing. */
export const readPublicationFilter = (query: Record<string, unknown>): Filter =>
  PublicationFilter.safeParse(query).data ?? PublicationFilter.parse({})

/** The same of the devices of a publication. */
export const readDeviceFilter = (query: Record<string, unknown>): DeviceFilter =>
  PublicationDeviceFilter.safeParse(query).data ?? PublicationDeviceFilter.parse({})

/** The kind in a list's address; all kinds when it is invalid. */
export const readKind = (value: unknown): KindFilter => KindFilter.safeParse(value).data ?? 'all'

/** Creates a publication, turned off; resolves with its uid. @throws Refusal 400 when kinds do not fit */
export const useAddPublication = () =>
  useChange('publication', ({ kind, ...body }: BodyOf<typeof addPublication> & { kind: Kind }) =>
    change(addPublication, { params: { contentType: kind }, body }),
  )

/** Edits a publication that is off; name and description in any state. @throws Refusal, CallError */
export const useEditPublication = () =>
  useChange('publication', (body: BodyOf<typeof editPublication>) => change(editPublication, { body }))

/** Renames a publication, in any state. */
export const useRenamePublication = () =>
  useRenaming<PublicationRow & { version?: number }>({
    edit: useEditPublication().mutateAsync,
    read: uid => call(readPublication, { params: { id: uid } }),
  })

/** Turns one on or off. @throws Refusal with the codes of docs/specification.md#4-states-and-transitions; CallError 409 when `from` is stale */
export const useChangePublicationState = () =>
  useChange('publication', ({ uid, from }: { uid: string; from: PublicationState }) =>
    change(changePublicationState, { params: { id: uid }, query: { from } }),
  )

/**
 * Schedules the start. @throws Refusal with the codes of docs/specification.md#4-states-and-transitions; CallError
 * 400 in the past
 */
export const useDelayPublication = () =>
  useChange('publication', (params: { uid: string; startdatetime: string }) =>
    change(delayPublication, { params }),
  )

/** The publication, and the playlist that it played when the user read it. */
interface Expected {
  uid: string
  from: string
}

/** Replaces the playlist. @throws Refusal with 3 or -2; CallError 409 when it no longer plays `from` */
export const useReplacePublicationPlaylist = () =>
  useChange('publication', ({ uid, from, playlistUid }: Expected & { playlistUid: string }) =>
    change(replacePublicationPlaylist, { params: { uid }, query: { from }, body: { playlistUid } }),
  )

/** Returns to the previous playlist. @throws Refusal with 3 or -2; CallError 409 when it no longer plays `from` */
export const useReturnPublicationPlaylist = () =>
  useChange('publication', ({ uid, from }: Expected) =>
    change(returnPublicationPlaylist, { params: { uid }, query: { from } }),
  )
