import { listDevices, listFreeDevices } from '@floorcast/contract/devices.ts'
import type { QueryOf } from '@floorcast/contract/endpoint.ts'
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
  type GroupRow,
} from '@floorcast/contract/groups.ts'
import { callQuery, listQuery } from '../../platform/call-query.ts'
import { call } from '../../platform/client.ts'
import { nextChangeMs } from '../../platform/device-changes.ts'
import { queryKeys } from '../../platform/query-keys.ts'
import { useRenaming } from '../../platform/renaming.ts'
import { changeHook, stateHook } from '../../platform/use-change.ts'

export const groupsQuery = (x: KindFilter, query: QueryOf<typeof listGroups>) =>
  listQuery(queryKeys.groups.list(x, query), listGroups, { params: { x }, query })

export const groupQuery = (uid: string) =>
  callQuery(queryKeys.groups.card(uid), readGroup, { params: { id: uid } })

/** The least time between two questions for what time alone changes. */
const membersIntervalMs = 5_000

/** The devices of a group. */
export const membersQuery = (group: string, view: QueryOf<typeof listDevices>) => {
  const query = { ...view, group }
  return listQuery(queryKeys.devices.list(query), listDevices, {
    query,
    refetchInterval: ({ state }) => nextChangeMs(state.data?.items, membersIntervalMs),
  })
}

/** Devices without a group that fit a group: a video group takes video devices only. */
export const candidatesQuery = (kind: Kind, search: string) => {
  const x = kind === 'video' ? 'video' : 'all'
  return listQuery(queryKeys.devices.free(x, search), listFreeDevices, {
    params: { x },
    query: { search, size: 50 },
  })
}

export const useAddGroup = changeHook('group', addGroup)
/** Copies a group under another name. Resolves with the copy's uid. */
export const useCopyGroup = changeHook('group', copyGroup)
export const useEditGroup = changeHook('group', editGroup)
export const useChangeGroupState = stateHook('group', changeGroupState)
export const useAddToGroup = changeHook('group', addToGroup)
export const useRemoveFromGroup = changeHook('group', removeFromGroup)

/** Renames a paused group. */
export const useRenameGroup = () =>
  useRenaming<GroupRow & { version?: number }>({
    edit: useEditGroup().mutateAsync,
    read: uid => call(readGroup, { params: { id: uid } }),
    mayRename: ({ state }) => state === 'paused',
  })
