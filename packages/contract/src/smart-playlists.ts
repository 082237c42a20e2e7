import { z } from 'zod'
import { editors, endpoint } from './endpoint.ts'
import { BlockKind, Description, Name, Seconds, TimeOfDay, Uid } from './fields.ts'
import { MediaType } from './media.ts'
import { Outcome } from './outcomes.ts'

/** Deeper than any filter of the wizard. Deeper nesting is refused. */
const DEEPEST_FILTER = 8
/** Tracks of one list: more than a day of two-second tracks. */
const MAX_TRACKS = 50_000
/** A day of half-second tracks. */
const MAX_BLOCKS = 172_800
const DAY_SECONDS = 86_400

/** What the day has: melodies and ads, or videos and video ads. */
export const SmartPlaylistType = z.enum(['audio-smart', 'video-smart'])
export type SmartPlaylistType = z.infer<typeof SmartPlaylistType>

/** Automatic: a short list is one block; manual: the list repeats until the target is reached. */
export const BlockMode = z.enum(['auto', 'manual'])

function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return depth > 0 && Object.values(value).every(inner => isShallow(inner, depth - 1))
}

/** Characters of a filter's JSON: more than the wizard stores of a client with thousands of devices. */
const MAX_NOTE_CHARACTERS = 256 * 1024

/** Fields that only the wizard reads; the server stores and returns them unchanged. */
const EditorNote = z
  .unknown()
  .refine(value => isShallow(value, DEEPEST_FILTER), { error: 'too-deep', abort: true })
  .refine(value => (JSON.stringify(value) ?? '').length <= MAX_NOTE_CHARACTERS, 'too-long')

/** A track of a list for the planner, which validates the duration. */
export const SmartTrack = z.object({
  uid: Uid,
  /** The duration of the media item in seconds. */
  duration: z.number(),
  /** Its frequency relative to the other tracks of its list. */
  weight: z.number().optional(),
})
export type SmartTrack = z.infer<typeof SmartTrack>

/** A block of a plan; starts are in seconds from the window's start. */
export const SmartBlock = z.object({
  kind: BlockKind,
  /** From the window's start. */
  start: z.number(),
  /** Seconds. */
  duration: z.number(),
  /** The plays in their order. */
  items: z
    .array(
      z.object({
        uid: Uid,
        /** From the window's start, in seconds. */
        start: z.number(),
        /** The whole file's, in seconds. */
        duration: z.number(),
      }),
    )
    .max(MAX_BLOCKS),
})
export type SmartBlock = z.infer<typeof SmartBlock>

/**
 * The smart playlist draft of docs/specification.md#3-entities-and-their-fields, with the planner's further input.
 * Times are seconds, except the window's two ends.
 */
export const SmartDraft = z.object({
  /** Set: this playlist is planned again; null: a new one. */
  smartPlUid: Uid.nullable().default(null),
  smartPlName: Name,
  smartPlDescr: Description.default(''),
  playlistType: SmartPlaylistType.default('audio-smart'),
  startDay: TimeOfDay.default('00:00'),
  /** 23:59 means midnight. An end before the start is on the next day. */
  endDay: TimeOfDay.default('23:59'),
  /** The window's seconds. */
  workTime: z.number().default(DAY_SECONDS),
  /** The target of a background block. */
  melTime: z.number().default(360),
  /** The target of an ad block. */
  adsTime: z.number().default(900),
  melMode: BlockMode.default('auto'),
  adsMode: BlockMode.default('auto'),
  /** The background: melodies, or videos in a video playlist. */
  melList: z.array(SmartTrack).max(MAX_TRACKS, 'too-many'),
  /** The ads. */
  adsList: z.array(SmartTrack).max(MAX_TRACKS, 'too-many'),
  /** `plan().blocks` of the fields above. */
  finishList: z.array(SmartBlock).max(MAX_BLOCKS, 'too-many'),
  /** Between two background items. */
  crossfade: z.number().min(0, 'crossfade').max(10, 'crossfade').default(0),
  /** Minimum ad separation: from one play's end to the next play's begin of the same ad. */
  minAdGap: z.number().min(0, 'ad-gap').max(DAY_SECONDS, 'ad-gap').default(0),
  /** The seed of the random order: the same input with the same seed gives the same plan. */
  seed: z.number(),
  /** Only stored and given back. */
  colour: z.string().max(40, 'too-long').default(''),
  /** Percent. */
  uploadingProgress: z.number().min(0).max(100).default(0),
  /** Only stored and given back. */
  deviceFilter: EditorNote.default(null),
  /** Only stored and given back. */
  playlistFilter: EditorNote.default(null),
  /** The record's version of the playlist that is planned again; HTTP 409 if it is stale. */
  version: z.int().optional(),
})
export type SmartDraft = z.infer<typeof SmartDraft>

