/*
 * Written from the contract by `npm run docs:api`; do not edit.
 */

/** What an online device does by its reports. `playing` holds while the track can still run, and for one heartbeat more. `late`: its next report is overdue, so nothing is known: three heartbeats are missed, or the one that should have named another track. */
export type Activity = 'playing' | 'silent' | 'late'

export interface AlertCard {
  uid: Uid
  /** What the alert warns of. Each kind has its own sound. */
  kind: 'air' | 'chemical' | 'nuclear'
  /** True: for practice. */
  isDrill: boolean
  beganAt: Instant
  target: AlertTarget
  /** The email of the user who began it. */
  beganBy: string | null
  /** Null while it is open. */
  endedAt: Instant | null
  /** The email of the user who ended it; null while it is open. */
  endedBy: string | null
  /** The devices that it was for when it began; null for alerts of a former release. */
  deviceCount: number | null
  /** The devices that have begun to play it. */
  soundedCount: number
  /** The devices by what they have done with it. */
  devices: {
    failed: number
    'not-reached': number
    received: number
    sounding: number
    ended: number
  }
}

/** The result of a device's silent check that its alerts can play. */
export interface AlertCheck {
  checkedAt: Instant
  /** Empty: all alerts can play. */
  faults: AlertFault[]
}

export interface AlertDevice {
  uid: Uid
  /** Null for a device that was deleted for good. */
  name: string | null
  /** The shop's own number; empty if it has none. */
  storeNumber: string
  /** Its present group; null: none. */
  group: Reference | null
  state: AlertDeviceState
  /** When it received the alert; null: it has not reported that. */
  receivedAt: Instant | null
  /** When its sound began; null: it has not reported that. */
  startedAt: Instant | null
  /** When its sound ended; null: it has not reported that. */
  endedAt: Instant | null
  /** The device's words for what went wrong. A device that plays the alert had to use its siren. */
  failure: string | null
  connectivity: Connectivity
  /** When the server got its last heartbeat; null: never, or reset since. */
  lastContactAt: Instant | null
}

/** What a device has done with an alert: `failed`: it received it and reported that it does not play; `not-reached`: it has reported nothing; `sounding`: it has begun and not reported the end. */
export type AlertDeviceState = 'failed' | 'not-reached' | 'received' | 'sounding' | 'ended'

/** Why an alert would not play as it should. */
export interface AlertFault {
  /** The name of the sound file; null: the siren, which plays if there is no file. */
  name: string | null
  /** Not on the disk, not to be decoded, without a sound in it, or the player of alerts does not answer. */
  why: 'missing' | 'damaged' | 'silent' | 'no-answer'
}

/** What beginning an alert would reach. */
export interface AlertReach {
  target: AlertTarget
  /** The devices that the alert would be for. */
  deviceCount: number
  /** The devices that are online and whose reports are not overdue. The others play it when they connect, if it lasts until then. */
  reachableCount: number
}

export interface AlertRow {
  uid: Uid
  /** What the alert warns of. Each kind has its own sound. */
  kind: 'air' | 'chemical' | 'nuclear'
  /** True: for practice. */
  isDrill: boolean
  beganAt: Instant
  target: AlertTarget
  /** The email of the user who began it. */
  beganBy: string | null
  /** Null while it is open. */
  endedAt: Instant | null
  /** The email of the user who ended it; null while it is open. */
  endedBy: string | null
  /** The devices that it was for when it began; null for alerts of a former release. */
  deviceCount: number | null
  /** The devices that have begun to play it. */
  soundedCount: number
}

/** The devices that an alert is for. `name` is null for all devices. */
export interface AlertTarget {
  /** All devices, those of a group, or one device. */
  kind: 'all' | 'group' | 'device'
  /** Null for all devices. */
  uid: Uid | null
  /** The group's or the device's name; null for all devices. */
  name: string | null
}

/** Something that a person should see to. `count` is a number of devices, of days for `expiring`, of percent for storage, of the day's missing plays for `shortAd`: an ad with less than 95 % of its planned plays yesterday, in the devices' own zones. */
export interface Attention {
  about: AttentionTopic
  /** Devices; days for `expiring`; percent for storage; yesterday's missing plays for `shortAd`; 0 for `expired`. */
  count: number
  /** The reason of a `silent` line. */
  reason: SilentReason | null
  /** The seconds since the last report of the device that has been quiet longest; only in a `late` line. */
  unreportedSeconds: Seconds | null
  /** The page and filter that list what the line counts; null: there is nothing to list. */
  leadsTo: {
    /** The page of the console. */
    page: 'devices' | 'publication' | 'proof'
    /** The publication of `missingFiles`, the ad of `shortAd`. */
    item: Reference | null
    /** The filters of that list, by the names that its address has. */
    filter: Record<string, string>
  } | null
}

/** What a line counts, the worst first. */
export type AttentionTopic =
  | 'expired'
  | 'linklost'
  | 'linkdown'
  | 'late'
  | 'silent'
  | 'missingFiles'
  | 'shortAd'
  | 'mediaStorage'
  | 'statisticsStorage'
  | 'expiring'
  | 'deviceLimit'

/** A log entry (`type` is the kind of the item, `class` the action, `request` the id of the call) with user and changes. */
export interface AuditEntry {
  uid: Uid
  eventTime: Instant
  receiveTime: Instant
  playlist: string | null
  version: string | null
  track: string | null
  status: string | null
  description: string | null
  type: string | null
  code: number | null
  class: string | null
  channel: string | null
  updatePackage: string | null
  request: string | null
  comment: string | null
  plannedTime: Instant | null
  secondsPlayed: Seconds | null
  volume: number | null
  temperatureCelsius: number | null
  /** Null for changes by the installation. */
  userUid: Uid | null
  /** The user's email at the time. */
  userName: string
  /** The item that was changed. It may be gone since. */
  thingUid: Uid | null
  /** Its name at the time of the change. */
  thingName: string | null
  /** The changed fields, each before and after. */
  changes: Record<string, [unknown, unknown]>
  /** The items whose uids are in `changes`, with their present names; without those that are deleted. */
  named: ChangedItem[]
}

/** An action on the selected items of the recycle bin. */
export type BinAction = 'restore' | 'purge'

/** `{x}` of recycle: the kinds of items in the bin. */
export type BinKind = 'media' | 'devices' | 'groups' | 'publications' | 'playlists'

export interface BinRow {
  uid: Uid
  /** Several items may have the same. */
  name: string
  /** A note of the users; may be empty. */
  description: string
  /** Null for media, which have `mediaType`. */
  kind: Kind | null
  /** Null for all but media. */
  mediaType: MediaType | null
  deletedAt: Instant
  /** Email of the user who deleted it; null if that user no longer exists. */
  deletedBy: string | null
  /** The time of its purge. */
  purgedAt: Instant
}

/** The kind of a block of a smart playlist's day. */
export type BlockKind = 'melody' | 'ad'

/** Automatic: a short list is one block; manual: the list repeats until the target is reached. */
export type BlockMode = 'auto' | 'manual'

/** What an action on a selection would do. */
export interface BulkPlan {
  /** The items that it changes. */
  count: number
  /** The items that it leaves out, by reason. */
  leftOut: {
    reason: LeftOutReason
    /** How many items it leaves out for this reason. */
    count: number
  }[]
  /** The number of changed devices without contact for an hour; 0 for other items. */
  offline: number
  /** The storage that a purge of media frees. */
  freedBytes?: Bytes
}

/** A size in bytes. */
export type Bytes = number

/** An item that a change names by its uid. */
export interface ChangedItem {
  uid: Uid
  /** Its present name. */
  name: string
  /** What the item is. */
  kind:
    | 'device'
    | 'group'
    | 'media'
    | 'playlist'
    | 'publication'
    | 'profile'
    | 'update-package'
    | 'update-channel'
  /** The content type of a media item. */
  contentType: MediaType | null
}

/** A media item that changed since the plan. */
export interface ChangedMedia {
  uid: Uid
  /** The media item's. */
  name: string
  contentType: MediaType
  /** The planned duration, and that of the item's newest file. */
  plannedSeconds: Seconds
  durationSeconds: Seconds
  /** It is in the recycle bin. */
  isInBin: boolean
}

export interface ChannelRow {
  uid: Uid
  /** As the lists show it. */
  name: string
  /** A note of the users; may be empty. */
  description: string
  state: ChannelState
  /** The groups whose devices get its packages. */
  groups: Reference[]
  /** The devices of its groups. */
  deviceCount: number
  /** The packages on the channel. */
  packages: Reference[]
  changedAt: Instant
  /** The record's, which `edit` sends back. */
  version: number
  permissions: Permissions
}

/** A channel rotates open → frozen → open; frozen it offers nothing. */
export type ChannelState = 'open' | 'frozen'

/** A chart over time, cached for some seconds; `asOf` is the time of its figures. Plays and availability: the value of a point is that of the `stepSeconds` from its time on, the last point's until `asOf`. The others: the value at its time, or the mean of the `stepSeconds` before. */
export interface Chart {
  asOf: Instant
  unit: ChartUnit
  /** The seconds from one point to the next. */
  stepSeconds: number
  /** One for each media type, connectivity or server. A media type without plays has none. */
  series: {
    uid: string
    name: string
    points: [Instant, number | null][]
  }[]
  /** What plays may lack since a restore of the server, by days in UTC. Missing: nothing. */
  restored?: {
    awaited?: {
      from: Day
      to: Day
      devices: number
    }
    lost?: {
      from: Day
      to: Day
      devices: number
    }
  }
}

/** How far back from now a chart goes: an hour, a day, 7 or 45 days. */
export type ChartRange = '1h' | '24h' | '7d' | '45d'

/** `load` is a load average; `percent` is 0 to 100. */
export type ChartUnit = 'plays' | 'devices' | 'percent' | 'bytes' | 'load'

export type ClientEvent =
  | {
      position: number
      at: Instant
      kind: 'device.late'
      deviceCount: number
      deviceUids: Uid[]
    }
  | {
      position: number
      at: Instant
      kind: 'device.down'
      deviceCount: number
      deviceUids: Uid[]
    }
  | {
      position: number
      at: Instant
      kind: 'device.silent'
      deviceCount: number
      deviceUids: Uid[]
      /** Why the devices play nothing. */
      reason: SilentReason
    }
  | {
      position: number
      at: Instant
      kind: 'device.back'
      deviceCount: number
      deviceUids: Uid[]
      /** What the devices were before. */
      from: 'late' | 'down' | 'silent'
    }
  | {
      position: number
      at: Instant
      kind: 'update.failed'
      deviceCount: number
      deviceUids: Uid[]
    }
  | {
      position: number
      at: Instant
      kind: 'publication.ready'
      /** It is not on the air any more, and does not wait. */
      publication: Reference
      /** Devices that lack files of it. */
      devices: number
    }
  | {
      position: number
      at: Instant
      kind: 'publication.missing-files'
      /** It is not on the air any more, and does not wait. */
      publication: Reference
      /** Devices that lack files of it. */
      devices: number
    }
  | {
      position: number
      at: Instant
      kind: 'publication.ended'
      /** It is not on the air any more, and does not wait. */
      publication: Reference
    }
  | {
      position: number
      at: Instant
      kind: 'alert.begun'
      alertUid: Uid
      /** What the alert warns of. Each kind has its own sound. */
      alertKind: 'air' | 'chemical' | 'nuclear'
      isDrill: boolean
      target: AlertTarget
    }
  | {
      position: number
      at: Instant
      kind: 'alert.not-sounded'
      alertUid: Uid
      /** What the alert warns of. Each kind has its own sound. */
      alertKind: 'air' | 'chemical' | 'nuclear'
      isDrill: boolean
      target: AlertTarget
      /** Devices that reported that they do not play it. */
      failed: number
      /** Devices that reported nothing of it. */
      notReached: number
    }
  | {
      position: number
      at: Instant
      kind: 'alert.ended'
      alertUid: Uid
      /** What the alert warns of. Each kind has its own sound. */
      alertKind: 'air' | 'chemical' | 'nuclear'
      isDrill: boolean
      target: AlertTarget
    }
  | {
      position: number
      at: Instant
      kind: 'ad.short'
      /** An ad. */
      media: Reference
      /** The UTC day, of each device's own zone. */
      day: Day
      /** Plays that its publications had scheduled. */
      planned: number
      /** Plays that were heard. */
      delivered: number
    }
  | {
      position: number
      at: Instant
      kind: 'storage.nearly-full'
      percent: number
      used: Bytes
      limit: Bytes
    }
  | {
      position: number
      at: Instant
      kind: 'statistics.nearly-full'
      percent: number
      used: Bytes
      limit: Bytes
    }
  | {
      position: number
      at: Instant
      kind: 'subscription.ending'
      expiresAt: Instant
    }
  | {
      position: number
      at: Instant
      kind: 'subscription.ended'
      expiresAt: Instant
    }
  | {
      position: number
      at: Instant
      kind: 'user.new-network'
      /** Whose second factor was removed. For admins. */
      user: Reference
    }
  | {
      position: number
      at: Instant
      kind: 'user.factor-removed'
      /** Whose second factor was removed. For admins. */
      user: Reference
      /** One passkey, or all: the app and the passkeys. */
      factor: 'passkey' | 'all'
    }
  | {
      position: number
      at: Instant
      kind: 'webhook.disabled'
      /** No event had arrived there for three days. For admins. */
      webhook: Reference
    }

