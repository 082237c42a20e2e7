import { z } from 'zod'
import { bulkOf, PAGING } from './bulk.ts'
import { editors, endpoint, FormFile, readers } from './endpoint.ts'
import {
  Bytes,
  Description,
  Instant,
  ListQuery,
  listOf,
  Name,
  Permissions,
  Reference,
  Seconds,
  Sha256,
  Uid,
} from './fields.ts'
import { MediaCredits } from './media-credits.ts'
import { Outcome } from './outcomes.ts'

/** `{contentType}` of the media calls. */
export const MediaType = z.enum(['videos', 'videosAds', 'ads', 'melodies'])
export type MediaType = z.infer<typeof MediaType>

export const kindOfMedia = (type: MediaType) =>
  type === 'videos' || type === 'videosAds' ? 'video' : 'audio'
export const isAd = (type: MediaType) => type === 'ads' || type === 'videosAds'

/** `pending`: it waits to be measured; `not-measured`: it has no sound, or could not be measured. */
export const LoudnessState = z.enum(['pending', 'measured', 'not-measured'])
export type LoudnessState = z.infer<typeof LoudnessState>

/** EBU R128: integrated loudness in LUFS, true peak in dBTP. `measured` is false while it waits or cannot be measured. */
export const Loudness = z.object({
  /** How loud the whole file sounds, in LUFS. */
  integratedLufs: z.number(),
  /** The highest level between samples, in dBTP. */
  truePeakDbtp: z.number(),
})

export const MediaRow = z.object({
  uid: Uid,
  contentType: MediaType,
  /** Several items may have the same. */
  name: z.string(),
  /** A note of the users; may be empty. */
  description: z.string(),
  /** The name of the uploaded file, unique in its content type. */
  originalName: z.string(),
  sizeBytes: Bytes,
  durationSeconds: Seconds,
  uploadedAt: Instant,
  /** 1 for the first file; each replacement adds one. */
  fileVersion: z.int(),
  hash: Sha256,
  /** Null: not measured. */
  loudness: Loudness.nullable(),
  /** Whether `loudness` is to come. */
  loudnessState: LoudnessState,
  /** Whether it has a preview image. */
  hasPreview: z.boolean(),
  /** A playlist that is not in the recycle bin has it, or a configuration profile names it. */
  isUsed: z.boolean(),
  ...MediaCredits.shape,
})
export type MediaRow = z.infer<typeof MediaRow>

export const MediaCard = MediaRow.extend({
  /** How many playlists have it, without those of the recycle bin. */
  usedInPlaylists: z.int(),
  /** How many groups have an active or delayed publication that plays it. */
  usedInGroups: z.int(),
  /** The type that the server found in the bytes. */
  mimeType: z.string(),
  /** Bits in a second on average; null: not known. */
  bitRate: z.int().nullable(),
  /** Samples of the sound in a second; null: no sound. */
  sampleRate: z.int().nullable(),
  /** Channels of the sound; null: no sound. */
  channels: z.int().nullable(),
  /** Pixels; null for audio. */
  width: z.int().nullable(),
  /** Pixels; null for audio. */
  height: z.int().nullable(),
  /** False for an MP3 without LAME delay data: a join adds about 46 ms. */
  isGapless: z.boolean(),
  /** The text that the file has in place of a valid ISRC; empty once the item has an ISRC. */
  invalidIsrc: z.string(),
  createdAt: Instant,
  changedAt: Instant,
  /** The record's version, which `edit` sends back. */
  version: z.int(),
  permissions: Permissions,
})
export type MediaCard = z.infer<typeof MediaCard>

export const MediaFilter = ListQuery.extend({
  /** Items that a playlist or a profile uses, or the others. */
  used: z.enum(['used', 'unused']).optional(),
  /** Items with or without an ISRC. */
  isrc: z.enum(['with', 'without']).optional(),
})

const byType = z.object({ contentType: MediaType })
const byUid = z.object({ contentType: MediaType, uid: Uid })

export const listMedia = endpoint({
  path: '/{contentType}/qlist',
  summary: 'Media of one content type.',
  access: readers,
  params: byType,
  query: MediaFilter,
  answer: listOf(MediaRow),
})

export const readMedia = endpoint({
  path: '/{contentType}/qcard/{uid}',
  summary: 'One media item.',
  access: readers,
  params: byUid,
  answer: MediaCard,
})

