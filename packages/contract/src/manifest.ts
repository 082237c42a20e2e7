import { z } from 'zod'
import { AlertKind } from './alert-kind.ts'
import { BlockKind, Bytes, Day, Instant, Kind, Seconds, Sha256, TimeOfDay, Uid } from './fields.ts'
import { Loudness, MediaType } from './media.ts'
import { DEFAULT_VOLUME } from './tags.ts'

/*
 * The manifest and the programmes that the server sends. They have no other fields than these. Devices parse them by
 * device-manifest.ts, which tolerates additions of later servers.
 *
 * A manifest is small and a device's own. It names by hash the programmes that its group plays: the same bytes for every
 * device, which fetches each once. Agents of protocol 1 get both in one document, the `FormerManifest`.
 */

/** A file that the device must hold. */
export const ManifestFile = z.object({
  mediaUid: Uid,
  sha256: Sha256,
  /** The media item's. */ name: z.string(),
  contentType: MediaType,
  sizeBytes: Bytes,
  durationSeconds: Seconds,
  /** Null: not measured. */ loudness: Loudness.nullable(),
  /** The path on the device host, without origin: /api/v2/iplay/media/{mediaUid}/{sha256}. */
  path: z.string(),
})
export type ManifestFile = z.infer<typeof ManifestFile>

/** A file of a programme. Its path follows from its uid and hash: see `ManifestFile`. */
const ProgrammeFile = ManifestFile.omit({ path: true })

/** An item of a simple playlist; `file` indexes the files beside the playlist. */
export const ManifestItem = z.object({
  uid: Uid,
  /** Index into the files beside the playlist, from 0. */
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
  /** The plays in their order. */
  items: z.array(
    z.object({
      /** Index into the files beside the playlist, from 0. */
      file: z.int().nonnegative(),
      start: Seconds,
      duration: Seconds,
    }),
  ),
})
export type ManifestBlock = z.infer<typeof ManifestBlock>

export const PlaylistHead = z.object({
  uid: Uid,
  /** The playlist's. */
  name: z.string(),
  kind: Kind,
  /** Seconds; never over an ad. */
  crossfadeSeconds: z.number().min(0).max(10),
  /** Dates, inclusive, in the device's zone; null: not limited. */
  startDate: Day.nullable(),
  /** The last day on which it plays; null: not limited. */
  endDate: Day.nullable(),
})

/** Items that repeat from the opening on. */
export const SimplePlaylist = z.object({
  /** Which form of playlist. */
  form: z.literal('simple'),
  ...PlaylistHead.shape,
  /** In their order. */
  items: z.array(ManifestItem),
})
export const SmartHead = z.object({
  /** Which form of playlist. */
  form: z.literal('smart'),
  ...PlaylistHead.shape,
  /** The window's wall times; an end of 23:59 means midnight, an end before the start runs over midnight. */
  startDay: TimeOfDay,
  endDay: TimeOfDay,
})

/** A playlist with the start of each play. */
export const ManifestPlaylist = z.discriminatedUnion('form', [
  SimplePlaylist,
  z.object({ ...SmartHead.shape, /** The day's, in their order. */ blocks: z.array(ManifestBlock) }),
])
export type ManifestPlaylist = z.infer<typeof ManifestPlaylist>

/**
 * A block of a programme's day. The start of a play is the end of the one before it plus its gap, in whole milliseconds;
 * that of the first play is the block's start plus its gap. Gaps are mostly 0, so a day compresses well.
 */
export const ProgrammeBlock = z.object({
  kind: BlockKind,
  start: Seconds,
  duration: Seconds,
  /** Indexes into the programme's files, a play each. */
  files: z.array(z.int().nonnegative()),
  /** Milliseconds before each play; negative for an overlap. */
  gaps: z.array(z.int()),
})
export type ProgrammeBlock = z.infer<typeof ProgrammeBlock>

/** What a playlist's revision plays: the files, each once, and how they follow. The same state has the same bytes. */
export const Programme = z.object({
  /** How the files follow. */ playlist: z.discriminatedUnion('form', [
    SimplePlaylist,
    z.object({ ...SmartHead.shape, /** The day's, in their order. */ blocks: z.array(ProgrammeBlock) }),
  ]),
  /** Each once, without `path`. */ files: z.array(ProgrammeFile),
})
export type Programme = z.infer<typeof Programme>

/** A delayed start: one instant, or a wall time in the device's zone. */
export const StartMoment = z.union([
  z.object({ at: Instant }),
  z.object({ /** `2026-11-22T08:00:00`. */ wall: z.iso.datetime({ local: true }) }),
])
export type StartMoment = z.infer<typeof StartMoment>

export const PublicationHead = z.object({
  uid: Uid,
  /** The publication's. */
  name: z.string(),
  /** Grows whenever its devices need other files. Readiness refers to it. */
  revision: z.int().min(1),
  /** The time at which it was turned on. The loop of a simple playlist begins here on its first day. */
  activatedAt: Instant,
  /** The moment of a delayed start; null: in force since `activatedAt`. */
  startsAt: StartMoment.nullable(),
})
export const ManifestPublication = z.object({
  ...PublicationHead.shape,
  /** The SHA-256 of its programme's bytes, which the device fetches from /api/v2/iplay/programme/{sha256}. */
  programme: Sha256,
})
export type ManifestPublication = z.infer<typeof ManifestPublication>
/** A publication with its playlist. */
export const FormerPublication = z.object({ ...PublicationHead.shape, playlist: ManifestPlaylist })
export type FormerPublication = z.infer<typeof FormerPublication>