/** Commands to a device. Devices answer one that they do not know. */
export type CommandKind = 'restart' | 'volume' | 'screenshot' | 'send-log' | 'identify'

/** `waiting` for a connection of the device, `sent`, an outcome, or `expired` before the device answered. */
export type CommandState = 'waiting' | 'sent' | 'expired' | 'received' | 'followed' | 'failed'

/** By the age of the last heartbeat: up to one hour, up to a day, longer, or never. */
export type Connectivity = 'online' | 'linkdown' | 'linklost' | 'neverup'

/** `PublicKeyCredential.toJSON()` of a sign-in. */
export interface CredentialAnswer {
  /** The credential's id in base64url. */
  id: string
  /** The same as `id`. */
  rawId: string
  /** A constant of WebAuthn. */
  type: 'public-key'
  /** Whether the device itself has the passkey, or another one. */
  authenticatorAttachment?: 'platform' | 'cross-platform'
  /** What extensions of WebAuthn answered. */
  clientExtensionResults: Record<string, unknown>
  /** The authenticator's answer, in base64url. */
  response: {
    /** The browser's JSON with the challenge and its origin. */
    clientDataJSON: string
    /** The hash of the site, flags and a counter. */
    authenticatorData: string
    /** Made with the key of the passkey. */
    signature: string
    /** Whose passkey it is; absent: the authenticator does not say. */
    userHandle?: string
  }
}

export interface Credentials {
  /** Capital letters do not count. */
  email: EmailInput
  /** As the user typed it. */
  password: string
}

/** An item that an import changes: its index in `rows`, and its credits before and after. */
export interface CreditChange {
  /** From 0. */
  index: number
  /** The media item's. */
  name: string
  /** The credits as the import makes them. */
  before: {
    artist: string
    title: string
    isrc: string
    composer: string
    publisher: string
  }
  /** The credits as the import makes them. */
  after: {
    artist: string
    title: string
    isrc: string
    composer: string
    publisher: string
  }
}

/** A row of an import. A field that is left out keeps its value; an empty one is emptied. */
export interface CreditRow {
  uid: Uid
  artist?: string
  title?: string
  isrc?: string
  composer?: string
  publisher?: string
}

/** A calendar day without a zone: YYYY-MM-DD. */
export type Day = string

export interface DayGap {
  from: Instant
  until: Instant
  /** Why nothing was played. */
  because:
    | 'no-publication'
    | 'closed'
    | 'outside-dates'
    | 'outside-window'
    | 'empty'
    | 'not-downloaded'
    | 'downloading'
    | 'player-broken'
    | 'player-missing'
    | 'stopped'
    | 'starting'
    | 'alert'
    | 'muted'
    | 'unknown'
    | 'unreported'
    | 'off'
    | 'not-reported'
}

export interface Dependent {
  /** Only admins see the last three. They work without the item, except a profile that names a media item. */
  kind: 'media' | 'devices' | 'groups' | 'publications' | 'playlists' | 'profiles' | 'channels' | 'users'
  uid: Uid
  /** The dependent item's; of users the email. */
  name: string
  /** The present state; null for kinds without one. */
  state: string | null
  /** It is in the bin too: it only prevents a purge. */
  isInBin: boolean
  /** True if it prevents deleting; else it only loses the item. */
  isBlocking: boolean
}

export interface DeployRow {
  uid: Uid
  /** A note of the users; may be empty. */
  description: string
  state: DeployState
  /** What is offered. */
  package: {
    uid: Uid
    /** Its present name. */
    name: string
    /** The package's. */
    version: string
    /** The package's label. */
    category: string
    state: PackageState
  }
  /** To whose groups it is offered. */
  channel: {
    uid: Uid
    /** Its present name. */
    name: string
    state: ChannelState
  }
  /** True if devices see it: it is on, its package is released and its channel is open. */
  isOffered: boolean
  /** Devices of the channel's groups, and those that report this version. */
  deviceCount: number
  /** Those of these devices that report the package's version. */
  heldCount: number
  changedAt: Instant
  /** The record's, which `edit` sends back. */
  version: number
  permissions: Permissions
}

/** A deploy package rotates paused → active → forced → paused; forced it may replace a higher version. */
export type DeployState = 'paused' | 'active' | 'forced'

/** Empty, or 3–150 code points like a name's, : ; ! ? ( ) / % " № and such signs of other scripts, and line feeds. */
export type Description = string

/** An action on the selected devices. */
export type DeviceAction =
  | {
      /** Which action; the other field depends on it. */
      do: 'join'
      groupUid: Uid
    }
  | {
      /** Which action; the other field depends on it. */
      do: 'leave'
    }
  | {
      /** Which action; the other field depends on it. */
      do: 'volume'
      /** The new volume; with `undo-volume` the one that the caller has set and takes back. */
      volume: number
    }
  | {
      /** Which action; the other field depends on it. */
      do: 'undo-volume'
      /** The new volume; with `undo-volume` the one that the caller has set and takes back. */
      volume: number
    }
  | {
      /** Which action; the other field depends on it. */
      do: 'tag'
      /** The tag that each device gets, in place of one with the same key. */
      tag: TagDraft
    }
  | {
      /** Which action; the other field depends on it. */
      do: 'restart'
    }
  | {
      /** Which action; the other field depends on it. */
      do: 'delete'
    }

export interface DeviceCard {
  uid: Uid
  /** Several devices may have the same. */
  name: string
  /** The shop's own number; '' if it has none. Several devices may have the same. */
  storeNumber: string
  /** A note of the users; may be empty. */
  description: string
  kind: Kind
  connectivity: Connectivity
  /** Its last heartbeat; null: never, or reset since. */
  lastContactAt: Instant | null
  /** Null for a device that is not online. */
  activity: Activity | null
  /** Why a `silent` device plays nothing; null for others. */
  silentReason: SilentReason | null
  /** Null for a device that is not `silent`. */
  silentSince: Instant | null
  /** Its channel has closed and it has not reported since. The shop may play on. */
  isConnectionLost: boolean
  /** Seconds after which its activity or connectivity is another one if it does not report; null: it stays. */
  changesInSeconds: Seconds | null
  /** Null: it is in none. */
  group: Reference | null
  /** On the air in its group; null: none. */
  publication: Reference | null
  /** That publication's. */
  playlist: Reference | null
  /** The track that it plays, or would if it were not muted. */
  nowPlaying: NowPlaying | null
  /** The version of its player's program, as the player reports it. */
  programVersion: string | null
  changedAt: Instant
  /** When its channel closed; null unless `isConnectionLost`. */
  connectionLostAt: Instant | null
  /** A bound key opens only for the player that bound it. Null for a user without full rights until a player has bound it. */
  licenseKey: string | null
  /** When a player bound the key; null: none has. */
  licenseBoundAt: Instant | null
  /** The command that installs and starts the agent, in English (`installerPath`); null once bound, and for a user without full rights. */
  installLine: string | null
  /** The same without the key, which the machine keeps: for a new update key or service. Null until bound, and for a user without full rights. */
  reinstallLine: string | null
  /** The hardware's, as the player reports it; null: none has. */
  model: string | null
  expiresAt: Instant
  /** The expiry that an admin has set; null: none, which is the end of the subscription. */
  ownExpiresAt: Instant | null
  /** True from `expiresAt` on. */
  isExpired: boolean
  /** Its effective tag's, else its profile's, else 70. */
  volume: number
  createdAt: Instant
  /** As the player reports it, like the next; null: not known. */
  macAddress: string | null
  /** In the shop's own network. */
  ipAddress: string | null
  /** The hardware's; null: not known. */
  temperatureCelsius: number | null
  /** The size of the disk; null: not known. */
  memorySizeBytes: Bytes | null
  /** The free space of the disk; null: not known. */
  freeMemoryBytes: Bytes | null
  /** The last play that it has logged; null: none. */
  lastPlayed: {
    /** The media item's. */
    name: string
    startedAt: Instant
  } | null
  /** Missing event numbers, until they arrive. */
  gaps: EventGap[]
  /** Files that could not be played, as the device reported. */
  quarantined: {
    /** The item's. */
    name: string
    /** In hex. */
    sha256: string
  }[]
  /** The check of the last day; null: none since the player started, or the program is older. */
  alertCheck: AlertCheck | null
  /** Where the player reports, and the address to which it does not go; null: its program is older, or a page. Former servers do not say it. */
  server?: {
    address: string
    counter: number | null
    refused: {
      address: string
      why: string
    } | null
  } | null
  /** For `edit`, which refuses an older one with HTTP 409. */
  version: number
  permissions: Permissions
}

export interface DeviceChange {
  uid: Uid
  name?: Name
  storeNumber?: StoreNumber
  description?: Description
  /** 0 to 100: becomes the tag `volume`. */
  volume?: number
  /** An expiry before the end of the subscription, which admins may set; null: the end of the subscription. */
  expiresAt?: Instant | null
  /** That of the card; HTTP 409 if it is stale. */
  version?: number
}

export interface DeviceCommand {
  uid: Uid
  command: CommandKind
  /** The volume that the device is to have. */
  value: number | null
  /** The account of the user. */
  askedBy: string
  askedAt: Instant
  expiresAt: Instant
  /** When the server sent it; null: it has not. */
  sentAt: Instant | null
  /** When the device answered; null: it has not. */
  endedAt: Instant | null
  state: CommandState
  /** Why a command failed: a `CommandFailure`, or the device's own words. */
  why: string | null
}

export interface DeviceCommands {
  /** The newest first. Those that have ended are kept for a day. */
  commands: DeviceCommand[]
  /** Whether the device has a volume of its own, which `volume` without a value takes back. */
  hasOwnVolume: boolean
  /** The newest one; null: none of the last 30 days. */
  screenshot: {
    madeAt: Instant
    sizeBytes: Bytes
    contentType: DeviceFileType
  } | null
  /** The one that it has sent last; null: none of the last 30 days. */
  log: {
    madeAt: Instant
    sizeBytes: Bytes
    contentType: DeviceFileType
  } | null
}

export interface DeviceDay {
  asOf: Instant
  day: Day
  /** The device's own: its days, and the wall times of its schedule. */
  timeZone: string
  from: Instant
  until: Instant
  /** By the publications of now; without the time before the first of them was turned on. */
  scheduled: ScheduledSpan[]
  /** By its log. */
  played: PlayedSpan[]
  /** Where something was scheduled and hardly anything was played. */
  gaps: DayGap[]
  /** Without gaps, until now. */
  connectivity: {
    from: Instant
    until: Instant
    state: Connectivity
  }[]
  /** Without a report, from three missed heartbeats on; `connectivity` changes after an hour of it. */
  unreported: {
    from: Instant
    until: Instant
  }[]
  /** The health in the 24 hours until the day's end, or until now; quarters without heartbeats are left out. */
  health: HealthPoint[]
  /** What `played` may lack since a restore of the server; null: nothing. */
  restored: {
    awaited?: {
      from: Day
      to: Day
      devices: number
    }
    lost?: {
      from: Day
      to: Day
      devices: number
    }
  } | null
}

