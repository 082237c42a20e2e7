import type { AnswerOf, BodyOf, QueryOf } from '@floorcast/contract/endpoint.ts'
import { importCredits } from '@floorcast/contract/media-credit-calls.ts'
import {
  editMedia,
  listMedia,
  listMediaGroups,
  listMediaPlaylists,
  readMedia,
  type MediaType,
} from '@floorcast/contract/media.ts'
import { callQuery, listQuery } from '../../platform/call-query.ts'
import { call, change } from '../../platform/client.ts'
import { queryKeys } from '../../platform/query-keys.ts'
import { type RenameItem, useRenaming } from '../../platform/renaming.ts'
import { useChange } from '../../platform/use-change.ts'

/** The parameters that identify a media item in calls. */
export interface MediaAddress {
  contentType: MediaType
  uid: string
}

export const mediaQueries = {
  list: (contentType: MediaType, query: QueryOf<typeof listMedia>) =>
    listQuery(queryKeys.media.list(contentType, query), listMedia, { params: { contentType }, query }),
  card: (params: MediaAddress) => callQuery(queryKeys.media.card(params), readMedia, { params }),
  playlists: (params: MediaAddress, query: QueryOf<typeof listMediaPlaylists>) =>
    listQuery(queryKeys.media.playlists(params, query), listMediaPlaylists, { params, query }),
  groups: (params: MediaAddress, query: QueryOf<typeof listMediaPlaylists>) =>
    listQuery(queryKeys.media.groups(params, query), listMediaGroups, { params, query }),
}

export type CreditsPreview = Pick<AnswerOf<typeof importCredits>, 'changed' | 'unchanged' | 'changes'>

/** Changes the credits of many items, all or none, or answers what would change. @throws CallError, Refusal */
export const sendCredits = (
  contentType: MediaType,
  body: BodyOf<typeof importCredits>,
): Promise<CreditsPreview> => change(importCredits, { params: { contentType }, body })

/** Changes name, description or credits. @throws Refusal, CallError */
export const useEditMedia = (contentType: MediaType) =>
  useChange('media', (body: BodyOf<typeof editMedia>) => change(editMedia, { params: { contentType }, body }))

/** Renames a media item of a content type. */
export function useRenameMedia(
  contentType: MediaType,
): RenameItem<{ uid: string; name: string; version?: number }> {
  return useRenaming({
    edit: useEditMedia(contentType).mutateAsync,
    read: uid => call(readMedia, { params: { contentType, uid } }),
  })
}
