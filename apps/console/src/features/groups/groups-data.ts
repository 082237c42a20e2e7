import { listDevices, listFreeDevices } from '@floorcast/contract/devices.ts'
import type { BodyOf, QueryOf } from '@floorcast/contract/endpoint.ts'
import type { Kind, KindFilter } from '@floorcast/contract/fields.ts'
import {
  addGroup,
  addToGroup,
  changeGroupState,
  copyGroup,
  editGroup,
  listGroups,
  readGroup,
  removeFromGroup,
  type EditState,
  type GroupRow,
} from '@floorcast/contract/groups.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call, change } from '../../platform/client.ts'
import { nextChangeMs } from '../../platform/device-changes.ts'
import { queryKeys } from '../../platform/query-keys.ts'
import { useRenaming } from '../../platform/renaming.ts'
import { useChange } from '../../platform/use-change.ts'

export const groupsQuery = (x: KindFilter, query: QueryOf<typeof listGroups>) =>
  queryOptions({
    queryKey: queryKeys.groups.list(x, query),
    queryFn: ({ signal }) => call(listGroups, { params: { x }, query, signal }),
    placeholderData: keepPreviousData,
  })

export const groupQuery = (uid: string) =>
  queryOptions({
    queryKey: queryKeys.groups.card(uid),
    queryFn: ({ signal }) => call(readGroup, { params: { id: uid }, signal }),
  })

/** The least time between two questions for what time alone changes. */
const membersIntervalMs = 5_000

/** The devices of a group. */
export const membersQuery = (group: string, view: QueryOf<typeof listDevices>) => {
  const query = { ...view, group }
  return queryOptions({
    queryKey: queryKeys.devices.list(query),
    queryFn: ({ signal }) => call(listDevices, { query, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => nextChangeMs(state.data?.items, membersIntervalMs),
  })
}

/** Devices without a group that fit a group: a video group takes video devices only. */
export const candidatesQuery = (kind: Kind, search: string) => {
  const x = kind === 'video' ? 'video' : 'all'
  return queryOptions({
    queryKey: queryKeys.devices.free(x, search),
    queryFn: ({ signal }) => call(listFreeDevices, { params: { x }, query: { search, size: 50 }, signal }),
    placeholderData: keepPreviousData,
  })
}

export const useAddGroup = () =>
  useChange('group', ({ kind, ...body }: BodyOf<typeof addGroup> & { kind: Kind }) =>
    change(addGroup, { params: { contentType: kind }, body }),
  )

/** Copies a group under another name. Resolves with the copy's uid. */
export const useCopyGroup = () =>
  useChange('group', (body: BodyOf<typeof copyGroup>) => change(copyGroup, { body }))

export const useEditGroup = () =>
  useChange('group', (body: BodyOf<typeof editGroup>) => change(editGroup, { body }))

/** Toggles the state. `from` is the state that the user saw, so that a second click does not undo the first. */
export const useChangeGroupState = () =>
  useChange('group', ({ uid, from }: { uid: string; from: EditState }) =>
    change(changeGroupState, { params: { id: uid }, query: { from } }),
  )

/** Renames a paused group. */
export const useRenameGroup = () =>
  useRenaming<GroupRow & { version?: number }>({
    edit: useEditGroup().mutateAsync,
    read: uid => call(readGroup, { params: { id: uid } }),
    mayRename: ({ state }) => state === 'paused',
  })

interface Pair {
  device: string
  group: string
}

export const useAddToGroup = () => useChange('group', (params: Pair) => change(addToGroup, { params }))

export const useRemoveFromGroup = () =>
  useChange('group', (params: Pair) => change(removeFromGroup, { params }))