export interface DeviceDraft {
  name: Name
  storeNumber?: StoreNumber
  description?: Description
}

/** A screenshot is JPEG or PNG, a log is text. */
export type DeviceFileType = 'image/jpeg' | 'image/png' | 'text/plain'

export interface DeviceImport {
  /** The caller makes it once for a file. A line of an import is stored once: a repeated call adds nothing twice. */
  importUid: Uid
  /** Rows with the name and store number of a device that the client has: refuse the call, or skip these rows. */
  existing?: 'refuse' | 'skip'
  /** The devices; up to 1,000 a call. */
  rows: DeviceImportRow[]
}

/** A row of an import. The group is named by uid, or by its name, which must be unique; without either the device is in no group. */
export interface DeviceImportRow {
  name: Name
  storeNumber?: StoreNumber
  description?: Description
  /** The number of the row in the user's file, from 1. */
  line: number
  /** The group by its uid. */
  groupUid?: Uid
  /** The group by its name, of any case. */
  group?: string
  /** The new device's own tags. Admins alone give them, as everywhere. */
  tags?: PlaceTags
}

/** Which of a device's logs; `playtrack` has its plays. */
export type DeviceLogKind = 'debug' | 'update' | 'playlist' | 'playtrack' | 'heartbeat'

export interface DeviceMap {
  asOf: Instant
  /** At most 500. At larger counts the cells are larger than the zoom says. */
  clusters: MapCluster[]
  /** The devices without coordinates and without a known country. */
  notOnMap: {
    /** Devices with a heartbeat in the last hour. */
    online: number
    /** Devices whose last heartbeat was in the last day, and not in the last hour. */
    linkdown: number
    /** Devices whose last heartbeat is older than a day. */
    linklost: number
    /** Devices that have never sent a heartbeat. */
    neverup: number
    /** How many they are. */
    devices: number
    place: MapPlace
    /** The first 20 by name. */
    first: {
      uid: Uid
      /** Its present name. */
      name: string
      connectivity: Connectivity
    }[]
  }
}

export interface DeviceRow {
  uid: Uid
  /** Several devices may have the same. */
  name: string
  /** The shop's own number; '' if it has none. Several devices may have the same. */
  storeNumber: string
  /** A note of the users; may be empty. */
  description: string
  kind: Kind
  connectivity: Connectivity
  /** Its last heartbeat; null: never, or reset since. */
  lastContactAt: Instant | null
  /** Null for a device that is not online. */
  activity: Activity | null
  /** Why a `silent` device plays nothing; null for others. */
  silentReason: SilentReason | null
  /** Null for a device that is not `silent`. */
  silentSince: Instant | null
  /** Its channel has closed and it has not reported since. The shop may play on. */
  isConnectionLost: boolean
  /** Seconds after which its activity or connectivity is another one if it does not report; null: it stays. */
  changesInSeconds: Seconds | null
  /** Null: it is in none. */
  group: Reference | null
  /** On the air in its group; null: none. */
  publication: Reference | null
  /** That publication's. */
  playlist: Reference | null
  /** The track that it plays, or would if it were not muted. */
  nowPlaying: NowPlaying | null
  /** The version of its player's program, as the player reports it. */
  programVersion: string | null
  changedAt: Instant
}

export interface DevicesAction {
  /** Up to 1,000 devices by uid, or those that a filter finds. */
  items:
    | SomeItems
    | {
        filter: {
          /** Words that an item has, in any order; at most 10. */
          search?: string
          kind?: KindFilter
          /** Several find the devices of each. `late`: online devices whose reports are overdue. */
          connectivity?: string
          /** Devices of these groups; `none`: in no group. */
          group?: UidsOrNone
          /** Devices whose publication has one of these playlists on the air; `none`: devices for which nothing is on the air. */
          playlist?: UidsOrNone
          /** `missing`: devices that miss files of a publication of their group that is on or waiting. */
          files?: 'missing'
          /** Devices with one of these versions of the program, as `filtervalues` names them; `none`: not reported. */
          version?: string
          /** Online devices that play nothing, for any reason or for some; `none`: online devices that play something. */
          silent?: string
          place?: MapPlace
        }
        /** Items that the filter finds and the call leaves out. */
        except?: Uid[]
        /** The `after` of the former answer, for the items that remain. */
        after?: Uid
        /** Every item is meant: without it a filter that finds them all is refused. */
        all?: true
      }
  action: DeviceAction
}

/** An action on the selected groups or playlists. */
export type EditAction = 'pause' | 'activate' | 'delete'

/** Groups, playlists and profiles: only a paused one (shown as being edited) can be edited. */
export type EditState = 'active' | 'paused'

/** An effective tag of a device with its level. */
export interface EffectiveTag {
  /** Each key once. */
  key: string
  /** That of the level which wins. */
  value: string
  level: TagLevel
}

export interface EffectiveTags {
  policy: TagLevel
  /** Sorted by key. */
  tags: EffectiveTag[]
}

/** An email address; spaces around it are taken off, capital letters become small ones. */
export type Email = string

/** An email address; spaces around it are taken off, capital letters become small ones. */
export type EmailInput = string

/** Missing events of one boot: sequence numbers from–to, inclusive. */
export interface EventGap {
  bootId: Uid
  /** First. */
  from: number
  /** Last. */
  to: number
}

/** An item that a call for many has not changed. */
export interface FailedItem {
  uid: Uid
  /** Empty for an item that does not exist any more. */
  name: string
  /** The outcome's code. */
  code: number
  /** Why, beyond the code. */
  reason?: ReasonText
  /** Of what stands in the way. */
  names?: string[]
  /** The limit that was reached. */
  limit?: number
}

export interface FieldError {
  /** The place of the field: names and indexes from 0, with dots, such as `rows.3.group`. */
  path: string
  /** A key of `fields.json`; `unknown` for a field that the call does not have. */
  message:
    | 'empty'
    | 'too-short'
    | 'too-long'
    | 'special-characters'
    | 'email'
    | 'email-taken'
    | 'password-too-short'
    | 'password-common'
    | 'password-email'
    | 'wrong-code'
    | 'terms'
    | 'time-of-day'
    | 'repeat-or-replay'
    | 'end-before-start'
    | 'after-subscription'
    | 'wrong'
    | 'volume'
    | 'time-zone'
    | 'latitude'
    | 'longitude'
    | 'audience'
    | 'store-zone'
    | 'tag-key'
    | 'unknown'
    | 'ambiguous'
    | 'twice'
    | 'exists'
    | 'group-kind'
    | 'one-group'
    | 'public-address'
    | 'too-many'
    | 'all-items'
    | 'too-deep'
    | 'crossfade'
    | 'ad-gap'
    | 'version'
    | 'update-key'
    | 'update-signature'
    | 'isrc'
    | 'report-days'
    | 'wrong-password'
    | 'moment'
    | 'future'
    | 'in-the-past'
    | 'too-far'
  /** The same as a sentence in English. */
  detail?: string
  /** With an unknown field or value: what was probably meant. */
  didYouMean?: string
  /** The values that are allowed; this is not one of them. */
  oneOf?: string[]
}

export interface FilterValue {
  /** For the filter: a uid, or a version. */
  value: string
  /** The group's or playlist's; a version again. */
  name: string
  /** The devices with a version; null for groups and playlists. */
  count: number | null
}

/** The entities whose changes the feed tells. */
export type FollowedEntity =
  | 'device'
  | 'group'
  | 'media'
  | 'playlist'
  | 'publication'
  | 'play'
  | 'alert'
  | 'user'
  | 'installation'

/** Why nothing was played where something was scheduled: the reason of its log; `unreported`: it made no reports then, as when it is off or without its player, and has reported since; `off`: the same of days whose reports are no longer kept; `not-reported`: it has not reported since, and may have played. */
export type GapReason =
  | 'closed'
  | 'joined'
  | 'cut'
  | 'alert'
  | 'failed'
  | 'not-downloaded'
  | 'left-out'
  | 'started-late'
  | 'not-on-air'
  | 'never-up'
  | 'not-reported'
  | 'device-off'

export interface GroupCard {
  uid: Uid
  /** Several groups may have the same. */
  name: string
  /** A note of the users; may be empty. */
  description: string
  kind: Kind
  state: EditState
  /** A publication that is not in the recycle bin names it, in any state. */
  isUsed: boolean
  /** Without devices of the recycle bin. */
  deviceCount: number
  /** Those with a heartbeat in the last hour. */
  onlineCount: number
  /** The one in force now; null: none. */
  publication: Reference | null
  changedAt: Instant
  createdAt: Instant
  /** The publication in force or waiting has this group: its state cannot be paused. */
  isInForce: boolean
  /** That publication's; null: none. */
  playlist: Reference | null
  /** The first page of its devices, by name. */
  devices: {
    items: DeviceRow[]
    /** The items of all pages; it stops at 10,000 for a search, in audit and logs always. */
    total: number
    /** Which page this is, from 1. */
    page: number
    /** The items that a page has at most. */
    size: number
    /** There are more than `total`. */
    more?: boolean
  }
  /** The record's, which `edit` sends back. */
  version: number
  permissions: Permissions
}

export interface GroupDraft {
  name: Name
  description?: Description
}

export interface GroupRow {
  uid: Uid
  /** Several groups may have the same. */
  name: string
  /** A note of the users; may be empty. */
  description: string
  kind: Kind
  state: EditState
  /** A publication that is not in the recycle bin names it, in any state. */
  isUsed: boolean
  /** Without devices of the recycle bin. */
  deviceCount: number
  /** Those with a heartbeat in the last hour. */
  onlineCount: number
  /** The one in force now; null: none. */
  publication: Reference | null
  changedAt: Instant
}

export interface GroupsAction {
  /** Up to 1,000 groups by uid, or those that a filter finds. */
  items:
    | SomeItems
    | {
        filter: {
          /** Words that an item has, in any order; at most 10. */
          search?: string
          state?: EditState
          kind?: KindFilter
        }
        /** Items that the filter finds and the call leaves out. */
        except?: Uid[]
        /** The `after` of the former answer, for the items that remain. */
        after?: Uid
        /** Every item is meant: without it a filter that finds them all is refused. */
        all?: true
      }
  action: EditAction
}

/** A quarter of an hour of heartbeats, of the clock. */
export interface HealthPoint {
  at: Instant
  /** How many came; at one a minute 15. */
  heartbeats: number
  /** The highest. */
  temperatureCelsius: number | null
  /** The least. */
  freeMemoryBytes: Bytes | null
}

/** The client's rows of history and what they take on the disk. */
export interface HistorySize {
  /** Such as `plays`, `device_logs`, `heartbeats`. */
  kind: string
  /** How many rows are kept. */
  rows: number
  bytes: Bytes
  /** In UTC; null: none. */
  oldestDay: Day | null
}

/** What a device has of a publication. */
export type HoldingState = 'missing' | 'neverReported' | 'holding'

/** A sum by hour of day, 0 to 23, over a whole range. */
export interface HourChart {
  asOf: Instant
  unit: ChartUnit
  /** One for each media type that was played, with 24 points. */
  series: {
    uid: string
    name: string
    points: [number, number | null][]
  }[]
  /** What plays may lack since a restore of the server, by days in UTC. Missing: nothing. */
  restored?: {
    awaited?: {
      from: Day
      to: Day
      devices: number
    }
    lost?: {
      from: Day
      to: Day
      devices: number
    }
  }
}

/** A fault of an import. */
export interface ImportFault {
  /** `adsList.3`, `finishList.12.items.4`, `endDay`. */
  path: string
  /** A fault of the media, a refusal of the planner's `validate`, or a rule that `check` found broken. */
  code: string
  /** The planner's rule, 1 to 6. */
  rule?: number
  /** The media item, and its name if it belongs to the client. */
  uid?: Uid
  /** The name of that media item; absent if it is not the client's. */
  name?: string
  /** Seconds and plays, by the planner's names. */
  figures?: Record<string, number>
}

