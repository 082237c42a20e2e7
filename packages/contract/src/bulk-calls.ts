import { z } from 'zod'
import { bulkOf, PAGING } from './bulk.ts'
import { DeviceFilter } from './devices.ts'
import { adminEditors, adminReaders, editors, endpoint } from './endpoint.ts'
import { Bytes, KindFilter, Uid } from './fields.ts'
import { GroupFilter } from './groups.ts'
import { changesMany, previewsMany } from './item-calls.ts'
import { MediaFilter, MediaType } from './media.ts'
import { Outcome } from './outcomes.ts'
import { PlaylistFilter } from './playlists.ts'
import { PublicationFilter } from './publications.ts'
import { BinFilter, BinKind } from './recycle-bin.ts'
import { TagDraft } from './tag-calls.ts'

/** Why an item of a selection is left out of an action. `already-so`: it is as the action would make it. */
export const LeftOutReason = z.enum([
  'already-so',
  'in-use',
  'in-force-cannot-be-paused',
  'turn-it-off-first',
  'group-paused',
  'group-taken',
  'playlist-paused',
  'playlist-empty',
  'device-in-a-group',
  'device-not-in-group',
  'kind-does-not-fit',
  'volume-by-policy',
  'volume-changed-since',
  'too-many-commands',
  'needed-in-bin',
  'restore-these-first',
  'device-limit',
])
export type LeftOutReason = z.infer<typeof LeftOutReason>

/** What an action on a selection would do. */
export const BulkPlan = z.object({
  /** The items that it changes. */
  count: z.int(),
  /** The items that it leaves out, by reason. */
  leftOut: z.array(
    z.object({
      reason: LeftOutReason,
      /** How many items it leaves out for this reason. */
      count: z.int(),
    }),
  ),
  /** The number of changed devices without contact for an hour; 0 for other items. */
  offline: z.int(),
  /** The storage that a purge of media frees. */
  freedBytes: Bytes.optional(),
})
export type BulkPlan = z.infer<typeof BulkPlan>

/** An action on the selected devices. */
export const DeviceAction = z.union([
  z.strictObject({
    /** Which action; the other field depends on it. */
    do: z.literal('join'),
    groupUid: Uid,
  }),
  z.strictObject({ do: z.literal('leave') }),
  z.strictObject({ do: z.literal('volume'), volume: z.int().min(0).max(100) }),
  /** Gives back the volume that each device had before the caller set this one. */
  z.strictObject({
    do: z.literal('undo-volume'),
    /** The new volume; with `undo-volume` the one that the caller has set and takes back. */
    volume: z.int().min(0).max(100),
  }),
  z.strictObject({
    do: z.literal('tag'),
    /** The tag that each device gets, in place of one with the same key. */
    tag: TagDraft,
  }),
  z.strictObject({ do: z.literal('restart') }),
  z.strictObject({ do: z.literal('delete') }),
])
export type DeviceAction = z.infer<typeof DeviceAction>

/** An action on the selected groups or playlists. */
export const EditAction = z.enum(['pause', 'activate', 'delete'])
export type EditAction = z.infer<typeof EditAction>

/** An action on the selected publications. */
export const PublicationAction = z.enum(['turn-off', 'turn-on', 'delete'])
export type PublicationAction = z.infer<typeof PublicationAction>

const ofKind = { kind: KindFilter.default('all') }
export const DevicesAction = z.object({
  /** Up to 1,000 devices by uid, or those that a filter finds. */
  items: bulkOf(DeviceFilter.omit(PAGING)),
  action: DeviceAction,
})
export const GroupsAction = z.object({
  /** Up to 1,000 groups by uid, or those that a filter finds. */
  items: bulkOf(GroupFilter.omit(PAGING).extend(ofKind)),
  action: EditAction,
})
export const PlaylistsAction = z.object({
  /** Up to 1,000 playlists by uid, or those that a filter finds. */
  items: bulkOf(PlaylistFilter.omit(PAGING).extend(ofKind)),
  action: EditAction,
})
export const PublicationsAction = z.object({
  /** Up to 1,000 publications by uid, or those that a filter finds. */
  items: bulkOf(PublicationFilter.omit(PAGING).extend(ofKind)),
  action: PublicationAction,
})
const media = z.object({ items: bulkOf(MediaFilter.omit(PAGING)), action: z.literal('delete') })

