import { z } from 'zod'
import { adminEditors, adminReaders, adminStatusEditors, endpoint } from './endpoint.ts'
import { Description, Instant, ListQuery, listOf, Name, Permissions, Reference, Uid } from './fields.ts'
import { byUid, deletesOne, turnsState } from './item-calls.ts'
import { Outcome } from './outcomes.ts'

/** A channel rotates open → frozen → open; frozen it offers nothing. */
export const ChannelState = z.enum(['open', 'frozen'])
export type ChannelState = z.infer<typeof ChannelState>

export const ChannelRow = z.object({
  uid: Uid,
  /** As the lists show it. */
  name: z.string(),
  /** A note of the users; may be empty. */
  description: z.string(),
  state: ChannelState,
  /** The groups whose devices get its packages. */
  groups: z.array(Reference),
  /** The devices of its groups. */
  deviceCount: z.int(),
  /** The packages on the channel. */
  packages: z.array(Reference),
  changedAt: Instant,
  /** The record's, which `edit` sends back. */
  version: z.int(),
  permissions: Permissions,
})
export type ChannelRow = z.infer<typeof ChannelRow>

const Groups = z.array(Uid).max(10_000)

export const listChannels = endpoint({
  path: '/update/channel',
  summary: "The client's update channels.",
  access: adminReaders,
  query: ListQuery.extend({ state: ChannelState.optional() }),
  answer: listOf(ChannelRow),
})

export const addChannel = endpoint({
  path: '/api/v2/update/channel/add',
  summary: 'Create a channel, open. HTTP 422 at `groupUids.n` for an unknown group.',
  access: adminEditors,
  body: z.object({
    name: Name,
    description: Description.default(''),
    /** The groups whose devices get its packages. */
    groupUids: Groups.default([]),
  }),
  answer: Outcome,
  outcomes: ['done', 'notDone'],
  givesUid: true,
})

export const editChannel = endpoint({
  path: '/api/v2/update/channel/edit',
  summary: 'Change a channel; `groupUids` replaces its groups.',
  access: adminEditors,
  body: byUid.extend({
    name: Name.optional(),
    description: Description.optional(),
    /** All of its groups from now on. */
    groupUids: Groups.optional(),
    /** The record's that the user saw; HTTP 409 if it is stale. */
    version: z.int().optional(),
  }),
  answer: Outcome,
  outcomes: ['done', 'notDone'],
})

export const deleteChannel = deletesOne({
  path: '/api/v2/update/channel/delete',
  summary: 'Delete a channel. 409 with the names of the packages on it.',
  access: adminEditors,
  outcomes: ['done', 'inUse'],
})

export const rotateChannel = turnsState(ChannelState, {
  path: '/update/channel/{id}/staterotate',
  summary: 'Open → frozen → open: 0 open, 9 frozen. HTTP 409 when `from` is stale.',
  access: adminStatusEditors,
  outcomes: ['activated', 'disabled', 'notAllowed'],
})