/** The state of the whole installation, which serves all clients. */
export interface Installation {
  asOf: Instant
  /** The newest sample of each server of the last day. */
  servers: {
    /** The server's own name, which also charts have. */
    name: string
    at: Instant
    /** False: its last sample is older than three minutes. */
    isReporting: boolean
    /** Over 1, 5 and 15 minutes. */
    loadAverages: [number, number, number]
    freeBytes: Bytes
    totalBytes: Bytes
  }[]
  /** PostgreSQL, which all servers share. */
  database: {
    /** PostgreSQL's version. */
    version: string
    /** Up to ten minutes older than `asOf`, like those of the components. */
    sizeBytes: Bytes
    /** The connections of all servers and programs. */
    connections: {
      /** Those to this database now. */
      used: number
      /** PostgreSQL's `max_connections`. */
      limit: number
    }
    /** The last daily maintenance that ended; null: none of the last 45 days. */
    maintainedAt: Instant | null
    /** The largest tables with their indexes and partitions. Rows are PostgreSQL's estimate. */
    components: {
      /** The table. */
      name: string
      /** An estimate. */
      rows: number
      bytes: Bytes
    }[]
  }
}

/** What operators tell all users. */
export interface InstallationNotice {
  /** Of each notice another one: a user who has dismissed one sees the next. */
  uid: Uid
  /** A few lines of plain text. */
  text: string
  level: NoticeLevel
  /** When it goes by itself. */
  until: Instant
}

export interface InstallationState {
  /** Null: there is none. */
  notice: InstallationNotice | null
  /** While it is set, changes end with HTTP 503 'read-only'. Devices, sign-ins and alerts go on. */
  readOnly: ReadOnly | null
}

/** A moment: ISO 8601 in UTC with Z. */
export type Instant = string

/** The kind of a device, group, playlist or publication. */
export type Kind = 'audio' | 'video'

/** `{x}` of qlist, qfree and selectlist. */
export type KindFilter = 'all' | 'audio' | 'video'

/** SPEC's codes of the console's languages. */
export type Language = 'ar' | 'cn' | 'de' | 'en' | 'es' | 'fr' | 'pt' | 'ru' | 'ua'

/** Why an item of a selection is left out of an action. `already-so`: it is as the action would make it. */
export type LeftOutReason =
  | 'already-so'
  | 'in-use'
  | 'in-force-cannot-be-paused'
  | 'turn-it-off-first'
  | 'group-paused'
  | 'group-taken'
  | 'playlist-paused'
  | 'playlist-empty'
  | 'device-in-a-group'
  | 'device-not-in-group'
  | 'kind-does-not-fit'
  | 'volume-by-policy'
  | 'volume-changed-since'
  | 'too-many-commands'
  | 'needed-in-bin'
  | 'restore-these-first'
  | 'device-limit'

/** The devices of a list of license keys: by uid, those of a device list's filter, or those that an import added. */
export type LicenseKeySelection =
  | {
      /** At most 1,000 devices. */
      uids: Uid[]
    }
  | {
      /** Devices as the list finds them; `{}` finds all. */
      filter: {
        /** Words that an item has, in any order; at most 10. */
        search?: string
        kind?: KindFilter
        /** Several find the devices of each. `late`: online devices whose reports are overdue. */
        connectivity?: string
        /** Devices of these groups; `none`: in no group. */
        group?: UidsOrNone
        /** Devices whose publication has one of these playlists on the air; `none`: devices for which nothing is on the air. */
        playlist?: UidsOrNone
        /** `missing`: devices that miss files of a publication of their group that is on or waiting. */
        files?: 'missing'
        /** Devices with one of these versions of the program, as `filtervalues` names them; `none`: not reported. */
        version?: string
        /** Online devices that play nothing, for any reason or for some; `none`: online devices that play something. */
        silent?: string
        place?: MapPlace
      }
      /** Devices that the filter finds and the file leaves out. */
      except?: Uid[]
    }
  | {
      importUid: Uid
    }

export interface Limits {
  /** The key of the plan. */
  plan: string
  expiresAt: Instant
  /** True from `expiresAt` on: most changes are refused. */
  isExpired: boolean
  /** Devices that are not in the recycle bin, and how many the plan allows. */
  devices: {
    /** How many there are. */
    used: number
    /** How many the plan allows. */
    limit: number
  }
  /** Every kept file, also of the recycle bin, running uploads and updates. A gigabyte is 10^9 bytes. */
  mediaBytes: {
    used: Bytes
    limit: Bytes
  }
  /** What plays, device logs and heartbeats take, and the plan's limit. */
  statisticsBytes: {
    used: Bytes
    limit: Bytes
    perDay: Bytes
    fullInDays: number | null
  }
  /** What is deleted next, the soonest first, told two weeks before and for at least seven days: from the day `from` on (today or earlier: now), the daily maintenance deletes the single plays, device logs and heartbeats of the days before `before`; sums by day stay. Reason `plan`: the plan's statistics storage is full by then; `age`: they are older than 400 days. With the reason `sums` it deletes the sums by day of these days: beside `statisticsBytes`, sums older than 100 days may take a quarter of the plan's statistics storage. */
  statisticsDeletions: {
    reason: 'plan' | 'age' | 'sums'
    from: Day
    before: Day
  }[]
}

export interface LinkOutcome {
  /** 200 is done, as 0, 8 and 9 are of changes of a state; each call names the others. */
  code: number
  /** The item that was made. */
  uid?: Uid
  /** Why, beyond the code: a key of the catalogue `reasons.json`. */
  reason?: ReasonText
  /** Of what stands in the way: with 902, 912, 921 and the reason 'several-files'. */
  names?: string[]
  /** The limit of the reasons 'device-limit' (the plan's), 'row-limit' and, in megabytes, 'playlist-bytes'. */
  limit?: number
  /** Of a call for many: the items that were changed. */
  done?: Uid[]
  /** Of a call for many: the items that were not. */
  failed?: FailedItem[]
  /** Of a call for more than 1,000 items: how many remain. */
  remaining?: number
  /** The last item that was done: repeat the call with it for those that remain. */
  after?: Uid
  /** The faults of an import, at most 100. */
  faults?: ImportFault[]
  /** Opens the page that sets the password; shown once, never stored. */
  link?: string
  expiresAt?: Instant
  /** Where there is a mail server: the address to which the link goes. The answer then has no link. */
  sentTo?: string
}

/** The manifest of a device as the device gets it, but without updates, and its programmes as text by their hash. */
export interface ListeningManifest {
  /** For `held` of the next call. */
  etag: string
  /** As `readManifest` of protocol 2 has it. */
  content: unknown
  /** Each as its text of JSON. */
  programmes: Record<Sha256, string>
}

/** What a user needs who listens in on a device. */
export interface ListeningState {
  serverTime: Instant
  connectivity: Connectivity
  /** When the server got its last heartbeat; null: never, or reset since. */
  lastContactAt: Instant | null
  /** Null for a device that is not online. */
  activity: Activity | null
  /** What it plays by its last report, while that can still be true. */
  nowPlaying: NowPlaying | null
  /** Why an online device plays nothing; null for any other. */
  silentBecause: SilentReason | null
  /** Null for a caller that holds it. */
  manifest: ListeningManifest | null
}

/** A line of the change feed: a changed item, which the console reads again; a change from before the stream, and one that may not have been told, has no uid. An empty object every 20 s keeps the stream open. The last line of a server that stops has `retryAfterMs`. */
export interface LiveLine {
  thing?: FollowedEntity
  uid?: Uid
  /** Connect again after this time: the server stops. */
  retryAfterMs?: number
}

/** EBU R128: integrated loudness in LUFS, true peak in dBTP. `measured` is false while it waits or cannot be measured. */
export interface Loudness {
  /** How loud the whole file sounds, in LUFS. */
  integratedLufs: number
  /** The highest level between samples, in dBTP. */
  truePeakDbtp: number
}

/** `pending`: it waits to be measured; `not-measured`: it has no sound, or could not be measured. */
export type LoudnessState = 'pending' | 'measured' | 'not-measured'

/** Devices near each other. */
export interface MapCluster {
  /** Devices with a heartbeat in the last hour. */
  online: number
  /** Devices whose last heartbeat was in the last day, and not in the last hour. */
  linkdown: number
  /** Devices whose last heartbeat is older than a day. */
  linklost: number
  /** Devices that have never sent a heartbeat. */
  neverup: number
  /** The mean of its devices', in degrees, north positive; of a country its centre. */
  latitude: number
  /** The mean of its devices', in degrees, east positive; of a country its centre. */
  longitude: number
  /** All devices of the cluster. */
  devices: number
  /** The filter `place` of the device list that finds the same devices. */
  place: MapPlace
  /** The ISO 3166 code of devices that only have the tag `country`. */
  country: string | null
  /** The only device. */
  device: {
    uid: Uid
    /** Its present name. */
    name: string
    connectivity: Connectivity
  } | null
}

/** A place of the map: `area:SOUTH,WEST,NORTH,EAST` in degrees without the last borders, `country:CODE` without coordinates, or `none`. */
export type MapPlace = string

export interface MediaCard {
  uid: Uid
  contentType: MediaType
  /** Several items may have the same. */
  name: string
  /** A note of the users; may be empty. */
  description: string
  /** The name of the uploaded file, unique in its content type. */
  originalName: string
  sizeBytes: Bytes
  durationSeconds: Seconds
  uploadedAt: Instant
  /** 1 for the first file; each replacement adds one. */
  fileVersion: number
  hash: Sha256
  /** Null: not measured. */
  loudness: Loudness | null
  loudnessState: LoudnessState
  /** Whether it has a preview image. */
  hasPreview: boolean
  /** A playlist that is not in the recycle bin has it, or a configuration profile names it. */
  isUsed: boolean
  artist: string
  title: string
  isrc: string
  composer: string
  publisher: string
  /** How many playlists have it, without those of the recycle bin. */
  usedInPlaylists: number
  /** How many groups have an active or delayed publication that plays it. */
  usedInGroups: number
  /** The type that the server found in the bytes. */
  mimeType: string
  /** Bits in a second on average; null: not known. */
  bitRate: number | null
  /** Samples of the sound in a second; null: no sound. */
  sampleRate: number | null
  /** Channels of the sound; null: no sound. */
  channels: number | null
  /** Pixels; null for audio. */
  width: number | null
  /** Pixels; null for audio. */
  height: number | null
  /** False for an MP3 without LAME delay data: a join adds about 46 ms. */
  isGapless: boolean
  /** The text that the file has in place of a valid ISRC; empty once the item has an ISRC. */
  invalidIsrc: string
  createdAt: Instant
  changedAt: Instant
  /** The record's version, which `edit` sends back. */
  version: number
  permissions: Permissions
}

export interface MediaRow {
  uid: Uid
  contentType: MediaType
  /** Several items may have the same. */
  name: string
  /** A note of the users; may be empty. */
  description: string
  /** The name of the uploaded file, unique in its content type. */
  originalName: string
  sizeBytes: Bytes
  durationSeconds: Seconds
  uploadedAt: Instant
  /** 1 for the first file; each replacement adds one. */
  fileVersion: number
  hash: Sha256
  /** Null: not measured. */
  loudness: Loudness | null
  /** Whether `loudness` is to come. */
  loudnessState: LoudnessState
  /** Whether it has a preview image. */
  hasPreview: boolean
  /** A playlist that is not in the recycle bin has it, or a configuration profile names it. */
  isUsed: boolean
  artist: string
  title: string
  isrc: string
  composer: string
  publisher: string
}

/** `{contentType}` of the media calls. */
export type MediaType = 'videos' | 'videosAds' | 'ads' | 'melodies'

/** 3–50 code points of letters, marks, digits, space and . , _ - ' & + ، ， 、 ·; trimmed, NFC, ’ becomes '. Messages are locale keys. */
export type Name = string

