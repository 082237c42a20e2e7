import {
  changeProfileState,
  deleteProfile,
  editProfile,
  listProfiles,
  listProfileTypes,
  readProfileCard,
  type ProfileRow,
} from '@floorcast/contract/device-profiles.ts'
import type { QueryOf } from '@floorcast/contract/endpoint.ts'
import { CallError } from '@floorcast/contract/client.ts'
import { readMedia } from '@floorcast/contract/media.ts'
import { queryOptions } from '@tanstack/react-query'
import { callQuery, listQuery } from '../../platform/call-query.ts'
import { call } from '../../platform/client.ts'
import { queryKeys } from '../../platform/query-keys.ts'
import { useRenaming } from '../../platform/renaming.ts'
import { changeHook, stateHook } from '../../platform/use-change.ts'

export const profilesQuery = (query: QueryOf<typeof listProfiles>) =>
  listQuery(queryKeys.profiles.list(query), listProfiles, { query })

export const profileQuery = (uid: string) =>
  callQuery(queryKeys.profiles.card(uid), readProfileCard, { params: { id: uid } })

/** The types with the JSON Schemas of their settings. */
export const profileTypesQuery = () =>
  callQuery(queryKeys.profiles.types(), listProfileTypes, { staleTime: Infinity })

/** The sound that a setting names, a melody or an ad; null if it is gone. */
export const soundQuery = (uid: string) =>
  queryOptions({
    queryKey: queryKeys.profiles.sound(uid),
    queryFn: async ({ signal }) => {
      for (const contentType of ['melodies', 'ads'] as const) {
        const found = await call(readMedia, { params: { contentType, uid }, signal }).catch(skipMissing)
        if (found) return { uid, name: found.name, contentType }
      }
      return null
    },
  })

function skipMissing(error: unknown): null {
  if (error instanceof CallError && error.status === 404) return null
  throw error
}

export const useEditProfile = changeHook('profile', editProfile)
export const useChangeProfileState = stateHook('profile', changeProfileState)
export const useDeleteProfile = changeHook('profile', deleteProfile)

/** Renames a paused profile. */
export const useRenameProfile = () =>
  useRenaming<ProfileRow & { version?: number }>({
    edit: useEditProfile().mutateAsync,
    read: uid => call(readProfileCard, { params: { id: uid } }),
    mayRename: ({ state }) => state === 'paused',
  })
