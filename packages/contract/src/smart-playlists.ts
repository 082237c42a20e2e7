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
  start: z.number(),
  duration: z.number(),
  items: z.array(z.object({ uid: Uid, start: z.number(), duration: z.number() })).max(MAX_BLOCKS),
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
  melTime: z.number().default(360),
  adsTime: z.number().default(900),
  melMode: BlockMode.default('auto'),
  adsMode: BlockMode.default('auto'),
  melList: z.array(SmartTrack).max(MAX_TRACKS, 'too-many'),
  adsList: z.array(SmartTrack).max(MAX_TRACKS, 'too-many'),
  /** `plan().blocks` of the fields above. */
  finishList: z.array(SmartBlock).max(MAX_BLOCKS, 'too-many'),
  /** Between two background items. */
  crossfade: z.number().min(0, 'crossfade').max(10, 'crossfade').default(0),
  /** Minimum ad separation: from one play's end to the next play's begin of the same ad. */
  minAdGap: z.number().min(0, 'ad-gap').max(DAY_SECONDS, 'ad-gap').default(0),
  seed: z.number(),
  colour: z.string().max(40, 'too-long').default(''),
  /** Percent. */
  uploadingProgress: z.number().min(0).max(100).default(0),
  deviceFilter: EditorNote.default(null),
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
})
export type SmartImport = z.infer<typeof SmartImport>

/** A media item that changed since the plan. */
export const ChangedMedia = z.object({
  uid: Uid,
  name: z.string(),
  contentType: MediaType,
  /** The planned duration, and that of the item's newest file. */
  plannedSeconds: Seconds,
  durationSeconds: Seconds,
  isInBin: z.boolean(),
})
export type ChangedMedia = z.infer<typeof ChangedMedia>

/** A track of a smart playlist's lists, as it was planned. */
export const PlannedTrack = z.object({
  uid: Uid,
  name: z.string(),
  contentType: MediaType,
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
  playCount: z.int(),
  plays: z.array(
    z.object({
      /** Within the block, from 1. */
      position: z.int().min(1),
      mediaUid: Uid,
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
    'Create a smart playlist, paused, from a draft with its plan (at most 16 MiB), or plan a paused one again (`smartPlUid`). All or nothing: 400 with the reason `media-not-as-planned`, `plan-refused` or `plan-breaks-rules`, and `faults` with their places. Faults of media are `media-unknown` (not an item of this client), `media-in-bin`, `media-wrong-kind` and `media-duration-changed`. With `editOf`, the new playlist is meant to replace that one on the air and takes its dates. Without a `seed` the server draws one; the answer has the seed. A minimum ad separation (`minAdGap`) that no plan keeps is refused at `minAdGap` with the `figures.largest` that one keeps.',
  access: editors,
  isHeavy: true,
  body: SmartImport,
  answer: Outcome.extend({ seed: z.number().optional() }),
  outcomes: ['done', 'notDone'],
})