/** An item of the recycle bin that another one needs. */
export interface NeededItem {
  kind: BinKind
  uid: Uid
  /** As it is in the recycle bin. */
  name: string
}

/** `PublicKeyCredential.toJSON()` of a new passkey. */
export interface NewCredential {
  /** The credential's id in base64url. */
  id: string
  /** The same as `id`. */
  rawId: string
  /** A constant of WebAuthn. */
  type: 'public-key'
  /** Whether the device itself has the passkey, or another one. */
  authenticatorAttachment?: 'platform' | 'cross-platform'
  /** What extensions of WebAuthn answered. */
  clientExtensionResults: Record<string, unknown>
  /** The authenticator's answer, in base64url. */
  response: {
    /** The browser's JSON with the challenge and its origin. */
    clientDataJSON: string
    /** The new public key and its flags, in CBOR. */
    attestationObject: string
    /** How browsers reach the authenticator, such as `usb`. */
    transports?: string[]
  }
}

/** 10–200 characters. The server also refuses common passwords and words of the email. */
export type NewPassword = string

/** `warning` stands out more. */
export type NoticeLevel = 'info' | 'warning'

/** The current track by the device's last report; null in silence. */
export interface NowPlaying {
  /** The media item's, as the device's programme has it. */
  name: string
  /** Null: the device does not say it. */
  mediaUid: Uid | null
  /** Null: the device does not say it. */
  contentType: MediaType | null
  startedAt: Instant
  /** Where in the file it began: a player joins a track in its middle. Players of former releases do not say it. */
  offsetSeconds: Seconds
  /** The whole file's; null: not known. */
  durationSeconds: Seconds | null
}

/** The answer of every change. */
export interface Outcome {
  /** 200 is done, as 0, 8 and 9 are of changes of a state; each call names the others. */
  code: number
  /** The item that was made. */
  uid?: Uid
  /** Why, beyond the code: a key of the catalogue `reasons.json`. */
  reason?: ReasonText
  /** Of what stands in the way: with 902, 912, 921 and the reason 'several-files'. */
  names?: string[]
  /** The limit of the reasons 'device-limit' (the plan's), 'row-limit' and, in megabytes, 'playlist-bytes'. */
  limit?: number
  /** Of a call for many: the items that were changed. */
  done?: Uid[]
  /** Of a call for many: the items that were not. */
  failed?: FailedItem[]
  /** Of a call for more than 1,000 items: how many remain. */
  remaining?: number
  /** The last item that was done: repeat the call with it for those that remain. */
  after?: Uid
  /** The faults of an import, at most 100. */
  faults?: ImportFault[]
}

/** The caller's own password, in a change that asks for it. */
export type OwnPassword = string

export interface PackageCard {
  uid: Uid
  /** As the lists show it. */
  name: string
  /** A note of the users; may be empty. */
  description: string
  /** A label to search for. Machines that it names, such as linux-arm64, are the only ones that install the package. */
  category: string
  /** What devices compare with their own. */
  version: string
  state: PackageState
  /** How many files it has. */
  fileCount: number
  sizeBytes: Bytes
  /** The channels with this package. */
  channels: Reference[]
  changedAt: Instant
  /** The record's version for `edit`; `version` is the package's. */
  recordVersion: number
  permissions: Permissions
  createdAt: Instant
  /** All of the package. */
  files: PackageFile[]
}

export interface PackageDraft {
  name: Name
  description?: Description
  category: Name
  /** One to four numbers with dots, and a word for what comes before the release: `2.776.0-rc.1`. */
  version: string
}

export interface PackageFile {
  uid: Uid
  /** As the lists show it. */
  name: string
  /** A note of the users; may be empty. */
  description: string
  /** The name of the file, which devices see. */
  originalName: string
  sizeBytes: Bytes
  hash: Sha256
  /** Ed25519, in base64; null: none. */
  signature: string | null
  /** The signed text with name, version, machines, counter, downgrade, size and hash; null: it was signed by the tool of a former release, and devices of this release refuse it. */
  statement: string | null
  signatureState: SignatureState
  uploadedAt: Instant
  /** The record's, which `edit` sends back. */
  version: number
  /** The link of this file to this package; `excludefile` takes it. */
  linkUid: Uid
  addedAt: Instant
}

export interface PackageRow {
  uid: Uid
  /** As the lists show it. */
  name: string
  /** A note of the users; may be empty. */
  description: string
  /** A label to search for. Machines that it names, such as linux-arm64, are the only ones that install the package. */
  category: string
  /** What devices compare with their own. */
  version: string
  state: PackageState
  /** How many files it has. */
  fileCount: number
  sizeBytes: Bytes
  /** The channels with this package. */
  channels: Reference[]
  changedAt: Instant
  /** The record's version for `edit`; `version` is the package's. */
  recordVersion: number
  permissions: Permissions
}

/** A package rotates draft → testing → released → draft. Only a draft can be changed; devices see released ones. */
export type PackageState = 'draft' | 'testing' | 'released'

export interface Passkey {
  uid: Uid
  /** As the user has named it. */
  name: string
  createdAt: Instant
  /** Null: never. */
  lastUsedAt: Instant | null
}

export interface PasswordByLink {
  /** The secret of the one-time link. */
  token: string
  password: NewPassword
}

/** What the user may do with an item by role and rights. Refusals by its state are outcomes. */
export interface Permissions {
  /** False also after the end of the subscription. */
  mayEdit: boolean
  /** False also after the end of the subscription. */
  mayDelete: boolean
}

/** The tags that say where a device is, and when its shop is open. */
export interface PlaceTags {
  /** The town. */
  city?: string
  /** Street and number. */
  address?: string
  /** Its name in a language of the console, or its ISO 3166 code. */
  country?: string
  /** IANA, such as `Europe/Berlin`. */
  timeZone?: string
  /** HH:MM, inclusive. */
  openingTime?: string
  /** HH:MM, exclusive. */
  closingTime?: string
}

export interface Plan {
  /** Its name in calls, such as `basic`. */
  key: string
  /** Storage for files; a gigabyte is 10^9 bytes. */
  mediaGigabytes: number
  /** Storage for plays, device logs and heartbeats. */
  statisticsGigabytes: number
  /** How many devices a client may have. */
  deviceLimit: number
  /** In whole US dollars. */
  priceUsdPerMonth: number
  /** Support round the clock is part of it. */
  hasSupport: boolean
  /** Extended support is part of it. */
  hasExtendedSupport: boolean
  /** The client's own. */
  isCurrent: boolean
  /** When the client requested it; null unless the request is open. */
  requestedAt: Instant | null
}

/** A block of a smart playlist's day. */
export interface PlannedBlock {
  /** From 1, dense. */
  position: number
  kind: BlockKind
  /** From the window's start. */
  startSeconds: Seconds
  durationSeconds: Seconds
  /** All plays of the block; `plays` may have fewer. */
  playCount: number
  /** In their order: the first 100, or a page of them. */
  plays: {
    /** Within the block, from 1. */
    position: number
    mediaUid: Uid
    /** The media item's. */
    name: string
    contentType: MediaType
    /** From the window's start. */
    startSeconds: Seconds
    durationSeconds: Seconds
  }[]
}

/** A track of a smart playlist's lists, as it was planned. */
export interface PlannedTrack {
  uid: Uid
  /** The media item's. */
  name: string
  contentType: MediaType
  /** Its frequency relative to the other tracks of its list; 1 by default. */
  weight: number
  plannedSeconds: Seconds
}

/** What it played, by its log, and the track that plays now. */
export interface PlayedSpan {
  from: Instant
  until: Instant
  /** `ads` from 5 seconds of ads in a minute on. */
  kind: 'music' | 'ads'
  /** The share of ads in what plays, 0 to 1. */
  adShare: number
}

export interface PlaylistCard {
  uid: Uid
  /** Several playlists may have the same. */
  name: string
  /** A note of the users; may be empty. */
  description: string
  kind: Kind
  form: PlaylistForm
  state: EditState
  /** A publication that is not in the recycle bin names it. */
  isUsed: boolean
  /** Items of a simple list; plays of a smart one's day. */
  itemCount: number
  durationSeconds: Seconds
  /** Whether the plan of a smart one fits its media, or media were replaced since; null for a simple one. */
  planState: 'fits' | 'plan-again' | null
  /** The first day on which it plays, in the device's zone; null: not limited. */
  startDate: Day | null
  /** The last day, inclusive; null: not limited. */
  endDate: Day | null
  changedAt: Instant
  /** Between two items; never over an ad. */
  crossfadeSeconds: number
  createdAt: Instant
  /** A publication of it is on or waits. */
  isInForce: boolean
  /** Those of all publications that name it. */
  groups: Reference[]
  /** The playlist that this copy will replace; null if there is none. */
  editOf: {
    uid: Uid
    /** Its present name. */
    name: string
    /** It is on, or waits. */
    isInForce: boolean
  } | null
  /** Copies that will replace this playlist, the newest first; at most 20. */
  edits: Reference[]
  /** For `edit`. */
  version: number
  /** Null for a simple one. */
  smart: SmartFacts | null
  permissions: Permissions
}

export interface PlaylistChange {
  uid: Uid
  name?: Name
  description?: Description
  /** Null: not limited. */
  startDate?: Day | null
  /** Inclusive; null: not limited. */
  endDate?: Day | null
  /** 0 to 10. */
  crossfadeSeconds?: number
  /** Settings of items, by item uid. */
  items?: {
    uid: Uid
    /** Plays in a row; it clears `replaySeconds`. */
    repeatCount?: number | null
    /** Time for whole plays; it clears `repeatCount`. */
    replaySeconds?: number | null
    /** Null: part of the loop. */
    startTime?: TimeOfDay | null
  }[]
  /** That of the card; HTTP 409 if it is stale. */
  version?: number
}

export interface PlaylistDraft {
  name: Name
  description?: Description
}

/** Simple: a looped list of items. Smart: a day's timeline of blocks. */
export type PlaylistForm = 'simple' | 'smart'

export interface PlaylistItem {
  uid: Uid
  /** From 1, dense. */
  position: number
  mediaUid: Uid
  /** The media item's. */
  name: string
  contentType: MediaType
  /** The duration of one play. */
  durationSeconds: Seconds
  /** Plays in a row; null if `replaySeconds` is set. */
  repeatCount: number | null
  /** The time for whole plays in a row, at least one play; null if `repeatCount` is set. */
  replaySeconds: Seconds | null
  /** Due once a day at the first track boundary at or after this wall time; null: part of the loop. */
  startTime: TimeOfDay | null
}

export interface PlaylistRow {
  uid: Uid
  /** Several playlists may have the same. */
  name: string
  /** A note of the users; may be empty. */
  description: string
  kind: Kind
  form: PlaylistForm
  state: EditState
  /** A publication that is not in the recycle bin names it. */
  isUsed: boolean
  /** Items of a simple list; plays of a smart one's day. */
  itemCount: number
  /** One round of a simple list as devices play it: with repeats, less crossfades; the content of a smart one's day. */
  durationSeconds: Seconds
  /** Whether the plan of a smart one fits its media, or media were replaced since; null for a simple one. */
  planState: 'fits' | 'plan-again' | null
  /** The first day on which it plays, in the device's zone; null: not limited. */
  startDate: Day | null
  /** The last day, inclusive; null: not limited. */
  endDate: Day | null
  changedAt: Instant
}