/** An action on the selected items of the recycle bin. */
export const BinAction = z.enum(['restore', 'purge'])
export type BinAction = z.infer<typeof BinAction>
const binned = bulkOf(BinFilter.omit(PAGING))

export const previewManyDevices = previewsMany('devices', {
  path: '/api/v2/bulk/devices/preview',
  body: DevicesAction,
  answer: BulkPlan,
})

export const changeManyDevices = changesMany('devices', {
  path: '/api/v2/bulk/devices',
  body: DevicesAction,
  outcomes: ['done', 'someFailed', 'notDone', 'inUse'],
  more: ` Tags need an admin (HTTP 403). A restart waits for the device for 10 minutes. \`undo-volume\` gives devices back the volume that they had before the caller set this one, for 10 minutes and unless it has changed since.`,
})

export const previewManyGroups = previewsMany('groups', {
  path: '/api/v2/bulk/groups/preview',
  body: GroupsAction,
  answer: BulkPlan,
})

export const changeManyGroups = changesMany('groups', {
  path: '/api/v2/bulk/groups',
  body: GroupsAction,
  outcomes: ['done', 'someFailed', 'notDone', 'inUse', 'groupTaken'],
})

export const previewManyPlaylists = previewsMany('playlists', {
  path: '/api/v2/bulk/playlists/preview',
  body: PlaylistsAction,
  answer: BulkPlan,
})

export const changeManyPlaylists = changesMany('playlists', {
  path: '/api/v2/bulk/playlists',
  body: PlaylistsAction,
  outcomes: ['done', 'someFailed', 'notDone', 'inUse', 'groupTaken'],
  more: ' An empty playlist is not activated.',
})

export const previewManyPublications = previewsMany('publications', {
  path: '/api/v2/bulk/publications/preview',
  body: PublicationsAction,
  answer: BulkPlan,
})

export const changeManyPublications = changesMany('publications', {
  path: '/api/v2/bulk/publications',
  body: PublicationsAction,
  outcomes: ['done', 'someFailed', 'notDone', 'groupTaken', 'groupPaused', 'playlistPaused', 'notConsistent'],
})

export const previewManyMedia = previewsMany('media', {
  path: '/api/v2/bulk/media/{contentType}/preview',
  params: z.object({ contentType: MediaType }),
  body: media,
  answer: BulkPlan,
})

const ofBin = z.object({ x: BinKind })

export const previewManyBinned = previewsMany('items of the recycle bin', {
  path: '/api/v2/bulk/recycle/{x}/preview',
  access: adminReaders,
  params: ofBin,
  body: z.object({ items: binned, action: BinAction }),
  answer: BulkPlan,
  more: ' A purge of media says the storage that it frees.',
})

export const restoreMany = endpoint({
  path: '/api/v2/bulk/recycle/{x}/restore',
  summary:
    "Restore many items of the recycle bin, each by the rules of `restore`; `failed` has the reason of each item, -1 for those that others than an admin may not restore. Only admins may name a filter (HTTP 403). A filter handles at most 1,000 items a call; `remaining` counts the rest: repeat the call with the answer's `after`. A filter that finds every item needs `all: true`.",
  access: editors,
  isHeavy: true,
  params: ofBin,
  body: binned,
  answer: Outcome,
  outcomes: ['done', 'someFailed', 'notDone', 'notAllowed'],
})

export const purgeMany = endpoint({
  path: '/api/v2/bulk/recycle/{x}/purge',
  summary:
    'Purge many items of the recycle bin and free their storage; 409 (media: 921) for items that others in the recycle bin need. Limits, `remaining` and `all` are those of the restoring of many. Works also after the subscription has expired.',
  access: { ...adminEditors, evenExpired: true },
  worksOnFullDisk: true,
  isHeavy: true,
  params: ofBin,
  body: binned,
  answer: Outcome,
  outcomes: ['done', 'someFailed', 'notDone', 'inUse', 'mediaInUse'],
})
