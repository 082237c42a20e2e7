import { z } from 'zod'
import { bulkOf, PAGING } from './bulk.ts'
import { DeviceRow } from './devices.ts'
import { editors, endpoint, readers } from './endpoint.ts'
import {
  Description,
  Instant,
  Kind,
  KindFilter,
  ListQuery,
  listOf,
  Name,
  Permissions,
  Reference,
  Uid,
} from './fields.ts'
import { byId, changesState, deletesMany, deletesOne, deletesUnused } from './item-calls.ts'
import { Outcome } from './outcomes.ts'

/** Groups, playlists and profiles: only a paused one (shown as being edited) can be edited. */
export const EditState = z.enum(['active', 'paused'])
export type EditState = z.infer<typeof EditState>

export const GroupRow = z.object({
  uid: Uid,
  /** Several groups may have the same. */
  name: z.string(),
  /** A note of the users; may be empty. */
  description: z.string(),
  kind: Kind,
  state: EditState,
  /** A publication that is not in the recycle bin names it, in any state. */
  isUsed: z.boolean(),
  /** Without devices of the recycle bin. */
  deviceCount: z.int(),
  /** Those with a heartbeat in the last hour. */
  onlineCount: z.int(),
  /** The one in force now; null: none. */
  publication: Reference.nullable(),
  changedAt: Instant,
})
export type GroupRow = z.infer<typeof GroupRow>

export const GroupCard = GroupRow.extend({
  createdAt: Instant,
  /** The publication in force or waiting has this group: its state cannot be paused. */
  isInForce: z.boolean(),
  /** That publication's; null: none. */
  playlist: Reference.nullable(),
  /** The first page of its devices, by name. */
  devices: listOf(DeviceRow),
  /** The record's, which `edit` sends back. */
  version: z.int(),
  permissions: Permissions,
})
export type GroupCard = z.infer<typeof GroupCard>

export const GroupFilter = ListQuery.extend({ state: EditState.optional() })
export const GroupDraft = z.object({ name: Name, description: Description.default('') })

const pair = z.object({ device: Uid, group: Uid })

export const listGroups = endpoint({
  path: '/group/qlist/{x}',
  summary: "The client's device groups.",
  access: readers,
  params: z.object({ x: KindFilter }),
  query: GroupFilter,
  answer: listOf(GroupRow),
})

export const readGroup = endpoint({
  path: '/group/qcard/{id}',
  summary:
    'One group with the first page of its devices, by name; `page` and `size` choose another. The device list with `group` finds and sorts them.',
  access: readers,
  params: byId,
  query: ListQuery.pick({ page: true, size: true }),
  answer: GroupCard,
})

export const addGroup = endpoint({
  path: '/group/add/{contentType}',
  summary: 'Create a group, paused.',
  access: editors,
  params: z.object({ contentType: Kind }),
  body: GroupDraft,
  answer: Outcome,
  outcomes: ['done', 'notDone'],
  givesUid: true,
})

export const copyGroup = endpoint({
  path: '/api/v2/group/copy',
  summary:
    'Copy a group under another name, paused: with its kind, description, tags and configuration profiles, and without devices, which are in one group each, publications and update channels.',
  access: editors,
  body: z.object({ uid: Uid, name: Name }),
  answer: Outcome,
  outcomes: ['done', 'notDone'],
  givesUid: true,
})

export const editGroup = endpoint({
  path: '/group/edit',
  summary: 'Change the name or description of a paused group.',
  access: editors,
  body: z.object({
    uid: Uid,
    name: Name.optional(),
    description: Description.optional(),
    /** The record's that the user saw; HTTP 409 if it is stale. */
    version: z.int().optional(),
  }),
  answer: Outcome,
  outcomes: ['done', 'notDone'],
})

export const deleteGroup = deletesOne({
  path: '/group/delete',
  summary: 'Move a group to the recycle bin; its devices leave it. 409 while a publication uses it.',
  outcomes: ['done', 'inUse'],
})

export const deleteManyGroups = deletesMany('groups', {
  path: '/group/massdelete',
  body: bulkOf(GroupFilter.omit(PAGING).extend({ kind: KindFilter.default('all') })),
  outcomes: ['done', 'someFailed', 'notDone', 'inUse'],
})

export const deleteUnusedGroups = deletesUnused('group that no publication uses', {
  path: '/group/deleteunused',
  outcomes: ['done', 'someFailed', 'notDone', 'inUse'],
})

export const changeGroupState = changesState(EditState, {
  path: '/action/group/{id}/changestate',
  summary: 'Active to paused and back. HTTP 409 if `from` is not its current state.',
  outcomes: ['activated', 'groupTaken', 'disabled', 'notAllowed'],
})

export const addToGroup = endpoint({
  path: '/action/add/{device}/to/{group}',
  summary: "Add a device to a group. 409 'device-in-a-group' if it is in a group; 400 if the kinds differ.",
  access: editors,
  params: pair,
  answer: Outcome,
  outcomes: ['done', 'notDone', 'inUse'],
})

export const removeFromGroup = endpoint({
  path: '/action/remove/{device}/from/{group}',
  summary: 'Remove a device from its group.',
  access: editors,
  worksOnFullDisk: true,
  params: pair,
  answer: Outcome,
  outcomes: ['done', 'notDone'],
})