export interface PlaylistWithTracks {
  uid: Uid
  /** Several playlists may have the same. */
  name: string
  /** A note of the users; may be empty. */
  description: string
  kind: Kind
  form: PlaylistForm
  state: EditState
  /** A publication that is not in the recycle bin names it. */
  isUsed: boolean
  /** Items of a simple list; plays of a smart one's day. */
  itemCount: number
  durationSeconds: Seconds
  /** Whether the plan of a smart one fits its media, or media were replaced since; null for a simple one. */
  planState: 'fits' | 'plan-again' | null
  /** The first day on which it plays, in the device's zone; null: not limited. */
  startDate: Day | null
  /** The last day, inclusive; null: not limited. */
  endDate: Day | null
  changedAt: Instant
  /** Between two items; never over an ad. */
  crossfadeSeconds: number
  createdAt: Instant
  /** A publication of it is on or waits. */
  isInForce: boolean
  /** Those of all publications that name it. */
  groups: Reference[]
  /** The playlist that this copy will replace; null if there is none. */
  editOf: {
    uid: Uid
    /** Its present name. */
    name: string
    isInForce: boolean
  } | null
  /** Copies that will replace this playlist, the newest first; at most 20. */
  edits: Reference[]
  /** For `edit`. */
  version: number
  /** Null for a simple one. */
  smart: SmartFacts | null
  permissions: Permissions
  /** The items of a simple one; empty for a smart one. */
  items: PlaylistItem[]
  /** A page of a smart one's day; null for a simple one. */
  blocks: {
    items: PlannedBlock[]
    /** The items of all pages; it stops at 10,000 for a search, in audit and logs always. */
    total: number
    /** Which page this is, from 1. */
    page: number
    /** The items that a page has at most. */
    size: number
    /** There are more than `total`. */
    more?: boolean
  } | null
}

export interface PlaylistsAction {
  /** Up to 1,000 playlists by uid, or those that a filter finds. */
  items:
    | SomeItems
    | {
        filter: {
          /** Words that an item has, in any order; at most 10. */
          search?: string
          state?: EditState
          form?: PlaylistForm
          kind?: KindFilter
        }
        /** Items that the filter finds and the call leaves out. */
        except?: Uid[]
        /** The `after` of the former answer, for the items that remain. */
        after?: Uid
        /** Every item is meant: without it a filter that finds them all is refused. */
        all?: true
      }
  action: EditAction
}

/** An HTTP error's body: RFC 9457 `application/problem+json`. */
export interface Problem {
  /** The address of a page about it, relative to the server's. */
  type: string
  /** The name of the HTTP status, in English. */
  title: string
  /** The HTTP status. */
  status: number
  /** What happened, as a sentence in English. */
  detail?: string
  /** A stable code of the cause, with texts in every language (`problems.json`). */
  code?:
    | 'malformed'
    | 'wrong-fields'
    | 'search-terms'
    | 'no-such-call'
    | 'method-not-allowed'
    | 'unsupported-media-type'
    | 'too-large'
    | 'head-too-large'
    | 'too-slow'
    | 'aborted'
    | 'session-expired'
    | 'wrong-login'
    | 'second-factor'
    | 'step-expired'
    | 'wrong-passkey'
    | 'role'
    | 'rights'
    | 'subscription-expired'
    | 'registration-closed'
    | 'registration-by-mail'
    | 'email-taken'
    | 'link-expired'
    | 'no-mail-server'
    | 'metrics-token'
    | 'probe-token'
    | 'origin'
    | 'not-found'
    | 'stale'
    | 'start-in-the-past'
    | 'file-missing'
    | 'plays-gone'
    | 'events-gone'
    | 'report-rows'
    | 'proof-too-large'
    | 'archive-rows'
    | 'archive-unreadable'
    | 'proof-key'
    | 'job-running'
    | 'idempotency-key'
    | 'key-reused'
    | 'call-running'
    | 'answer-lost'
    | 'upload-busy'
    | 'wrong-offset'
    | 'upload-gone'
    | 'tus-version'
    | 'too-many-uploads'
    | 'too-many-requests'
    | 'too-many-changes'
    | 'heavy-busy'
    | 'mail-limit'
    | 'busy'
    | 'disk-full'
    | 'read-only'
    | 'database-away'
    | 'files-away'
    | 'internal'
    | 'device-token'
    | 'license-unknown'
    | 'license-bound'
    | 'session-replaced'
    | 'other-address'
    | 'upgrade-required'
    | 'too-many-events'
    | 'too-many-heartbeats'
  /** 422: the wrong fields of body, path and query. */
  errors?: FieldError[]
  /** 403 `second-factor`. */
  secondStep?: SecondStep
  /** `id` as a URN. */
  instance?: string
  /** The request's id, which its lines in the log have as requestId. */
  id?: string
}

export interface ProfileCard {
  uid: Uid
  /** Several profiles may have the same. */
  name: string
  /** A note of the users; may be empty. */
  description: string
  type: ProfileType
  state: EditState
  /** The groups that it applies to. */
  groups: Reference[]
  changedAt: Instant
  /** By the names that its type has. */
  settings: Record<string, unknown>
  /** The settings that devices use: those of the last activation; null: never activated. */
  activeSettings: Record<string, unknown> | null
  createdAt: Instant
  /** The record's, which `edit` sends back. */
  version: number
  permissions: Permissions
}

export interface ProfileChange {
  /** Absent: a new profile, which needs a name and a type. */
  uid?: Uid
  name?: Name
  description?: Description
  type?: ProfileType
  /** By the names that its type has. */
  settings?: Record<string, unknown>
  /** The groups it applies to. */
  groupUids?: Uid[]
  /** The record's that the user saw; HTTP 409 if it is stale. */
  version?: number
}

export interface ProfileRow {
  uid: Uid
  /** Several profiles may have the same. */
  name: string
  /** A note of the users; may be empty. */
  description: string
  type: ProfileType
  state: EditState
  /** The groups that it applies to. */
  groups: Reference[]
  changedAt: Instant
}

/** The type of a configuration profile, which determines its settings. */
export type ProfileType = 'audio' | 'network' | 'display' | 'logging' | 'alert'

/** The public keys of a client's proofs, the newest first; the one without `retiredAt` signs. */
export interface ProofKeys {
  /** Whose keys they are. */
  client: {
    uid: Uid
    /** Its present name. */
    name: string
  }
  /** The one that signs first. */
  keys: {
    /** The first 16 hex digits of the SHA-256 of the public key. */
    keyId: string
    /** Ed25519: 32 bytes in base64. */
    publicKey: string
    createdAt: Instant
    /** From when on it signs nothing; null: it signs. */
    retiredAt: Instant | null
    /** Since when somebody else may have signed with it; null: nobody. Servers of former releases do not say. */
    compromisedSince: Instant | null
  }[]
}

/** An action on the selected publications. */
export type PublicationAction = 'turn-off' | 'turn-on' | 'delete'

export interface PublicationCard {
  uid: Uid
  /** Several publications may have the same. */
  name: string
  /** A note of the users; may be empty. */
  description: string
  kind: Kind
  state: PublicationState
  group: Reference
  playlist: Reference
  /** The start of a delayed one: an instant with Z, or a wall time in each device's zone. */
  startsAt: string | null
  /** When it was turned on, or delayed; null while it is off. */
  activatedAt: Instant | null
  changedAt: Instant
  /** Null for one that is off. */
  readiness: Readiness | null
  createdAt: Instant
  groupState: EditState
  playlistState: EditState
  /** The playlist before the last replacement, to which it can return; null if there is none. */
  formerPlaylist: {
    uid: Uid
    /** Its present name. */
    name: string
    state: EditState
  } | null
  /** The record's, which `edit` sends back. */
  version: number
  permissions: Permissions
}

/** An item to choose for a publication. */
export interface PublicationChoice {
  uid: Uid
  /** Several items may have the same. */
  name: string
  kind: Kind
  state: EditState
}

/** Plays of one media item by one publication; `promised` − all `gaps` + `extra` = `made`. */
export interface PublicationDelivery {
  publication: Reference
  /** Its present playlist. */
  playlist: {
    uid: Uid
    /** Its present name. */
    name: string
    form: PlaylistForm
  }
  group: Reference
  state: PublicationState
  /** The present devices of its group; 0 while it is off. */
  devices: number
  /** The counted period: from the start of the publication's present program. */
  since: Instant
  until: Instant
  /** Plays of the playlist in this period on these devices. */
  promised: number
  /** Those of them that are in the devices' schedules: the shops are open. */
  planned: number
  /** Heard whole. */
  made: number
  /** Plays heard whole outside the schedule, for example of a device that has left the group. */
  extra: number
  /** Why plays were not heard whole, and how many. */
  gaps: {
    why: GapReason
    /** How many plays. */
    plays: number
  }[]
  /** Scheduled hours of all devices. */
  hours: number
  /** Plays per hour on one device: promised, scheduled and delivered; null without hours. */
  promisedAnHour: number | null
  /** Null without hours. */
  plannedAnHour: number | null
  /** Null without hours. */
  madeAnHour: number | null
}

/** A device of a publication's group. */
export interface PublicationDevice {
  uid: Uid
  /** Several devices may have the same. */
  name: string
  /** The shop's own number; empty if it has none. */
  storeNumber: string
  /** Files still missing; null: the device has not reported on this revision. */
  missing: number | null
  /** When the server got its last heartbeat; null: never, or reset since. */
  lastContactAt: Instant | null
}

export interface PublicationDraft {
  name: Name
  description?: Description
  groupUid: Uid
  playlistUid: Uid
}

export interface PublicationRow {
  uid: Uid
  /** Several publications may have the same. */
  name: string
  /** A note of the users; may be empty. */
  description: string
  kind: Kind
  state: PublicationState
  group: Reference
  playlist: Reference
  /** The start of a delayed one: an instant with Z, or a wall time in each device's zone. */
  startsAt: string | null
  /** When it was turned on, or delayed; null while it is off. */
  activatedAt: Instant | null
  changedAt: Instant
  /** Null for one that is off. */
  readiness: Readiness | null
}

/** The state of a publication: on, waiting for its moment, or off. */
export type PublicationState = 'active' | 'delayed' | 'disabled'

export interface PublicationsAction {
  /** Up to 1,000 publications by uid, or those that a filter finds. */
  items:
    | SomeItems
    | {
        filter: {
          /** Words that an item has, in any order; at most 10. */
          search?: string
          state?: PublicationState
          /** Publications of this playlist. */
          playlistUid?: Uid
          kind?: KindFilter
        }
        /** Items that the filter finds and the call leaves out. */
        except?: Uid[]
        /** The `after` of the former answer, for the items that remain. */
        after?: Uid
        /** Every item is meant: without it a filter that finds them all is refused. */
        all?: true
      }
  action: PublicationAction
}

/** What to publish: a playlist for a group, now or later. Playlist and group are activated if they are paused. */
export interface PublishDraft {
  playlistUid: Uid
  /** Either an existing group or a new one. */
  groupUid?: Uid
  newGroup?: PublishGroup
  /** The name of the publication; without it the playlist's. An existing publication keeps its name. */
  name?: Name
  /** Without it the publication starts now. */
  startsAt?: StartDateTime
  /** Publications of the group, as the user saw them, that this one replaces: they are turned off. */
  turnsOff?: Uid[]
}

/** The group that a call creates, of the playlist's kind, with those of the chosen devices that are in no group. */
export interface PublishGroup {
  name: Name
  /** Up to 1,000 devices by uid, or those that a filter finds; at most 20,000. */
  devices:
    | SomeItems
    | {
        filter: {
          /** Words that an item has, in any order; at most 10. */
          search?: string
          kind?: KindFilter
          /** Several find the devices of each. `late`: online devices whose reports are overdue. */
          connectivity?: string
          /** Devices of these groups; `none`: in no group. */
          group?: UidsOrNone
          /** Devices whose publication has one of these playlists on the air; `none`: devices for which nothing is on the air. */
          playlist?: UidsOrNone
          /** `missing`: devices that miss files of a publication of their group that is on or waiting. */
          files?: 'missing'
          /** Devices with one of these versions of the program, as `filtervalues` names them; `none`: not reported. */
          version?: string
          /** Online devices that play nothing, for any reason or for some; `none`: online devices that play something. */
          silent?: string
          place?: MapPlace
        }
        /** Items that the filter finds and the call leaves out. */
        except?: Uid[]
        /** The `after` of the former answer, for the items that remain. */
        after?: Uid
        /** Every item is meant: without it a filter that finds them all is refused. */
        all?: true
      }
}