export const ManifestAlert = z.object({
  uid: Uid,
  kind: AlertKind,
  beganAt: Instant,
  /** For practice. */ isDrill: z.boolean(),
  /** Index into `files`; null: the device's own siren. */
  file: z.int().nonnegative().nullable(),
})
export type ManifestAlert = z.infer<typeof ManifestAlert>

/** The merged settings of the configuration profiles that apply, over the defaults. */
export const DeviceSettings = z.object({
  /** The server has it in `device.volume` already, where no tag sets the volume. */
  defaultVolume: z.int().min(0).max(100),
  /** Target loudness of every file in LUFS; null: files play unchanged. */
  loudnessTargetLufs: z.number().nullable(),
  /** From one heartbeat to the next, ± 10 %. */
  heartbeatSeconds: z.int().min(10).max(3600),
  /** Whether it logs `debug` events of downloads and channels too. */
  debugLog: z.boolean(),
  /** That of alerts, in place of the volume. */
  alertVolume: z.int().min(0).max(100),
  /** Hours for downloads that can wait (not the sounds of alerts, and what is heard within the hour), and the speed of all; absent: no limit. */
  downloadFrom: TimeOfDay.optional(),
  downloadTo: TimeOfDay.optional(),
  /** For all downloads together; absent: no limit. */
  downloadKilobitsPerSecond: z.int().optional(),
  /** Degrees clockwise, and pixels as 1920x1080; absent: as the player is set. */
  rotation: z.int().optional(),
  /** 1920x1080; absent: as the player is set. */
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
  /** Ed25519 over `signedTextOf(sha256)`, in base64, for agents of former releases; null: none. */
  signature: z.string().nullable(),
  /**
   * The text of `statementTextOf` and its Ed25519 signature in base64. Absent from former servers, and for a file that a former
   * release's tool signed: a device with a key refuses the file.
   */
  statement: z
    .object({ /** Eight lines. */ text: z.string(), /** In base64. */ signature: z.string() })
    .optional(),
  /** The path on the device host, without origin: /api/v2/iplay/update/{uid}/{sha256}. */
  path: z.string(),
})

/** The update to install: of those that the device's group is offered, a forced one, else the highest version. */
export const ManifestUpdate = z.object({
  packageUid: Uid,
  /** The package's. */ name: z.string(),
  /** A label of the users. */ category: z.string(),
  /** The package's. */ version: z.string(),
  /** The channel that offers it. */ channelName: z.string(),
  /** True if it also replaces a higher version. */
  isForced: z.boolean(),
  /** All that are to be installed. */ files: z.array(ManifestUpdateFile),
})
export type ManifestUpdate = z.infer<typeof ManifestUpdate>

/**
 * The version of the device protocol that this program speaks. An addition that an older device may ignore or skip does not
 * raise it; a change of what stands already does. A device asks for a version by `?protocol=`; without it it gets version 1.
 */
export const PROTOCOL = 2
/** The version that agents of release 2.775.0 speak. They refuse any other number. */
export const FORMER_PROTOCOL = 1

/** Offsets of a time zone. Outside `from` and `until` the device's own rules hold. */
export const ZoneOffsets = z.object({
  from: Instant,
  until: Instant,
  /** Minutes east of UTC, each from an instant on; the first from `from` on. */
  offsets: z.array(z.object({ from: Instant, /** East of UTC. */ minutes: z.number() })).min(1),
})
export type ZoneOffsets = z.infer<typeof ZoneOffsets>

/** What the manifest says of the device itself. */
export const ManifestDevice = z.object({
  uid: Uid,
  /** As the console shows it. */
  name: z.string(),
  kind: Kind,
  /** IANA. */
  timeZone: z.string(),
  /** The zone's offsets by the server's rules, which the device's own may differ from. */
  zoneOffsets: ZoneOffsets.optional(),
  /** 0 to 100. */
  volume: z.int().min(0).max(100),
  /** Opening inclusive, closing exclusive; none or equal: always open; closing before opening runs over midnight. */
  openingTime: TimeOfDay.nullable(),
  /** Exclusive. */
  closingTime: TimeOfDay.nullable(),
})

export const ManifestHead = z.object({
  /** Grows with every change of the fields below. */
  generation: z.int().nonnegative(),
  device: ManifestDevice,
  /** The effective ones: values by key. */
  tags: z.record(z.string(), z.string()),
  settings: DeviceSettings,
  /** The open alerts for the device. */
  alerts: z.array(ManifestAlert),
  /** Indexes into `files`, for an alert that the device knows before its manifest has it; absent: the device's own siren for all. */
  alertSounds: z.partialRecord(AlertKind, z.int().nonnegative()).optional(),
  /** Absent without an offer. */
  update: ManifestUpdate.optional(),
})

/** A device's manifest. The same state has the same bytes. */
export const Manifest = z.object({
  /** The version of the device protocol. */ protocol: z.literal(PROTOCOL),
  ...ManifestHead.shape,
  /** Those that are active or delayed. */ publications: z.array(ManifestPublication),
  /** The sounds of alerts. */
  files: z.array(ManifestFile),
})
export type Manifest = z.infer<typeof Manifest>

/** The manifest of protocol 1: with its programmes, whose files stand in `files`. */
export const FormerManifest = z.object({
  /** The version of the device protocol. */ protocol: z.literal(FORMER_PROTOCOL),
  ...ManifestHead.shape,
  /** Those that are active or delayed. */ publications: z.array(FormerPublication),
  /** Those of all playlists, and the sounds of alerts. */ files: z.array(ManifestFile),
})
export type FormerManifest = z.infer<typeof FormerManifest>
