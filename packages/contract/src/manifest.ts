import { z } from 'zod'
import { BlockKind, Bytes, Day, Instant, Kind, Seconds, Sha256, TimeOfDay, Uid } from './fields.ts'
import { Loudness, MediaType } from './media.ts'
import { DEFAULT_VOLUME } from './tags.ts'

/*
 * The manifest that the server sends. It has no other fields than these. Devices parse it by device-manifest.ts, which
 * tolerates additions of later servers.
 */

/** A file that the device must hold. */
export const ManifestFile = z.object({
  mediaUid: Uid,
  sha256: Sha256,
  name: z.string(),
  contentType: MediaType,
  sizeBytes: Bytes,
  durationSeconds: Seconds,
  loudness: Loudness.nullable(),
  /** The path on the device host, without origin: /api/v2/iplay/media/{mediaUid}/{sha256}. */
  path: z.string(),
})
export type ManifestFile = z.infer<typeof ManifestFile>

/** An item of a simple playlist; `file` indexes the manifest's `files`. */
export const ManifestItem = z.object({
  uid: Uid,
  file: z.int().nonnegative(),
  /** Plays in a row: the repeat count, or the whole plays that fit in the replay duration, at least one. */
  plays: z.int().min(1),
  /** Once a day at the first track boundary at or after this wall time; null: part of the loop. */
  startTime: TimeOfDay.nullable(),
})
export type ManifestItem = z.infer<typeof ManifestItem>

/** A block of a smart playlist's day: all starts are in seconds from the window's start, as in the plan. */
export const ManifestBlock = z.object({
  kind: BlockKind,
  start: Seconds,
  duration: Seconds,
  items: z.array(z.object({ file: z.int().nonnegative(), start: Seconds, duration: Seconds })),
})
export type ManifestBlock = z.infer<typeof ManifestBlock>

const PlaylistHead = {
  uid: Uid,
  name: z.string(),
  kind: Kind,
  /** Seconds; never over an ad. */
  crossfadeSeconds: z.number().min(0).max(10),
  /** Dates, inclusive, in the device's zone; null: not limited. */
  startDate: Day.nullable(),
  endDate: Day.nullable(),
}

export const ManifestPlaylist = z.discriminatedUnion('form', [
  z.object({ form: z.literal('simple'), ...PlaylistHead, items: z.array(ManifestItem) }),
  z.object({
    form: z.literal('smart'),
    ...PlaylistHead,
    /** The window's wall times; an end of 23:59 means midnight, an end before the start runs over midnight. */
    startDay: TimeOfDay,
    endDay: TimeOfDay,
    blocks: z.array(ManifestBlock),
  }),
])
export type ManifestPlaylist = z.infer<typeof ManifestPlaylist>

/** A delayed start: one instant, or a wall time in the device's zone. */
export const StartMoment = z.union([
  z.object({ at: Instant }),
  z.object({ wall: z.iso.datetime({ local: true }) }),
])
export type StartMoment = z.infer<typeof StartMoment>

export const ManifestPublication = z.object({
  uid: Uid,
  name: z.string(),
  /** Grows whenever its devices need other files. Readiness refers to it. */
  revision: z.int().min(1),
  /** The time at which it was turned on. The loop of a simple playlist begins here on its first day. */
  activatedAt: Instant,
  /** The moment of a delayed start; null: in force since `activatedAt`. */
  startsAt: StartMoment.nullable(),
  playlist: ManifestPlaylist,
})
export type ManifestPublication = z.infer<typeof ManifestPublication>

export const AlertKind = z.enum(['air', 'chemical', 'nuclear'])
export type AlertKind = z.infer<typeof AlertKind>
export const ManifestAlert = z.object({
  uid: Uid,
  kind: AlertKind,
  beganAt: Instant,
  isDrill: z.boolean(),
  /** Index into `files`; null: the device's own siren. */
  file: z.int().nonnegative().nullable(),
})
export type ManifestAlert = z.infer<typeof ManifestAlert>

/** The merged settings of the configuration profiles that apply, over the defaults. */
export const DeviceSettings = z.object({
  defaultVolume: z.int().min(0).max(100),
  /** Target loudness of every file in LUFS; null: files play unchanged. */
  loudnessTargetLufs: z.number().nullable(),
  heartbeatSeconds: z.int().min(10).max(3600),
  debugLog: z.boolean(),
  alertVolume: z.int().min(0).max(100),
  /** Hours for downloads that are not due within a day, and their speed; absent: no limit. */
  downloadFrom: TimeOfDay.optional(),
  downloadTo: TimeOfDay.optional(),
  downloadKilobitsPerSecond: z.int().optional(),
  /** Degrees clockwise, and pixels as 1920x1080; absent: as the player is set. */
  rotation: z.int().optional(),
  resolution: z.string().optional(),
})
export type DeviceSettings = z.infer<typeof DeviceSettings>

/** Settings that no profile of the device's group sets. */
export const defaultSettings: DeviceSettings = {
  defaultVolume: DEFAULT_VOLUME,
  // Half-way between broadcast (-23) and streaming (-14): loud masters come down, quiet ones keep headroom.
  loudnessTargetLufs: -18,
  heartbeatSeconds: 60,
  debugLog: false,
  alertVolume: 100,
}

/** A file of the update to install. */
export const ManifestUpdateFile = z.object({
  uid: Uid,
  /** The name of the uploaded file; never used as a path. */
  name: z.string(),
  sha256: Sha256,
  sizeBytes: Bytes,
  /** Ed25519 over `signedTextOf(sha256)`, in base64; null: no signature, and a device with a key refuses the file. */
  signature: z.string().nullable(),
  /** The path on the device host, without origin: /api/v2/iplay/update/{uid}/{sha256}. */
  path: z.string(),
})

/** The update to install: of those that the device's group is offered, a forced one, else the highest version. */
export const ManifestUpdate = z.object({
  packageUid: Uid,
  name: z.string(),
  category: z.string(),
  version: z.string(),
  channelName: z.string(),
  /** True if it also replaces a higher version. */
  isForced: z.boolean(),
  files: z.array(ManifestUpdateFile),
})
export type ManifestUpdate = z.infer<typeof ManifestUpdate>

/** The version of the device protocol that this program speaks. */
export const PROTOCOL = 1

/** A device's manifest. The same state has the same bytes. */
export const Manifest = z.object({
  /**
   * The protocol's version. An addition that an older device may ignore or skip does not raise it; a change of what
   * stands here already does. Agents of version 2.775.0 refuse any number but 1.
   */
  protocol: z.literal(PROTOCOL),
  /** Grows with every change of the fields below. */
  generation: z.int().nonnegative(),
  device: z.object({
    uid: Uid,
    name: z.string(),
    kind: Kind,
    /** IANA. */
    timeZone: z.string(),
    volume: z.int().min(0).max(100),
    /** Opening inclusive, closing exclusive; none or equal: always open; closing before opening runs over midnight. */
    openingTime: TimeOfDay.nullable(),
    closingTime: TimeOfDay.nullable(),
  }),
  tags: z.record(z.string(), z.string()),
  settings: DeviceSettings,
  alerts: z.array(ManifestAlert),
  /** Indexes into `files`, for an alert that the device knows before its manifest has it; absent: the device's own siren for all. */
  alertSounds: z.partialRecord(AlertKind, z.int().nonnegative()).optional(),
  publications: z.array(ManifestPublication),
  files: z.array(ManifestFile),
  /** Absent without an offer. */
  update: ManifestUpdate.optional(),
})
export type Manifest = z.infer<typeof Manifest>
