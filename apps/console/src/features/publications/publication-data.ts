import {
  addPublication,
  changePublicationState,
  delayPublication,
  editPublication,
  listPublications,
  PublicationFilter,
  readPublication,
  replacePublicationPlaylist,
  returnPublicationPlaylist,
  selectGroups,
  selectPlaylists,
  type PublicationState,
} from '@floorcast/contract/publications.ts'
import type { BodyOf } from '@floorcast/contract/endpoint.ts'
import { KindFilter, type Kind } from '@floorcast/contract/fields.ts'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { call, change } from '../../platform/client.ts'

type Filter = z.output<typeof PublicationFilter>
export type KindWord = Kind | 'all'

const everything = ['publication'] as const

/** What is read about publications. Every key begins with its noun, so that the live stream finds it. */
export const publicationQueries = {
  everything: () => ({ queryKey: everything }),
  list: (kind: KindWord, query: Filter) =>
    queryOptions({
      queryKey: [...everything, 'list', kind, query],
      queryFn: ({ signal }) => call(listPublications, { params: { x: kind }, query, signal }),
      placeholderData: keepPreviousData,
    }),
  card: (uid: string) =>
    queryOptions({
      queryKey: [...everything, 'card', uid],
      queryFn: ({ signal }) => call(readPublication, { params: { id: uid }, signal }),
    }),
  groups: () =>
    queryOptions({
      queryKey: ['group', 'pick'],
      queryFn: ({ signal }) => call(selectGroups, { params: { x: 'all' }, signal }),
    }),
  playlists: () =>
    queryOptions({
      queryKey: ['playlist', 'pick'],
      queryFn: ({ signal }) => call(selectPlaylists, { params: { x: 'all' }, signal }),
    }),
}

/** What a list's address asks for; what makes no sense there filters nothing. */
export const readPublicationFilter = (query: Record<string, unknown>): Filter =>
  PublicationFilter.safeParse(query).data ?? PublicationFilter.parse({})

/** The kind that an address asks for; all when it makes no sense. */
export const readKind = (word: unknown): KindWord => KindFilter.safeParse(word).data ?? 'all'

/** Lists and cards that show publications. */
const isShown = (queryKey: readonly unknown[]) =>
  ['publication', 'group', 'playlist', 'device', 'dashboard'].includes(String(queryKey[0]))

/** A change of publications: groups, playlists and devices show what they play, so those are read again too. */
function usePublicationChange<Input, Answer>(run: (input: Input) => Promise<Answer>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: run,
    onSettled: () => queries.invalidateQueries({ predicate: ({ queryKey }) => isShown(queryKey) }),
  })
}

/** Binds a playlist to a group, turned off; answers its uid. @throws Refusal 400 when kinds do not fit */
export const usePublicationAdd = () =>
  usePublicationChange(({ kind, ...body }: BodyOf<typeof addPublication> & { kind: Kind }) =>
    change(addPublication, { params: { contentType: kind }, body }),
  )

/** Changes a publication that is off; name and description of any. @throws Refusal, CallError */
export const usePublicationEdit = () =>
  usePublicationChange((body: BodyOf<typeof editPublication>) => change(editPublication, { body }))

/** Turns one on or off. @throws Refusal with the codes of docs/specification.md#4-states-and-transitions; CallError 409 when `from` is stale */
export const usePublicationToggle = () =>
  usePublicationChange(({ uid, from }: { uid: string; from: PublicationState }) =>
    change(changePublicationState, { params: { id: uid }, query: { from } }),
  )

/** Starts one at a moment. @throws Refusal with the codes of docs/specification.md#4-states-and-transitions; CallError 400 in the past */
export const usePublicationDelay = () =>
  usePublicationChange((params: { uid: string; startdatetime: string }) =>
    change(delayPublication, { params }),
  )

/** What a person saw a publication play. */
interface Seen {
  uid: string
  from: string
}

/** Lets one play another playlist. @throws Refusal with 3 or -2; CallError 409 when it no longer plays `from` */
export const usePublicationReplace = () =>
  usePublicationChange(({ uid, from, playlistUid }: Seen & { playlistUid: string }) =>
    change(replacePublicationPlaylist, { params: { uid }, query: { from }, body: { playlistUid } }),
  )

/** Back to what it played before. @throws Refusal with 3 or -2; CallError 409 when it no longer plays `from` */
export const usePublicationReturn = () =>
  usePublicationChange(({ uid, from }: Seen) =>
    change(returnPublicationPlaylist, { params: { uid }, query: { from } }),
  )