export interface PublishPlan {
  /** `isActivated`: it is paused now, and the call activates it. */
  playlist: {
    uid: Uid
    /** Its present name. */
    name: string
    kind: Kind
    /** It is paused now. */
    isActivated: boolean
    sizeBytes: Bytes
  }
  /** Without a uid: the call creates it. */
  group: {
    /** Null: the call creates it. */
    uid: Uid | null
    /** The present name, or that of the new group. */
    name: string
    /** It is paused now, or new. */
    isActivated: boolean
  }
  /** The publication of this playlist and group that is off now and is turned on; null: the call creates one. */
  publication: Reference | null
  /** The publication that plays in the group until this one starts. */
  follows: Reference | null
  /** Those of the draft's `turnsOff` that are on or wait. */
  turnsOff: Reference[]
  /** Publications of the group that stand in the way: with any of them the call is refused. */
  conflicts: {
    uid: Uid
    /** Its present name. */
    name: string
    state: PublicationState
    isSamePlaylist: boolean
  }[]
  /** The devices by what becomes of them. */
  devices: {
    /** The devices that get it. The next two counts are among them. */
    count: number
    /** Without contact for an hour: they get it when they connect. */
    offline: number
    /** Their whole storage is smaller than the playlist's files. */
    tooSmall: number
    /** Chosen devices that stay out of the new group: in another group, or audio devices for a video playlist. */
    inGroups: number
    /** Chosen audio devices that a video playlist cannot have. */
    otherKind: number
  }
  /** Why the call would be refused, in the order of the checks; empty if it would not. */
  refusals: {
    /** 200 is done, as 0, 8 and 9 are of changes of a state; each call names the others. */
    code: number
    /** Why, beyond the code: a key of the catalogue `reasons.json`. */
    reason?: ReasonText
    /** Of what stands in the way: with 902, 912, 921 and the reason 'several-files'. */
    names?: string[]
    /** The limit of the reasons 'device-limit' (the plan's), 'row-limit' and, in megabytes, 'playlist-bytes'. */
    limit?: number
  }[]
}

export interface QuickMetrics {
  asOf: Instant
  /** True: measured for an earlier call, without the changes since `asOf`. */
  isCached: boolean
  /** Seconds after which a device of `devices` has another state if it does not report; null: all stay. */
  changesInSeconds: Seconds | null
  /** Plays of the last 24 hours: of this hour (in UTC) and the 23 hours before it. */
  playedCount: number
  /** What they may lack since a restore of the server, by days in UTC; null: nothing. */
  playedRestored: {
    awaited?: {
      from: Day
      to: Day
      devices: number
    }
    lost?: {
      from: Day
      to: Day
      devices: number
    }
  } | null
  /** The devices by what they report. The first four are all devices of the client. */
  devices: {
    /** Devices with a heartbeat in the last hour. */
    online: number
    /** Devices whose last heartbeat was in the last day, and not in the last hour. */
    linkdown: number
    /** Devices whose last heartbeat is older than a day. */
    linklost: number
    /** Devices that have never sent a heartbeat. */
    neverup: number
    /** The activities of the `online` devices. */
    playing: number
    /** Online devices that play nothing. */
    silent: number
    /** Online devices whose next report is overdue. */
    late: number
  }
  /** The `silent` devices by reason; the filter `silent` of the device list finds them. Reasons without devices are left out. */
  silent: {
    reason: SilentReason
    /** How many are silent for this reason. */
    devices: number
  }[]
  /** What needs a person first, the worst first. */
  attention: Attention[]
  /** The media that are not in the recycle bin. */
  media: {
    /** How many there are. */
    items: number
    sizeBytes: Bytes
  }
  /** The publications by state. */
  publications: {
    /** Those that are on. */
    active: number
    /** Those that wait for their moment. */
    delayed: number
    /** Those that are off. */
    disabled: number
  }
  /** The client's metered statistics. */
  databaseSizeBytes: Bytes
  /** The same by kind. */
  history: HistorySize[]
  /** The plan's limits and their use at `asOf`. */
  limits: Limits
  /** Null for users who are not admins. */
  installation: Installation | null
  /** Devices that were up and are down now. */
  down: {
    uid: Uid
    /** Several devices may have the same. */
    name: string
    connectivity: Connectivity
    /** Its last heartbeat; null: never, or reset since. */
    lastContactAt: Instant | null
  }[]
  /** The client's newest plays; without those of a doubtful clock. */
  latestPlays: {
    uid: Uid
    eventTime: Instant
    receiveTime: Instant
    playlist: string | null
    version: string | null
    track: string | null
    status: string | null
    description: string | null
    type: string | null
    code: number | null
    class: string | null
    channel: string | null
    updatePackage: string | null
    request: string | null
    comment: string | null
    plannedTime: Instant | null
    secondsPlayed: Seconds | null
    volume: number | null
    temperatureCelsius: number | null
    deviceUid: Uid
    /** The device's name at the time. */
    deviceName: string
  }[]
}

/** The installation is maintained: changes of users are refused. `until` is null while nobody knows its end. */
export interface ReadOnly {
  since: Instant
  /** Null: until an operator ends it. */
  until: Instant | null
}

/** The devices of its group: those that hold all files of this revision, those that miss some, those that have not reported. */
export interface Readiness {
  /** All of the group. */
  devices: number
  /** Those that hold all files. */
  holding: number
  /** Those that miss some. */
  missing: number
  /** Those that have not reported on this revision. */
  neverReported: number
}

/** One of `reasons`, or one that a newer server knows. */
export type ReasonText =
  | 'active-cannot-be-edited'
  | 'in-force-cannot-be-paused'
  | 'device-in-a-group'
  | 'device-not-in-group'
  | 'device-limit'
  | 'row-limit'
  | 'playlist-bytes'
  | 'kind-does-not-fit'
  | 'playlist-empty'
  | 'several-files'
  | 'list-code-page'
  | 'outside-dates'
  | 'turn-it-off-first'
  | 'subscription-expired'
  | 'position-changed'
  | 'volume-already-default'
  | 'restore-these-first'
  | 'turn-it-on-first'
  | 'nothing-to-return-to'
  | 'too-many-devices'
  | 'no-open-alert'
  | 'webhook-disabled'
  | 'too-many-commands'
  | 'too-many-views'
  | 'no-picture'
  | 'volume-by-policy'
  | 'volume-changed-since'
  | 'last-admin'
  | 'second-factor-required'
  | 'no-second-factor'
  | 'own-second-factor'
  | 'tag-exists'
  | 'no-such-tag'
  | 'media-not-as-planned'
  | 'plan-refused'
  | 'plan-breaks-rules'
  | 'only-simple-playlists'
  | 'only-smart-playlists'
  | 'not-a-draft'
  | 'package-empty'
  | 'package-not-released'
  | 'signature-missing'
  | 'signature-wrong'
  | 'signature-mismatch'
  | 'update-key-missing'
  | 'already-deployed'
  | 'type-cannot-change'
  | 'file-empty'
  | 'file-damaged'
  | 'file-truncated'
  | 'sound-too-short'
  | 'sound-changes'
  | 'not-mp3'
  | 'not-layer-3'
  | 'not-mp4'
  | 'quicktime'
  | 'no-video'
  | 'not-h264'
  | 'not-aac'
  | 'edit-list'
  | 'starts-late'
  | 'not-an-image'

/** New recovery codes, which the server shows once. Each signs in once in place of the authenticator app. */
export type RecoveryCodes = string[]

/** An item by uid and name. */
export interface Reference {
  uid: Uid
  /** Its present name. */
  name: string
}

export interface Registration {
  /** The server takes the first name and the last name from it. */
  fullName: string
  /** What the new user signs in with. */
  email: EmailInput
  password: NewPassword
  /** The user accepts the terms of use. */
  terms: true
}

/** What the reader of a report has to know about its figures: texts are `reports:notes.<code>`. */
export interface ReportNote {
  /** The name of the text. */
  code: string
  /** What stands in the text, such as days and counts. */
  values?: Record<string, string | number>
}

/** The first rows of a report, for a page. */
export interface ReportPreview {
  /** In the order of the cells. */
  columns: {
    /** The name of the column: its heading is `reports:columns.<key>`. */
    key: string
    /** What its cells hold. */
    type:
      | 'text'
      | 'instant'
      | 'day'
      | 'month'
      | 'seconds'
      | 'minutes'
      | 'count'
      | 'number'
      | 'percent'
      | 'enum'
      | 'breakdown'
    /** The enum of the cells. */
    values?: string
    /** The heading of a tag's column: its key. */
    title?: string
  }[]
  /** A cell for each column. Instants are wall time with its offset, `2026-11-01T09:00:00+01:00`; enums are the names of their values, and breakdowns such names with counts: `closed=4 cut=1`. */
  rows: (string | number | null)[][]
  /** The report has more than these 50 rows. */
  hasMore: boolean
  /** What a reader has to know of the figures. */
  notes: ReportNote[]
  asOf: Instant
}

export interface SavedView {
  uid: Uid
  /** Several views may have the same. */
  name: string
  /** True: every user of the client sees it, and those with full rights change it. False: it is the user's own. */
  isShared: boolean
  /** What is searched for; empty: nothing. */
  search: string
  /** The column of the order; null: the list's own order. */
  sort: string | null
  /** The direction of the order. */
  dir: 'asc' | 'desc'
  /** The values of the filters by their names. */
  filters: Record<string, string>
  /** The columns that it shows, by their names. */
  columns: string[]
  /** The record's, which `edit` sends back. */
  version: number
}

export interface SavedViewDraft {
  list: ViewedList
  name: Name
  /** True: for every user of the client. */
  isShared?: boolean
  /** What is searched for; empty: nothing. */
  search?: string
  /** The column of the order; null: the list's own order. */
  sort?: string | null
  /** The direction of the order. */
  dir?: 'asc' | 'desc'
  /** The values of the filters by their names, as in the address of the list. */
  filters?: Record<string, string>
  /** The columns that it shows. */
  columns?: string[]
}

/** What the device was to play: by the minute, in which 5 seconds of ads count as ads. */
export interface ScheduledSpan {
  from: Instant
  until: Instant
  /** `ads` from 5 seconds of ads in a minute on. */
  kind: 'music' | 'ads' | 'silent'
  /** The share of ads in what plays, 0 to 1. */
  adShare: number
  /** The reason of a `silent` span. */
  because: SilentReason | null
}

export interface SecondFactor {
  /** Since when the user has an authenticator app; null: none. Without passkeys too, the password alone signs in. */
  enrolledAt: Instant | null
  /** The user's own. */
  passkeys: Passkey[]
  /** How many are not used. */
  recoveryCodesLeft: number
  /** The client requires it of every user. */
  isRequired: boolean
}

/** The password was right; a further call completes the sign-in. */
export interface SecondStep {
  /** For `/api/v2/session/second-step`, or `/api/v2/session/enroll` if the user must set up a second factor first. */
  ticket: string
  expiresAt: Instant
  /** The user has no second factor, and has to set one up. */
  mustEnroll: boolean
  /** Calls of passkeys sign in too, without the ticket. */
  hasPasskey: boolean
}

/** A duration in seconds, with fractions. */
export type Seconds = number

export interface SessionUser {
  uid: Uid
  /** The same as `email`. */
  username: string
  /** A `streamer` only plays what its linked device has to play. */
  role: 'admin' | 'manager' | 'streamer'
  /** `view`: changes of the client's items are refused. */
  rights: 'full' | 'view'
  /** The device of a streamer; null for other roles. */
  linkedDeviceUid: Uid | null
  /** The given name; empty if it is not known. */
  firstName: string
  /** The family name; empty if it is not known. */
  lastName: string
  /** What the user signs in with. */
  email: string
  /** The end of the client's subscription. */
  subscriptionExpiresAt: Instant
}

/** A file's SHA-256 in lower-case hex. */
export type Sha256 = string

/** By the client's present key: `unchecked` without a key, `missing` without a signature. */
export type SignatureState = 'valid' | 'wrong' | 'missing' | 'unchecked'

