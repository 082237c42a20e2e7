import { z } from 'zod'
import { bulkOf, PAGING } from './bulk.ts'
import { editors, endpoint, readers } from './endpoint.ts'
import {
  Day,
  Description,
  Instant,
  Kind,
  KindFilter,
  ListQuery,
  listOf,
  queryInt,
  Name,
  Permissions,
  Reference,
  Seconds,
  TimeOfDay,
  Uid,
} from './fields.ts'
import { EditState } from './groups.ts'
import { byId, changesState, deletesMany, deletesOne, deletesUnused } from './item-calls.ts'
import { MediaType } from './media.ts'
import { Outcome } from './outcomes.ts'
import { ListFileForm, MoveDirection, Position } from './playlist-parts.ts'
import { ChangedMedia, PlannedBlock, PlannedTrack, SmartDraft } from './smart-playlists.ts'

/** Simple: a looped list of items. Smart: a day's timeline of blocks. */
export const PlaylistForm = z.enum(['simple', 'smart'])
export type PlaylistForm = z.infer<typeof PlaylistForm>

export const PlaylistRow = z.object({
  uid: Uid,
  /** Several playlists may have the same. */ name: z.string(),
  /** A note of the users; may be empty. */ description: z.string(),
  kind: Kind,
  form: PlaylistForm,
  state: EditState,
  /** A publication that is not in the recycle bin names it. */ isUsed: z.boolean(),
  /** Items of a simple list; plays of a smart one's day. */
  itemCount: z.int(),
  /** One round of a simple list as devices play it: with repeats, less crossfades; the content of a smart one's day. */
  durationSeconds: Seconds,
  /** Whether the plan of a smart one fits its media, or media were replaced since; null for a simple one. */
  planState: z.enum(['fits', 'plan-again']).nullable(),
  /** The first day on which it plays, in the device's zone; null: not limited. */ startDate: Day.nullable(),
  /** The last day, inclusive; null: not limited. */ endDate: Day.nullable(),
  changedAt: Instant,
})
export type PlaylistRow = z.infer<typeof PlaylistRow>

export const PlaylistItem = z.object({
  uid: Uid,
  /** From 1, dense. */
  position: z.int().min(1),
  mediaUid: Uid,
  /** The media item's. */ name: z.string(),
  contentType: MediaType,
  /** The duration of one play. */
  durationSeconds: Seconds,
  /** Plays in a row; null if `replaySeconds` is set. */
  repeatCount: z.int().min(1).max(1000).nullable(),
  /** The time for whole plays in a row, at least one play; null if `repeatCount` is set. */
  replaySeconds: Seconds.nullable(),
  /** Due once a day at the first track boundary at or after this wall time; null: part of the loop. */
  startTime: TimeOfDay.nullable(),
})
export type PlaylistItem = z.infer<typeof PlaylistItem>

/** The plan of a smart playlist's day. */
export const SmartFacts = z.object({
  startDay: TimeOfDay,
  /** 23:59 means midnight. An end before the start is on the next day. */
  endDay: TimeOfDay,
  windowSeconds: Seconds,
  /** The blocks of its day. */ blockCount: z.int(),
  /** Tracks of both lists, also such as are never heard. */
  trackCount: z.int(),
  /** Media that changed since the plan. The plan uses the former files until it is planned again. */
  changedMedia: z.array(ChangedMedia),
})

export const PlaylistCard = PlaylistRow.extend({
  /** Between two items; never over an ad. */ crossfadeSeconds: z.number().min(0).max(10),
  createdAt: Instant,
  /** A publication of it is on or waits. */ isInForce: z.boolean(),
  /** Those of all publications that name it. */ groups: z.array(Reference),
  /** The playlist that this copy will replace; null if there is none. */
  editOf: Reference.extend({ /** It is on, or waits. */ isInForce: z.boolean() }).nullable(),
  /** Copies that will replace this playlist, the newest first; at most 20. */
  edits: z.array(Reference),
  /** For `edit`. */ version: z.int(),
  /** Null for a simple one. */
  smart: SmartFacts.nullable(),
  permissions: Permissions,
})
export type PlaylistCard = z.infer<typeof PlaylistCard>
export const PlaylistWithTracks = PlaylistCard.extend({
  /** The items of a simple one; empty for a smart one. */
  items: z.array(PlaylistItem),
  /** A page of a smart one's day; null for a simple one. */
  blocks: listOf(PlannedBlock).nullable(),
})
export type PlaylistWithTracks = z.infer<typeof PlaylistWithTracks>

