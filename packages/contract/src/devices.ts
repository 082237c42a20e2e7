import { z } from 'zod'
import { bulkOf, PAGING } from './bulk.ts'
import { ReportedServer } from './server-address.ts'
import { adminReaders, editors, endpoint, readers } from './endpoint.ts'
import {
  Bytes,
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
  someOf,
  StoreNumber,
  Uid,
  UidsOrNone,
  valuesOf,
} from './fields.ts'
import { byId, deletesMany, deletesOne } from './item-calls.ts'
import { LogEntry } from './logs.ts'
import { MediaType } from './media.ts'
import { Outcome } from './outcomes.ts'

/** By the age of the last heartbeat: up to one hour, up to a day, longer, or never. */
export const Connectivity = z.enum(['online', 'linkdown', 'linklost', 'neverup'])
export type Connectivity = z.infer<typeof Connectivity>

/** The current track by the device's last report; null in silence. */
export const NowPlaying = z.object({
  /** The media item's, as the device's programme has it. */ name: z.string(),
  /** Null: the device does not say it. */ mediaUid: Uid.nullable(),
  /** Null: the device does not say it. */ contentType: MediaType.nullable(),
  startedAt: Instant,
  /** Where in the file it began: a player joins a track in its middle. Players of former releases do not say it. */
  offsetSeconds: Seconds.default(0),
  /** The whole file's; null: not known. */ durationSeconds: Seconds.nullable(),
})
export type NowPlaying = z.infer<typeof NowPlaying>

/**
 * What an online device does by its reports. `playing` holds while the track can still run, and for one heartbeat more. `late`: its
 * next report is overdue, so nothing is known: three heartbeats are missed, or the one that should have named another track.
 */
export const Activity = z.enum(['playing', 'silent', 'late'])
export type Activity = z.infer<typeof Activity>

/** Why an online device plays nothing: its cue's reasons, and its own; `muted` at volume 0, `unknown` where it reports none. */
export const SilentReason = z.enum([
  'no-publication',
  'closed',
  'outside-dates',
  'outside-window',
  'empty',
  'not-downloaded',
  'downloading',
  'player-broken',
  'player-missing',
  'stopped',
  'starting',
  'alert',
  'muted',
  'unknown',
])
export type SilentReason = z.infer<typeof SilentReason>

export const DeviceRow = z.object({
  uid: Uid,
  /** Several devices may have the same. */ name: z.string(),
  /** The shop's own number; '' if it has none. Several devices may have the same. */
  storeNumber: z.string(),
  /** A note of the users; may be empty. */ description: z.string(),
  kind: Kind,
  connectivity: Connectivity,
  /** Its last heartbeat; null: never, or reset since. */ lastContactAt: Instant.nullable(),
  /** Null for a device that is not online. */
  activity: Activity.nullable(),
  /** Why a `silent` device plays nothing; null for others. */
  silentReason: SilentReason.nullable(),
  /** Null for a device that is not `silent`. */ silentSince: Instant.nullable(),
  /** Its channel has closed and it has not reported since. The shop may play on. */
  isConnectionLost: z.boolean(),
  /** Seconds after which its activity or connectivity is another one if it does not report; null: it stays. */
  changesInSeconds: Seconds.nullable(),
  /** Null: it is in none. */ group: Reference.nullable(),
  /** On the air in its group; null: none. */ publication: Reference.nullable(),
  /** That publication's. */ playlist: Reference.nullable(),
  /** The track that it plays, or would if it were not muted. */
  nowPlaying: NowPlaying.nullable(),
  /** The version of its player's program, as the player reports it. */
  programVersion: z.string().nullable(),
  changedAt: Instant,
})
export type DeviceRow = z.infer<typeof DeviceRow>

/**
 * A place of the map: `area:SOUTH,WEST,NORTH,EAST` in degrees without the last borders, `country:CODE` without coordinates, or `none`.
 */
export const MapPlace = z
  .string()
  .regex(/^(none|country:[A-Z]{2}|area:-?\d{1,3}(\.\d{1,7})?(,-?\d{1,3}(\.\d{1,7})?){3})$/, 'wrong')

const ConnectivityFilter = [...Connectivity.options, 'late'] as const
const SilentFilter = ['any', 'none', ...SilentReason.options] as const