/** A draft to import. A new playlist may be a copy that will replace one on the air. */
export const SmartImport = SmartDraft.extend({
  /** The playlist that the new one will replace; null with `smartPlUid`. */
  editOf: Uid.nullable().default(null),
  /** Absent: the server draws one. */
  seed: z.number().optional(),
  /** Absent: that of `startDay` and `endDay`. */
  workTime: z.number().optional(),
  /** Absent: the server plans. */
  finishList: SmartDraft.shape.finishList.optional(),
})
export type SmartImport = z.infer<typeof SmartImport>

/** A media item that changed since the plan. */
export const ChangedMedia = z.object({
  uid: Uid,
  /** The media item's. */
  name: z.string(),
  contentType: MediaType,
  /** The planned duration, and that of the item's newest file. */
  plannedSeconds: Seconds,
  durationSeconds: Seconds,
  /** It is in the recycle bin. */
  isInBin: z.boolean(),
})
export type ChangedMedia = z.infer<typeof ChangedMedia>

/** A track of a smart playlist's lists, as it was planned. */
export const PlannedTrack = z.object({
  uid: Uid,
  /** The media item's. */
  name: z.string(),
  contentType: MediaType,
  /** Its frequency relative to the other tracks of its list; 1 by default. */
  weight: z.number(),
  plannedSeconds: Seconds,
})
export type PlannedTrack = z.infer<typeof PlannedTrack>

/** A block of a smart playlist's day. */
export const PlannedBlock = z.object({
  /** From 1, dense. */
  position: z.int().min(1),
  kind: BlockKind,
  /** From the window's start. */
  startSeconds: Seconds,
  durationSeconds: Seconds,
  /** All plays of the block; `plays` may have fewer. */
  playCount: z.int(),
  /** In their order: the first 100, or a page of them. */
  plays: z.array(
    z.object({
      /** Within the block, from 1. */
      position: z.int().min(1),
      mediaUid: Uid,
      /** The media item's. */
      name: z.string(),
      contentType: MediaType,
      /** From the window's start. */
      startSeconds: Seconds,
      durationSeconds: Seconds,
    }),
  ),
})
export type PlannedBlock = z.infer<typeof PlannedBlock>

export const importSmartPlaylist = endpoint({
  path: '/playlist/import',
  summary:
    'Create a smart playlist, paused, from a draft (at most 16 MiB), or plan a paused one again (`smartPlUid`). Without `finishList` the server plans the day; a `finishList` of your own has to keep the rules. Starts are in seconds from `startDay`. Rule 1: background and ad blocks alternate, background first; items follow one another without a gap; nothing begins before the window or ends after it. Rule 2: a block is as long as its target (`melTime`, `adsTime`); in mode `auto` a shorter list without weights is one block. Rule 3: a block is off its target by half the longest item of its list at most, or is a single item. Rule 4: plays of two items of the same weight differ by one at most; with weights, each is within one play of its share. Rule 5: between two plays of an item at least half of the others are heard, and `minAdGap` is kept. Rule 6: the last ad block is longer than its target by half the longest ad at most, and the rest of the day is shorter than the next item that the rules allow. Of rules 2 and 3 the last block of each kind is excepted. All or nothing: 400 with the reason `media-not-as-planned`, `plan-refused` or `plan-breaks-rules`, and `faults` with their places. Faults of media are `media-unknown` (not an item of this client), `media-in-bin`, `media-wrong-kind` and `media-duration-changed`. With `editOf`, the new playlist is meant to replace that one on the air and takes its dates. Without a `seed` the server draws one; the answer has the seed. A minimum ad separation (`minAdGap`) that no plan keeps is refused at `minAdGap` with the `figures.largest` that one keeps.',
  access: editors,
  isHeavy: true,
  body: SmartImport,
  answer: Outcome.extend({
    /** The seed of the plan. */
    seed: z.number().optional(),
  }),
  outcomes: ['done', 'notDone'],
  givesUid: true,
})