export const PlaylistFilter = ListQuery.extend({ state: EditState.optional(), form: PlaylistForm.optional() })
export const PlaylistDraft = z.object({ name: Name, description: Description.default('') })
export const PlaylistChange = z
  .object({
    uid: Uid,
    name: Name.optional(),
    description: Description.optional(),
    /** Null: not limited. */ startDate: Day.nullable().optional(),
    /** Inclusive; null: not limited. */ endDate: Day.nullable().optional(),
    /** 0 to 10. */ crossfadeSeconds: z.number().min(0).max(10).optional(),
    /** Settings of items, by item uid. */
    items: z
      .array(
        z
          .object({
            uid: Uid,
            /** Plays in a row; it clears `replaySeconds`. */
            repeatCount: z.int().min(1).max(1000).nullable().optional(),
            /** Time for whole plays; it clears `repeatCount`. */
            replaySeconds: z.number().positive().max(86_400).nullable().optional(),
            /** Null: part of the loop. */
            startTime: TimeOfDay.nullable().optional(),
          })
          .refine(item => item.repeatCount == null || item.replaySeconds == null, 'repeat-or-replay'),
      )
      .max(10_000)
      .optional(),
    /** That of the card; HTTP 409 if it is stale. */ version: z.int().optional(),
  })
  .refine(change => !change.startDate || !change.endDate || change.startDate <= change.endDate, {
    message: 'end-before-start',
    path: ['endDate'],
  })

export const listPlaylists = endpoint({
  path: '/playlist/qlist/{x}',
  summary: "The client's playlists.",
  access: readers,
  params: z.object({ x: KindFilter }),
  query: PlaylistFilter,
  answer: listOf(PlaylistRow),
})

export const readPlaylist = endpoint({
  path: '/playlist/qcard/{id}/quick',
  summary: 'One playlist without its items.',
  access: readers,
  params: byId,
  answer: PlaylistCard,
})

export const readPlaylistWithTracks = endpoint({
  path: '/playlist/qcard/{id}/withtracks',
  summary:
    'One playlist with its items. A smart playlist: a page of its blocks, each with its first 100 plays. With `block` (from 1): that block only; `page` and `size` then page its plays.',
  access: readers,
  params: byId,
  query: z.object({
    page: ListQuery.shape.page,
    /** Blocks, or plays of `block`, of a page. */ size: queryInt(1, 50).default(10),
    /** Its place in the day, from 1. */ block: queryInt(1, 1_000_000).optional(),
  }),
  answer: PlaylistWithTracks,
})

export const addPlaylist = endpoint({
  path: '/playlist/add/{contentType}',
  summary: 'Create a simple playlist, paused and empty.',
  access: editors,
  params: z.object({ contentType: Kind }),
  body: PlaylistDraft,
  answer: Outcome,
  outcomes: ['done', 'notDone'],
  givesUid: true,
})

export const editPlaylist = endpoint({
  path: '/playlist/edit',
  summary:
    'Change a paused playlist: name, description, dates, crossfade, and the repeats and start times of its items. The last three cannot be changed in a smart playlist; its plan sets them.',
  access: editors,
  body: PlaylistChange,
  answer: Outcome,
  outcomes: ['done', 'notDone'],
})

export const deletePlaylist = deletesOne({
  path: '/playlist/delete',
  summary:
    'Move to the recycle bin. 409 while an active or delayed publication uses it, 921 while a disabled one does.',
  outcomes: ['done', 'inUse', 'mediaInUse'],
})

export const deleteManyPlaylists = deletesMany('playlists', {
  path: '/playlist/massdelete',
  body: bulkOf(PlaylistFilter.omit(PAGING).extend({ kind: KindFilter.default('all') })),
  outcomes: ['done', 'someFailed', 'notDone', 'inUse', 'mediaInUse'],
})

