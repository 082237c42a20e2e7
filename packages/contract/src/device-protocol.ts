import { z } from 'zod'
import { AlertKind } from './alert-kind.ts'
import { CommandKind, MAX_WHY_LENGTH } from './device-commands.ts'
import { AlertCheck, NowPlaying } from './devices.ts'
import { byDevice, endpoint, openToAll, streamers } from './endpoint.ts'
import { AlertStep, DeviceEvent } from './events.ts'
import { Bytes, Instant, queryInt, Seconds, Sha256, Uid } from './fields.ts'
import { FormerManifest, Manifest, Programme } from './manifest.ts'
import { Redelivered, Restored } from './redelivery.ts'
import { ReportedServer, SignedAddress } from './server-address.ts'

/** How many files of a publication's revision a device misses. */
export const Held = z.object({
  publicationUid: Uid,
  /** The publication's, as the manifest has it. */ revision: z.int32().min(1),
  /** Files; 0: it holds all. */ missing: z.int32().nonnegative(),
})
export type Held = z.infer<typeof Held>

/** Why a device plays nothing, and since when. The reason is a `SilentReason`, or one that this server does not know. */
export const Silence = z.object({ /** Its reason, a word. */ because: z.string().max(40), since: Instant })
export type Silence = z.infer<typeof Silence>

/** Longer than any profile allows. */
const MAX_INTERVAL_SECONDS = 86_400

/** A device's report of its state. */
export const Heartbeat = z.object({
  /** The device's clock, uncorrected. */ sentAt: Instant,
  bootId: Uid,
  /** The player program's. */ programVersion: z.string().max(60),
  /** The hardware's. */ temperatureCelsius: z.number().min(-100).max(200).nullable(),
  /** The disk's, in bytes. */ memorySizeBytes: Bytes.nullable(),
  /** The disk's free space. */ freeMemoryBytes: Bytes.nullable(),
  /** In its own network. */ ipAddress: z.string().max(45).nullable(),
  /** Null: not known. */ macAddress: z.string().max(17).nullable(),
  /** The programme's, also during an alert. */ volume: z.int().min(0).max(100),
  /** Null in silence and during an alert. */ nowPlaying: NowPlaying.nullable(),
  /** The time until the next heartbeat, ± 10 %. Players of former releases do not say it. */
  intervalSeconds: z.number().positive().max(MAX_INTERVAL_SECONDS).optional(),
  /** Null: something plays. Players of former releases do not say it. */
  silence: Silence.nullable().default(null),
  /** ETag of the manifest it plays from; null: none yet. */ manifestEtag: z.string().max(100).nullable(),
  /** One for each publication. */ held: z.array(Held).max(20),
  /** Files of its newest manifest with the right bytes that it could not play. */
  quarantined: z.array(z.object({ /** The item's. */ name: z.string().max(200), sha256: Sha256 })).max(100),
  /** The last check of alerts; null: none since the start. */
  alertCheck: AlertCheck.nullable().default(null),
  /** What a restored server was given again. Missing: it does not ask, or more is to come. */
  redelivered: Redelivered.optional(),
  /** Players of former releases, and pages, do not say it. */
  server: ReportedServer.optional(),
})
export type Heartbeat = z.infer<typeof Heartbeat>

/** What the server tells a device that has reported. */
export const HeartbeatAnswer = z.object({
  serverTime: Instant,
  /** Empty while the manifest must be made again: nothing is made for a heartbeat. */
  manifestEtag: z.string(),
  /**
   * With another ETag than the device's: it fetches the manifest at a random moment within this time. It reports changes of track
   * and events within it too. Missing: the time of the last answer.
   */
  manifestWithinSeconds: Seconds.optional(),
  /** The open alerts for the device. A device without a channel learns them here before it has the manifest. */
  alerts: z.array(
    z.object({ uid: Uid, kind: AlertKind, beganAt: Instant, /** For practice. */ isDrill: z.boolean() }),
  ),
  /** Another address of this server, without a slash at its end, for the time when this one does not answer. Missing: there is none. */
  otherServer: z.string().optional(),
  /** The same, signed by the holder of the client's update key: players with an update key take no other. Missing: there is none. */
  signedServer: SignedAddress.optional(),
  /** The origin of the store of files (`files-header.ts`). */ fileStore: z.string().optional(),
  /**
   * The server's database was restored: a player that does not know this epoch sends again what it has sent since. Missing: it was not, in
   * the time for which players keep events.
   */
  restored: Restored.optional(),
})
export type HeartbeatAnswer = z.infer<typeof HeartbeatAnswer>