const VersionValue = z.string().regex(/^[^\p{Cc}\p{Cs}]{1,60}$/u, 'wrong')

export const DeviceFilter = ListQuery.extend({
  kind: KindFilter.default('all'),
  /** Several find the devices of each. `late`: online devices whose reports are overdue. */
  connectivity: valuesOf(ConnectivityFilter).optional(),
  /** Devices of these groups; `none`: in no group. */
  group: UidsOrNone.optional(),
  /** Devices whose publication has one of these playlists on the air; `none`: devices for which nothing is on the air. */
  playlist: UidsOrNone.optional(),
  /** `missing`: devices that miss files of a publication of their group that is on or waiting. */
  files: z.enum(['missing']).optional(),
  /** Devices with one of these versions of the program, as `filtervalues` names them; `none`: not reported. */
  version: someOf(VersionValue).optional(),
  /** Online devices that play nothing, for any reason or for some; `none`: online devices that play something. */
  silent: valuesOf(SilentFilter).optional(),
  place: MapPlace.optional(),
})

/** Missing events of one boot: sequence numbers from–to, inclusive. */
export const EventGap = z.object({ bootId: Uid, /** First. */ from: z.int(), /** Last. */ to: z.int() })

/** Why an alert would not play as it should. */
export const AlertFault = z.object({
  /** The name of the sound file; null: the siren, which plays if there is no file. */
  name: z.string().max(200).nullable(),
  /** Not on the disk, not to be decoded, without a sound in it, or the player of alerts does not answer. */
  why: z.enum(['missing', 'damaged', 'silent', 'no-answer']),
})
export type AlertFault = z.infer<typeof AlertFault>

/** The result of a device's silent check that its alerts can play. */
export const AlertCheck = z.object({
  checkedAt: Instant,
  /** Empty: all alerts can play. */ faults: z.array(AlertFault).max(20),
})
export type AlertCheck = z.infer<typeof AlertCheck>

export const DeviceCard = DeviceRow.extend({
  /** When its channel closed; null unless `isConnectionLost`. */ connectionLostAt: Instant.nullable(),
  /** A bound key opens only for the player that bound it. Null for a user without full rights until a player has bound it. */
  licenseKey: z.string().nullable(),
  /** When a player bound the key; null: none has. */ licenseBoundAt: Instant.nullable(),
  /** The command that installs and starts the agent, in English (`installerPath`); null once bound, and for a user without full rights. */
  installLine: z.string().nullable(),
  /** The same without the key, which the machine keeps: for a new update key or service. Null until bound, and for a user without full rights. */
  reinstallLine: z.string().nullable(),
  /** The hardware's, as the player reports it; null: none has. */ model: z.string().nullable(),
  expiresAt: Instant,
  /** The expiry that an admin has set; null: none, which is the end of the subscription. */
  ownExpiresAt: Instant.nullable(),
  /** True from `expiresAt` on. */ isExpired: z.boolean(),
  /** Its effective tag's, else its profile's, else 70. */ volume: z.int().min(0).max(100),
  createdAt: Instant,
  /** As the player reports it, like the next; null: not known. */ macAddress: z.string().nullable(),
  /** In the shop's own network. */ ipAddress: z.string().nullable(),
  /** The hardware's; null: not known. */ temperatureCelsius: z.number().nullable(),
  /** The size of the disk; null: not known. */ memorySizeBytes: Bytes.nullable(),
  /** The free space of the disk; null: not known. */ freeMemoryBytes: Bytes.nullable(),
  /** The last play that it has logged; null: none. */
  lastPlayed: z.object({ /** The media item's. */ name: z.string(), startedAt: Instant }).nullable(),
  /** Missing event numbers, until they arrive. */
  gaps: z.array(EventGap),
  /** Files that could not be played, as the device reported. */
  quarantined: z.array(z.object({ /** The item's. */ name: z.string(), /** In hex. */ sha256: z.string() })),
  /** The check of the last day; null: none since the player started, or the program is older. */
  alertCheck: AlertCheck.nullable(),
  /** Where the player reports, and the address to which it does not go; null: its program is older, or a page. Former servers do not say it. */
  server: ReportedServer.nullish(),
  /** For `edit`, which refuses an older one with HTTP 409. */ version: z.int(),
  permissions: Permissions,
})
export type DeviceCard = z.infer<typeof DeviceCard>