export const deleteUnusedPlaylists = deletesUnused('playlist that no publication uses', {
  path: '/playlist/deleteunused',
  outcomes: ['done', 'someFailed', 'notDone', 'inUse', 'mediaInUse'],
})

export const changePlaylistState = changesState(EditState, {
  path: '/action/playlist/{id}/changestate',
  summary: 'Active to paused and back. HTTP 409 if `from` is not its current state.',
  outcomes: ['activated', 'groupTaken', 'disabled', 'notAllowed'],
})

export const clonePlaylist = endpoint({
  path: '/playlist/clone/{id}',
  summary:
    "Copy a playlist with all items; the copy is paused and its name is `name`, or the former one with ' - copy' at its end. A smart playlist's day is planned again with another seed: 400 with `faults` if its media allow no plan. With the `purpose` `edit`, the copy is meant to replace the original on the air, and its card names the original.",
  access: editors,
  isHeavy: true,
  params: byId,
  query: z.object({
    /** `edit`: to replace the original on the air. */ purpose: z.enum(['copy', 'edit']).default('copy'),
    name: Name.optional(),
  }),
  answer: Outcome,
  outcomes: ['done', 'notDone'],
  givesUid: true,
})

export const readPlaylistSource = endpoint({
  path: '/playlist/source/{id}',
  summary:
    "A smart playlist's draft to plan again: its lists with the current media, `finishList` as planned. Of a simple playlist: its entries as M3U8 text.",
  access: readers,
  isHeavy: true,
  params: byId,
  answer: z.object({
    form: PlaylistForm,
    /** The playlist's. */ name: z.string(),
    /** Null for a simple one. */
    draft: SmartDraft.extend({
      /** The playlist's. */ smartPlName: z.string(),
      /** A note; may be empty. */ smartPlDescr: z.string(),
    }).nullable(),
    /** Every track of the plan, by name; also those in the bin, which the draft does not have. */
    tracks: z.array(PlannedTrack),
    /** As on the card. */ changedMedia: z.array(ChangedMedia),
    /** Null for a smart one. */ m3u8: z.string().nullable(),
  }),
})

export const uploadM3u = endpoint({
  path: '/playlist/upload/m3u/',
  summary:
    'Create a simple playlist, paused, from an M3U or M3U8 file (at most 10,000 entries, 5 MiB), with the parts `name?`, `description?`, `kind?` and `file`. Entries are matched with the uploaded media by file name without folder, and by the marks of an export: 912 with the names of the missing ones, and the reason `list-code-page` where no code page makes them readable; 911 for any other file. 200 with the reason `several-files` names the files that several items have.',
  access: editors,
  isHeavy: true,
  bodyForm: 'multipart',
  form: ListFileForm,
  answer: Outcome,
  outcomes: ['done', 'notDone', 'onlyM3u', 'filesMissing'],
  givesUid: true,
})

export const addTrack = endpoint({
  path: '/action/addtrack/{track}/toplaylist/{playlist}',
  summary: 'Add a media item at the end of a paused simple playlist.',
  access: editors,
  params: z.object({ track: Uid, playlist: Uid }),
  answer: Outcome,
  outcomes: ['done', 'notDone'],
})

export const removeTrack = endpoint({
  path: '/action/removetrack/{track}/fromplaylist/{playlist}/by/{position}',
  summary: 'Remove the media item {track} at {position}; 400 if another item is there now.',
  access: editors,
  worksOnFullDisk: true,
  params: z.object({ track: Uid, playlist: Uid, /** From 1. */ position: Position }),
  answer: Outcome,
  outcomes: ['done', 'notDone'],
})

export const moveTrack = endpoint({
  path: '/action/movetrack/{track}/inplaylist/{playlist}/by/{position}/direction/{mode}',
  summary: 'Move the media item {track} at {position}; 400 if another item is there now.',
  access: editors,
  params: z.object({
    track: Uid,
    playlist: Uid,
    /** From 1. */ position: Position,
    /** Where to. */ mode: MoveDirection,
  }),
  answer: Outcome,
  outcomes: ['done', 'notDone'],
})
