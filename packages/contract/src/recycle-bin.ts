import { z } from 'zod'
import { adminEditors, adminReaders, editors, endpoint, readers } from './endpoint.ts'
import { Instant, Kind, ListQuery, listOf, Uid } from './fields.ts'
import { MediaType } from './media.ts'
import { Outcome } from './outcomes.ts'

/** `{x}` of recycle: the kinds of items in the bin. */
export const BinKind = z.enum(['media', 'devices', 'groups', 'publications', 'playlists'])
export type BinKind = z.infer<typeof BinKind>

/** Days that an item is in the bin before it is purged. */
export const BIN_DAYS = 30
/** Minutes in which the user who deleted an item may restore it without being an admin. */
export const UNDO_MINUTES = 10

export const BinRow = z.object({
  uid: Uid,
  /** Several items may have the same. */
  name: z.string(),
  /** A note of the users; may be empty. */
  description: z.string(),
  /** Null for media, which have `mediaType`. */
  kind: Kind.nullable(),
  /** Null for all but media. */
  mediaType: MediaType.nullable(),
  deletedAt: Instant,
  /** Email of the user who deleted it; null if that user no longer exists. */
  deletedBy: z.string().nullable(),
  /** The time of its purge. */
  purgedAt: Instant,
})
export type BinRow = z.infer<typeof BinRow>

/** A filter by `mediaType` finds media only, one by `kind` all others only. */
export const BinFilter = ListQuery.extend({ mediaType: MediaType.optional(), kind: Kind.optional() })

export const listBin = endpoint({
  path: '/recycle/{x}',
  summary: 'The items of one kind in the recycle bin, newest first, with who deleted them and when.',
  access: adminReaders,
  params: z.object({ x: BinKind }),
  query: BinFilter,
  answer: listOf(BinRow),
})

/** An item of the recycle bin that another one needs. */
export const NeededItem = z.object({
  kind: BinKind,
  uid: Uid,
  /** As it is in the recycle bin. */
  name: z.string(),
})
export type NeededItem = z.infer<typeof NeededItem>

export const restore = endpoint({
  path: '/recycle/{contentType}/{uid}/restore',
  summary:
    "Restore an item: admins, and for 10 minutes the user who deleted it (otherwise HTTP 403). If its name was taken, ' - restored' is added, in the language of the call's `Accept-Language`. 400 'restore-these-first' with the needed items in the recycle bin (`needs`, and their `names`), 'device-limit' above the plan's limit.",
  access: editors,
  params: z.object({ contentType: BinKind, uid: Uid }),
  answer: Outcome.extend({
    /** The name that the item has now. */
    name: z.string().optional(),
    /** With 'restore-these-first': the items of the recycle bin that it needs. */
    needs: z.array(NeededItem).optional(),
  }),
  outcomes: ['done', 'notDone'],
})

export const purge = endpoint({
  method: 'POST',
  path: '/api/v2/recycle/{x}/{uid}/purge',
  summary:
    'Purge an item of the recycle bin and free its storage. 409 (media: 921) with the names of other items in the recycle bin that need it. Works also after the subscription has expired.',
  access: { ...adminEditors, evenExpired: true },
  worksOnFullDisk: true,
  params: z.object({ x: BinKind, uid: Uid }),
  answer: Outcome,
  outcomes: ['done', 'inUse', 'mediaInUse'],
})

export const Dependent = z.object({
  /** Only admins see the last three. They work without the item, except a profile that names a media item. */
  kind: z.enum([...BinKind.options, 'profiles', 'channels', 'users']),
  uid: Uid,
  /** The dependent item's; of users the email. */
  name: z.string(),
  /** The present state; null for kinds without one. */
  state: z.string().nullable(),
  /** It is in the bin too: it only prevents a purge. */
  isInBin: z.boolean(),
  /** True if it prevents deleting; else it only loses the item. */
  isBlocking: z.boolean(),
})
export type Dependent = z.infer<typeof Dependent>

export const listDependents = endpoint({
  path: '/api/v2/dependents/{x}/{uid}',
  summary:
    'What depends on an item, before it is deleted or purged: media → playlists, playlists and groups → publications, groups → devices too, devices → their group; for admins also the configuration profiles of a media item or group, the update channels of a group and the streamers of a device. At most 200, those that block first.',
  access: readers,
  params: z.object({ x: BinKind, uid: Uid }),
  answer: z.array(Dependent),
})
