import { readDevice } from '@floorcast/contract/devices.ts'
import { readGroup } from '@floorcast/contract/groups.ts'
import {
  addTag,
  deleteTag,
  editTag,
  importTags,
  listTags,
  setTagPolicy,
  type Tag,
  type TagLevel,
} from '@floorcast/contract/tag-calls.ts'
import type { BodyOf } from '@floorcast/contract/endpoint.ts'
import { queryOptions } from '@tanstack/react-query'
import { callQuery } from '../../platform/call-query.ts'
import { call, change } from '../../platform/client.ts'
import { queryKeys } from '../../platform/query-keys.ts'
import { changeHook, useChange } from '../../platform/use-change.ts'

/** The owner of tags: the client, or a group or device; `uid` is null until one is chosen. */
export type TagOwner = { level: 'client'; uid: 'own' } | { level: 'group' | 'device'; uid: string | null }
/** An owner that is chosen, as the calls name it. */
export interface ChosenOwner {
  level: TagLevel
  uid: string
}

export const tagsQuery = ({ level, uid }: ChosenOwner) =>
  callQuery(queryKeys.tags.list(level, uid), listTags, { params: { contentType: level, uid } })

/** The chosen group or device, for its name. */
export const ownerQuery = (level: 'group' | 'device', uid: string) =>
  queryOptions({
    queryKey: queryKeys.tags.owner(level, uid),
    queryFn: async ({ signal }) => {
      const input = { params: { id: uid }, signal }
      const { name } = await (level === 'group' ? call(readGroup, input) : call(readDevice, input))
      return { uid, name }
    },
  })

const paramsOf = ({ level, uid }: ChosenOwner) => ({ contentType: level, uid })

/** Adds a tag, or changes the one with this key. */
export const useSaveTag = (owner: ChosenOwner) =>
  useChange('tag', ({ isNew, ...body }: BodyOf<typeof addTag> & { isNew: boolean }) =>
    change(isNew ? addTag : editTag, { params: paramsOf(owner), body }),
  )

export const useDeleteTag = (owner: ChosenOwner) =>
  useChange('tag', ({ key }: Pick<Tag, 'key'>) =>
    change(deleteTag, { params: paramsOf(owner), body: { key } }),
  )

export const useSetTagPolicy = changeHook('tag', setTagPolicy)

export const useImportTags = () =>
  useChange('tag', (body: BodyOf<typeof importTags>) => change(importTags, { body }))
