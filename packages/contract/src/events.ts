import { z } from 'zod'
import { AlertKind } from './alert-kind.ts'
import { Instant, Seconds, Sha256, Uid } from './fields.ts'
import { MediaType } from './media.ts'

/** What each event has. */
export const EventHead = z.object({
  /** Made by the device once; the server stores an id once however often it comes. */
  id: Uid,
  /** One a start of the device's program. */
  bootId: Uid,
  /** From 1 within the boot, without holes; holes are gaps that the card shows. */
  sequence: z.int().min(1),
  /** When it happened, by the device's clock corrected with the server's offset. */
  at: Instant,
})

/**
 * `complete` heard whole; `joined` begun inside; `cut` ended early (`why` says by what); `failed` could not be played.
 */
export const PlayResult = z.enum(['complete', 'joined', 'cut', 'failed'])
export type PlayResult = z.infer<typeof PlayResult>

/** One play, written when it ended. Names are those of its time. */
export const PlayEvent = z.object({
  ...EventHead.shape,
  /** A play. */
  kind: z.literal('playtrack'),
  /** Null: it played for none. */
  publicationUid: Uid.nullable(),
  /** Null: it played from none. */
  playlistUid: Uid.nullable(),
  /** Null: it played from none. */
  playlistName: z.string().max(200).nullable(),
  /** The item of a simple playlist; null for a smart one. */
  itemUid: Uid.nullable(),
  mediaUid: Uid,
  sha256: Sha256,
  /** The media item's. */
  trackName: z.string().max(200),
  contentType: MediaType,
  /** When the timeline has its start. */
  scheduledAt: Instant,
  /** True start and end of what was heard. */
  startedAt: Instant,
  endedAt: Instant,
  /** How much of the file was heard. */
  secondsPlayed: Seconds,
  /** The whole file's, as the programme has it. */
  durationSeconds: Seconds,
  result: PlayResult,
  /** By what it was cut, or why it failed; null for others. */
  why: z.string().max(200).nullable(),
})
export type PlayEvent = z.infer<typeof PlayEvent>

/**
 * Why the server counts a play nowhere and names it in no proof: a media item or a file that the client never had, a kind that is not
 * the item's, far longer than its file, at the same time as another play of the device, or one of too many short ones in a minute.
 */
export const LeftOut = z.enum([
  'unknown-media',
  'unknown-file',
  'other-kind',
  'too-long',
  'overlap',
  'too-many',
])
export type LeftOut = z.infer<typeof LeftOut>

/** The reason (`why`) of a play that a device called complete and that lasted less than its file: it is stored as cut. */
export const SHORTER_THAN_FILE = 'shorter-than-file'

/** The reason of a play that named a publication which the client does not have: it is stored as one of no publication. */
export const UNKNOWN_PUBLICATION = 'unknown-publication'

/** The device changed what it plays from: a publication's revision began or ended, or silence did. */
export const PlaylistEvent = z.object({
  ...EventHead.shape,
  /** A change of what plays. */
  kind: z.literal('playlist'),
  /** Null in silence, like the next three. */
  publicationUid: Uid.nullable(),
  /** The playlist of the publication. */
  playlistUid: Uid.nullable(),
  /** That playlist's. */
  playlistName: z.string().max(200).nullable(),
  /** The publication's. */
  revision: z.int().nullable(),
  /** What came: a publication, its end, or silence. */
  status: z.enum(['began', 'ended', 'silent']),
  /** The reason of silence; null for others. */
  why: z.string().max(200).nullable(),
})

export const DebugEvent = z.object({
  ...EventHead.shape,
  /** A message of the program. */
  kind: z.literal('debug'),
  /** With the setting `debugLog`, more of the level `info` come. */
  level: z.enum(['info', 'warning', 'error']),
  /** A word for the cause, by which logs are searched. */
  code: z.string().max(60),
  /** For people, in English. */
  message: z.string().max(1000),
})

/**
 * The state of an update on a device. `verified`: hashes and signatures fit; `installed`: the install command succeeded, and a
 * restart follows; `healthy`: the new version plays and has a session; `refused`: the device does not install it (a lower
 * version, a wrong signature); `failed`: the download or the installation failed and may be tried again; `returned`: the device
 * was not healthy and runs the former version again. Servers of former releases refuse `offered`, `verified` and `healthy`,
 * which a device does not send again.
 */
export const UpdateStep = z.enum([
  'offered',
  'downloading',
  'downloaded',
  'verified',
  'installing',
  'installed',
  'healthy',
  'refused',
  'failed',
  'returned',
])
export type UpdateStep = z.infer<typeof UpdateStep>

/** A step of the device with an update. Names are those of its manifest at the time. */
export const UpdateEvent = z.object({
  ...EventHead.shape,
  /** A step with an update. */
  kind: z.literal('update'),
  /** Null: not known. */
  packageUid: Uid.nullable(),
  /** Null or absent: not known. */
  packageName: z.string().max(200).nullable().optional(),
  /** Null or absent: not known. */
  channelName: z.string().max(200).nullable().optional(),
  /** The update's. */
  version: z.string().max(60),
  step: UpdateStep,
  /** Why it was refused, failed or returned; null for other steps. */
  message: z.string().max(1000).nullable(),
})

/** What a device has done with an alert. */
export const AlertStep = z.enum(['received', 'started', 'ended'])
export type AlertStep = z.infer<typeof AlertStep>

export const AlertEvent = z.object({
  ...EventHead.shape,
  /** A step of an alert. */
  kind: z.literal('alert'),
  alertUid: Uid,
  alertKind: AlertKind,
  step: AlertStep,
})

/** An event that a device sends by send/list. */
export const DeviceEvent = z.discriminatedUnion('kind', [
  PlayEvent,
  PlaylistEvent,
  DebugEvent,
  UpdateEvent,
  AlertEvent,
])
export type DeviceEvent = z.infer<typeof DeviceEvent>
