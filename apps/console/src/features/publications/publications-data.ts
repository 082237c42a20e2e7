import {
  addPublication,
  changePublicationState,
  delayPublication,
  editPublication,
  listPublicationDevices,
  listPublications,
  readPublication,
  replacePublicationPlaylist,
  returnPublicationPlaylist,
  type PublicationRow,
} from '@floorcast/contract/publications.ts'
import { readGroup } from '@floorcast/contract/groups.ts'
import { readPlaylist } from '@floorcast/contract/playlists.ts'
import type { QueryOf } from '@floorcast/contract/endpoint.ts'
import type { KindFilter } from '@floorcast/contract/fields.ts'
import { callQuery, listQuery } from '../../platform/call-query.ts'
import { call, change } from '../../platform/client.ts'
import { queryKeys } from '../../platform/query-keys.ts'
import { useRenaming } from '../../platform/renaming.ts'
import { changeHook, stateHook, useChange } from '../../platform/use-change.ts'

export const publicationQueries = {
  list: (kind: KindFilter, query: QueryOf<typeof listPublications>) =>
    listQuery(queryKeys.publications.list(kind, query), listPublications, { params: { x: kind }, query }),
  card: (uid: string) =>
    callQuery(queryKeys.publications.card(uid), readPublication, { params: { id: uid } }),
  devices: (uid: string, query: QueryOf<typeof listPublicationDevices>) =>
    listQuery(queryKeys.publications.devices(uid, query), listPublicationDevices, {
      params: { id: uid },
      query,
    }),
  /** A group or playlist that was chosen. */
  group: (uid: string | null) =>
    callQuery(queryKeys.groups.card(uid ?? ''), readGroup, {
      params: { id: uid ?? '' },
      enabled: uid !== null,
    }),
  playlist: (uid: string | null) =>
    callQuery(queryKeys.playlists.card(uid ?? ''), readPlaylist, {
      params: { id: uid ?? '' },
      enabled: uid !== null,
    }),
}

/** Creates a publication, turned off; resolves with its uid. @throws Refusal 400 when kinds do not fit */
export const useAddPublication = changeHook('publication', addPublication)
/** Edits a publication that is off; name and description in any state. @throws Refusal, CallError */
export const useEditPublication = changeHook('publication', editPublication)
/** Turns one on or off. @throws Refusal with the codes of docs/specification.md#4-states-and-transitions; CallError 409 when `from` is stale */
export const useChangePublicationState = stateHook('publication', changePublicationState)
/**
 * Schedules the start. @throws Refusal with the codes of docs/specification.md#4-states-and-transitions; CallError
 * 400 in the past
 */
export const useDelayPublication = changeHook('publication', delayPublication)

/** Renames a publication, in any state. */
export const useRenamePublication = () =>
  useRenaming<PublicationRow & { version?: number }>({
    edit: useEditPublication().mutateAsync,
    read: uid => call(readPublication, { params: { id: uid } }),
  })

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
export const useReturnPublicationPlaylist = changeHook('publication', returnPublicationPlaylist)