export const DeviceDraft = z.object({
  name: Name,
  storeNumber: StoreNumber.default(''),
  description: Description.default(''),
})
export const DeviceChange = z.object({
  uid: Uid,
  name: Name.optional(),
  storeNumber: StoreNumber.optional(),
  description: Description.optional(),
  /** 0 to 100: becomes the tag `volume`. */ volume: z.int().min(0).max(100).optional(),
  /** An expiry before the end of the subscription, which admins may set; null: the end of the subscription. */
  expiresAt: Instant.nullable().optional(),
  /** That of the card; HTTP 409 if it is stale. */ version: z.int().optional(),
})

export const listDevices = endpoint({
  path: '/api/v2/device/qlist',
  summary: "The client's devices.",
  access: readers,
  query: DeviceFilter,
  answer: listOf(DeviceRow),
})

export const readDevice = endpoint({
  path: '/device/qcard/{id}',
  summary: 'One device with every field of its card.',
  access: readers,
  params: byId,
  answer: DeviceCard,
})

export const listFreeDevices = endpoint({
  path: '/device/qfree/{x}',
  summary: 'Devices without a group, of one kind or all.',
  access: readers,
  params: z.object({ x: KindFilter }),
  query: ListQuery,
  answer: listOf(DeviceRow),
})

export const addDevice = endpoint({
  path: '/device/add/{contentType}',
  summary: "Add a device; its card shows its license key. 400 'device-limit' above the plan's limit.",
  access: editors,
  params: z.object({ contentType: Kind }),
  body: DeviceDraft,
  answer: Outcome,
  outcomes: ['done', 'notDone'],
  givesUid: true,
})

export const editDevice = endpoint({
  path: '/device/edit',
  summary:
    'Change name, store number, description or volume; an admin can also change the expiry (HTTP 403 for others).',
  access: editors,
  body: DeviceChange,
  answer: Outcome,
  outcomes: ['done'],
})

export const deleteDevice = deletesOne({
  path: '/device/delete',
  summary: 'Move a device to the recycle bin. 409 while it is in a group.',
  outcomes: ['done', 'inUse'],
})

export const deleteManyDevices = deletesMany('devices', {
  path: '/device/massdelete',
  body: bulkOf(DeviceFilter.omit(PAGING)),
  outcomes: ['done', 'someFailed', 'notDone', 'inUse'],
})

export const resetHeartbeat = endpoint({
  path: '/device/resetheartbeat/{id}',
  summary: 'Reset the last contact; the device counts as never connected.',
  access: editors,
  params: byId,
  answer: Outcome,
  outcomes: ['done'],
})

export const resetLicense = endpoint({
  method: 'POST',
  path: '/api/v2/device/{uid}/resetlicense',
  summary: "Create a new license key and end the device's token.",
  access: editors,
  params: z.object({ uid: Uid }),
  answer: Outcome.extend({ /** The new key. */ licenseKey: z.string().optional() }),
  outcomes: ['done'],
})

export const listLastPlays = endpoint({
  path: '/device/qlastplaytracks/{id}/count/{count}',
  summary: 'The newest plays of a device: `count` is 1 to 100; the card asks for 6.',
  access: readers,
  params: z.object({ id: Uid, /** How many, 1 to 100. */ count: queryInt(1, 100) }),
  answer: z.array(LogEntry),
})

/** Which of a device's logs; `playtrack` has its plays. */
export const DeviceLogKind = z.enum(['debug', 'update', 'playlist', 'playtrack', 'heartbeat'])
export type DeviceLogKind = z.infer<typeof DeviceLogKind>

export const listDeviceLog = endpoint({
  path: '/device/logs/{id}/{kind}',
  summary:
    "A device's log of one kind, by default newest first. Plays of the archive are in it for a period (`from`, `to`) of at most 45 days; otherwise it has those of the database.",
  access: adminReaders,
  params: z.object({ id: Uid, kind: DeviceLogKind }),
  query: ListQuery.extend({ from: Instant.optional(), to: Instant.optional() }),
  answer: listOf(LogEntry),
})
