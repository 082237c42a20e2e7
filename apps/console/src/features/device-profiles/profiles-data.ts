import {
  changeProfileState,
  deleteProfile,
  editProfile,
  listProfiles,
  listProfileTypes,
  readProfileCard,
  type ProfileRow,
} from '@floorcast/contract/device-profiles.ts'
import type { BodyOf, QueryOf } from '@floorcast/contract/endpoint.ts'
import type { EditState } from '@floorcast/contract/groups.ts'
import { CallError } from '@floorcast/contract/client.ts'
import { readMedia } from '@floorcast/contract/media.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call, change } from '../../platform/client.ts'
import { queryKeys } from '../../platform/query-keys.ts'
import { useRenaming } from '../../platform/renaming.ts'
import { useChange } from '../../platform/use-change.ts'

export const profilesQuery = (query: QueryOf<typeof listProfiles>) =>
  queryOptions({
    queryKey: queryKeys.profiles.list(query),
    queryFn: ({ signal }) => call(listProfiles, { query, signal }),
    placeholderData: keepPreviousData,
  })

export const profileQuery = (uid: string) =>
  queryOptions({
    queryKey: queryKeys.profiles.card(uid),
    queryFn: ({ signal }) => call(readProfileCard, { params: { id: uid }, signal }),
  })

/** The types with the JSON Schemas of their settings. */
export const profileTypesQuery = () =>
  queryOptions({
    queryKey: queryKeys.profiles.types(),
    queryFn: ({ signal }) => call(listProfileTypes, { signal }),
    staleTime: Infinity,
  })

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

export const useEditProfile = () =>
  useChange('profile', (body: BodyOf<typeof editProfile>) => change(editProfile, { body }))

/** Renames a paused profile. */
export const useRenameProfile = () =>
  useRenaming<ProfileRow & { version?: number }>({
    edit: useEditProfile().mutateAsync,
    read: uid => call(readProfileCard, { params: { id: uid } }),
    mayRename: ({ state }) => state === 'paused',
  })

/** Toggles the state. `from` is the state that the user saw, so that a second click does not undo the first. */
export const useChangeProfileState = () =>
  useChange('profile', ({ uid, from }: { uid: string; from: EditState }) =>
    change(changeProfileState, { params: { id: uid }, query: { from } }),
  )

export const useDeleteProfile = () =>
  useChange('profile', (uid: string) => change(deleteProfile, { body: { uid } }))
