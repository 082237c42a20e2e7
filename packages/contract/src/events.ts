import { z } from 'zod'
import { AlertKind } from './alert-kind.ts'
import { Instant, Seconds, Sha256, Uid } from './fields.ts'
import { MediaType } from './media.ts'

const head = {
  /** Made by the device once; the server stores an id once however often it comes. */
  id: Uid,
  /** One a start of the device's program. */
  bootId: Uid,
  /** From 1 within the boot, without holes; holes are gaps that the card shows. */
  sequence: z.int().min(1),
  /** When it happened, by the device's clock corrected with the server's offset. */
  at: Instant,
}

/**
 * `complete` heard whole; `joined` begun inside; `cut` ended early (`why` says by what); `failed` could not be played.
 */
export const PlayResult = z.enum(['complete', 'joined', 'cut', 'failed'])
export type PlayResult = z.infer<typeof PlayResult>

/** One play, written when it ended. Names are those of its time. */
export const PlayEvent = z.object({
  ...head,
  kind: z.literal('playtrack'),
  publicationUid: Uid.nullable(),
  playlistUid: Uid.nullable(),
  playlistName: z.string().max(200).nullable(),
  itemUid: Uid.nullable(),
  mediaUid: Uid,
  sha256: Sha256,
  trackName: z.string().max(200),
  contentType: MediaType,
  scheduledAt: Instant,
  /** True start and end of what was heard. */
  startedAt: Instant,
  endedAt: Instant,
  secondsPlayed: Seconds,
  durationSeconds: Seconds,
  result: PlayResult,
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
  ...head,
  kind: z.literal('playlist'),
  publicationUid: Uid.nullable(),
  playlistUid: Uid.nullable(),
  playlistName: z.string().max(200).nullable(),
  revision: z.int().nullable(),
  status: z.enum(['began', 'ended', 'silent']),
  why: z.string().max(200).nullable(),
})

export const DebugEvent = z.object({
  ...head,
  kind: z.literal('debug'),
  level: z.enum(['info', 'warning', 'error']),
  code: z.string().max(60),
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
  ...head,
  kind: z.literal('update'),
  packageUid: Uid.nullable(),
  packageName: z.string().max(200).nullable().optional(),
  channelName: z.string().max(200).nullable().optional(),
  version: z.string().max(60),
  step: UpdateStep,
  message: z.string().max(1000).nullable(),
})

/** What a device has done with an alert. */
export const AlertStep = z.enum(['received', 'started', 'ended'])
export type AlertStep = z.infer<typeof AlertStep>

export const AlertEvent = z.object({
  ...head,
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