export interface SignedIn {
  uid: Uid
  /** The same as `email`. */
  username: string
  /** A `streamer` only plays what its linked device has to play. */
  role: 'admin' | 'manager' | 'streamer'
  /** `view`: changes of the client's items are refused. */
  rights: 'full' | 'view'
  /** The device of a streamer; null for other roles. */
  linkedDeviceUid: Uid | null
  /** The given name; empty if it is not known. */
  firstName: string
  /** The family name; empty if it is not known. */
  lastName: string
  /** What the user signs in with. */
  email: string
  subscriptionExpiresAt: Instant
  /** Goes in the header of further calls: `Authorization: Bearer TOKEN`. */
  token: string
}

/** Why an online device plays nothing: its cue's reasons, and its own; `muted` at volume 0, `unknown` where it reports none. */
export type SilentReason =
  | 'no-publication'
  | 'closed'
  | 'outside-dates'
  | 'outside-window'
  | 'empty'
  | 'not-downloaded'
  | 'downloading'
  | 'player-broken'
  | 'player-missing'
  | 'stopped'
  | 'starting'
  | 'alert'
  | 'muted'
  | 'unknown'

/** A block of a plan; starts are in seconds from the window's start. */
export interface SmartBlock {
  kind: BlockKind
  /** From the window's start. */
  start: number
  /** Seconds. */
  duration: number
  /** The plays in their order. */
  items: {
    uid: Uid
    /** From the window's start, in seconds. */
    start: number
    /** The whole file's, in seconds. */
    duration: number
  }[]
}

/** The plan of a smart playlist's day. */
export interface SmartFacts {
  startDay: TimeOfDay
  /** 23:59 means midnight. An end before the start is on the next day. */
  endDay: TimeOfDay
  windowSeconds: Seconds
  /** The blocks of its day. */
  blockCount: number
  /** Tracks of both lists, also such as are never heard. */
  trackCount: number
  /** Media that changed since the plan. The plan uses the former files until it is planned again. */
  changedMedia: ChangedMedia[]
}

/** A draft to import. A new playlist may be a copy that will replace one on the air. */
export interface SmartImport {
  /** Set: this playlist is planned again; null: a new one. */
  smartPlUid?: Uid | null
  smartPlName: Name
  smartPlDescr?: Description
  playlistType?: SmartPlaylistType
  startDay?: TimeOfDay
  /** 23:59 means midnight. An end before the start is on the next day. */
  endDay?: TimeOfDay
  /** Absent: that of `startDay` and `endDay`. */
  workTime?: number
  /** The target of a background block. */
  melTime?: number
  /** The target of an ad block. */
  adsTime?: number
  melMode?: BlockMode
  adsMode?: BlockMode
  /** The background: melodies, or videos in a video playlist. */
  melList: SmartTrack[]
  /** The ads. */
  adsList: SmartTrack[]
  /** `plan().blocks` of the fields above. */
  finishList?: SmartBlock[]
  /** Between two background items. */
  crossfade?: number
  /** Minimum ad separation: from one play's end to the next play's begin of the same ad. */
  minAdGap?: number
  /** Absent: the server draws one. */
  seed?: number
  /** Only stored and given back. */
  colour?: string
  /** Percent. */
  uploadingProgress?: number
  /** Only stored and given back. */
  deviceFilter?: unknown
  /** Only stored and given back. */
  playlistFilter?: unknown
  /** The record's version of the playlist that is planned again; HTTP 409 if it is stale. */
  version?: number
  /** The playlist that the new one will replace; null with `smartPlUid`. */
  editOf?: Uid | null
}

/** What the day has: melodies and ads, or videos and video ads. */
export type SmartPlaylistType = 'audio-smart' | 'video-smart'

/** A track of a list for the planner, which validates the duration. */
export interface SmartTrack {
  uid: Uid
  /** The duration of the media item in seconds. */
  duration: number
  /** Its frequency relative to the other tracks of its list. */
  weight?: number
}

/** The items of a bulk call by their uids. */
export interface SomeItems {
  /** At most 1,000. */
  uids: Uid[]
}

/** `2026-11-21T09:00:00Z`, with an offset, or without one: that wall time in each device's zone. */
export type StartDateTime = string

/** The shop's own number: empty, or up to 32 code points like a name's and # / №; trimmed, NFC. */
export type StoreNumber = string

export interface Tag {
  uid: Uid
  /** One of the known keys, or any other. */
  key: string
  /** Text; the known keys have formats. */
  value: string
  /** A note of the users; may be empty. */
  description: string
  changedAt: Instant
}

export interface TagChange {
  key: TagKey
  /** Any text; a known key has a format, such as HH:MM for `openingTime`. */
  value?: string
  description?: Description
}

export interface TagDraft {
  key: TagKey
  /** Any text; a known key has a format, such as HH:MM for `openingTime`. */
  value: string
  description?: Description
}

/** Owners are named by uid, or by a unique name; tags of the client need neither. */
export type TagImport = {
  contentType: TagLevel
  uid?: Uid
  /** The owner's, if no other of its kind has it. */
  name?: string
  key: TagKey
  /** Any text; a known key has a format, such as HH:MM for `openingTime`. */
  value: string
  description?: Description
}[]

/** Letters, digits and . _ - : within; 1 to 40. */
export type TagKey = string

/** `{contentType}` of tag: whose tags. */
export type TagLevel = 'device' | 'group' | 'client'

/** The calls whose callers cannot send a header: `<audio>`, `<img>` and a browser's WebSocket. A ticket opens no other. */
export type TicketPath = string

/** A wall time of day without a zone: HH:MM, 00:00 to 23:59. */
export type TimeOfDay = string

/** Six digits of the authenticator app, or a recovery code. Spaces and hyphens do not count. */
export type TotpCode = string

/** What an authenticator app needs: the secret in base32, and the same as an `otpauth:` address for a QR code. */
export interface TotpDraft {
  /** In base32, to be typed. */
  secret: string
  /** The `otpauth:` address, to be shown as a QR code. */
  uri: string
}

/** The id of an item: UUID version 7, made by the server. */
export type Uid = string

/** Uids of a filter, separated by commas; `none` among them finds what has none. */
export type UidsOrNone = string

/** A device with its state as the list of devices has it, and its updates. */
export interface UpdateDevice {
  uid: Uid
  /** Several devices may have the same. */
  name: string
  /** Null: it is in none. */
  group: Reference | null
  connectivity: Connectivity
  /** Null for a device that is not online. */
  activity: Activity | null
  /** Why a `silent` device plays nothing; null for others. */
  silentReason: SilentReason | null
  /** Its channel has closed and it has not reported since. The shop may play on. */
  isConnectionLost: boolean
  /** Its last heartbeat; null: never, or reset since. */
  lastContactAt: Instant | null
  /** Seconds after which its activity or connectivity is another one if it does not report; null: it stays. */
  changesInSeconds: Seconds | null
  /** The program's version in its last heartbeat. */
  heldVersion: string | null
  /** The update in its manifest. */
  offered: {
    packageUid: Uid
    /** The package's. */
    name: string
    /** The package's. */
    version: string
    /** The channel that offers it. */
    channelName: string
    /** It also replaces a higher version. */
    isForced: boolean
  } | null
  /** The newest reported step, with version and time. */
  step: UpdateStep | null
  /** The version that the step is about. */
  stepVersion: string | null
  /** When it was, by the device's clock. */
  stepAt: Instant | null
  /** The reason of a failed step. */
  error: string | null
}

export interface UpdateFileRow {
  uid: Uid
  /** As the lists show it. */
  name: string
  /** A note of the users; may be empty. */
  description: string
  /** The name of the file, which devices see. */
  originalName: string
  sizeBytes: Bytes
  hash: Sha256
  /** Ed25519, in base64; null: none. */
  signature: string | null
  /** The signed text with name, version, machines, counter, downgrade, size and hash; null: it was signed by the tool of a former release, and devices of this release refuse it. */
  statement: string | null
  signatureState: SignatureState
  uploadedAt: Instant
  /** The record's, which `edit` sends back. */
  version: number
  /** The packages that have it. */
  packages: Reference[]
  permissions: Permissions
}

/** The state of an update on a device. `verified`: hashes and signatures fit; `installed`: the install command succeeded, and a restart follows; `healthy`: the new version plays and has a session; `refused`: the device does not install it (a lower version, a wrong signature); `failed`: the download or the installation failed and may be tried again; `returned`: the device was not healthy and runs the former version again. Servers of former releases refuse `offered`, `verified` and `healthy`, which a device does not send again. */
export type UpdateStep =
  | 'offered'
  | 'downloading'
  | 'downloaded'
  | 'verified'
  | 'installing'
  | 'installed'
  | 'healthy'
  | 'refused'
  | 'failed'
  | 'returned'

export interface UserRow {
  uid: Uid
  /** What the user signs in with. */
  email: string
  /** Empty if it is not known. */
  firstName: string
  /** Empty if it is not known. */
  lastName: string
  /** A `streamer` only plays what its linked device has to play. */
  role: 'admin' | 'manager' | 'streamer'
  /** `view`: changes of the client's items are refused. */
  rights: 'full' | 'view'
  /** The device of a streamer. */
  linkedDevice: Reference | null
  /** The language of mails to the user; null until the first sign-in of a user who was added without one. */
  language: Language | null
  /** True until the user accepts the invitation. */
  isInvited: boolean
  /** An authenticator app or a passkey. */
  hasSecondFactor: boolean
  /** The last use of a session that is kept; null: none. */
  lastSeenAt: Instant | null
  createdAt: Instant
}

/** A session of a user that has neither ended nor expired. */
export interface UserSession {
  uid: Uid
  createdAt: Instant
  /** To the minute. */
  lastUsedAt: Instant
  /** The network address of the last use. Null for a session of an earlier release. */
  address: string | null
  /** The browser's or program's name for itself (User-Agent). Null if it has none. */
  userAgent: string | null
  /** True for the session of this call. */
  isCurrent: boolean
}

/** The filters of the device list whose values depend on the client's data. */
export type ValuedDeviceFilter = 'group' | 'playlist' | 'version'

/** The lists of the console that keep views, by its names for them. */
export type ViewedList =
  | 'devices'
  | 'groups'
  | 'playlists'
  | 'publications'
  | 'melodies'
  | 'ads'
  | 'videos'
  | 'videosAds'
  | 'log-playtrack'
  | 'log-playlist'
  | 'log-heartbeat'
  | 'log-debug'
  | 'log-update'
  | 'audit'

/** The options of a WebAuthn call in their JSON form, for the browser. */
export interface WebAuthnOptions {
  /** In base64url; the answer has to have it within 5 minutes. */
  challenge: string
}

export interface Webhook {
  uid: Uid
  name: string
  /** Where events are posted. */
  url: string
  /** Only events of these kinds; null: all of them. */
  kinds:
    | (
        | 'device.late'
        | 'device.down'
        | 'device.silent'
        | 'device.back'
        | 'update.failed'
        | 'publication.ready'
        | 'publication.missing-files'
        | 'publication.ended'
        | 'alert.begun'
        | 'alert.not-sounded'
        | 'alert.ended'
        | 'ad.short'
        | 'storage.nearly-full'
        | 'statistics.nearly-full'
        | 'subscription.ending'
        | 'subscription.ended'
        | 'user.new-network'
        | 'user.factor-removed'
        | 'webhook.disabled'
      )[]
    | null
  /** `disabled`: by an admin, or after three days without a success. */
  state: 'active' | 'disabled'
  /** Since when no event has arrived; null: the newest did, or there was none. */
  failingSince: Instant | null
  /** Events that wait. */
  waiting: number
  changedAt: Instant
  /** The record's, which `edit` sends back. */
  version: number
}

/** What is known of one event on its way to a webhook. */
export interface WebhookDelivery {
  /** The event's. */
  position: number
  /** The event's. */
  kind: string
  /** `failed`: given up after a day, or because the webhook was disabled. */
  state: 'waiting' | 'delivered' | 'failed'
  /** How often it was sent. */
  attempts: number
  /** When it happened. */
  at: Instant
  /** When it was sent last; null: not yet. */
  triedAt: Instant | null
  /** When it is sent next; null: it waits for nothing. */
  dueAt: Instant | null
  /** The status of the last answer; null: there was none. */
  status: number | null
  /** Why the last attempt had no answer, or not the right one; null: it had. */
  failure: string | null
}