/**
 * Server → device on the channel. A message with an `id` is sent again on reconnect until it is acknowledged. A device that
 * missed an alert or a notice of its manifest learns it from the answer to the heartbeat that it sends when it has
 * reconnected. Devices parse it by device-messages.ts, which tolerates additions of later servers.
 */
export const ChannelMessage = z.discriminatedUnion('type', [
  /**
   * The manifest has changed. The device fetches it at a random moment within this time; a fetch that is already planned
   * stays. Channels of protocol 1 get it at that moment, with an id and an empty ETag.
   */
  z.object({
    /** Which message; the other fields depend on it. */ type: z.literal('manifest'),
    withinSeconds: Seconds,
    id: Uid.optional(),
    /** Protocol 1: always empty. */ etag: z.string().optional(),
  }),
  /** Only on channels of protocol 2; the manifest has it too. */
  z.object({
    type: z.literal('alert'),
    alertUid: Uid,
    kind: AlertKind,
    /** `end` stops the sound. */ step: z.enum(['begin', 'end']),
    beganAt: Instant,
    /** For practice. */ isDrill: z.boolean(),
    /** The hash of its sound, which the device holds; null: as its manifest says. */
    sound: Sha256.nullable(),
    /** The device sends each receipt at a random moment within this time; 0: at once. It plays the alert at once in any case. */
    receiptsWithinSeconds: Seconds,
  }),
  /** Sent once on each connection until it is acknowledged, in the order in which users asked. */
  z.object({
    type: z.literal('command'),
    id: Uid,
    command: CommandKind,
    /** The volume of `volume`. */ value: z.int().optional(),
  }),
  /** Another session of this device began: stop reporting and do not reconnect. Needs no acknowledgement. */
  z.object({ type: z.literal('replaced') }),
  /** `sentAt` is that of the heartbeat it answers. */
  z.object({ type: z.literal('heartbeat-answer'), sentAt: Instant, answer: HeartbeatAnswer }),
])
export type ChannelMessage = z.infer<typeof ChannelMessage>

/** Device → server on the channel. */
export const ChannelReply = z.discriminatedUnion('type', [
  /** Devices of former releases do not say whether they followed a command. */
  z.object({
    /** Which message; the other fields depend on it. */ type: z.literal('ack'),
    id: Uid,
    /** Whether it followed the command. */ ok: z.boolean().optional(),
    /** Why the command was not followed. */ why: z.string().max(MAX_WHY_LENGTH).optional(),
  }),
  z.object({ type: z.literal('heartbeat'), /** As the call has it. */ heartbeat: Heartbeat }),
  /** What the device holds, when that has changed. */
  z.object({ type: z.literal('held'), /** All that it holds. */ held: z.array(Held).max(20) }),
  /** The device's log has the same as an event. */
  z.object({
    type: z.literal('receipt'),
    alertUid: Uid,
    step: AlertStep,
    /** The milliseconds since the step. */
    agoMs: z.int().min(0).max(60_000),
  }),
])
export type ChannelReply = z.infer<typeof ChannelReply>

const ByPlayPoint = z.object({ playpointid: Uid })

export const openDeviceSession = endpoint({
  path: '/api/v2/device/session',
  summary:
    "Open a session and get the device's token. The license key's first use binds it to this player (`boxId`). The same player may open further sessions, of which the newest one reports; another player is refused with 403 'license-bound'. 409 'session-replaced' for a player whose former session a newer one has replaced, until it is started again. 429 with Retry-After for an address with many refused keys, and for a player that opens sessions without end.",
  access: openToAll,
  priority: 'connect',
  unknownFields: 'ignored',
  body: z.object({
    /** As the card shows it. */ licenseKey: z.string().max(100),
    /** The same for the life of the player's hardware; the key is bound to it. */
    boxId: Uid,
    /** The hardware's. */ model: z.string().max(100),
    /** The player program's. */ version: z.string().max(60),
    /** One for each start of the player's program. */
    runId: Uid.optional(),
    /** The session that this start of the program had. Without one the player has just started, and its session replaces any other. */
    formerSession: Uid.optional(),
  }),
  /** Servers of former releases do not name the session, nor the client. */
  answer: z.object({
    /** For the header of further calls. */ token: z.string(),
    playpointid: Uid,
    session: Uid.optional(),
    /** The uid of the device's client: a signed address names it. */
    client: Uid.optional(),
  }),
})

export const proveServer = endpoint({
  path: '/api/v2/device/server',
  summary:
    "Proves to a device that this address leads to its server, before the device sends its license key there. The proof is the HMAC-SHA-256, in hex, of the text `floorcast server\\n{address}\\n{playpointid}\\n{nonce}\\n` with the SHA-256 of the license key as its key. 404 'license-unknown' for a device that this server does not have, 409 'other-address' for an address that is not one of its settings. 429 with Retry-After for an address with many unknown devices.",
  access: openToAll,
  priority: 'connect',
  unknownFields: 'ignored',
  body: z.object({
    playpointid: Uid,
    /** 32 random bytes in hex. */
    nonce: Sha256,
    /** The address that the device asks, without a slash at its end. */
    address: z.string().max(300),
  }),
  answer: z.object({ proof: Sha256 }),
})