export const listMediaPlaylists = endpoint({
  path: '/{contentType}/get/{uid}/qplaylists',
  summary: 'The playlists that contain it.',
  access: readers,
  params: byUid,
  query: ListQuery,
  answer: listOf(Reference),
})

export const listMediaGroups = endpoint({
  path: '/{contentType}/get/{uid}/qgroups',
  summary: 'The groups with an active or delayed publication that plays it.',
  access: readers,
  params: byUid,
  query: ListQuery,
  answer: listOf(Reference),
})

export const uploadMedia = endpoint({
  path: '/{contentType}/upload',
  summary:
    'Upload one file, with the parts `description?`, `uid?` and `preview?` before `file`. `uid` replaces the file of that item; without `file`, only its preview image. The server validates the bytes: 901 wrong type, 902 name exists, 903 not enough storage.',
  access: editors,
  params: byType,
  bodyForm: 'multipart',
  form: z.object({
    description: Description.optional(),
    uid: Uid.optional(),
    /** A JPEG, PNG or WebP image. */
    preview: FormFile.optional(),
    /** The last part: an MP3 or MP4 file. */
    file: FormFile.optional(),
  }),
  answer: Outcome.extend({ durationSeconds: Seconds.optional() }),
  outcomes: ['done', 'wrongFileType', 'nameExists', 'storageFull'],
  givesUid: true,
})

export const editMedia = endpoint({
  path: '/{contentType}/edit',
  summary: 'Change the name, description or credits.',
  access: editors,
  params: byType,
  body: z.object({
    uid: Uid,
    name: Name.optional(),
    description: Description.optional(),
    ...MediaCredits.partial().shape,
    /** The record's that the user saw; HTTP 409 if it is stale. */
    version: z.int().optional(),
  }),
  answer: Outcome,
  outcomes: ['done'],
})

export const deleteMedia = endpoint({
  path: '/{contentType}/delete',
  summary: 'Move to the recycle bin. 921 with the names of the playlists and profiles that use it.',
  access: editors,
  worksOnFullDisk: true,
  params: byType,
  body: z.object({ uid: Uid }),
  answer: Outcome,
  outcomes: ['done', 'mediaInUse'],
})

export const deleteManyMedia = endpoint({
  path: '/{contentType}/massdelete',
  summary:
    "Move media to the recycle bin; 921 for items that playlists or profiles use. 200 if all were moved, otherwise the code that all failures share, or 303 if they differ; `done` and `failed` list the items. A filter handles at most 1,000 items a call; `remaining` counts the rest: repeat the call with the answer's `after`. A filter that finds every item needs `all: true`.",
  access: editors,
  worksOnFullDisk: true,
  isHeavy: true,
  params: byType,
  body: bulkOf(MediaFilter.omit(PAGING)),
  answer: Outcome,
  outcomes: ['done', 'someFailed', 'notDone', 'mediaInUse'],
})

export const deleteUnusedMedia = endpoint({
  method: 'POST',
  path: '/{contentType}/deleteunused',
  summary:
    'Move every item of a content type that no playlist or profile uses to the recycle bin; at most 1,000 a call; `remaining` counts the rest.',
  access: editors,
  worksOnFullDisk: true,
  isHeavy: true,
  params: byType,
  answer: Outcome,
  outcomes: ['done', 'someFailed', 'notDone', 'mediaInUse'],
})

export const readMediaFile = endpoint({
  path: '/api/v2/media/{uid}/file',
  summary:
    'The file, with Range; `?ticket=` replaces the token where no header can be sent. With a ticket it may be 302 to a signed address of the store.',
  access: readers,
  params: z.object({ uid: Uid }),
  query: z.object({
    /** A ticket for this path, by `/api/v2/ticket`, in place of the token. */
    ticket: z.string().optional(),
  }),
  answer: z.unknown(),
  answerForm: 'bytes',
})

export const readMediaPreview = endpoint({
  path: '/api/v2/media/{uid}/preview',
  summary:
    'The preview image; `?ticket=` replaces the token where no header can be sent. With a ticket it may be 302 to a signed address of the store.',
  access: readers,
  params: z.object({ uid: Uid }),
  query: z.object({
    /** A ticket for this path, by `/api/v2/ticket`, in place of the token. */
    ticket: z.string().optional(),
  }),
  answer: z.unknown(),
  answerForm: 'bytes',
})
