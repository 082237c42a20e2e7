import { listFreeDevices } from '@floorcast/contract/devices.ts'
import type { BodyOf, QueryOf } from '@floorcast/contract/endpoint.ts'
import type { Kind } from '@floorcast/contract/fields.ts'
import {
  addGroup,
  addToGroup,
  changeGroupState,
  editGroup,
  listGroups,
  readGroup,
  removeFromGroup,
  type EditState,
} from '@floorcast/contract/groups.ts'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call, change } from '../../platform/client.ts'

export type KindFilter = Kind | 'all'

export const groupsQuery = (x: KindFilter, query: QueryOf<typeof listGroups>) =>
  queryOptions({
    queryKey: ['group', 'list', x, query],
    queryFn: ({ signal }) => call(listGroups, { params: { x }, query, signal }),
    placeholderData: keepPreviousData,
  })

export const groupQuery = (uid: string) =>
  queryOptions({
    queryKey: ['group', 'card', uid],
    queryFn: ({ signal }) => call(readGroup, { params: { id: uid }, signal }),
  })

/** Devices in no group that fit a group: a video group takes video devices only. */
export const candidatesQuery = (kind: Kind, search: string) => {
  const x = kind === 'video' ? 'video' : 'all'
  return queryOptions({
    queryKey: ['device', 'free', x, search],
    queryFn: ({ signal }) => call(listFreeDevices, { params: { x }, query: { search, size: 50 }, signal }),
    placeholderData: keepPreviousData,
  })
}

const concerned = ['group', 'device', 'publication', 'dashboard']

function useGroupChange<Input, Answer>(run: (input: Input) => Promise<Answer>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: run,
    onSettled: () =>
      queries.invalidateQueries({ predicate: ({ queryKey }) => concerned.includes(String(queryKey[0])) }),
  })
}

export const useAddGroup = () =>
  useGroupChange(({ kind, ...body }: BodyOf<typeof addGroup> & { kind: Kind }) =>
    change(addGroup, { params: { contentType: kind }, body }),
  )

export const useEditGroup = () =>
  useGroupChange((body: BodyOf<typeof editGroup>) => change(editGroup, { body }))

/** The toggle; `from` is what the person saw, so that a second click does not undo the first. */
export const useChangeGroupState = () =>
  useGroupChange(({ uid, from }: { uid: string; from: EditState }) =>
    change(changeGroupState, { params: { id: uid }, query: { from } }),
  )

interface Pair {
  device: string
  group: string
}

export const useAddToGroup = () => useGroupChange((params: Pair) => change(addToGroup, { params }))

export const useRemoveFromGroup = () => useGroupChange((params: Pair) => change(removeFromGroup, { params }))