export const openStreamingSession = endpoint({
  path: '/api/v2/streaming/session',
  summary:
    "Open a session of the streamer's linked device in a browser, with a token for the calls of devices. It needs no license key. The newest session reports: 409 'session-replaced' for a page whose former session a newer one has replaced, until it is loaded again.",
  access: streamers,
  priority: 'connect',
  unknownFields: 'ignored',
  body: z.object({
    /** One for each load of the page. */ runId: Uid,
    /** The session that this load of the page had. */
    formerSession: Uid.optional(),
  }),
  answer: z.object({
    /** For the header of the calls of devices. */ token: z.string(),
    playpointid: Uid,
    session: Uid,
    /** The start of the player's program that reported before, or its session if it does not say; null: none that the server knows. */
    formerRun: Uid.nullable(),
  }),
})

export const readManifest = endpoint({
  path: '/api/v2/iplay/manifest/{playpointid}',
  summary:
    "The device's manifest: what it has to play, and its settings. Supports ETag and If-None-Match. `protocol=2` gives the small form that names programmes by hash; without it the answer is the form of protocol 1.",
  access: byDevice,
  params: ByPlayPoint,
  query: z.object({ /** Absent: 1. */ protocol: queryInt(1, 1_000_000).optional() }),
  answer: z.union([Manifest, FormerManifest]),
})

export const readProgramme = endpoint({
  path: '/api/v2/iplay/programme/{sha256}',
  summary:
    "A programme that the device's manifest names: the files and how they follow, the same bytes for every device. ETag = sha256, immutable, compressed with gzip.",
  access: byDevice,
  params: z.object({ sha256: Sha256 }),
  priority: 'manifest',
  answer: Programme,
  answerForm: 'bytes',
})

export const readDeviceMedia = endpoint({
  path: '/api/v2/iplay/media/{uid}/{sha256}',
  summary: 'A media file: Range, ETag = sha256, immutable, and `floorcast-files` (files-header.ts).',
  access: byDevice,
  params: z.object({ uid: Uid, sha256: Sha256 }),
  answer: z.unknown(),
  answerForm: 'bytes',
})

export const readDevicePicture = endpoint({
  path: '/api/v2/iplay/picture/{uid}/{sha256}',
  summary:
    'The preview image of the media item with this file, for a player that shows what it plays. ETag; it may change. 204 without one.',
  access: byDevice,
  params: z.object({ uid: Uid, sha256: Sha256 }),
  answer: z.unknown(),
  answerForm: 'bytes',
})

export const readDeviceUpdate = endpoint({
  path: '/api/v2/iplay/update/{uid}/{sha256}',
  summary: "An update file that is offered to the device's group: Range, ETag = sha256, immutable.",
  access: byDevice,
  params: z.object({ uid: Uid, sha256: Sha256 }),
  answer: z.unknown(),
  answerForm: 'bytes',
})

export const sendHeartbeat = endpoint({
  path: '/api/v2/heartbeat/send',
  summary:
    "Report the device's state, every 60 s ± 10 %. The answer has the server's time and the newest manifest ETag.",
  access: byDevice,
  priority: 'heartbeat',
  body: Heartbeat,
  answer: HeartbeatAnswer,
})

export const sendEvents = endpoint({
  path: '/api/v2/iplay/send/list/{playpointid}',
  summary:
    'Deliver at most 500 events. Each is validated separately and stored once. Do not send a refused event again.',
  access: byDevice,
  priority: 'plays',
  params: ByPlayPoint,
  /** The server parses each entry separately by `DeviceEvent`, so that a bad one does not stop the others. */
  body: z.array(z.unknown()).max(500),
  describedBody: z.array(DeviceEvent).max(500),
  answer: z.object({
    /** 200, or 303 if some were refused. */ code: z.int(),
    /** New ones. */ accepted: z.int(),
    /** The server had them. */ duplicates: z.int(),
    /** Never to be sent again. */
    refused: z.array(z.object({ /** Null: it has none. */ id: z.string().nullable(), why: z.string() })),
  }),
  outcomes: ['done', 'someFailed'],
})

/**
 * A WebSocket, with the device's token in the Authorization header or `?ticket=` from a browser. `?protocol=2` asks for the
 * messages above; without it the channel speaks protocol 1.
 */
export const channelPath = '/api/v2/iplay/channel/{playpointid}'
