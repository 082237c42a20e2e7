/*
 * Written from the contract by `npm run docs:api`; do not edit.
 */

import type { List } from './list.ts'
import type { CallOptions, Operation } from './operation.ts'
import type { Done, Made, Refused } from './outcomes.ts'
import type {
  AlertCard,
  AlertDevice,
  AlertDeviceState,
  AlertReach,
  AlertRow,
  AuditEntry,
  BinAction,
  BinKind,
  BinRow,
  BlockMode,
  BulkPlan,
  ChangedMedia,
  ChannelRow,
  ChannelState,
  Chart,
  ChartRange,
  ClientEvent,
  CommandKind,
  CredentialAnswer,
  Credentials,
  CreditChange,
  CreditRow,
  Day,
  Dependent,
  DeployRow,
  DeployState,
  Description,
  DeviceCard,
  DeviceChange,
  DeviceCommands,
  DeviceDay,
  DeviceDraft,
  DeviceImport,
  DeviceLogKind,
  DeviceMap,
  DeviceRow,
  DevicesAction,
  EditState,
  EffectiveTag,
  EffectiveTags,
  Email,
  EmailInput,
  FilterValue,
  GroupCard,
  GroupDraft,
  GroupRow,
  GroupsAction,
  HoldingState,
  HourChart,
  InstallationState,
  Instant,
  Kind,
  KindFilter,
  Language,
  LicenseKeySelection,
  Limits,
  ListeningState,
  MapPlace,
  MediaCard,
  MediaRow,
  MediaType,
  Name,
  NeededItem,
  NewCredential,
  NewPassword,
  OwnPassword,
  PackageCard,
  PackageDraft,
  PackageFile,
  PackageRow,
  PackageState,
  PasswordByLink,
  Plan,
  PlannedTrack,
  PlaylistCard,
  PlaylistChange,
  PlaylistDraft,
  PlaylistForm,
  PlaylistRow,
  PlaylistWithTracks,
  PlaylistsAction,
  ProfileCard,
  ProfileChange,
  ProfileRow,
  ProfileType,
  ProofKeys,
  PublicationCard,
  PublicationChoice,
  PublicationDelivery,
  PublicationDevice,
  PublicationDraft,
  PublicationRow,
  PublicationState,
  PublicationsAction,
  PublishDraft,
  PublishPlan,
  QuickMetrics,
  RecoveryCodes,
  Reference,
  Registration,
  ReportPreview,
  SavedView,
  SavedViewDraft,
  SecondFactor,
  Seconds,
  SessionUser,
  Sha256,
  SignedIn,
  SmartBlock,
  SmartImport,
  SmartPlaylistType,
  SmartTrack,
  SomeItems,
  StartDateTime,
  Tag,
  TagChange,
  TagDraft,
  TagImport,
  TagKey,
  TagLevel,
  TicketPath,
  TimeOfDay,
  TotpCode,
  TotpDraft,
  Uid,
  UidsOrNone,
  UpdateDevice,
  UpdateFileRow,
  UserRow,
  UserSession,
  ValuedDeviceFilter,
  ViewedList,
  WebAuthnOptions,
  Webhook,
  WebhookDelivery,
} from './schemas.ts'

export interface AlertsCalls {
  /** Begin an alert for a device, a group or `all`; it lasts until it is ended. If it is open already, the answer is that alert. `drill=1` marks a drill; a real alert of the same kind and target ends an open drill. Roles: admin, manager. Outcomes: 200 done.
   *
   * `GET /device/alert/{uid}/sendbegin/{alerttype}` */
  begin(
    input: {
      /** The uid of a device or a group, or `all`. */
      uid: Uid | 'all'
      /** What the alert warns of. Each kind has its own sound. */
      alerttype: 'air' | 'chemical' | 'nuclear'
      /** `1`: for practice, and marked so in receipts and reports. */
      drill?: '0' | '1'
    },
    options?: CallOptions,
  ): Promise<
    Done<200> & {
      /** True if it was open already: somebody else began it, or the call came twice. */
      wasOpen?: boolean
    }
  >

  /** End the alert of this kind for the same device, group or `all`, even if the target is in the recycle bin; with `alert`, only that one. 400 'no-open-alert'. Roles: admin, manager. Outcomes: 200 done, 400 notDone.
   *
   * `GET /device/alert/{uid}/sendend/{alerttype}` */
  end(
    input: {
      /** The uid of a device or a group, or `all`. */
      uid: Uid | 'all'
      /** What the alert warns of. Each kind has its own sound. */
      alerttype: 'air' | 'chemical' | 'nuclear'
      /** The uid of the only alert that is to end. */
      alert?: Uid
    },
    options?: CallOptions,
  ): Promise<Done<200> | Refused<400>>

  /** The client's alerts, open and ended, newest first. Roles: admin, manager.
   *
   * `GET /api/v2/alerts` */
  list(
    input?: {
      /** Which page, from 1. */
      page?: number
      /** Items of a page, at most 200. */
      size?: number
      /** Words that an item has, in any order; at most 10. */
      search?: string
      /** The column to sort by; each list has one of its own by default, and refuses those that it has not. */
      sort?: string
      /** The direction of the sort. */
      dir?: 'asc' | 'desc'
      /** What the alert warns of. Each kind has its own sound. */
      kind?: 'air' | 'chemical' | 'nuclear'
      /** Real alerts, or drills. */
      purpose?: 'alert' | 'drill'
      /** Alerts that go on, or that have ended. */
      state?: 'open' | 'ended'
    },
    options?: CallOptions,
  ): List<AlertRow>

  /** The open alerts, newest first. Roles: admin, manager.
   *
   * `GET /api/v2/alerts/open` */
  listOpenAlerts(options?: CallOptions): Promise<AlertRow[]>

  /** How many devices an alert for a device, a group or `all` would reach. Roles: admin, manager.
   *
   * `GET /api/v2/alerts/reach/{uid}` */
  readAlertReach(
    input: {
      /** The uid of a device or a group, or `all`. */
      uid: Uid | 'all'
    },
    options?: CallOptions,
  ): Promise<AlertReach>

  /** The devices of an alert: those that reported on it, and those that it is for; failed ones first, then those not reached. Roles: admin, manager.
   *
   * `GET /api/v2/alerts/{uid}/devices` */
  listAlertDevices(
    input: {
      uid: Uid
      /** Which page, from 1. */
      page?: number
      /** Items of a page, at most 200. */
      size?: number
      /** Words that an item has, in any order; at most 10. */
      search?: string
      /** The column to sort by; each list has one of its own by default, and refuses those that it has not. */
      sort?: string
      /** The direction of the sort. */
      dir?: 'asc' | 'desc'
      state?: AlertDeviceState
    },
    options?: CallOptions,
  ): List<AlertDevice>

  /** One alert, with the number of devices by what they have done with it. Roles: admin, manager.
   *
   * `GET /api/v2/alerts/{uid}` */
  read(
    input: {
      uid: Uid
    },
    options?: CallOptions,
  ): Promise<AlertCard>
}

export interface AuditCalls {
  /** Who changed what and when, newest first; `id` is `all` or the uid of an item or user (404 for an unknown one). Roles: admin.
   *
   * `GET /audit/{id}` */
  read(
    input: {
      /** The uid of an item or a user, or `all`. */
      id: 'all' | Uid
      /** Which page, from 1. */
      page?: number
      /** Items of a page, at most 200. */
      size?: number
      /** Words that an item has, in any order; at most 10. */
      search?: string
      /** The column to sort by; each list has one of its own by default, and refuses those that it has not. */
      sort?: string
      /** The direction of the sort. */
      dir?: 'asc' | 'desc'
      /** Changes of items of these kinds, separated by commas. */
      type?: string
      /** The users who made the changes. */
      user?: string
      /** Changes from this moment on. */
      from?: Instant
      /** Changes before this moment. */
      to?: Instant
    },
    options?: CallOptions,
  ): List<AuditEntry>
}

export interface BulkDevicesCalls {
  /** How many of the selected devices the call with the same body would change, and how many it would leave out, by reason. Counts all that a filter finds. Changes nothing. Roles: admin, manager.
   *
   * `POST /api/v2/bulk/devices/preview` */
  preview(input: DevicesAction, options?: CallOptions): Promise<BulkPlan>

  /** Do one thing with many devices. 200 if all were changed, otherwise the code that all failures share, or 303 if they differ; `done` and `failed` list the items, `failed` with the reason. A filter handles at most 1,000 items a call; `remaining` counts the rest: repeat the call with the answer's `after`. A filter that finds every item needs `all: true`. Tags need an admin (HTTP 403). A restart waits for the device for 10 minutes. `undo-volume` gives devices back the volume that they had before the caller set this one, for 10 minutes and unless it has changed since. Roles: admin, manager. Outcomes: 200 done, 303 someFailed, 400 notDone, 409 inUse.
   *
   * `POST /api/v2/bulk/devices` */
  change(input: DevicesAction, options?: CallOptions): Promise<Done<200> | Refused<303 | 400 | 409>>
}

export interface BulkGroupsCalls {
  /** How many of the selected groups the call with the same body would change, and how many it would leave out, by reason. Counts all that a filter finds. Changes nothing. Roles: admin, manager.
   *
   * `POST /api/v2/bulk/groups/preview` */
  preview(input: GroupsAction, options?: CallOptions): Promise<BulkPlan>

  /** Do one thing with many groups. 200 if all were changed, otherwise the code that all failures share, or 303 if they differ; `done` and `failed` list the items, `failed` with the reason. A filter handles at most 1,000 items a call; `remaining` counts the rest: repeat the call with the answer's `after`. A filter that finds every item needs `all: true`. Roles: admin, manager. Outcomes: 200 done, 303 someFailed, 400 notDone, 409 inUse, 1 groupTaken.
   *
   * `POST /api/v2/bulk/groups` */
  change(input: GroupsAction, options?: CallOptions): Promise<Done<200> | Refused<303 | 400 | 409 | 1>>
}

export interface BulkMediaCalls {
  /** How many of the selected media the call with the same body would change, and how many it would leave out, by reason. Counts all that a filter finds. Changes nothing. Roles: admin, manager.
   *
   * `POST /api/v2/bulk/media/{contentType}/preview` */
  preview(
    input: {
      contentType: MediaType
    } & {
      items:
        | SomeItems
        | {
            filter: {
              /** Words that an item has, in any order; at most 10. */
              search?: string
              /** Items that a playlist or a profile uses, or the others. */
              used?: 'used' | 'unused'
              /** Items with or without an ISRC. */
              isrc?: 'with' | 'without'
            }
            /** Items that the filter finds and the call leaves out. */
            except?: Uid[]
            /** The `after` of the former answer, for the items that remain. */
            after?: Uid
            /** Every item is meant: without it a filter that finds them all is refused. */
            all?: true
          }
      action: 'delete'
    },
    options?: CallOptions,
  ): Promise<BulkPlan>
}

export interface BulkPlaylistsCalls {
  /** How many of the selected playlists the call with the same body would change, and how many it would leave out, by reason. Counts all that a filter finds. Changes nothing. Roles: admin, manager.
   *
   * `POST /api/v2/bulk/playlists/preview` */
  preview(input: PlaylistsAction, options?: CallOptions): Promise<BulkPlan>

  /** Do one thing with many playlists. 200 if all were changed, otherwise the code that all failures share, or 303 if they differ; `done` and `failed` list the items, `failed` with the reason. A filter handles at most 1,000 items a call; `remaining` counts the rest: repeat the call with the answer's `after`. A filter that finds every item needs `all: true`. An empty playlist is not activated. Roles: admin, manager. Outcomes: 200 done, 303 someFailed, 400 notDone, 409 inUse, 1 groupTaken.
   *
   * `POST /api/v2/bulk/playlists` */
  change(input: PlaylistsAction, options?: CallOptions): Promise<Done<200> | Refused<303 | 400 | 409 | 1>>
}

export interface BulkPublicationsCalls {
  /** How many of the selected publications the call with the same body would change, and how many it would leave out, by reason. Counts all that a filter finds. Changes nothing. Roles: admin, manager.
   *
   * `POST /api/v2/bulk/publications/preview` */
  preview(input: PublicationsAction, options?: CallOptions): Promise<BulkPlan>

  /** Do one thing with many publications. 200 if all were changed, otherwise the code that all failures share, or 303 if they differ; `done` and `failed` list the items, `failed` with the reason. A filter handles at most 1,000 items a call; `remaining` counts the rest: repeat the call with the answer's `after`. A filter that finds every item needs `all: true`. Roles: admin, manager. Outcomes: 200 done, 303 someFailed, 400 notDone, 1 groupTaken, 2 groupPaused, 3 playlistPaused, -2 notConsistent.
   *
   * `POST /api/v2/bulk/publications` */
  change(
    input: PublicationsAction,
    options?: CallOptions,
  ): Promise<Done<200> | Refused<303 | 400 | 1 | 2 | 3 | -2>>
}

export interface BulkRecycleCalls {
  /** How many of the selected items of the recycle bin the call with the same body would change, and how many it would leave out, by reason. Counts all that a filter finds. Changes nothing. A purge of media says the storage that it frees. Roles: admin.
   *
   * `POST /api/v2/bulk/recycle/{x}/preview` */
  preview(
    input: {
      bin: BinKind
    } & {
      items:
        | SomeItems
        | {
            filter: {
              /** Words that an item has, in any order; at most 10. */
              search?: string
              mediaType?: MediaType
              kind?: Kind
            }
            /** Items that the filter finds and the call leaves out. */
            except?: Uid[]
            /** The `after` of the former answer, for the items that remain. */
            after?: Uid
            /** Every item is meant: without it a filter that finds them all is refused. */
            all?: true
          }
      action: BinAction
    },
    options?: CallOptions,
  ): Promise<BulkPlan>

  /** Restore many items of the recycle bin, each by the rules of `restore`; `failed` has the reason of each item, -1 for those that others than an admin may not restore. Only admins may name a filter (HTTP 403). A filter handles at most 1,000 items a call; `remaining` counts the rest: repeat the call with the answer's `after`. A filter that finds every item needs `all: true`. Roles: admin, manager. Outcomes: 200 done, 303 someFailed, 400 notDone, -1 notAllowed.
   *
   * `POST /api/v2/bulk/recycle/{x}/restore` */
  restore(
    input: {
      bin: BinKind
    } & (
      | SomeItems
      | {
          filter: {
            /** Words that an item has, in any order; at most 10. */
            search?: string
            mediaType?: MediaType
            kind?: Kind
          }
          /** Items that the filter finds and the call leaves out. */
          except?: Uid[]
          /** The `after` of the former answer, for the items that remain. */
          after?: Uid
          /** Every item is meant: without it a filter that finds them all is refused. */
          all?: true
        }
    ),
    options?: CallOptions,
  ): Promise<Done<200> | Refused<303 | 400 | -1>>

  /** Purge many items of the recycle bin and free their storage; 409 (media: 921) for items that others in the recycle bin need. Limits, `remaining` and `all` are those of the restoring of many. Works also after the subscription has expired. Roles: admin. Outcomes: 200 done, 303 someFailed, 400 notDone, 409 inUse, 921 mediaInUse.
   *
   * `POST /api/v2/bulk/recycle/{x}/purge` */
  purge(
    input: {
      bin: BinKind
    } & (
      | SomeItems
      | {
          filter: {
            /** Words that an item has, in any order; at most 10. */
            search?: string
            mediaType?: MediaType
            kind?: Kind
          }
          /** Items that the filter finds and the call leaves out. */
          except?: Uid[]
          /** The `after` of the former answer, for the items that remain. */
          after?: Uid
          /** Every item is meant: without it a filter that finds them all is refused. */
          all?: true
        }
    ),
    options?: CallOptions,
  ): Promise<Done<200> | Refused<303 | 400 | 409 | 921>>
}

export interface ChartsCalls {
  /** Devices by connectivity over time. Of a group: over an hour the devices that are in it now, over longer ranges those that were in it at the time, as sampled each ten minutes (where samples do not reach back so far, those that are in it now). Roles: admin, manager.
   *
   * `GET /chart/active-devices/cached` */
  readActiveDevicesChart(
    input?: {
      range?: ChartRange
      /** The chart of this device alone. */
      device?: Uid
      /** The chart of the devices of this group alone. */
      group?: Uid
    },
    options?: CallOptions,
  ): Promise<Chart>

  /** The share of the time that devices were online, by day in UTC, without the time before their first contact: of a device exactly, of all devices and of those that were in a group at the time as sampled each ten minutes (where samples of the group do not reach back so far, exactly of those that are in it now). Roles: admin, manager.
   *
   * `GET /chart/availability/cached` */
  readAvailabilityChart(
    input?: {
      /** How far back from now it goes. */
      range?: '7d' | '45d'
      /** The chart of this device alone. */
      device?: Uid
      /** The chart of the devices of this group alone. */
      group?: Uid
    },
    options?: CallOptions,
  ): Promise<Chart>

  /** The client's devices on the map, in clusters: by the effective tags `latitude` and `longitude`, else by the country of the tag `country`, else not on the map. A cell has 8 degrees at zoom 0 and half of it at each further zoom. Roles: admin, manager.
   *
   * `GET /chart/device-map/cached` */
  readDeviceMap(
    input?: {
      /** The size of the cells: 8 degrees at 0, and half of it at each further number. */
      zoom?: number
      /** The devices of this group alone. */
      group?: Uid
    },
    options?: CallOptions,
  ): Promise<DeviceMap>

  /** Free bytes of each server's data disk. Roles: admin.
   *
   * `GET /chart/free-space/cached` */
  readFreeSpaceChart(
    input?: {
      range?: ChartRange
    },
    options?: CallOptions,
  ): Promise<Chart>

  /** The load average of each server over one minute. Roles: admin.
   *
   * `GET /chart/la-1min/cached` */
  readLoadChart1(
    input?: {
      range?: ChartRange
    },
    options?: CallOptions,
  ): Promise<Chart>

  /** The load average of each server over fifteen minutes. Roles: admin.
   *
   * `GET /chart/la-15min/cached` */
  readLoadChart15(
    input?: {
      range?: ChartRange
    },
    options?: CallOptions,
  ): Promise<Chart>

  /** The load average of each server over five minutes. Roles: admin.
   *
   * `GET /chart/la-5min/cached` */
  readLoadChart5(
    input?: {
      range?: ChartRange
    },
    options?: CallOptions,
  ): Promise<Chart>

  /** Plays by media type and hour of day in a zone, over 24 hours, 7 or 45 days. Where a zone's hours begin at another minute than those of UTC, plays count in the hour in which their hour in UTC begins. Roles: admin, manager.
   *
   * `GET /chart/plays-by-hour/cached` */
  readPlaysByHour(
    input?: {
      /** How far back from now it goes. */
      range?: '24h' | '7d' | '45d'
      /** Whose hours: an IANA time zone such as `Europe/Berlin`. */
      zone?: string
    },
    options?: CallOptions,
  ): Promise<HourChart>

  /** Plays by media type over time. Failed plays, those of a doubtful clock and those that cannot have been do not count. Those of a group are by the group in which the device was when it reported them. Those of a device over 7 and 45 days are by the device's own day, whose time is given as if it were in UTC. Roles: admin, manager.
   *
   * `GET /chart/playtrack-detailed/cached` */
  readPlaysChart(
    input?: {
      range?: ChartRange
      /** The chart of this device alone. */
      device?: Uid
      /** The chart of the devices of this group alone. */
      group?: Uid
    },
    options?: CallOptions,
  ): Promise<Chart>
}

export interface ClientEventsCalls {
  /** What happened, oldest first, for 30 days: devices that are late, down, silent or back, publications, alerts, ads that fell short, the plan, sign-ins. Ask again with the `next` of the answer. Several devices that do the same at once are one event. HTTP 410 `events-gone` where events after `after` were deleted. Roles: admin, manager.
   *
   * `GET /api/v2/events` */
  list(
    input?: {
      /** The `next` of the answer before, which none of these events is before; 0: from the oldest that is kept. */
      after?: number
      /** Only these kinds. */
      kind?: string
      /** Events of an answer, at most 200. */
      size?: number
    },
    options?: CallOptions,
  ): Promise<{
    /** Oldest first. */
    items: ClientEvent[]
    /** For `after` of the next call, also where there are no events. */
    next: number
    /** Whether there are further ones now. */
    hasMore: boolean
  }>

  /** One event, with up to 10,000 of its devices. Roles: admin, manager.
   *
   * `GET /api/v2/events/{position}` */
  read(
    input: {
      /** The event's. */
      position: number
    },
    options?: CallOptions,
  ): Promise<ClientEvent>
}

export interface DashboardCalls {
  /** The plan's limits and their use. Roles: admin, manager.
   *
   * `GET /metricks/limits` */
  readLimits(options?: CallOptions): Promise<Limits>

  /** All metrics of the dashboard, cached for some seconds; `asOf` is their time. Roles: admin, manager.
   *
   * `GET /metricks/quick/cached` */
  readQuickMetrics(options?: CallOptions): Promise<QuickMetrics>
}

export interface DeliveryCalls {
  /** For each publication that plays or played the media item: its promised, scheduled and delivered plays, and why they differ. `from` and `to` are days in UTC, both inclusive, 1 to 45 days; default: the last 7 days. The current opening hours apply; a device counts from the time when it joined the group. `until` is before `to` if there are more plays than one answer counts. Roles: admin, manager.
   *
   * `GET /api/v2/media/{uid}/delivery` */
  read(
    input: {
      uid: Uid
      /** The first day, in UTC. */
      from?: Day
      /** The last day, in UTC; both or neither. */
      to?: Day
    },
    options?: CallOptions,
  ): Promise<{
    from: Instant
    to: Instant
    /** At most 200. */
    publications: PublicationDelivery[]
    /** What the plays of this time may lack since a restore of the server, by days in UTC; null: nothing. */
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
  }>
}

export interface DeployPackagesCalls {
  /** Put a package on a channel, paused. 400 'already-deployed' if it is there already. Roles: admin. Outcomes: 200 done, 400 notDone.
   *
   * `POST /api/v2/update/deploypackage/add` */
  add(
    input: {
      packageUid: Uid
      channelUid: Uid
      description?: Description
    },
    options?: CallOptions,
  ): Promise<Made<200> | Refused<400>>

  /** Take a package off a channel, in any state; devices that installed it keep it. Roles: admin. Outcomes: 200 done.
   *
   * `POST /api/v2/update/deploypackage/delete` */
  delete(
    input: {
      uid: Uid
    },
    options?: CallOptions,
  ): Promise<Done<200>>

  /** Change a paused deploy package: 400 'active-cannot-be-edited'. The description can change in any state. Roles: admin. Outcomes: 200 done, 400 notDone.
   *
   * `POST /api/v2/update/deploypackage/edit` */
  edit(
    input: {
      uid: Uid
      packageUid?: Uid
      channelUid?: Uid
      description?: Description
      /** The record's that the user saw; HTTP 409 if it is stale. */
      version?: number
    },
    options?: CallOptions,
  ): Promise<Done<200> | Refused<400>>

  /** The packages on each channel, and how many devices run them. Roles: admin.
   *
   * `GET /update/deploypackage` */
  list(
    input?: {
      /** Which page, from 1. */
      page?: number
      /** Items of a page, at most 200. */
      size?: number
      /** Words that an item has, in any order; at most 10. */
      search?: string
      /** The column to sort by; each list has one of its own by default, and refuses those that it has not. */
      sort?: string
      /** The direction of the sort. */
      dir?: 'asc' | 'desc'
      state?: DeployState
      channel?: Uid
      package?: Uid
    },
    options?: CallOptions,
  ): List<DeployRow>

  /** Paused → active → forced → paused: 0 on, 9 paused. HTTP 409 when `from` is stale. -2 'package-not-released' if its package is not released, 'update-key-missing', 'signature-missing', 'signature-wrong' or 'signature-mismatch' if its files are not signed for the present key. Roles: admin. Outcomes: 0 activated, 9 disabled, -2 notConsistent, -1 notAllowed.
   *
   * `GET /update/deploypackage/{id}/staterotate` */
  rotate(
    input: {
      id: Uid
      /** The state that the caller has seen: HTTP 409 if another one has changed it meanwhile. Without it the call turns what it finds: two calls at once turn it twice, both with success. */
      from?: DeployState
    },
    options?: CallOptions,
  ): Promise<
    (Done<0 | 9> | Refused<-2 | -1>) & {
      state?: DeployState
    }
  >
}

export interface DevicesCalls {
  /** Add a device; its card shows its license key. 400 'device-limit' above the plan's limit. Roles: admin, manager. Outcomes: 200 done, 400 notDone.
   *
   * `POST /device/add/{contentType}` */
  add(
    input: {
      contentType: Kind
    } & DeviceDraft,
    options?: CallOptions,
  ): Promise<Made<200> | Refused<400>>

  /** Move a device to the recycle bin. 409 while it is in a group. Roles: admin, manager. Outcomes: 200 done, 409 inUse.
   *
   * `POST /device/delete` */
  delete(
    input: {
      uid: Uid
    },
    options?: CallOptions,
  ): Promise<Done<200> | Refused<409>>

  /** Move devices to the recycle bin. 200 if all were moved, otherwise the code that all failures share, or 303 if they differ; `done` and `failed` list the items. A filter handles at most 1,000 items a call; `remaining` counts the rest: repeat the call with the answer's `after`. A filter that finds every item needs `all: true`. Roles: admin, manager. Outcomes: 200 done, 303 someFailed, 400 notDone, 409 inUse.
   *
   * `POST /device/massdelete` */
  deleteMany(
    input:
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
        },
    options?: CallOptions,
  ): Promise<Done<200> | Refused<303 | 400 | 409>>

  /** Change name, store number, description or volume; an admin can also change the expiry (HTTP 403 for others). Roles: admin, manager. Outcomes: 200 done.
   *
   * `POST /device/edit` */
  edit(input: DeviceChange, options?: CallOptions): Promise<Done<200>>

  /** A device's log of one kind, by default newest first. Plays of the archive are in it for a period (`from`, `to`) of at most 45 days; otherwise it has those of the database. Roles: admin.
   *
   * `GET /device/logs/{id}/{kind}` */
  listDeviceLog(
    input: {
      id: Uid
      kind: DeviceLogKind
      /** Which page, from 1. */
      page?: number
      /** Items of a page, at most 200. */
      size?: number
      /** Words that an item has, in any order; at most 10. */
      search?: string
      /** The column to sort by; each list has one of its own by default, and refuses those that it has not. */
      sort?: string
      /** The direction of the sort. */
      dir?: 'asc' | 'desc'
      from?: Instant
      to?: Instant
    },
    options?: CallOptions,
  ): List<{
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
  }>

  /** The client's devices. Roles: admin, manager.
   *
   * `GET /api/v2/device/qlist` */
  list(
    input?: {
      /** Which page, from 1. */
      page?: number
      /** Items of a page, at most 200. */
      size?: number
      /** Words that an item has, in any order; at most 10. */
      search?: string
      /** The column to sort by; each list has one of its own by default, and refuses those that it has not. */
      sort?: string
      /** The direction of the sort. */
      dir?: 'asc' | 'desc'
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
    },
    options?: CallOptions,
  ): List<DeviceRow>

  /** Devices without a group, of one kind or all. Roles: admin, manager.
   *
   * `GET /device/qfree/{x}` */
  listFreeDevices(
    input?: {
      kind?: KindFilter
      /** Which page, from 1. */
      page?: number
      /** Items of a page, at most 200. */
      size?: number
      /** Words that an item has, in any order; at most 10. */
      search?: string
      /** The column to sort by; each list has one of its own by default, and refuses those that it has not. */
      sort?: string
      /** The direction of the sort. */
      dir?: 'asc' | 'desc'
    },
    options?: CallOptions,
  ): List<DeviceRow>

  /** The newest plays of a device: `count` is 1 to 100; the card asks for 6. Roles: admin, manager.
   *
   * `GET /device/qlastplaytracks/{id}/count/{count}` */
  listLastPlays(
    input: {
      id: Uid
      /** How many, 1 to 100. */
      count: number
    },
    options?: CallOptions,
  ): Promise<
    {
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
    }[]
  >

  /** One device with every field of its card. Roles: admin, manager.
   *
   * `GET /device/qcard/{id}` */
  read(
    input: {
      id: Uid
    },
    options?: CallOptions,
  ): Promise<DeviceCard>

  /** Reset the last contact; the device counts as never connected. Roles: admin, manager. Outcomes: 200 done.
   *
   * `GET /device/resetheartbeat/{id}` */
  resetHeartbeat(
    input: {
      id: Uid
    },
    options?: CallOptions,
  ): Promise<Done<200>>

  /** Create a new license key and end the device's token. Roles: admin, manager. Outcomes: 200 done.
   *
   * `POST /api/v2/device/{uid}/resetlicense` */
  resetLicense(
    input: {
      uid: Uid
    },
    options?: CallOptions,
  ): Promise<
    Done<200> & {
      /** The new key. */
      licenseKey?: string
    }
  >

  /** A device's newest commands and what came of them, and its newest screenshot and log. Roles: admin, manager.
   *
   * `GET /api/v2/device/{uid}/commands` */
  listDeviceCommands(
    input: {
      uid: Uid
    },
    options?: CallOptions,
  ): Promise<DeviceCommands>

  /** The device's newest screenshot, as JPEG. Deleted after 30 days. Roles: admin, manager.
   *
   * `GET /api/v2/device/{uid}/screenshot` */
  readScreenshot(
    input: {
      uid: Uid
    },
    options?: CallOptions,
  ): Promise<Response>

  /** The log that the device has sent last, as text. Deleted after 30 days. Roles: admin.
   *
   * `GET /api/v2/device/{uid}/sentlog` */
  readSentLog(
    input: {
      uid: Uid
    },
    options?: CallOptions,
  ): Promise<Response>

  /** Send a command to a device: `restart`, `volume` (`value` 0 to 100 becomes the device's volume tag; null removes the tag), `screenshot`, `send-log` (admins; HTTP 403 for others) or `identify` (a short sound). It waits for a device that is not connected: a restart or screenshot 10 minutes, a sound 2 minutes, a volume an hour, a log a day. At most 10 wait for one device. Roles: admin, manager. Outcomes: 200 done, 400 notDone.
   *
   * `POST /api/v2/device/{uid}/command` */
  sendCommand(
    input: {
      uid: Uid
    } & {
      command: CommandKind
      /** With `volume` alone: 0 to 100; null takes the device's own volume back. */
      value?: number | null
    },
    options?: CallOptions,
  ): Promise<Made<200> | Refused<400>>

  /** Up to 20 values of a filter of the device list whose names have every term of `search`: groups and playlists by name, versions of the program by the number of their devices. `chosen` has the names of those of its groups or playlists that exist. Roles: admin, manager.
   *
   * `GET /api/v2/device/filtervalues/{filter}` */
  listDeviceFilterValues(
    input: {
      filter: ValuedDeviceFilter
      /** Words that the name has, in any order. */
      search?: string
      /** Groups or playlists that the list is filtered by. */
      chosen?: UidsOrNone
    },
    options?: CallOptions,
  ): Promise<{
    /** At most 20. */
    values: FilterValue[]
    /** There are more values: search for them. */
    more: boolean
    /** The names of the groups or playlists of `chosen` that exist. */
    chosen: Reference[]
  }>

  /** Name, store number, group and license key of devices, by name, as csv (UTF-8 with a byte order mark), between commas or semicolons (`separator`). The key of a device that a player has bound is left out. It needs full rights, also after the subscription has expired. 404 if none of the named devices exists. Roles: admin, manager.
   *
   * `POST /api/v2/device/licensekeys` */
  exportLicenseKeys(
    input: {
      /** What stands between the cells. */
      separator?: 'comma' | 'semicolon'
    } & LicenseKeySelection,
    options?: CallOptions,
  ): Promise<Response>

  /** Add up to 1,000 devices and put them in groups, all or none: HTTP 422 with `errors` by index (`rows.3.group`) if a row is invalid, names an unknown or unfitting group, occurs twice or exists already. `tags` of a row say where its device is, and need an admin. 400 'device-limit' above the plan's limit. Repeat a call whose answer was lost with the same `importUid` and lines. `done` has the device of each row in the order of the rows; `added` counts those of this import, `skipped` those that the client had before, whose lines `skippedLines` has. Roles: admin, manager. Outcomes: 200 done, 400 notDone.
   *
   * `POST /api/v2/device/import/{contentType}` */
  import(
    input: {
      contentType: Kind
    } & DeviceImport,
    options?: CallOptions,
  ): Promise<
    (Done<200> | Refused<400>) & {
      /** How many devices it has added, also by a former call with these lines. */
      added?: number
      /** How many rows it has left out, since the client had the device. */
      skipped?: number
      /** The lines of the rows that it has left out. */
      skippedLines?: number[]
    }
  >

  /** A device's day as scheduled and as played, with what was not played and why, its connectivity and its health. Without `day` it is the device's today. Roles: admin, manager.
   *
   * `GET /api/v2/device/{uid}/day` */
  readDeviceDay(
    input: {
      uid: Uid
      /** A day of the device's own zone; absent: its today. */
      day?: string
    },
    options?: CallOptions,
  ): Promise<DeviceDay>
}

export interface GroupsCalls {
  /** Create a group, paused. Roles: admin, manager. Outcomes: 200 done, 400 notDone.
   *
   * `POST /group/add/{contentType}` */
  add(
    input: {
      contentType: Kind
    } & GroupDraft,
    options?: CallOptions,
  ): Promise<Made<200> | Refused<400>>

  /** Add a device to a group. 409 'device-in-a-group' if it is in a group; 400 if the kinds differ. Roles: admin, manager. Outcomes: 200 done, 400 notDone, 409 inUse.
   *
   * `GET /action/add/{device}/to/{group}` */
  addToGroup(
    input: {
      device: Uid
      group: Uid
    },
    options?: CallOptions,
  ): Promise<Done<200> | Refused<400 | 409>>

  /** Active to paused and back. HTTP 409 if `from` is not its current state. Roles: admin, manager. Outcomes: 0 activated, 1 groupTaken, 9 disabled, -1 notAllowed.
   *
   * `GET /action/group/{id}/changestate` */
  changeGroupState(
    input: {
      id: Uid
      /** The state that the caller has seen: HTTP 409 if another one has changed it meanwhile. Without it the call turns what it finds: two calls at once turn it twice, both with success. */
      from?: EditState
    },
    options?: CallOptions,
  ): Promise<Done<0 | 9> | Refused<1 | -1>>

  /** Copy a group under another name, paused: with its kind, description, tags and configuration profiles, and without devices, which are in one group each, publications and update channels. Roles: admin, manager. Outcomes: 200 done, 400 notDone.
   *
   * `POST /api/v2/group/copy` */
  copy(
    input: {
      uid: Uid
      name: Name
    },
    options?: CallOptions,
  ): Promise<Made<200> | Refused<400>>

  /** Move a group to the recycle bin; its devices leave it. 409 while a publication uses it. Roles: admin, manager. Outcomes: 200 done, 409 inUse.
   *
   * `POST /group/delete` */
  delete(
    input: {
      uid: Uid
    },
    options?: CallOptions,
  ): Promise<Done<200> | Refused<409>>

  /** Move groups to the recycle bin. 200 if all were moved, otherwise the code that all failures share, or 303 if they differ; `done` and `failed` list the items. A filter handles at most 1,000 items a call; `remaining` counts the rest: repeat the call with the answer's `after`. A filter that finds every item needs `all: true`. Roles: admin, manager. Outcomes: 200 done, 303 someFailed, 400 notDone, 409 inUse.
   *
   * `POST /group/massdelete` */
  deleteMany(
    input:
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
        },
    options?: CallOptions,
  ): Promise<Done<200> | Refused<303 | 400 | 409>>

  /** Move every group that no publication uses to the recycle bin; at most 1,000 a call; `remaining` counts the rest. Roles: admin, manager. Outcomes: 200 done, 303 someFailed, 400 notDone, 409 inUse.
   *
   * `GET /group/deleteunused` */
  deleteUnused(options?: CallOptions): Promise<Done<200> | Refused<303 | 400 | 409>>

  /** Change the name or description of a paused group. Roles: admin, manager. Outcomes: 200 done, 400 notDone.
   *
   * `POST /group/edit` */
  edit(
    input: {
      uid: Uid
      name?: Name
      description?: Description
      /** The record's that the user saw; HTTP 409 if it is stale. */
      version?: number
    },
    options?: CallOptions,
  ): Promise<Done<200> | Refused<400>>

  /** The client's device groups. Roles: admin, manager.
   *
   * `GET /group/qlist/{x}` */
  list(
    input?: {
      kind?: KindFilter
      /** Which page, from 1. */
      page?: number
      /** Items of a page, at most 200. */
      size?: number
      /** Words that an item has, in any order; at most 10. */
      search?: string
      /** The column to sort by; each list has one of its own by default, and refuses those that it has not. */
      sort?: string
      /** The direction of the sort. */
      dir?: 'asc' | 'desc'
      state?: EditState
    },
    options?: CallOptions,
  ): List<GroupRow>

  /** One group with the first page of its devices, by name; `page` and `size` choose another. The device list with `group` finds and sorts them. Roles: admin, manager.
   *
   * `GET /group/qcard/{id}` */
  read(
    input: {
      id: Uid
      /** Which page, from 1. */
      page?: number
      /** Items of a page, at most 200. */
      size?: number
    },
    options?: CallOptions,
  ): Promise<GroupCard>

  /** Remove a device from its group. Roles: admin, manager. Outcomes: 200 done, 400 notDone.
   *
   * `GET /action/remove/{device}/from/{group}` */
  removeFromGroup(
    input: {
      device: Uid
      group: Uid
    },
    options?: CallOptions,
  ): Promise<Done<200> | Refused<400>>
}

export interface InstallationCalls {
  /** What holds for all users at once: the operator's notice, and whether changes are refused while the installation is maintained. The change feed tells of changes (`installation`). Roles: admin, manager, streamer.
   *
   * `GET /api/v2/installation/state` */
  readInstallationState(options?: CallOptions): Promise<InstallationState>
}

export interface ListeningCalls {
  /** What a device plays by its last report, and its manifest, for a user who listens in on it. The caller repeats the call with the ETag of the manifest that it holds. It opens no session and reports nothing: the device does not notice it. Roles: admin, manager.
   *
   * `GET /api/v2/listening/{uid}` */
  read(
    input: {
      uid: Uid
      /** For `held` of the next call. */
      held?: string
    },
    options?: CallOptions,
  ): Promise<ListeningState>

  /** A media file of a device's manifest, for a user who listens in on it: Range, ETag = sha256, immutable. 404 for a file that the device itself may not fetch. Roles: admin, manager.
   *
   * `GET /api/v2/listening/{uid}/media/{mediaUid}/{sha256}` */
  readListeningMedia(
    input: {
      uid: Uid
      mediaUid: Uid
      sha256: Sha256
    },
    options?: CallOptions,
  ): Promise<Response>
}

export interface MailedLinksCalls {
  /** Create the client of a mailed link with its first user, an admin, and sign the user in. HTTP 400 'link-expired'; 422 'email-taken' if a user has the email meanwhile.
   *
   * `POST /users/register/confirm` */
  confirmAccount(input: PasswordByLink, options?: CallOptions): Promise<SignedIn>

  /** Ask for a link (1 h, once) to set a new password, by mail; the old one works until then. The answer does not depend on whether a user has the email. Outcomes: 200 done.
   *
   * `POST /users/forgot` */
  forgotPassword(
    input: {
      /** What the user signs in with. */
      email: EmailInput
    },
    options?: CallOptions,
  ): Promise<Done<200>>

  /** Say for which email a link that sets a password is: of an invitation, a reset or a new account. The link stays as it is. HTTP 400 'link-expired'.
   *
   * `POST /api/v2/users/link` */
  readLink(
    input: {
      /** The secret of the one-time link. */
      token: string
    },
    options?: CallOptions,
  ): Promise<{
    /** What the link's owner will sign in with. */
    email: Email
  }>

  /** Ask for a client on the Trial plan. A mail with a link (24 h, once) goes to the email; its owner then sets the password. The answer does not depend on whether a user has the email; a user who has it gets a mail that says so. Outcomes: 200 done.
   *
   * `POST /users/register/request` */
  requestAccount(
    input: {
      /** The server takes the first name and the last name from it. */
      fullName: string
      email: EmailInput
      /** The user accepts the terms of use. */
      terms: true
    },
    options?: CallOptions,
  ): Promise<Done<200>>
}

export interface MediaCalls {
  /** Move media to the recycle bin; 921 for items that playlists or profiles use. 200 if all were moved, otherwise the code that all failures share, or 303 if they differ; `done` and `failed` list the items. A filter handles at most 1,000 items a call; `remaining` counts the rest: repeat the call with the answer's `after`. A filter that finds every item needs `all: true`. Roles: admin, manager. Outcomes: 200 done, 303 someFailed, 400 notDone, 921 mediaInUse.
   *
   * `POST /{contentType}/massdelete` */
  deleteMany(
    input: {
      contentType: MediaType
    } & (
      | SomeItems
      | {
          filter: {
            /** Words that an item has, in any order; at most 10. */
            search?: string
            /** Items that a playlist or a profile uses, or the others. */
            used?: 'used' | 'unused'
            /** Items with or without an ISRC. */
            isrc?: 'with' | 'without'
          }
          /** Items that the filter finds and the call leaves out. */
          except?: Uid[]
          /** The `after` of the former answer, for the items that remain. */
          after?: Uid
          /** Every item is meant: without it a filter that finds them all is refused. */
          all?: true
        }
    ),
    options?: CallOptions,
  ): Promise<Done<200> | Refused<303 | 400 | 921>>

  /** Move to the recycle bin. 921 with the names of the playlists and profiles that use it. Roles: admin, manager. Outcomes: 200 done, 921 mediaInUse.
   *
   * `POST /{contentType}/delete` */
  delete(
    input: {
      contentType: MediaType
    } & {
      uid: Uid
    },
    options?: CallOptions,
  ): Promise<Done<200> | Refused<921>>

  /** Move every item of a content type that no playlist or profile uses to the recycle bin; at most 1,000 a call; `remaining` counts the rest. Roles: admin, manager. Outcomes: 200 done, 303 someFailed, 400 notDone, 921 mediaInUse.
   *
   * `POST /{contentType}/deleteunused` */
  deleteUnused(
    input: {
      contentType: MediaType
    },
    options?: CallOptions,
  ): Promise<Done<200> | Refused<303 | 400 | 921>>

  /** Change the name, description or credits. Roles: admin, manager. Outcomes: 200 done.
   *
   * `POST /{contentType}/edit` */
  edit(
    input: {
      contentType: MediaType
    } & {
      uid: Uid
      name?: Name
      description?: Description
      artist?: string
      title?: string
      isrc?: string
      composer?: string
      publisher?: string
      /** The record's that the user saw; HTTP 409 if it is stale. */
      version?: number
    },
    options?: CallOptions,
  ): Promise<Done<200>>

  /** Media of one content type. Roles: admin, manager.
   *
   * `GET /{contentType}/qlist` */
  list(
    input: {
      contentType: MediaType
      /** Which page, from 1. */
      page?: number
      /** Items of a page, at most 200. */
      size?: number
      /** Words that an item has, in any order; at most 10. */
      search?: string
      /** The column to sort by; each list has one of its own by default, and refuses those that it has not. */
      sort?: string
      /** The direction of the sort. */
      dir?: 'asc' | 'desc'
      /** Items that a playlist or a profile uses, or the others. */
      used?: 'used' | 'unused'
      /** Items with or without an ISRC. */
      isrc?: 'with' | 'without'
    },
    options?: CallOptions,
  ): List<MediaRow>

  /** The groups with an active or delayed publication that plays it. Roles: admin, manager.
   *
   * `GET /{contentType}/get/{uid}/qgroups` */
  listMediaGroups(
    input: {
      contentType: MediaType
      uid: Uid
      /** Which page, from 1. */
      page?: number
      /** Items of a page, at most 200. */
      size?: number
      /** Words that an item has, in any order; at most 10. */
      search?: string
      /** The column to sort by; each list has one of its own by default, and refuses those that it has not. */
      sort?: string
      /** The direction of the sort. */
      dir?: 'asc' | 'desc'
    },
    options?: CallOptions,
  ): List<Reference>

  /** The playlists that contain it. Roles: admin, manager.
   *
   * `GET /{contentType}/get/{uid}/qplaylists` */
  listMediaPlaylists(
    input: {
      contentType: MediaType
      uid: Uid
      /** Which page, from 1. */
      page?: number
      /** Items of a page, at most 200. */
      size?: number
      /** Words that an item has, in any order; at most 10. */
      search?: string
      /** The column to sort by; each list has one of its own by default, and refuses those that it has not. */
      sort?: string
      /** The direction of the sort. */
      dir?: 'asc' | 'desc'
    },
    options?: CallOptions,
  ): List<Reference>

  /** One media item. Roles: admin, manager.
   *
   * `GET /{contentType}/qcard/{uid}` */
  read(
    input: {
      contentType: MediaType
      uid: Uid
    },
    options?: CallOptions,
  ): Promise<MediaCard>

  /** The file, with Range; `?ticket=` replaces the token where no header can be sent. With a ticket it may be 302 to a signed address of the store. Roles: admin, manager.
   *
   * `GET /api/v2/media/{uid}/file` */
  readMediaFile(
    input: {
      uid: Uid
      /** A ticket for this path, by `/api/v2/ticket`, in place of the token. */
      ticket?: string
    },
    options?: CallOptions,
  ): Promise<Response>

  /** The preview image; `?ticket=` replaces the token where no header can be sent. With a ticket it may be 302 to a signed address of the store. Roles: admin, manager.
   *
   * `GET /api/v2/media/{uid}/preview` */
  readMediaPreview(
    input: {
      uid: Uid
      /** A ticket for this path, by `/api/v2/ticket`, in place of the token. */
      ticket?: string
    },
    options?: CallOptions,
  ): Promise<Response>

  /** Upload one file, with the parts `description?`, `uid?` and `preview?` before `file`. `uid` replaces the file of that item; without `file`, only its preview image. The server validates the bytes: 901 wrong type, 902 name exists, 903 not enough storage. Roles: admin, manager. Outcomes: 200 done, 901 wrongFileType, 902 nameExists, 903 storageFull.
   *
   * `POST /{contentType}/upload` */
  upload(
    input: {
      contentType: MediaType
    } & {
      description?: Description
      uid?: Uid
      /** A JPEG, PNG or WebP image. */
      preview?: File
      /** The last part: an MP3 or MP4 file. */
      file?: File
    },
    options?: CallOptions,
  ): Promise<
    (Made<200> | Refused<901 | 902 | 903>) & {
      durationSeconds?: Seconds
    }
  >

  /** uid, name, artist, title, ISRC, composer and publisher of the media that a filter finds, by name, as csv (UTF-8 with a byte order mark), between commas or semicolons (`separator`). An apostrophe before what begins like a formula keeps spreadsheets from running it. Roles: admin, manager.
   *
   * `GET /api/v2/credits/{contentType}` */
  exportCredits(
    input: {
      contentType: MediaType
      /** Words that an item has, in any order; at most 10. */
      search?: string
      /** Items that a playlist or a profile uses, or the others. */
      used?: 'used' | 'unused'
      /** Items with or without an ISRC. */
      isrc?: 'with' | 'without'
      /** What stands between the cells. */
      separator?: 'comma' | 'semicolon'
    },
    options?: CallOptions,
  ): Promise<Response>

  /** Change the credits of up to 10,000 items, all or none: HTTP 422 with `errors` by index (`rows.3.isrc`) if a row is invalid, occurs twice or names no item of the content type. With `isPreview` nothing is stored, and `changes` lists the first 1,000 items that would change. Roles: admin, manager. Outcomes: 200 done.
   *
   * `POST /api/v2/credits/{contentType}/import` */
  importCredits(
    input: {
      contentType: MediaType
    } & {
      /** Up to 10,000 items. */
      rows: CreditRow[]
      /** True: nothing is stored. */
      isPreview?: boolean
    },
    options?: CallOptions,
  ): Promise<
    Done<200> & {
      /** How many items have other credits now, or would have. */
      changed?: number
      /** How many rows change nothing. */
      unchanged?: number
      /** Only of a preview: the first 1,000. */
      changes?: CreditChange[]
    }
  >
}

export interface PasskeysCalls {
  /** Add a passkey that the browser has made; the user's other sessions end. The recovery codes come with the first factor, once. HTTP 400 'wrong-passkey'. Roles: admin, manager, streamer. Outcomes: 200 done.
   *
   * `POST /api/v2/second-factor/passkeys/add` */
  add(
    input: {
      name: Name
      credential: NewCredential
    },
    options?: CallOptions,
  ): Promise<
    Done<200> & {
      /** Absent if the user has codes already. */
      recoveryCodes?: string[]
    }
  >

  /** The options for `navigator.credentials.create`, valid for 5 minutes. HTTP 422 at `password` if that is wrong. Roles: admin, manager, streamer.
   *
   * `POST /api/v2/second-factor/passkeys/begin` */
  begin(
    input: {
      password: OwnPassword
    },
    options?: CallOptions,
  ): Promise<{
    /** For the browser, as they are. */
    options: WebAuthnOptions
  }>

  /** The options for `navigator.credentials.get`, valid for 5 minutes.
   *
   * `POST /api/v2/session/passkey/begin` */
  beginPasskeySignIn(options?: CallOptions): Promise<{
    /** For the browser, as they are. */
    options: WebAuthnOptions
  }>

  /** Remove a passkey of one's own. HTTP 422 at `password` if that is wrong; 400 'second-factor-required' for the last factor if the client requires one. Roles: admin, manager, streamer. Outcomes: 200 done, 400 notDone.
   *
   * `POST /api/v2/second-factor/passkeys/{uid}/remove` */
  remove(
    input: {
      uid: Uid
    } & {
      password: OwnPassword
    },
    options?: CallOptions,
  ): Promise<Done<200> | Refused<400>>

  /** Sign in with a passkey, which needs no password and is a second factor too. With the `ticket` of a first step it completes that step, and uses its link. HTTP 400 'wrong-passkey' for an answer that is unknown, old or used.
   *
   * `POST /api/v2/session/passkey` */
  signInByPasskey(
    input: {
      credential: CredentialAnswer
      /** The `ticket` of the first step, if there was one. */
      ticket?: string
    },
    options?: CallOptions,
  ): Promise<SignedIn>
}

export interface PlansCalls {
  /** The subscription plans, smallest first. Roles: admin, manager, streamer.
   *
   * `GET /api/v2/plans` */
  list(options?: CallOptions): Promise<Plan[]>

  /** Request a plan of the operator, who is told by mail where SUPPORT_EMAIL and a mail server are set. A client has one open request: one for another plan replaces it, the same one changes nothing. A change of the client's plan closes it. Roles: admin. Outcomes: 200 done.
   *
   * `POST /api/v2/plan/request` */
  request(
    input: {
      /** The `key` of the plan. */
      planKey: string
    },
    options?: CallOptions,
  ): Promise<
    Done<200> & {
      requestedAt?: Instant
    }
  >

  /** Withdraw the client's open request for a plan, if there is one. Roles: admin. Outcomes: 200 done.
   *
   * `POST /api/v2/plan/withdraw` */
  withdrawPlanRequest(options?: CallOptions): Promise<Done<200>>
}

export interface PlaylistsCalls {
  /** Add up to 1,000 media items at the end of a paused simple playlist, in the order of `tracks`, all or none: 404 if one is unknown, 400 if one is of another kind. Roles: admin, manager. Outcomes: 200 done, 400 notDone.
   *
   * `POST /action/addtracks/toplaylist/{playlist}` */
  addTracks(
    input: {
      playlist: Uid
    } & {
      /** Media items in the order in which they are to play; the same one may occur several times. */
      tracks: Uid[]
    },
    options?: CallOptions,
  ): Promise<
    (Done<200> | Refused<400>) & {
      /** How many were added. */
      added?: number
    }
  >

  /** Create a simple playlist, paused and empty. Roles: admin, manager. Outcomes: 200 done, 400 notDone.
   *
   * `POST /playlist/add/{contentType}` */
  add(
    input: {
      contentType: Kind
    } & PlaylistDraft,
    options?: CallOptions,
  ): Promise<Made<200> | Refused<400>>

  /** Add a media item at the end of a paused simple playlist. Roles: admin, manager. Outcomes: 200 done, 400 notDone.
   *
   * `GET /action/addtrack/{track}/toplaylist/{playlist}` */
  addTrack(
    input: {
      track: Uid
      playlist: Uid
    },
    options?: CallOptions,
  ): Promise<Done<200> | Refused<400>>

  /** Active to paused and back. HTTP 409 if `from` is not its current state. Roles: admin, manager. Outcomes: 0 activated, 1 groupTaken, 9 disabled, -1 notAllowed.
   *
   * `GET /action/playlist/{id}/changestate` */
  changePlaylistState(
    input: {
      id: Uid
      /** The state that the caller has seen: HTTP 409 if another one has changed it meanwhile. Without it the call turns what it finds: two calls at once turn it twice, both with success. */
      from?: EditState
    },
    options?: CallOptions,
  ): Promise<Done<0 | 9> | Refused<1 | -1>>

  /** Copy a playlist with all items; the copy is paused and its name is `name`, or the former one with ' - copy' at its end. A smart playlist's day is planned again with another seed: 400 with `faults` if its media allow no plan. With the `purpose` `edit`, the copy is meant to replace the original on the air, and its card names the original. Roles: admin, manager. Outcomes: 200 done, 400 notDone.
   *
   * `GET /playlist/clone/{id}` */
  clone(
    input: {
      id: Uid
      /** `edit`: to replace the original on the air. */
      purpose?: 'copy' | 'edit'
      name?: Name
    },
    options?: CallOptions,
  ): Promise<Made<200> | Refused<400>>

  /** Move playlists to the recycle bin. 200 if all were moved, otherwise the code that all failures share, or 303 if they differ; `done` and `failed` list the items. A filter handles at most 1,000 items a call; `remaining` counts the rest: repeat the call with the answer's `after`. A filter that finds every item needs `all: true`. Roles: admin, manager. Outcomes: 200 done, 303 someFailed, 400 notDone, 409 inUse, 921 mediaInUse.
   *
   * `POST /playlist/massdelete` */
  deleteMany(
    input:
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
        },
    options?: CallOptions,
  ): Promise<Done<200> | Refused<303 | 400 | 409 | 921>>

  /** Move to the recycle bin. 409 while an active or delayed publication uses it, 921 while a disabled one does. Roles: admin, manager. Outcomes: 200 done, 409 inUse, 921 mediaInUse.
   *
   * `POST /playlist/delete` */
  delete(
    input: {
      uid: Uid
    },
    options?: CallOptions,
  ): Promise<Done<200> | Refused<409 | 921>>

  /** Move every playlist that no publication uses to the recycle bin; at most 1,000 a call; `remaining` counts the rest. Roles: admin, manager. Outcomes: 200 done, 303 someFailed, 400 notDone, 409 inUse, 921 mediaInUse.
   *
   * `GET /playlist/deleteunused` */
  deleteUnused(options?: CallOptions): Promise<Done<200> | Refused<303 | 400 | 409 | 921>>

  /** Change a paused playlist: name, description, dates, crossfade, and the repeats and start times of its items. The last three cannot be changed in a smart playlist; its plan sets them. Roles: admin, manager. Outcomes: 200 done, 400 notDone.
   *
   * `POST /playlist/edit` */
  edit(input: PlaylistChange, options?: CallOptions): Promise<Done<200> | Refused<400>>

  /** The client's playlists. Roles: admin, manager.
   *
   * `GET /playlist/qlist/{x}` */
  list(
    input?: {
      kind?: KindFilter
      /** Which page, from 1. */
      page?: number
      /** Items of a page, at most 200. */
      size?: number
      /** Words that an item has, in any order; at most 10. */
      search?: string
      /** The column to sort by; each list has one of its own by default, and refuses those that it has not. */
      sort?: string
      /** The direction of the sort. */
      dir?: 'asc' | 'desc'
      state?: EditState
      form?: PlaylistForm
    },
    options?: CallOptions,
  ): List<PlaylistRow>

  /** Move the media item {track} at {position}; 400 if another item is there now. Roles: admin, manager. Outcomes: 200 done, 400 notDone.
   *
   * `GET /action/movetrack/{track}/inplaylist/{playlist}/by/{position}/direction/{mode}` */
  moveTrack(
    input: {
      track: Uid
      playlist: Uid
      /** From 1. */
      position: number
      /** Where to. */
      mode: 'start' | 'up10' | 'up' | 'down' | 'down10' | 'end'
    },
    options?: CallOptions,
  ): Promise<Done<200> | Refused<400>>

  /** One playlist without its items. Roles: admin, manager.
   *
   * `GET /playlist/qcard/{id}/quick` */
  read(
    input: {
      id: Uid
    },
    options?: CallOptions,
  ): Promise<PlaylistCard>

  /** A smart playlist's draft to plan again: its lists with the current media, `finishList` as planned. Of a simple playlist: its entries as M3U8 text. Roles: admin, manager.
   *
   * `GET /playlist/source/{id}` */
  readPlaylistSource(
    input: {
      id: Uid
    },
    options?: CallOptions,
  ): Promise<{
    form: PlaylistForm
    /** The playlist's. */
    name: string
    /** Null for a simple one. */
    draft: {
      /** Set: this playlist is planned again; null: a new one. */
      smartPlUid: Uid | null
      /** The playlist's. */
      smartPlName: string
      /** A note; may be empty. */
      smartPlDescr: string
      playlistType: SmartPlaylistType
      startDay: TimeOfDay
      /** 23:59 means midnight. An end before the start is on the next day. */
      endDay: TimeOfDay
      /** The window's seconds. */
      workTime: number
      /** The target of a background block. */
      melTime: number
      /** The target of an ad block. */
      adsTime: number
      melMode: BlockMode
      adsMode: BlockMode
      /** The background: melodies, or videos in a video playlist. */
      melList: SmartTrack[]
      /** The ads. */
      adsList: SmartTrack[]
      /** `plan().blocks` of the fields above. */
      finishList: SmartBlock[]
      /** Between two background items. */
      crossfade: number
      /** Minimum ad separation: from one play's end to the next play's begin of the same ad. */
      minAdGap: number
      /** The seed of the random order: the same input with the same seed gives the same plan. */
      seed: number
      /** Only stored and given back. */
      colour: string
      /** Percent. */
      uploadingProgress: number
      /** Only stored and given back. */
      deviceFilter: unknown
      /** Only stored and given back. */
      playlistFilter: unknown
      /** The record's version of the playlist that is planned again; HTTP 409 if it is stale. */
      version?: number
    } | null
    /** Every track of the plan, by name; also those in the bin, which the draft does not have. */
    tracks: PlannedTrack[]
    /** As on the card. */
    changedMedia: ChangedMedia[]
    /** Null for a smart one. */
    m3u8: string | null
  }>

  /** One playlist with its items. A smart playlist: a page of its blocks, each with its first 100 plays. With `block` (from 1): that block only; `page` and `size` then page its plays. Roles: admin, manager.
   *
   * `GET /playlist/qcard/{id}/withtracks` */
  readPlaylistWithTracks(
    input: {
      id: Uid
      /** Which page, from 1. */
      page?: number
      /** Blocks, or plays of `block`, of a page. */
      size?: number
      /** Its place in the day, from 1. */
      block?: number
    },
    options?: CallOptions,
  ): Promise<PlaylistWithTracks>

  /** Remove the media item {track} at {position}; 400 if another item is there now. Roles: admin, manager. Outcomes: 200 done, 400 notDone.
   *
   * `GET /action/removetrack/{track}/fromplaylist/{playlist}/by/{position}` */
  removeTrack(
    input: {
      track: Uid
      playlist: Uid
      /** From 1. */
      position: number
    },
    options?: CallOptions,
  ): Promise<Done<200> | Refused<400>>

  /** Create a simple playlist, paused, from an M3U or M3U8 file (at most 10,000 entries, 5 MiB), with the parts `name?`, `description?`, `kind?` and `file`. Entries are matched with the uploaded media by file name without folder, and by the marks of an export: 912 with the names of the missing ones, and the reason `list-code-page` where no code page makes them readable; 911 for any other file. 200 with the reason `several-files` names the files that several items have. Roles: admin, manager. Outcomes: 200 done, 400 notDone, 911 onlyM3u, 912 filesMissing.
   *
   * `POST /playlist/upload/m3u/` */
  uploadM3u(
    input: {
      name?: Name
      description?: Description
      kind?: Kind
      file: File
    },
    options?: CallOptions,
  ): Promise<Made<200> | Refused<400 | 911 | 912>>

  /** Create a smart playlist, paused, from a draft (at most 16 MiB), or plan a paused one again (`smartPlUid`). Without `finishList` the server plans the day; a `finishList` of your own has to keep the rules. Starts are in seconds from `startDay`. Rule 1: background and ad blocks alternate, background first; items follow one another without a gap; nothing begins before the window or ends after it. Rule 2: a block is as long as its target (`melTime`, `adsTime`); in mode `auto` a shorter list without weights is one block. Rule 3: a block is off its target by half the longest item of its list at most, or is a single item. Rule 4: plays of two items of the same weight differ by one at most; with weights, each is within one play of its share. Rule 5: between two plays of an item at least half of the others are heard, and `minAdGap` is kept. Rule 6: the last ad block is longer than its target by half the longest ad at most, and the rest of the day is shorter than the next item that the rules allow. Of rules 2 and 3 the last block of each kind is excepted. All or nothing: 400 with the reason `media-not-as-planned`, `plan-refused` or `plan-breaks-rules`, and `faults` with their places. Faults of media are `media-unknown` (not an item of this client), `media-in-bin`, `media-wrong-kind` and `media-duration-changed`. With `editOf`, the new playlist is meant to replace that one on the air and takes its dates. Without a `seed` the server draws one; the answer has the seed. A minimum ad separation (`minAdGap`) that no plan keeps is refused at `minAdGap` with the `figures.largest` that one keeps. Roles: admin, manager. Outcomes: 200 done, 400 notDone.
   *
   * `POST /playlist/import` */
  importSmartPlaylist(
    input: SmartImport,
    options?: CallOptions,
  ): Promise<
    (Made<200> | Refused<400>) & {
      /** The seed of the plan. */
      seed?: number
    }
  >
}

export interface ProfilesCalls {
  /** Active to paused and back. Activating puts its settings in force; a paused profile stays in force as last activated. Of two profiles of one type on a group, the one that was activated later wins: `overrules` names the others whose groups it shares. HTTP 409 when `from` is stale. Roles: admin. Outcomes: 0 activated, 9 disabled, -1 notAllowed.
   *
   * `GET /configuration/profile/{id}/changestate` */
  changeProfileState(
    input: {
      id: Uid
      /** The state that the caller has seen: HTTP 409 if another one has changed it meanwhile. Without it the call turns what it finds: two calls at once turn it twice, both with success. */
      from?: EditState
    },
    options?: CallOptions,
  ): Promise<
    (Done<0 | 9> | Refused<-1>) & {
      /** Other profiles of the type that were ever activated and share a group with it. */
      overrules?: Reference[]
    }
  >

  /** Delete a paused profile; its settings are no longer in force. Roles: admin. Outcomes: 200 done, 400 notDone.
   *
   * `POST /api/v2/configuration/profile/delete` */
  delete(
    input: {
      uid: Uid
    },
    options?: CallOptions,
  ): Promise<Done<200> | Refused<400>>

  /** Change a paused profile, or create one (without uid). Its groups can change in any state, its type never. HTTP 422 for settings that its type does not have, and for alert sounds that are not a melody or ad of the client. Roles: admin. Outcomes: 200 done, 400 notDone.
   *
   * `POST /configuration/profile/edit` */
  edit(input?: ProfileChange, options?: CallOptions): Promise<Made<200> | Refused<400>>

  /** The states of profiles, each with the code of the status change that leads to it. Roles: admin.
   *
   * `GET /configuration/profilestate` */
  listProfileStates(options?: CallOptions): Promise<
    {
      state: EditState
      /** What `changestate` answers when it leads to this state. */
      code: number
    }[]
  >

  /** The types of profiles, each with the JSON Schema of its settings. Roles: admin.
   *
   * `GET /configuration/profiletype` */
  listProfileTypes(options?: CallOptions): Promise<
    {
      type: ProfileType
      /** The JSON Schema of its settings. */
      schema: Record<string, unknown>
    }[]
  >

  /** The client's configuration profiles. Roles: admin.
   *
   * `GET /configuration/profile` */
  list(
    input?: {
      /** Which page, from 1. */
      page?: number
      /** Items of a page, at most 200. */
      size?: number
      /** Words that an item has, in any order; at most 10. */
      search?: string
      /** The column to sort by; each list has one of its own by default, and refuses those that it has not. */
      sort?: string
      /** The direction of the sort. */
      dir?: 'asc' | 'desc'
      type?: ProfileType
      state?: EditState
    },
    options?: CallOptions,
  ): List<ProfileRow>

  /** One profile with its settings and the settings in force. Roles: admin.
   *
   * `GET /configuration/profile/{id}` */
  readProfileCard(
    input: {
      id: Uid
    },
    options?: CallOptions,
  ): Promise<ProfileCard>
}

export interface ProofCalls {
  /** The signed proof of play of an ad: a zip with each play of the period (plays.csv), a manifest and its Ed25519 signature. `zone` is an IANA time zone (`Europe%2FBerlin`) or `device` for each device’s own; the period has 1 to 45 of its days. 410 `plays-gone`: single plays of its first days were deleted. Roles: admin, manager.
   *
   * `GET /api/v2/media/{uid}/proof/from/{from}/to/{to}/regiontime/{zone}` */
  download(
    input: {
      uid: Uid
      from: Day
      to: Day
      /** Whose days: an IANA time zone, or `device` for each device's own. */
      zone: string
    },
    options?: CallOptions,
  ): Promise<Response>

  /** The public keys of the client's own proofs of play, the one that signs first. Roles: admin.
   *
   * `GET /api/v2/proof/key` */
  listProofKeys(options?: CallOptions): Promise<ProofKeys>

  /** Say that a key of the proofs of play may have been in other hands since a moment. `/verify` and `npm run verify-proof` say so of each proof that it has signed, whenever that was. The key that signs is retired, and a new one made. Roles: admin. Outcomes: 200 done.
   *
   * `POST /api/v2/proof/key/compromised` */
  markProofKey(
    input: {
      /** Which key. */
      keyId: string
      /** From when on others may have signed with it. */
      since: Instant
    },
    options?: CallOptions,
  ): Promise<
    Done<200> & {
      /** The new key, if this one signed. */
      keyId?: string
    }
  >

  /** The name of a client and the public keys (Ed25519, base64) of its proofs of play, for anyone who holds one: the manifest has the client's uid. A retired key signs nothing after `retiredAt`.
   *
   * `GET /api/v2/proof/key/{client}` */
  readProofKeys(
    input: {
      client: Uid
    },
    options?: CallOptions,
  ): Promise<ProofKeys>

  /** Retire the key that signs the proofs of play and make a new one. Proofs that the former key has signed stay valid. Roles: admin. Outcomes: 200 done, 400 notDone.
   *
   * `POST /api/v2/proof/key` */
  renewProofKey(options?: CallOptions): Promise<
    (Done<200> | Refused<400>) & {
      /** The new key. */
      keyId?: string
    }
  >
}

export interface PublicationsCalls {
  /** Create a publication of a playlist for a group, disabled. 400 if the kinds differ. Roles: admin, manager. Outcomes: 200 done, 400 notDone.
   *
   * `POST /deploy/add/{contentType}` */
  add(
    input: {
      contentType: Kind
    } & PublicationDraft,
    options?: CallOptions,
  ): Promise<Made<200> | Refused<400>>

  /** Turn on (0, or 1, 2, 3, -2 with the reason) or off (9, or 8 if it was delayed). HTTP 409 when `from` is stale. Roles: admin, manager. Outcomes: 0 activated, 1 groupTaken, 2 groupPaused, 3 playlistPaused, 8 delayDisabled, 9 disabled, -1 notAllowed, -2 notConsistent.
   *
   * `GET /action/deploy/{id}/changestate` */
  changePublicationState(
    input: {
      id: Uid
      /** The state that the caller has seen: HTTP 409 if another one has changed it meanwhile. Without it the call turns what it finds: two calls at once turn it twice, both with success. */
      from?: PublicationState
    },
    options?: CallOptions,
  ): Promise<Done<0 | 8 | 9> | Refused<1 | 2 | 3 | -1 | -2>>

  /** Start at a given time; 1 if another publication is delayed for the same group, HTTP 400 in the past. Roles: admin, manager. Outcomes: 0 activated, 1 groupTaken, 2 groupPaused, 3 playlistPaused, -1 notAllowed, -2 notConsistent.
   *
   * `GET /action/deploy/{uid}/delaystart/{startdatetime}` */
  delay(
    input: {
      uid: Uid
      startdatetime: StartDateTime
    },
    options?: CallOptions,
  ): Promise<Done<0> | Refused<1 | 2 | 3 | -1 | -2>>

  /** Move publications to the recycle bin. 200 if all were moved, 400 if some are active, delayed or missing; `done` and `failed` list them. A filter handles at most 1,000 items a call; `remaining` counts the rest: repeat the call with the answer's `after`. A filter that finds every item needs `all: true`. Roles: admin, manager. Outcomes: 200 done, 400 notDone.
   *
   * `POST /deploy/massdelete` */
  deleteMany(
    input:
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
        },
    options?: CallOptions,
  ): Promise<Done<200> | Refused<400>>

  /** Move to the recycle bin. 400 'turn-it-off-first' while active or delayed. Roles: admin, manager. Outcomes: 200 done, 400 notDone.
   *
   * `POST /deploy/delete` */
  delete(
    input: {
      uid: Uid
    },
    options?: CallOptions,
  ): Promise<Done<200> | Refused<400>>

  /** Move every disabled publication to the recycle bin; at most 1,000 a call; `remaining` counts the rest. Roles: admin, manager. Outcomes: 200 done, 400 notDone.
   *
   * `GET /deploy/deleteunused` */
  deleteUnused(options?: CallOptions): Promise<Done<200> | Refused<400>>

  /** Change a disabled publication; name and description in any state. Roles: admin, manager. Outcomes: 200 done, 400 notDone.
   *
   * `POST /deploy/edit` */
  edit(
    input: {
      uid: Uid
      name?: Name
      description?: Description
      groupUid?: Uid
      playlistUid?: Uid
      /** The record's that the user saw; HTTP 409 if it is stale. */
      version?: number
    },
    options?: CallOptions,
  ): Promise<Done<200> | Refused<400>>

  /** The devices of a publication: those with missing files first, then those that have not reported, then the others. Roles: admin, manager.
   *
   * `GET /api/v2/deploy/{id}/devices` */
  listPublicationDevices(
    input: {
      id: Uid
      /** Which page, from 1. */
      page?: number
      /** Items of a page, at most 200. */
      size?: number
      /** Words that an item has, in any order; at most 10. */
      search?: string
      /** The column to sort by; each list has one of its own by default, and refuses those that it has not. */
      sort?: string
      /** The direction of the sort. */
      dir?: 'asc' | 'desc'
      state?: HoldingState
    },
    options?: CallOptions,
  ): List<PublicationDevice>

  /** The client's publications. Roles: admin, manager.
   *
   * `GET /deploy/qlist/{x}` */
  list(
    input?: {
      kind?: KindFilter
      /** Which page, from 1. */
      page?: number
      /** Items of a page, at most 200. */
      size?: number
      /** Words that an item has, in any order; at most 10. */
      search?: string
      /** The column to sort by; each list has one of its own by default, and refuses those that it has not. */
      sort?: string
      /** The direction of the sort. */
      dir?: 'asc' | 'desc'
      state?: PublicationState
      /** Publications of this playlist. */
      playlistUid?: Uid
    },
    options?: CallOptions,
  ): List<PublicationRow>

  /** One publication with the counts of its devices. Roles: admin, manager.
   *
   * `GET /deploy/qcard/{id}` */
  read(
    input: {
      id: Uid
    },
    options?: CallOptions,
  ): Promise<PublicationCard>

  /** Replace the playlist of an active or delayed publication: devices change at a track boundary, without silence. 0, or 3, -2 with the reason ('turn-it-on-first'). HTTP 409 if it does not play the playlist `from`. Roles: admin, manager. Outcomes: 0 activated, 3 playlistPaused, -2 notConsistent.
   *
   * `POST /api/v2/deploy/{uid}/replace` */
  replacePublicationPlaylist(
    input: {
      uid: Uid
      /** The playlist that the user saw; the change is refused if it is another one now. */
      from?: Uid
    } & {
      playlistUid: Uid
    },
    options?: CallOptions,
  ): Promise<Done<0> | Refused<3 | -2>>

  /** Return to the playlist before the last replacement. -2 'nothing-to-return-to' if there is none. HTTP 409 if it does not play the playlist `from`, because a repeated return undoes itself. Roles: admin, manager. Outcomes: 0 activated, 3 playlistPaused, -2 notConsistent.
   *
   * `POST /api/v2/deploy/{uid}/return` */
  returnPublicationPlaylist(
    input: {
      uid: Uid
      /** The playlist that the user saw; the change is refused if it is another one now. */
      from?: Uid
    },
    options?: CallOptions,
  ): Promise<Done<0> | Refused<3 | -2>>

  /** Groups to choose for a publication. Roles: admin, manager.
   *
   * `GET /selectlist/devicegroup/{x}` */
  selectGroups(
    input?: {
      kind?: KindFilter
    },
    options?: CallOptions,
  ): Promise<PublicationChoice[]>

  /** Playlists to choose for a publication. Roles: admin, manager.
   *
   * `GET /selectlist/playlist/{x}` */
  selectPlaylists(
    input?: {
      kind?: KindFilter
    },
    options?: CallOptions,
  ): Promise<PublicationChoice[]>

  /** What the call `publish` with the same body would do: what it activates, how many devices get it, how many cannot and why, and why it would be refused. Changes nothing. Roles: admin, manager.
   *
   * `POST /api/v2/deploy/publish/preview` */
  previewPublish(input: PublishDraft, options?: CallOptions): Promise<PublishPlan>

  /** Publish a playlist to a group, or to a new group of chosen devices, now or at a given time, in one transaction: activates a paused playlist and group, turns on the publication of this playlist that the group has, or creates one. 0, or 1, -2 with the reason; 400 `too-many-devices` for more than 20,000; HTTP 400 in the past. `uid` is the publication. Roles: admin, manager. Outcomes: 0 activated, 1 groupTaken, -2 notConsistent, 400 notDone.
   *
   * `POST /api/v2/deploy/publish` */
  publish(input: PublishDraft, options?: CallOptions): Promise<Made<0> | Refused<1 | -2 | 400>>
}

export interface RecycleCalls {
  /** The items of one kind in the recycle bin, newest first, with who deleted them and when. Roles: admin.
   *
   * `GET /recycle/{x}` */
  listBin(
    input: {
      bin: BinKind
      /** Which page, from 1. */
      page?: number
      /** Items of a page, at most 200. */
      size?: number
      /** Words that an item has, in any order; at most 10. */
      search?: string
      /** The column to sort by; each list has one of its own by default, and refuses those that it has not. */
      sort?: string
      /** The direction of the sort. */
      dir?: 'asc' | 'desc'
      mediaType?: MediaType
      kind?: Kind
    },
    options?: CallOptions,
  ): List<BinRow>

  /** What depends on an item, before it is deleted or purged: media → playlists, playlists and groups → publications, groups → devices too, devices → their group; for admins also the configuration profiles of a media item or group, the update channels of a group and the streamers of a device. At most 200, those that block first. Roles: admin, manager.
   *
   * `GET /api/v2/dependents/{x}/{uid}` */
  listDependents(
    input: {
      bin: BinKind
      uid: Uid
    },
    options?: CallOptions,
  ): Promise<Dependent[]>

  /** Purge an item of the recycle bin and free its storage. 409 (media: 921) with the names of other items in the recycle bin that need it. Works also after the subscription has expired. Roles: admin. Outcomes: 200 done, 409 inUse, 921 mediaInUse.
   *
   * `POST /api/v2/recycle/{x}/{uid}/purge` */
  purge(
    input: {
      bin: BinKind
      uid: Uid
    },
    options?: CallOptions,
  ): Promise<Done<200> | Refused<409 | 921>>

  /** Restore an item: admins, and for 10 minutes the user who deleted it (otherwise HTTP 403). If its name was taken, ' - restored' is added, in the language of the call's `Accept-Language`. 400 'restore-these-first' with the needed items in the recycle bin (`needs`, and their `names`), 'device-limit' above the plan's limit. Roles: admin, manager. Outcomes: 200 done, 400 notDone.
   *
   * `GET /recycle/{contentType}/{uid}/restore` */
  restore(
    input: {
      contentType: BinKind
      uid: Uid
    },
    options?: CallOptions,
  ): Promise<
    (Done<200> | Refused<400>) & {
      /** The name that the item has now. */
      name?: string
      /** With 'restore-these-first': the items of the recycle bin that it needs. */
      needs?: NeededItem[]
    }
  >
}

export interface ReportsCalls {
  /** One row for each connectivity interval of a device. A file: xlsx (up to 3 million rows, else 413), csv (`separator` `comma`, or `semicolon` with decimal commas; the default is the one that spreadsheets in `lang` read), or pdf (totals and the first 5,000 rows). `zone` is an IANA time zone (`Europe%2FBerlin`) or `device` for each device’s own; the period has 1 to 45 of its days. A client has one report at a time: 429 with Retry-After for the others. Roles: admin, manager.
   *
   * `GET /report/statetx/{mode}/{uid}/from/{from}/to/{to}/regiontime/{zone}` */
  statetx(
    input: {
      /** What the rows are of. */
      mode: 'device' | 'group' | 'all'
      /** Of one item, or of all. */
      uid: Uid | 'all'
      from: Day
      to: Day
      /** Whose days: an IANA time zone such as `Europe/Berlin`, or `device` for that of each device. */
      zone: string
      /** Of the file. */
      format?: 'xlsx' | 'csv' | 'pdf'
      /** The language of headings and texts. */
      lang?: Language
      /** The separator of csv files. Default: that of spreadsheets in `lang`. */
      separator?: 'comma' | 'semicolon'
    },
    options?: CallOptions,
  ): Promise<Response>

  /** One row for each connectivity interval of a device. Its first 50 rows as JSON. Roles: admin, manager.
   *
   * `GET /api/v2/report/statetx/{mode}/{uid}/from/{from}/to/{to}/regiontime/{zone}/preview` */
  statetxPreview(
    input: {
      /** What the rows are of. */
      mode: 'device' | 'group' | 'all'
      /** Of one item, or of all. */
      uid: Uid | 'all'
      from: Day
      to: Day
      /** Whose days: an IANA time zone such as `Europe/Berlin`, or `device` for that of each device. */
      zone: string
    },
    options?: CallOptions,
  ): Promise<ReportPreview>

  /** One row for each play, with its scheduled and its true start and how much of it was heard: the proof of play. A file: xlsx (up to 3 million rows, else 413), csv (`separator` `comma`, or `semicolon` with decimal commas; the default is the one that spreadsheets in `lang` read), or pdf (totals and the first 5,000 rows). `zone` is an IANA time zone (`Europe%2FBerlin`) or `device` for each device’s own; the period has 1 to 45 of its days. A client has one report at a time: 429 with Retry-After for the others. Roles: admin, manager.
   *
   * `GET /report/r1ext/{track}/{playpoint}/{playlist}/from/{from}/to/{to}/regiontime/{zone}` */
  r1ext(
    input: {
      /** Of one item, or of all. */
      track: Uid | 'all'
      /** Of one item, or of all. */
      playpoint: Uid | 'all'
      /** Of one item, or of all. */
      playlist: Uid | 'all'
      from: Day
      to: Day
      /** Whose days: an IANA time zone such as `Europe/Berlin`, or `device` for that of each device. */
      zone: string
      /** Of the file. */
      format?: 'xlsx' | 'csv' | 'pdf'
      /** The language of headings and texts. */
      lang?: Language
      /** The separator of csv files. Default: that of spreadsheets in `lang`. */
      separator?: 'comma' | 'semicolon'
    },
    options?: CallOptions,
  ): Promise<Response>

  /** One row for each play, with its scheduled and its true start and how much of it was heard: the proof of play. Its first 50 rows as JSON. Roles: admin, manager.
   *
   * `GET /api/v2/report/r1ext/{track}/{playpoint}/{playlist}/from/{from}/to/{to}/regiontime/{zone}/preview` */
  r1extPreview(
    input: {
      /** Of one item, or of all. */
      track: Uid | 'all'
      /** Of one item, or of all. */
      playpoint: Uid | 'all'
      /** Of one item, or of all. */
      playlist: Uid | 'all'
      from: Day
      to: Day
      /** Whose days: an IANA time zone such as `Europe/Berlin`, or `device` for that of each device. */
      zone: string
    },
    options?: CallOptions,
  ): Promise<ReportPreview>

  /** One row for each track: its plays (without failed ones), devices, first and last play. A file: xlsx (up to 3 million rows, else 413), csv (`separator` `comma`, or `semicolon` with decimal commas; the default is the one that spreadsheets in `lang` read), or pdf (totals and the first 5,000 rows). `zone` is an IANA time zone (`Europe%2FBerlin`) or `device` for each device’s own; the period has 1 to 45 of its days. A client has one report at a time: 429 with Retry-After for the others. Roles: admin, manager.
   *
   * `GET /report/r2/from/{from}/to/{to}/regiontime/{zone}` */
  r2(
    input: {
      from: Day
      to: Day
      /** Whose days: an IANA time zone such as `Europe/Berlin`, or `device` for that of each device. */
      zone: string
      /** Of the file. */
      format?: 'xlsx' | 'csv' | 'pdf'
      /** The language of headings and texts. */
      lang?: Language
      /** The separator of csv files. Default: that of spreadsheets in `lang`. */
      separator?: 'comma' | 'semicolon'
    },
    options?: CallOptions,
  ): Promise<Response>

  /** One row for each track: its plays (without failed ones), devices, first and last play. Its first 50 rows as JSON. Roles: admin, manager.
   *
   * `GET /api/v2/report/r2/from/{from}/to/{to}/regiontime/{zone}/preview` */
  r2Preview(
    input: {
      from: Day
      to: Day
      /** Whose days: an IANA time zone such as `Europe/Berlin`, or `device` for that of each device. */
      zone: string
    },
    options?: CallOptions,
  ): Promise<ReportPreview>

  /** One row for each track: its plays (without failed ones), devices, first and last play. The last 7 days in the devices’ own zones. A file: xlsx (up to 3 million rows, else 413), csv (`separator` `comma`, or `semicolon` with decimal commas; the default is the one that spreadsheets in `lang` read), or pdf (totals and the first 5,000 rows). `zone` is an IANA time zone (`Europe%2FBerlin`) or `device` for each device’s own; the period has 1 to 45 of its days. A client has one report at a time: 429 with Retry-After for the others. Roles: admin, manager.
   *
   * `GET /report/r2` */
  r2Recent(
    input?: {
      /** Of the file. */
      format?: 'xlsx' | 'csv' | 'pdf'
      /** The language of headings and texts. */
      lang?: Language
      /** The separator of csv files. Default: that of spreadsheets in `lang`. */
      separator?: 'comma' | 'semicolon'
    },
    options?: CallOptions,
  ): Promise<Response>

  /** One row for each device and day: its plays (without failed ones), seconds of each kind, and ads in an hour of playing. A file: xlsx (up to 3 million rows, else 413), csv (`separator` `comma`, or `semicolon` with decimal commas; the default is the one that spreadsheets in `lang` read), or pdf (totals and the first 5,000 rows). `zone` is an IANA time zone (`Europe%2FBerlin`) or `device` for each device’s own; the period has 1 to 45 of its days. A client has one report at a time: 429 with Retry-After for the others. Roles: admin, manager.
   *
   * `GET /report/r3/from/{from}/to/{to}/regiontime/{zone}` */
  r3(
    input: {
      from: Day
      to: Day
      /** Whose days: an IANA time zone such as `Europe/Berlin`, or `device` for that of each device. */
      zone: string
      /** Of the file. */
      format?: 'xlsx' | 'csv' | 'pdf'
      /** The language of headings and texts. */
      lang?: Language
      /** The separator of csv files. Default: that of spreadsheets in `lang`. */
      separator?: 'comma' | 'semicolon'
    },
    options?: CallOptions,
  ): Promise<Response>

  /** One row for each device and day: its plays (without failed ones), seconds of each kind, and ads in an hour of playing. Its first 50 rows as JSON. Roles: admin, manager.
   *
   * `GET /api/v2/report/r3/from/{from}/to/{to}/regiontime/{zone}/preview` */
  r3Preview(
    input: {
      from: Day
      to: Day
      /** Whose days: an IANA time zone such as `Europe/Berlin`, or `device` for that of each device. */
      zone: string
    },
    options?: CallOptions,
  ): Promise<ReportPreview>

  /** One row for each device and day: its plays (without failed ones), seconds of each kind, and ads in an hour of playing. The last 7 days in the devices’ own zones. A file: xlsx (up to 3 million rows, else 413), csv (`separator` `comma`, or `semicolon` with decimal commas; the default is the one that spreadsheets in `lang` read), or pdf (totals and the first 5,000 rows). `zone` is an IANA time zone (`Europe%2FBerlin`) or `device` for each device’s own; the period has 1 to 45 of its days. A client has one report at a time: 429 with Retry-After for the others. Roles: admin, manager.
   *
   * `GET /report/r3` */
  r3Recent(
    input?: {
      /** Of the file. */
      format?: 'xlsx' | 'csv' | 'pdf'
      /** The language of headings and texts. */
      lang?: Language
      /** The separator of csv files. Default: that of spreadsheets in `lang`. */
      separator?: 'comma' | 'semicolon'
    },
    options?: CallOptions,
  ): Promise<Response>

  /** One row for each publication and day: planned plays, made plays and their percentage. A file: xlsx (up to 3 million rows, else 413), csv (`separator` `comma`, or `semicolon` with decimal commas; the default is the one that spreadsheets in `lang` read), or pdf (totals and the first 5,000 rows). `zone` is an IANA time zone (`Europe%2FBerlin`) or `device` for each device’s own; the period has 1 to 45 of its days. A client has one report at a time: 429 with Retry-After for the others. Roles: admin, manager.
   *
   * `GET /report/s1ext/from/{from}/to/{to}/regiontime/{zone}` */
  s1ext(
    input: {
      from: Day
      to: Day
      /** Whose days: an IANA time zone such as `Europe/Berlin`, or `device` for that of each device. */
      zone: string
      /** Of the file. */
      format?: 'xlsx' | 'csv' | 'pdf'
      /** The language of headings and texts. */
      lang?: Language
      /** The separator of csv files. Default: that of spreadsheets in `lang`. */
      separator?: 'comma' | 'semicolon'
    },
    options?: CallOptions,
  ): Promise<Response>

  /** One row for each publication and day: planned plays, made plays and their percentage. Its first 50 rows as JSON. Roles: admin, manager.
   *
   * `GET /api/v2/report/s1ext/from/{from}/to/{to}/regiontime/{zone}/preview` */
  s1extPreview(
    input: {
      from: Day
      to: Day
      /** Whose days: an IANA time zone such as `Europe/Berlin`, or `device` for that of each device. */
      zone: string
    },
    options?: CallOptions,
  ): Promise<ReportPreview>

  /** One row for each device: minutes in each connectivity state, and its availability. A file: xlsx (up to 3 million rows, else 413), csv (`separator` `comma`, or `semicolon` with decimal commas; the default is the one that spreadsheets in `lang` read), or pdf (totals and the first 5,000 rows). `zone` is an IANA time zone (`Europe%2FBerlin`) or `device` for each device’s own; the period has 1 to 45 of its days. A client has one report at a time: 429 with Retry-After for the others. Roles: admin, manager.
   *
   * `GET /report/s2ext/from/{from}/to/{to}/regiontime/{zone}` */
  s2ext(
    input: {
      from: Day
      to: Day
      /** Whose days: an IANA time zone such as `Europe/Berlin`, or `device` for that of each device. */
      zone: string
      /** Of the file. */
      format?: 'xlsx' | 'csv' | 'pdf'
      /** The language of headings and texts. */
      lang?: Language
      /** The separator of csv files. Default: that of spreadsheets in `lang`. */
      separator?: 'comma' | 'semicolon'
    },
    options?: CallOptions,
  ): Promise<Response>

  /** One row for each device: minutes in each connectivity state, and its availability. Its first 50 rows as JSON. Roles: admin, manager.
   *
   * `GET /api/v2/report/s2ext/from/{from}/to/{to}/regiontime/{zone}/preview` */
  s2extPreview(
    input: {
      from: Day
      to: Day
      /** Whose days: an IANA time zone such as `Europe/Berlin`, or `device` for that of each device. */
      zone: string
    },
    options?: CallOptions,
  ): Promise<ReportPreview>

  /** One row for each alert: its kind, target, begin and end, and who sent them. A file: xlsx (up to 3 million rows, else 413), csv (`separator` `comma`, or `semicolon` with decimal commas; the default is the one that spreadsheets in `lang` read), or pdf (totals and the first 5,000 rows). `zone` is an IANA time zone (`Europe%2FBerlin`) or `device` for each device’s own; the period has 1 to 45 of its days. A client has one report at a time: 429 with Retry-After for the others. Roles: admin, manager.
   *
   * `GET /report/alert1/from/{from}/to/{to}/regiontime/{zone}` */
  alert1(
    input: {
      from: Day
      to: Day
      /** Whose days: an IANA time zone such as `Europe/Berlin`, or `device` for that of each device. */
      zone: string
      /** Of the file. */
      format?: 'xlsx' | 'csv' | 'pdf'
      /** The language of headings and texts. */
      lang?: Language
      /** The separator of csv files. Default: that of spreadsheets in `lang`. */
      separator?: 'comma' | 'semicolon'
    },
    options?: CallOptions,
  ): Promise<Response>

  /** One row for each alert: its kind, target, begin and end, and who sent them. Its first 50 rows as JSON. Roles: admin, manager.
   *
   * `GET /api/v2/report/alert1/from/{from}/to/{to}/regiontime/{zone}/preview` */
  alert1Preview(
    input: {
      from: Day
      to: Day
      /** Whose days: an IANA time zone such as `Europe/Berlin`, or `device` for that of each device. */
      zone: string
    },
    options?: CallOptions,
  ): Promise<ReportPreview>

  /** One row for each alert and device: when it received, started and ended the alert. A file: xlsx (up to 3 million rows, else 413), csv (`separator` `comma`, or `semicolon` with decimal commas; the default is the one that spreadsheets in `lang` read), or pdf (totals and the first 5,000 rows). `zone` is an IANA time zone (`Europe%2FBerlin`) or `device` for each device’s own; the period has 1 to 45 of its days. A client has one report at a time: 429 with Retry-After for the others. Roles: admin, manager.
   *
   * `GET /report/alert2/from/{from}/to/{to}/regiontime/{zone}` */
  alert2(
    input: {
      from: Day
      to: Day
      /** Whose days: an IANA time zone such as `Europe/Berlin`, or `device` for that of each device. */
      zone: string
      /** Of the file. */
      format?: 'xlsx' | 'csv' | 'pdf'
      /** The language of headings and texts. */
      lang?: Language
      /** The separator of csv files. Default: that of spreadsheets in `lang`. */
      separator?: 'comma' | 'semicolon'
    },
    options?: CallOptions,
  ): Promise<Response>

  /** One row for each alert and device: when it received, started and ended the alert. Its first 50 rows as JSON. Roles: admin, manager.
   *
   * `GET /api/v2/report/alert2/from/{from}/to/{to}/regiontime/{zone}/preview` */
  alert2Preview(
    input: {
      from: Day
      to: Day
      /** Whose days: an IANA time zone such as `Europe/Berlin`, or `device` for that of each device. */
      zone: string
    },
    options?: CallOptions,
  ): Promise<ReportPreview>

  /** One row for each kind of alert, drills apart, and month: alerts, devices, median and longest time to the start. A file: xlsx (up to 3 million rows, else 413), csv (`separator` `comma`, or `semicolon` with decimal commas; the default is the one that spreadsheets in `lang` read), or pdf (totals and the first 5,000 rows). `zone` is an IANA time zone (`Europe%2FBerlin`) or `device` for each device’s own; the period has 1 to 45 of its days. A client has one report at a time: 429 with Retry-After for the others. Roles: admin, manager.
   *
   * `GET /report/alert3/from/{from}/to/{to}/regiontime/{zone}` */
  alert3(
    input: {
      from: Day
      to: Day
      /** Whose days: an IANA time zone such as `Europe/Berlin`, or `device` for that of each device. */
      zone: string
      /** Of the file. */
      format?: 'xlsx' | 'csv' | 'pdf'
      /** The language of headings and texts. */
      lang?: Language
      /** The separator of csv files. Default: that of spreadsheets in `lang`. */
      separator?: 'comma' | 'semicolon'
    },
    options?: CallOptions,
  ): Promise<Response>

  /** One row for each kind of alert, drills apart, and month: alerts, devices, median and longest time to the start. Its first 50 rows as JSON. Roles: admin, manager.
   *
   * `GET /api/v2/report/alert3/from/{from}/to/{to}/regiontime/{zone}/preview` */
  alert3Preview(
    input: {
      from: Day
      to: Day
      /** Whose days: an IANA time zone such as `Europe/Berlin`, or `device` for that of each device. */
      zone: string
    },
    options?: CallOptions,
  ): Promise<ReportPreview>

  /** One row for each device that existed in the period, with its present effective tags, a column for each key. A file: xlsx (up to 3 million rows, else 413), csv (`separator` `comma`, or `semicolon` with decimal commas; the default is the one that spreadsheets in `lang` read), or pdf (totals and the first 5,000 rows). `zone` is an IANA time zone (`Europe%2FBerlin`) or `device` for each device’s own; the period has 1 to 45 of its days. A client has one report at a time: 429 with Retry-After for the others. Roles: admin, manager.
   *
   * `GET /report/playpoints/tags/from/{from}/to/{to}/regiontime/{zone}` */
  tags(
    input: {
      from: Day
      to: Day
      /** Whose days: an IANA time zone such as `Europe/Berlin`, or `device` for that of each device. */
      zone: string
      /** Of the file. */
      format?: 'xlsx' | 'csv' | 'pdf'
      /** The language of headings and texts. */
      lang?: Language
      /** The separator of csv files. Default: that of spreadsheets in `lang`. */
      separator?: 'comma' | 'semicolon'
    },
    options?: CallOptions,
  ): Promise<Response>

  /** One row for each device that existed in the period, with its present effective tags, a column for each key. Its first 50 rows as JSON. Roles: admin, manager.
   *
   * `GET /api/v2/report/playpoints/tags/from/{from}/to/{to}/regiontime/{zone}/preview` */
  tagsPreview(
    input: {
      from: Day
      to: Day
      /** Whose days: an IANA time zone such as `Europe/Berlin`, or `device` for that of each device. */
      zone: string
    },
    options?: CallOptions,
  ): Promise<ReportPreview>

  /** One row for each device that existed in the period, with its present effective tags, a column for each key. The last 7 days in the devices’ own zones. A file: xlsx (up to 3 million rows, else 413), csv (`separator` `comma`, or `semicolon` with decimal commas; the default is the one that spreadsheets in `lang` read), or pdf (totals and the first 5,000 rows). `zone` is an IANA time zone (`Europe%2FBerlin`) or `device` for each device’s own; the period has 1 to 45 of its days. A client has one report at a time: 429 with Retry-After for the others. Roles: admin, manager.
   *
   * `GET /report/playpoints/tags` */
  tagsRecent(
    input?: {
      /** Of the file. */
      format?: 'xlsx' | 'csv' | 'pdf'
      /** The language of headings and texts. */
      lang?: Language
      /** The separator of csv files. Default: that of spreadsheets in `lang`. */
      separator?: 'comma' | 'semicolon'
    },
    options?: CallOptions,
  ): Promise<Response>

  /** One row for each work that was played, for rights societies: a work is an ISRC, or a media item without one; those come first. Failed plays do not count. A file: xlsx (up to 3 million rows, else 413), csv (`separator` `comma`, or `semicolon` with decimal commas; the default is the one that spreadsheets in `lang` read), or pdf (totals and the first 5,000 rows). `zone` is an IANA time zone (`Europe%2FBerlin`) or `device` for each device’s own; the period has 1 to 45 of its days. A client has one report at a time: 429 with Retry-After for the others. Roles: admin, manager.
   *
   * `GET /report/rights/from/{from}/to/{to}/regiontime/{zone}` */
  rights(
    input: {
      from: Day
      to: Day
      /** Whose days: an IANA time zone such as `Europe/Berlin`, or `device` for that of each device. */
      zone: string
      /** Of the file. */
      format?: 'xlsx' | 'csv' | 'pdf'
      /** The language of headings and texts. */
      lang?: Language
      /** The separator of csv files. Default: that of spreadsheets in `lang`. */
      separator?: 'comma' | 'semicolon'
    },
    options?: CallOptions,
  ): Promise<Response>

  /** One row for each work that was played, for rights societies: a work is an ISRC, or a media item without one; those come first. Failed plays do not count. Its first 50 rows as JSON. Roles: admin, manager.
   *
   * `GET /api/v2/report/rights/from/{from}/to/{to}/regiontime/{zone}/preview` */
  rightsPreview(
    input: {
      from: Day
      to: Day
      /** Whose days: an IANA time zone such as `Europe/Berlin`, or `device` for that of each device. */
      zone: string
    },
    options?: CallOptions,
  ): Promise<ReportPreview>

  /** The proof of play of one ad: one row for each publication, device and day, with its promised, planned and delivered plays, why they differ, its ad plays, its gross impressions where an audience is known, and whether plays may be missing since a restore. A file: xlsx (up to 3 million rows, else 413), csv (`separator` `comma`, or `semicolon` with decimal commas; the default is the one that spreadsheets in `lang` read), or pdf (totals and the first 5,000 rows). `zone` is an IANA time zone (`Europe%2FBerlin`) or `device` for each device’s own; the period has 1 to 45 of its days. A client has one report at a time: 429 with Retry-After for the others. Roles: admin, manager.
   *
   * `GET /report/proof/{track}/from/{from}/to/{to}/regiontime/{zone}` */
  proof(
    input: {
      track: Uid
      from: Day
      to: Day
      /** Whose days: an IANA time zone such as `Europe/Berlin`, or `device` for that of each device. */
      zone: string
      /** Of the file. */
      format?: 'xlsx' | 'csv' | 'pdf'
      /** The language of headings and texts. */
      lang?: Language
      /** The separator of csv files. Default: that of spreadsheets in `lang`. */
      separator?: 'comma' | 'semicolon'
    },
    options?: CallOptions,
  ): Promise<Response>

  /** The proof of play of one ad: one row for each publication, device and day, with its promised, planned and delivered plays, why they differ, its ad plays, its gross impressions where an audience is known, and whether plays may be missing since a restore. Its first 50 rows as JSON. Roles: admin, manager.
   *
   * `GET /api/v2/report/proof/{track}/from/{from}/to/{to}/regiontime/{zone}/preview` */
  proofPreview(
    input: {
      track: Uid
      from: Day
      to: Day
      /** Whose days: an IANA time zone such as `Europe/Berlin`, or `device` for that of each device. */
      zone: string
    },
    options?: CallOptions,
  ): Promise<ReportPreview>
}

export interface SavedViewsCalls {
  /** Save a view of a list: its name, search, order, filters and columns. A shared one needs full rights (HTTP 403). 400 'too-many-views' above 50 of the user, or 50 that are shared. Roles: admin, manager. Outcomes: 200 done, 400 notDone.
   *
   * `POST /api/v2/views/add` */
  add(input: SavedViewDraft, options?: CallOptions): Promise<Made<200> | Refused<400>>

  /** Delete a view. A shared one needs full rights (HTTP 403). Roles: admin, manager. Outcomes: 200 done.
   *
   * `POST /api/v2/views/delete` */
  delete(
    input: {
      uid: Uid
    },
    options?: CallOptions,
  ): Promise<Done<200>>

  /** Rename a view, or change what it shows. A shared one needs full rights (HTTP 403). Roles: admin, manager. Outcomes: 200 done.
   *
   * `POST /api/v2/views/edit` */
  edit(
    input: {
      uid: Uid
      version?: number
      name?: Name
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
    },
    options?: CallOptions,
  ): Promise<Done<200>>

  /** The views of a list that are the user's own or shared, by name. Roles: admin, manager.
   *
   * `GET /api/v2/views/{list}` */
  list(
    input: {
      list: ViewedList
    },
    options?: CallOptions,
  ): Promise<SavedView[]>

  /** Share an own view with the client's other users, or make a shared one the own view of the caller. 400 'too-many-views' above 50. Roles: admin, manager. Outcomes: 200 done, 400 notDone.
   *
   * `POST /api/v2/views/share` */
  share(
    input: {
      uid: Uid
      /** False: it becomes the caller's own. */
      isShared: boolean
    },
    options?: CallOptions,
  ): Promise<Done<200> | Refused<400>>
}

export interface SecondFactorCalls {
  /** Begin to set up an authenticator app of the user's own, or another in place of the present one, which works until a code confirms the new one. HTTP 422 at `password` if that is wrong. Roles: admin, manager, streamer. Outcomes: 200 done.
   *
   * `POST /api/v2/second-factor/begin` */
  beginEnrollment(
    input: {
      password: OwnPassword
    },
    options?: CallOptions,
  ): Promise<
    Done<200> & {
      /** In base32, to be typed. */
      secret?: string
      /** The `otpauth:` address, to be shown as a QR code. */
      uri?: string
    }
  >

  /** Begin to set up the second factor that the client requires, in a sign-in that was answered with `mustEnroll`. HTTP 400 'step-expired'.
   *
   * `POST /api/v2/session/enroll` */
  beginRequiredEnrollment(
    input: {
      /** The `ticket` of the `secondStep`. */
      ticket: string
    },
    options?: CallOptions,
  ): Promise<TotpDraft>

  /** Complete a sign-in that was answered with HTTP 403 'second-factor': the ticket of its `secondStep`, and a code of the authenticator app or a recovery code. HTTP 400 'step-expired' after 5 minutes or 5 wrong codes; 422 at `code`.
   *
   * `POST /api/v2/session/second-step` */
  completeSignIn(
    input: {
      /** The `ticket` of the `secondStep`. */
      ticket: string
      code: TotpCode
    },
    options?: CallOptions,
  ): Promise<SignedIn>

  /** Confirm the second factor by a code of the authenticator app (HTTP 422 at `code`). The recovery codes are shown once; the other sessions of the user end. Roles: admin, manager, streamer. Outcomes: 200 done.
   *
   * `POST /api/v2/second-factor/confirm` */
  confirmEnrollment(
    input: {
      code: TotpCode
    },
    options?: CallOptions,
  ): Promise<
    Done<200> & {
      recoveryCodes?: RecoveryCodes
    }
  >

  /** Confirm the second factor by a code of the authenticator app, and sign in. The recovery codes are shown once.
   *
   * `POST /api/v2/session/enroll/confirm` */
  confirmRequiredEnrollment(
    input: {
      /** The `ticket` of the `secondStep`. */
      ticket: string
      code: TotpCode
    },
    options?: CallOptions,
  ): Promise<{
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
    recoveryCodes: RecoveryCodes
  }>

  /** The user's own second factor. Roles: admin, manager, streamer.
   *
   * `GET /api/v2/second-factor` */
  read(options?: CallOptions): Promise<SecondFactor>

  /** Remove the user's own second factor. HTTP 422 at `password` if that is wrong; 400 'second-factor-required' if the client requires one. Roles: admin, manager, streamer. Outcomes: 200 done, 400 notDone.
   *
   * `POST /api/v2/second-factor/remove` */
  remove(
    input: {
      password: OwnPassword
    },
    options?: CallOptions,
  ): Promise<Done<200> | Refused<400>>

  /** Remove the second factor of another user who has lost it; its sessions end. The password is the admin's own: HTTP 422 at `password` if that is wrong. 400 'own-second-factor' for one's own. Roles: admin. Outcomes: 200 done, 400 notDone.
   *
   * `POST /api/v2/users/{uid}/second-factor/remove` */
  removeUserSecondFactor(
    input: {
      uid: Uid
    } & {
      password: OwnPassword
    },
    options?: CallOptions,
  ): Promise<Done<200> | Refused<400>>

  /** Replace the user's recovery codes. HTTP 422 at `password` if that is wrong; 400 'no-second-factor'. Roles: admin, manager, streamer. Outcomes: 200 done, 400 notDone.
   *
   * `POST /api/v2/second-factor/recovery-codes` */
  renewRecoveryCodes(
    input: {
      password: OwnPassword
    },
    options?: CallOptions,
  ): Promise<
    (Done<200> | Refused<400>) & {
      recoveryCodes?: RecoveryCodes
    }
  >

  /** Require a second factor of every user of the client, or no longer. The sessions of users without one end, but for streamers; they set it up at their next sign-in. 400 'no-second-factor' for an admin without one. Roles: admin. Outcomes: 200 done, 400 notDone.
   *
   * `POST /api/v2/users/second-factor` */
  require(
    input: {
      /** True: every user but streamers needs one. */
      isRequired: boolean
    },
    options?: CallOptions,
  ): Promise<Done<200> | Refused<400>>
}

export interface SessionCalls {
  /** Sign in, or unlock with the stored email. 400 for a wrong login or password. HTTP 403 'second-factor' with a `secondStep` for users with a second factor.
   *
   * `POST /users/authenticate` */
  authenticate(input: Credentials, options?: CallOptions): Promise<SignedIn>

  /** Revoke the token: lock and logout. Roles: admin, manager, streamer. Outcomes: 200 done.
   *
   * `POST /api/v2/session/end` */
  end(options?: CallOptions): Promise<Done<200>>

  /** A ticket for a media file, a preview or a device channel, whose callers cannot send a header: 10 minutes, read-only, bound to this path and session. HTTP 403 or 404 for what the user may not open. At most 600 in ten minutes for a session. Roles: admin, manager, streamer.
   *
   * `POST /api/v2/ticket` */
  makeTicket(
    input: {
      path: TicketPath
    },
    options?: CallOptions,
  ): Promise<{
    /** Goes in the query of the call for the path: `?ticket=`. */
    ticket: string
    expiresAt: Instant
  }>

  /** The user's own personalization, and the language of mails to the user: null until it is known. Roles: admin, manager, streamer.
   *
   * `GET /api/v2/profile/read/{id}` */
  readProfile(
    input: {
      id: Uid
    },
    options?: CallOptions,
  ): Promise<{
    /** The colour of the menu. */
    color: 'info' | 'primary' | 'orange' | 'citrus' | 'green' | 'blue'
    /** `auto`: as the system of the user has it. */
    mode: 'light' | 'dark' | 'auto'
    /** How much of the menu is shown. */
    menuType: 'full' | 'minimized' | 'hidden'
    /** The language of mails to the user; null until it is known. */
    language: Language | null
  }>

  /** The signed-in user's current role, rights and subscription. Roles: admin, manager, streamer.
   *
   * `GET /api/v2/session` */
  read(options?: CallOptions): Promise<SessionUser>

  /** Create a client on the Trial plan and its first user, an admin, and sign the user in. HTTP 403 'registration-by-mail' where there is a mail server: ask by /users/register/request.
   *
   * `POST /users/register` */
  register(input: Registration, options?: CallOptions): Promise<SignedIn>

  /** Save the user's own personalization, names and language of mails. Roles: admin, manager, streamer. Outcomes: 200 done.
   *
   * `POST /api/v2/profile/save` */
  saveProfile(
    input?: {
      /** The colour of the menu. */
      color?: 'info' | 'primary' | 'orange' | 'citrus' | 'green' | 'blue'
      /** `auto`: as the system of the user has it. */
      mode?: 'light' | 'dark' | 'auto'
      /** How much of the menu is shown. */
      menuType?: 'full' | 'minimized' | 'hidden'
      /** Empty: no first name. */
      firstName?: string
      /** Empty: no last name. */
      lastName?: string
      /** The language of mails to the user. */
      language?: Language
    },
    options?: CallOptions,
  ): Promise<Done<200>>
}

export interface SessionsCalls {
  /** End all of the user's own sessions except the one of this call. Roles: admin, manager, streamer. Outcomes: 200 done.
   *
   * `POST /api/v2/sessions/endothers` */
  endOtherSessions(options?: CallOptions): Promise<Done<200>>

  /** End one of the user's own sessions, with its streams, channels and tickets. HTTP 404 if it has ended. Roles: admin, manager, streamer. Outcomes: 200 done.
   *
   * `POST /api/v2/sessions/{uid}/end` */
  endOwnSession(
    input: {
      uid: Uid
    },
    options?: CallOptions,
  ): Promise<Done<200>>

  /** End all sessions of a user of the client; the admin's own go on, if it is this user, in the session of this call. The password is the admin's own: HTTP 422 at `password` if that is wrong. Works also after the subscription has expired. Roles: admin. Outcomes: 200 done.
   *
   * `POST /api/v2/users/{uid}/endsessions` */
  endUserSessions(
    input: {
      uid: Uid
    } & {
      password: OwnPassword
    },
    options?: CallOptions,
  ): Promise<Done<200>>

  /** The user's own sessions, the last used first, at most 100. Roles: admin, manager, streamer.
   *
   * `GET /api/v2/sessions` */
  listOwnSessions(options?: CallOptions): Promise<UserSession[]>

  /** The sessions of a user of the client, the last used first, at most 100. Roles: admin.
   *
   * `GET /api/v2/users/{uid}/sessions` */
  listUserSessions(
    input: {
      uid: Uid
    },
    options?: CallOptions,
  ): Promise<UserSession[]>
}

export interface TagsCalls {
  /** Add a tag; the known keys are typed. 400 'tag-exists'. Roles: admin. Outcomes: 200 done, 400 notDone.
   *
   * `POST /tag/{contentType}/{uid}/add` */
  add(
    input: {
      contentType: TagLevel
      /** The device's or the group's. `own`: the client of the signed-in user, so that no caller needs its uid. */
      uid: Uid | 'own'
    } & TagDraft,
    options?: CallOptions,
  ): Promise<Done<200> | Refused<400>>

  /** Delete the tag with this key. 400 'no-such-tag', of a volume 'volume-already-default'. Roles: admin. Outcomes: 200 done, 400 notDone.
   *
   * `POST /tag/{contentType}/{uid}/delete` */
  delete(
    input: {
      contentType: TagLevel
      /** The device's or the group's. `own`: the client of the signed-in user, so that no caller needs its uid. */
      uid: Uid | 'own'
    } & {
      key: TagKey
    },
    options?: CallOptions,
  ): Promise<Done<200> | Refused<400>>

  /** Change the value or description of the tag with this key. 400 'no-such-tag'. Roles: admin. Outcomes: 200 done, 400 notDone.
   *
   * `POST /tag/{contentType}/{uid}/edit` */
  edit(
    input: {
      contentType: TagLevel
      /** The device's or the group's. `own`: the client of the signed-in user, so that no caller needs its uid. */
      uid: Uid | 'own'
    } & TagChange,
    options?: CallOptions,
  ): Promise<Done<200> | Refused<400>>

  /** Set many tags, all or none: HTTP 422 with `errors` by index (`3.value`) if one is invalid, names an unknown item or occurs twice. Roles: admin. Outcomes: 200 done, 400 notDone.
   *
   * `POST /tagext/import` */
  import(
    input: {
      body: TagImport
    },
    options?: CallOptions,
  ): Promise<
    (Done<200> | Refused<400>) & {
      /** How many tags are new. */
      added?: number
      /** How many were there, and have the values of the import now. */
      changed?: number
    }
  >

  /** The tags of a device, a group or the client (uid `own`), by key. Floorcast itself understands region, city, country, district, community, address, volume, openingTime, closingTime, timeZone, latitude, longitude, audience, zone. Roles: admin, manager.
   *
   * `GET /tag/{contentType}/{uid}` */
  list(
    input: {
      contentType: TagLevel
      /** The device's or the group's. `own`: the client of the signed-in user, so that no caller needs its uid. */
      uid: Uid | 'own'
    },
    options?: CallOptions,
  ): Promise<Tag[]>

  /** The effective tags of a device and the source of each. Roles: admin, manager.
   *
   * `GET /api/v2/device/{uid}/tags` */
  readEffectiveTags(
    input: {
      uid: Uid
    },
    options?: CallOptions,
  ): Promise<EffectiveTags>

  /** Set whose tags win for a device: its own (`device`, the default), its group's or the client's. The answer has the effective tags and the source of each. Roles: admin. Outcomes: 200 done.
   *
   * `GET /policy/{uid}/{resultpolicy}` */
  setTagPolicy(
    input: {
      uid: Uid
      resultpolicy: TagLevel
    },
    options?: CallOptions,
  ): Promise<
    Done<200> & {
      policy?: TagLevel
      /** Sorted by key. */
      tags?: EffectiveTag[]
    }
  >
}

export interface UpdateChannelsCalls {
  /** Create a channel, open. HTTP 422 at `groupUids.n` for an unknown group. Roles: admin. Outcomes: 200 done, 400 notDone.
   *
   * `POST /api/v2/update/channel/add` */
  addChannel(
    input: {
      name: Name
      description?: Description
      /** The groups whose devices get its packages. */
      groupUids?: Uid[]
    },
    options?: CallOptions,
  ): Promise<Made<200> | Refused<400>>

  /** Delete a channel. 409 with the names of the packages on it. Roles: admin. Outcomes: 200 done, 409 inUse.
   *
   * `POST /api/v2/update/channel/delete` */
  deleteChannel(
    input: {
      uid: Uid
    },
    options?: CallOptions,
  ): Promise<Done<200> | Refused<409>>

  /** Change a channel; `groupUids` replaces its groups. Roles: admin. Outcomes: 200 done, 400 notDone.
   *
   * `POST /api/v2/update/channel/edit` */
  editChannel(
    input: {
      uid: Uid
      name?: Name
      description?: Description
      /** All of its groups from now on. */
      groupUids?: Uid[]
      /** The record's that the user saw; HTTP 409 if it is stale. */
      version?: number
    },
    options?: CallOptions,
  ): Promise<Done<200> | Refused<400>>

  /** The client's update channels. Roles: admin.
   *
   * `GET /update/channel` */
  listChannels(
    input?: {
      /** Which page, from 1. */
      page?: number
      /** Items of a page, at most 200. */
      size?: number
      /** Words that an item has, in any order; at most 10. */
      search?: string
      /** The column to sort by; each list has one of its own by default, and refuses those that it has not. */
      sort?: string
      /** The direction of the sort. */
      dir?: 'asc' | 'desc'
      state?: ChannelState
    },
    options?: CallOptions,
  ): List<ChannelRow>

  /** Open → frozen → open: 0 open, 9 frozen. HTTP 409 when `from` is stale. Roles: admin. Outcomes: 0 activated, 9 disabled, -1 notAllowed.
   *
   * `GET /update/channel/{id}/staterotate` */
  rotateChannel(
    input: {
      id: Uid
      /** The state that the caller has seen: HTTP 409 if another one has changed it meanwhile. Without it the call turns what it finds: two calls at once turn it twice, both with success. */
      from?: ChannelState
    },
    options?: CallOptions,
  ): Promise<
    (Done<0 | 9> | Refused<-1>) & {
      state?: ChannelState
    }
  >
}

export interface UpdateFilesCalls {
  /** Add an existing file to another draft package; `uid` is the link. 902 if the package has a file of this name. Roles: admin. Outcomes: 200 done, 400 notDone, 902 nameExists.
   *
   * `POST /api/v2/update/files/add` */
  add(
    input: {
      fileUid: Uid
      packageUid: Uid
    },
    options?: CallOptions,
  ): Promise<Made<200> | Refused<400 | 902>>

  /** Delete a file permanently. 409 with the names of the packages that contain it. Roles: admin. Outcomes: 200 done, 409 inUse.
   *
   * `POST /api/v2/update/files/delete` */
  delete(
    input: {
      uid: Uid
    },
    options?: CallOptions,
  ): Promise<Done<200> | Refused<409>>

  /** Change a file's name or description in the lists; devices use its original name. Roles: admin. Outcomes: 200 done.
   *
   * `POST /api/v2/update/files/edit` */
  edit(
    input: {
      uid: Uid
      name?: Name
      description?: Description
      /** The record's that the user saw; HTTP 409 if it is stale. */
      version?: number
    },
    options?: CallOptions,
  ): Promise<Done<200>>

  /** The client's update files, in packages or not. Roles: admin.
   *
   * `GET /update/files` */
  list(
    input?: {
      /** Which page, from 1. */
      page?: number
      /** Items of a page, at most 200. */
      size?: number
      /** Words that an item has, in any order; at most 10. */
      search?: string
      /** The column to sort by; each list has one of its own by default, and refuses those that it has not. */
      sort?: string
      /** The direction of the sort. */
      dir?: 'asc' | 'desc'
    },
    options?: CallOptions,
  ): List<UpdateFileRow>
}

export interface UpdatePackagesCalls {
  /** Create a package, a draft without files. Roles: admin. Outcomes: 200 done, 400 notDone.
   *
   * `POST /api/v2/update/package/add` */
  addPackage(input: PackageDraft, options?: CallOptions): Promise<Made<200> | Refused<400>>

  /** Delete a package permanently; its files stay. 409 with the names of its channels. Roles: admin. Outcomes: 200 done, 409 inUse.
   *
   * `POST /api/v2/update/package/delete` */
  deletePackage(
    input: {
      uid: Uid
    },
    options?: CallOptions,
  ): Promise<Done<200> | Refused<409>>

  /** Change a draft. HTTP 409 for a stale `recordVersion`. 400 'not-a-draft'. Roles: admin. Outcomes: 200 done, 400 notDone.
   *
   * `POST /api/v2/update/package/edit` */
  editPackage(
    input: {
      uid: Uid
      name?: Name
      description?: Description
      category?: Name
      /** One to four numbers with dots, and a word for what comes before the release: `2.776.0-rc.1`. */
      version?: string
      /** The record's that the user saw; HTTP 409 if it is stale. */
      recordVersion?: number
    },
    options?: CallOptions,
  ): Promise<Done<200> | Refused<400>>

  /** Remove a file from a draft package; the file stays. 400 'not-a-draft'. Roles: admin. Outcomes: 200 done, 400 notDone.
   *
   * `GET /update/package/{uid}/excludefile/{fileuid}/link/{linkid}` */
  excludeFile(
    input: {
      uid: Uid
      fileuid: Uid
      linkid: Uid
    },
    options?: CallOptions,
  ): Promise<Done<200> | Refused<400>>

  /** A package's files. Roles: admin.
   *
   * `GET /update/package/{id}/files` */
  listPackageFiles(
    input: {
      id: Uid
      /** Which page, from 1. */
      page?: number
      /** Items of a page, at most 200. */
      size?: number
      /** Words that an item has, in any order; at most 10. */
      search?: string
      /** The column to sort by; each list has one of its own by default, and refuses those that it has not. */
      sort?: string
      /** The direction of the sort. */
      dir?: 'asc' | 'desc'
    },
    options?: CallOptions,
  ): List<PackageFile>

  /** The client's update packages. Roles: admin.
   *
   * `GET /update/package` */
  listPackages(
    input?: {
      /** Which page, from 1. */
      page?: number
      /** Items of a page, at most 200. */
      size?: number
      /** Words that an item has, in any order; at most 10. */
      search?: string
      /** The column to sort by; each list has one of its own by default, and refuses those that it has not. */
      sort?: string
      /** The direction of the sort. */
      dir?: 'asc' | 'desc'
      state?: PackageState
      /** The whole category. */
      category?: string
    },
    options?: CallOptions,
  ): List<PackageRow>

  /** One package with its files. Roles: admin.
   *
   * `GET /update/package/{id}` */
  readPackage(
    input: {
      id: Uid
    },
    options?: CallOptions,
  ): Promise<PackageCard>

  /** Draft → testing → released → draft: 0 if devices can see it now, otherwise 9. HTTP 409 when `from` is stale. -2 'package-empty', 'update-key-missing' without a public key, 'signature-missing', 'signature-wrong' or 'signature-mismatch' (signed as another version) with the files' names. Roles: admin. Outcomes: 0 activated, 9 disabled, -2 notConsistent, -1 notAllowed.
   *
   * `GET /update/package/{id}/staterotate` */
  rotatePackage(
    input: {
      id: Uid
      /** The state that the caller has seen: HTTP 409 if another one has changed it meanwhile. Without it the call turns what it finds: two calls at once turn it twice, both with success. */
      from?: PackageState
    },
    options?: CallOptions,
  ): Promise<
    (Done<0 | 9> | Refused<-2 | -1>) & {
      state?: PackageState
    }
  >

  /** Upload a file into a draft package (its uid). Parts in any order: `file`, `signature` (the content of FILE.sig) and `description`. Checked in this order, what another try cannot mend first: 400 'not-a-draft'; 902 the package has a file of this name, before the bytes come; 903 not enough storage and 901 empty while they come; with the client's public key set, 400 'signature-missing', 'signature-wrong' or 'signature-mismatch'. Roles: admin. Outcomes: 200 done, 400 notDone, 901 wrongFileType, 902 nameExists, 903 storageFull.
   *
   * `POST /update/upload/{uid}` */
  uploadUpdateFile(
    input: {
      uid: Uid
    } & {
      description?: Description
      /** The line of FILE.sig, as `npm run sign-update` writes it; empty or absent: none. */
      signature?: string | ''
      /** Any file that is not empty. */
      file: File
    },
    options?: CallOptions,
  ): Promise<
    (Made<200> | Refused<400 | 901 | 902 | 903>) & {
      linkUid?: Uid
    }
  >
}

export interface UpdatesCalls {
  /** For each device, or those of the channels of a package: the installed and the offered version, the newest step, and the reason of a failure. Roles: admin.
   *
   * `GET /update/devices` */
  listUpdateDevices(
    input?: {
      /** Which page, from 1. */
      page?: number
      /** Items of a page, at most 200. */
      size?: number
      /** Words that an item has, in any order; at most 10. */
      search?: string
      /** The column to sort by; each list has one of its own by default, and refuses those that it has not. */
      sort?: string
      /** The direction of the sort. */
      dir?: 'asc' | 'desc'
      group?: Uid
      /** One or more steps, separated by commas. */
      step?: string
      /** Devices of the channels that this package is on. */
      package?: Uid
    },
    options?: CallOptions,
  ): List<UpdateDevice>

  /** The public key for the signatures of update files; null: no package can leave its draft. Roles: admin.
   *
   * `GET /api/v2/update/key` */
  readUpdateKey(options?: CallOptions): Promise<{
    /** Ed25519: 32 bytes in base64; null: none is set. */
    publicKey: string | null
  }>

  /** Set or remove (null) the public key, which checks uploads, releases and offers. Devices have their own key from the installation. HTTP 422 'update-key'. Roles: admin. Outcomes: 200 done.
   *
   * `POST /api/v2/update/key` */
  setUpdateKey(
    input: {
      /** Ed25519: 32 bytes in base64; null removes it. */
      publicKey: string | null
    },
    options?: CallOptions,
  ): Promise<Done<200>>
}

export interface UsersCalls {
  /** Set the password with the link of an invitation or reset, and sign in. HTTP 400 'link-expired'; 422 'email-taken' if the user has joined another client since.
   *
   * `POST /api/v2/users/accept` */
  acceptLink(input: PasswordByLink, options?: CallOptions): Promise<SignedIn>

  /** Change the user's own password; the user's other sessions end. HTTP 422 at `current` if that is wrong. Roles: admin, manager, streamer. Outcomes: 200 done.
   *
   * `POST /api/v2/users/password` */
  changePassword(
    input: {
      /** The password until now. */
      current: string
      password: NewPassword
    },
    options?: CallOptions,
  ): Promise<Done<200>>

  /** Change a user's role, rights, names, linked device or language of mails. Role or rights of an admin, and what makes an admin, need the caller's own `password`: HTTP 422 at `password` without it. 400 'last-admin' for the last admin with full rights. Roles: admin. Outcomes: 200 done, 400 notDone.
   *
   * `POST /api/v2/users/edit` */
  edit(
    input: {
      uid: Uid
      /** A `streamer` only plays what its linked device has to play. */
      role?: 'admin' | 'manager' | 'streamer'
      /** `view`: changes of the client's items are refused. */
      rights?: 'full' | 'view'
      /** Empty: not known. */
      firstName?: string
      /** Empty: not known. */
      lastName?: string
      /** The device of a streamer; null for other roles. */
      linkedDeviceUid?: Uid | null
      language?: Language
      password?: OwnPassword
    },
    options?: CallOptions,
  ): Promise<Done<200> | Refused<400>>

  /** Add a user; the answer has the one-time link (72 h) for the user, or, where there is a mail server, the address to which it is mailed. A streamer needs a device. Mails to the user are in the language; without one, in the caller's own. An admin is invited by the caller's own `password`: HTTP 422 at `password` without it. HTTP 422 'email-taken' for an email of this client; at most 100 an hour. Roles: admin. Outcomes: 200 done, 400 notDone.
   *
   * `POST /api/v2/users/invite` */
  invite(
    input: {
      /** What the user is to sign in with. */
      email: EmailInput
      /** A `streamer` only plays what its linked device has to play. */
      role: 'admin' | 'manager' | 'streamer'
      /** `view`: changes of the client's items are refused. */
      rights?: 'full' | 'view'
      /** Empty: not known. */
      firstName?: string
      /** Empty: not known. */
      lastName?: string
      /** The device of a streamer; null for other roles. */
      linkedDeviceUid?: Uid | null
      /** The language of mails to the user; null: the caller's. */
      language?: Language | null
      password?: OwnPassword
    },
    options?: CallOptions,
  ): Promise<
    (Done<200> | Refused<400>) & {
      /** Opens the page that sets the password; shown once, never stored. */
      link?: string
      expiresAt?: Instant
      /** Where there is a mail server: the address to which the link goes. The answer then has no link. */
      sentTo?: string
    }
  >

  /** The client's users. Roles: admin.
   *
   * `GET /api/v2/users` */
  list(
    input?: {
      /** Which page, from 1. */
      page?: number
      /** Items of a page, at most 200. */
      size?: number
      /** Words that an item has, in any order; at most 10. */
      search?: string
      /** The column to sort by; each list has one of its own by default, and refuses those that it has not. */
      sort?: string
      /** The direction of the sort. */
      dir?: 'asc' | 'desc'
    },
    options?: CallOptions,
  ): List<UserRow>

  /** Remove a user; its sessions end. The password is the admin's own: HTTP 422 at `password` if that is wrong. 400 'last-admin' for the last admin with full rights. Roles: admin. Outcomes: 200 done, 400 notDone.
   *
   * `POST /api/v2/users/delete` */
  remove(
    input: {
      uid: Uid
      password: OwnPassword
    },
    options?: CallOptions,
  ): Promise<Done<200> | Refused<400>>

  /** Create a one-time link (72 h) to set a new password; the old one works until then. Where there is a mail server, the link goes to the user's email. The password is the admin's own: HTTP 422 at `password` if that is wrong. Roles: admin. Outcomes: 200 done.
   *
   * `POST /api/v2/users/{uid}/reset` */
  reset(
    input: {
      uid: Uid
    } & {
      password: OwnPassword
    },
    options?: CallOptions,
  ): Promise<
    Done<200> & {
      /** Opens the page that sets the password; shown once, never stored. */
      link?: string
      expiresAt?: Instant
      /** Where there is a mail server: the address to which the link goes. The answer then has no link. */
      sentTo?: string
    }
  >
}

export interface WebhooksCalls {
  /** Post what happens to an address from now on, signed as Standard Webhooks has it. An address is public and speaks https. 400 above 20 webhooks. Roles: admin. Outcomes: 200 done, 400 notDone.
   *
   * `POST /api/v2/webhooks/add` */
  add(
    input: {
      name: Name
      url: string
      /** Only events of these kinds; null: all of them. */
      kinds?:
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
    },
    options?: CallOptions,
  ): Promise<
    (Done<200> | Refused<400>) & {
      secret?: string
    }
  >

  /** Delete a webhook; events that wait are not sent. Roles: admin. Outcomes: 200 done.
   *
   * `POST /api/v2/webhooks/delete` */
  delete(
    input: {
      uid: Uid
    },
    options?: CallOptions,
  ): Promise<Done<200>>

  /** Change a webhook. One that is made active again gets the events from then on. Roles: admin. Outcomes: 200 done.
   *
   * `POST /api/v2/webhooks/edit` */
  edit(
    input: {
      uid: Uid
      /** The record's that the user saw; HTTP 409 if it is stale. */
      version?: number
      name?: Name
      url?: string
      /** Only events of these kinds; null: all of them. */
      kinds?:
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
      state?: 'active' | 'disabled'
    },
    options?: CallOptions,
  ): Promise<Done<200>>

  /** The events of a webhook, newest first, for 30 days. Roles: admin.
   *
   * `GET /api/v2/webhooks/{uid}/deliveries` */
  listWebhookDeliveries(
    input: {
      uid: Uid
      /** Which page, from 1. */
      page?: number
      /** Items of a page, at most 200. */
      size?: number
      /** Only those in this state. */
      state?: 'waiting' | 'delivered' | 'failed'
    },
    options?: CallOptions,
  ): List<WebhookDelivery>

  /** The webhooks of the client, by name. Roles: admin.
   *
   * `GET /api/v2/webhooks` */
  list(options?: CallOptions): Promise<Webhook[]>

  /** Send an event again, with the same id. 400 while the webhook is disabled. Roles: admin. Outcomes: 200 done, 400 notDone.
   *
   * `POST /api/v2/webhooks/{uid}/deliveries/{position}/resend` */
  resendWebhookDelivery(
    input: {
      uid: Uid
      /** The event's. */
      position: number
    },
    options?: CallOptions,
  ): Promise<Done<200> | Refused<400>>

  /** A new secret. The former one signs too for 24 hours. Roles: admin. Outcomes: 200 done.
   *
   * `POST /api/v2/webhooks/{uid}/rotate` */
  rotate(
    input: {
      uid: Uid
    },
    options?: CallOptions,
  ): Promise<
    Done<200> & {
      secret?: string
    }
  >
}

/** The calls, by noun. */
export abstract class Api {
  declare readonly alerts: AlertsCalls
  declare readonly audit: AuditCalls
  declare readonly bulkDevices: BulkDevicesCalls
  declare readonly bulkGroups: BulkGroupsCalls
  declare readonly bulkMedia: BulkMediaCalls
  declare readonly bulkPlaylists: BulkPlaylistsCalls
  declare readonly bulkPublications: BulkPublicationsCalls
  declare readonly bulkRecycle: BulkRecycleCalls
  declare readonly charts: ChartsCalls
  declare readonly clientEvents: ClientEventsCalls
  declare readonly dashboard: DashboardCalls
  declare readonly delivery: DeliveryCalls
  declare readonly deployPackages: DeployPackagesCalls
  declare readonly devices: DevicesCalls
  declare readonly groups: GroupsCalls
  declare readonly installation: InstallationCalls
  declare readonly listening: ListeningCalls
  declare readonly mailedLinks: MailedLinksCalls
  declare readonly media: MediaCalls
  declare readonly passkeys: PasskeysCalls
  declare readonly plans: PlansCalls
  declare readonly playlists: PlaylistsCalls
  declare readonly profiles: ProfilesCalls
  declare readonly proof: ProofCalls
  declare readonly publications: PublicationsCalls
  declare readonly recycle: RecycleCalls
  declare readonly reports: ReportsCalls
  declare readonly savedViews: SavedViewsCalls
  declare readonly secondFactor: SecondFactorCalls
  declare readonly session: SessionCalls
  declare readonly sessions: SessionsCalls
  declare readonly tags: TagsCalls
  declare readonly updateChannels: UpdateChannelsCalls
  declare readonly updateFiles: UpdateFilesCalls
  declare readonly updatePackages: UpdatePackagesCalls
  declare readonly updates: UpdatesCalls
  declare readonly users: UsersCalls
  declare readonly webhooks: WebhooksCalls
}

export const operations: readonly Operation[] = [
  {
    group: 'session',
    name: 'authenticate',
    method: 'POST',
    path: '/users/authenticate',
    body: 'json',
    isOnce: true,
  },
  {
    group: 'session',
    name: 'end',
    method: 'POST',
    path: '/api/v2/session/end',
    isKeyed: true,
    takesNothing: true,
  },
  { group: 'session', name: 'makeTicket', method: 'POST', path: '/api/v2/ticket', body: 'json' },
  { group: 'session', name: 'readProfile', method: 'GET', path: '/api/v2/profile/read/{id}' },
  { group: 'session', name: 'read', method: 'GET', path: '/api/v2/session', takesNothing: true },
  { group: 'session', name: 'register', method: 'POST', path: '/users/register', body: 'json', isOnce: true },
  {
    group: 'session',
    name: 'saveProfile',
    method: 'POST',
    path: '/api/v2/profile/save',
    body: 'json',
    isKeyed: true,
  },
  {
    group: 'sessions',
    name: 'endOtherSessions',
    method: 'POST',
    path: '/api/v2/sessions/endothers',
    isKeyed: true,
    takesNothing: true,
  },
  {
    group: 'sessions',
    name: 'endOwnSession',
    method: 'POST',
    path: '/api/v2/sessions/{uid}/end',
    isKeyed: true,
  },
  {
    group: 'sessions',
    name: 'endUserSessions',
    method: 'POST',
    path: '/api/v2/users/{uid}/endsessions',
    body: 'json',
    isKeyed: true,
  },
  { group: 'sessions', name: 'listOwnSessions', method: 'GET', path: '/api/v2/sessions', takesNothing: true },
  { group: 'sessions', name: 'listUserSessions', method: 'GET', path: '/api/v2/users/{uid}/sessions' },
  {
    group: 'mailedLinks',
    name: 'confirmAccount',
    method: 'POST',
    path: '/users/register/confirm',
    body: 'json',
    isOnce: true,
  },
  {
    group: 'mailedLinks',
    name: 'forgotPassword',
    method: 'POST',
    path: '/users/forgot',
    body: 'json',
    isOnce: true,
  },
  {
    group: 'mailedLinks',
    name: 'readLink',
    method: 'POST',
    path: '/api/v2/users/link',
    body: 'json',
    isOnce: true,
  },
  {
    group: 'mailedLinks',
    name: 'requestAccount',
    method: 'POST',
    path: '/users/register/request',
    body: 'json',
    isOnce: true,
  },
  {
    group: 'secondFactor',
    name: 'beginEnrollment',
    method: 'POST',
    path: '/api/v2/second-factor/begin',
    body: 'json',
    isKeyed: true,
  },
  {
    group: 'secondFactor',
    name: 'beginRequiredEnrollment',
    method: 'POST',
    path: '/api/v2/session/enroll',
    body: 'json',
    isOnce: true,
  },
  {
    group: 'secondFactor',
    name: 'completeSignIn',
    method: 'POST',
    path: '/api/v2/session/second-step',
    body: 'json',
    isOnce: true,
  },
  {
    group: 'secondFactor',
    name: 'confirmEnrollment',
    method: 'POST',
    path: '/api/v2/second-factor/confirm',
    body: 'json',
    isKeyed: true,
  },
  {
    group: 'secondFactor',
    name: 'confirmRequiredEnrollment',
    method: 'POST',
    path: '/api/v2/session/enroll/confirm',
    body: 'json',
    isOnce: true,
  },
  { group: 'secondFactor', name: 'read', method: 'GET', path: '/api/v2/second-factor', takesNothing: true },
  {
    group: 'secondFactor',
    name: 'remove',
    method: 'POST',
    path: '/api/v2/second-factor/remove',
    body: 'json',
    isKeyed: true,
  },
  {
    group: 'secondFactor',
    name: 'removeUserSecondFactor',
    method: 'POST',
    path: '/api/v2/users/{uid}/second-factor/remove',
    body: 'json',
    isKeyed: true,
  },
  {
    group: 'secondFactor',
    name: 'renewRecoveryCodes',
    method: 'POST',
    path: '/api/v2/second-factor/recovery-codes',
    body: 'json',
    isKeyed: true,
  },
  {
    group: 'secondFactor',
    name: 'require',
    method: 'POST',
    path: '/api/v2/users/second-factor',
    body: 'json',
    isKeyed: true,
  },
  {
    group: 'passkeys',
    name: 'add',
    method: 'POST',
    path: '/api/v2/second-factor/passkeys/add',
    body: 'json',
    isKeyed: true,
  },
  {
    group: 'passkeys',
    name: 'begin',
    method: 'POST',
    path: '/api/v2/second-factor/passkeys/begin',
    body: 'json',
  },
  {
    group: 'passkeys',
    name: 'beginPasskeySignIn',
    method: 'POST',
    path: '/api/v2/session/passkey/begin',
    isOnce: true,
    takesNothing: true,
  },
  {
    group: 'passkeys',
    name: 'remove',
    method: 'POST',
    path: '/api/v2/second-factor/passkeys/{uid}/remove',
    body: 'json',
    isKeyed: true,
  },
  {
    group: 'passkeys',
    name: 'signInByPasskey',
    method: 'POST',
    path: '/api/v2/session/passkey',
    body: 'json',
    isOnce: true,
  },
  {
    group: 'devices',
    name: 'add',
    method: 'POST',
    path: '/device/add/{contentType}',
    body: 'json',
    isKeyed: true,
  },
  { group: 'devices', name: 'delete', method: 'POST', path: '/device/delete', body: 'json', isKeyed: true },
  {
    group: 'devices',
    name: 'deleteMany',
    method: 'POST',
    path: '/device/massdelete',
    body: 'json',
    isKeyed: true,
  },
  { group: 'devices', name: 'edit', method: 'POST', path: '/device/edit', body: 'json', isKeyed: true },
  {
    group: 'devices',
    name: 'listDeviceLog',
    method: 'GET',
    path: '/device/logs/{id}/{kind}',
    query: ['page', 'size', 'search', 'sort', 'dir', 'from', 'to'],
    answer: 'list',
  },
  {
    group: 'devices',
    name: 'list',
    method: 'GET',
    path: '/api/v2/device/qlist',
    query: [
      'page',
      'size',
      'search',
      'sort',
      'dir',
      'kind',
      'connectivity',
      'group',
      'playlist',
      'files',
      'version',
      'silent',
      'place',
    ],
    answer: 'list',
  },
  {
    group: 'devices',
    name: 'listFreeDevices',
    method: 'GET',
    path: '/device/qfree/{kind=all}',
    query: ['page', 'size', 'search', 'sort', 'dir'],
    answer: 'list',
  },
  {
    group: 'devices',
    name: 'listLastPlays',
    method: 'GET',
    path: '/device/qlastplaytracks/{id}/count/{count}',
  },
  { group: 'devices', name: 'read', method: 'GET', path: '/device/qcard/{id}' },
  {
    group: 'devices',
    name: 'resetHeartbeat',
    method: 'GET',
    path: '/device/resetheartbeat/{id}',
    isKeyed: true,
  },
  {
    group: 'devices',
    name: 'resetLicense',
    method: 'POST',
    path: '/api/v2/device/{uid}/resetlicense',
    isKeyed: true,
  },
  { group: 'devices', name: 'listDeviceCommands', method: 'GET', path: '/api/v2/device/{uid}/commands' },
  {
    group: 'devices',
    name: 'readScreenshot',
    method: 'GET',
    path: '/api/v2/device/{uid}/screenshot',
    answer: 'bytes',
  },
  {
    group: 'devices',
    name: 'readSentLog',
    method: 'GET',
    path: '/api/v2/device/{uid}/sentlog',
    answer: 'bytes',
  },
  {
    group: 'devices',
    name: 'sendCommand',
    method: 'POST',
    path: '/api/v2/device/{uid}/command',
    body: 'json',
    isKeyed: true,
  },
  {
    group: 'devices',
    name: 'listDeviceFilterValues',
    method: 'GET',
    path: '/api/v2/device/filtervalues/{filter}',
    query: ['search', 'chosen'],
  },
  {
    group: 'devices',
    name: 'exportLicenseKeys',
    method: 'POST',
    path: '/api/v2/device/licensekeys',
    query: ['separator'],
    body: 'json',
    answer: 'bytes',
    isOnce: true,
  },
  {
    group: 'devices',
    name: 'import',
    method: 'POST',
    path: '/api/v2/device/import/{contentType}',
    body: 'json',
    isKeyed: true,
  },
  {
    group: 'groups',
    name: 'add',
    method: 'POST',
    path: '/group/add/{contentType}',
    body: 'json',
    isKeyed: true,
  },
  {
    group: 'groups',
    name: 'addToGroup',
    method: 'GET',
    path: '/action/add/{device}/to/{group}',
    isKeyed: true,
  },
  {
    group: 'groups',
    name: 'changeGroupState',
    method: 'GET',
    path: '/action/group/{id}/changestate',
    query: ['from'],
    isKeyed: true,
  },
  { group: 'groups', name: 'copy', method: 'POST', path: '/api/v2/group/copy', body: 'json', isKeyed: true },
  { group: 'groups', name: 'delete', method: 'POST', path: '/group/delete', body: 'json', isKeyed: true },
  {
    group: 'groups',
    name: 'deleteMany',
    method: 'POST',
    path: '/group/massdelete',
    body: 'json',
    isKeyed: true,
  },
  {
    group: 'groups',
    name: 'deleteUnused',
    method: 'GET',
    path: '/group/deleteunused',
    isKeyed: true,
    takesNothing: true,
  },
  { group: 'groups', name: 'edit', method: 'POST', path: '/group/edit', body: 'json', isKeyed: true },
  {
    group: 'groups',
    name: 'list',
    method: 'GET',
    path: '/group/qlist/{kind=all}',
    query: ['page', 'size', 'search', 'sort', 'dir', 'state'],
    answer: 'list',
  },
  { group: 'groups', name: 'read', method: 'GET', path: '/group/qcard/{id}', query: ['page', 'size'] },
  {
    group: 'groups',
    name: 'removeFromGroup',
    method: 'GET',
    path: '/action/remove/{device}/from/{group}',
    isKeyed: true,
  },
  {
    group: 'media',
    name: 'deleteMany',
    method: 'POST',
    path: '/{contentType}/massdelete',
    body: 'json',
    isKeyed: true,
  },
  {
    group: 'media',
    name: 'delete',
    method: 'POST',
    path: '/{contentType}/delete',
    body: 'json',
    isKeyed: true,
  },
  {
    group: 'media',
    name: 'deleteUnused',
    method: 'POST',
    path: '/{contentType}/deleteunused',
    isKeyed: true,
  },
  { group: 'media', name: 'edit', method: 'POST', path: '/{contentType}/edit', body: 'json', isKeyed: true },
  {
    group: 'media',
    name: 'list',
    method: 'GET',
    path: '/{contentType}/qlist',
    query: ['page', 'size', 'search', 'sort', 'dir', 'used', 'isrc'],
    answer: 'list',
  },
  {
    group: 'media',
    name: 'listMediaGroups',
    method: 'GET',
    path: '/{contentType}/get/{uid}/qgroups',
    query: ['page', 'size', 'search', 'sort', 'dir'],
    answer: 'list',
  },
  {
    group: 'media',
    name: 'listMediaPlaylists',
    method: 'GET',
    path: '/{contentType}/get/{uid}/qplaylists',
    query: ['page', 'size', 'search', 'sort', 'dir'],
    answer: 'list',
  },
  { group: 'media', name: 'read', method: 'GET', path: '/{contentType}/qcard/{uid}' },
  {
    group: 'media',
    name: 'readMediaFile',
    method: 'GET',
    path: '/api/v2/media/{uid}/file',
    query: ['ticket'],
    answer: 'bytes',
  },
  {
    group: 'media',
    name: 'readMediaPreview',
    method: 'GET',
    path: '/api/v2/media/{uid}/preview',
    query: ['ticket'],
    answer: 'bytes',
  },
  {
    group: 'media',
    name: 'upload',
    method: 'POST',
    path: '/{contentType}/upload',
    body: 'form',
    isKeyed: true,
  },
  {
    group: 'media',
    name: 'exportCredits',
    method: 'GET',
    path: '/api/v2/credits/{contentType}',
    query: ['search', 'used', 'isrc', 'separator'],
    answer: 'bytes',
  },
  {
    group: 'media',
    name: 'importCredits',
    method: 'POST',
    path: '/api/v2/credits/{contentType}/import',
    body: 'json',
    isKeyed: true,
  },
  {
    group: 'delivery',
    name: 'read',
    method: 'GET',
    path: '/api/v2/media/{uid}/delivery',
    query: ['from', 'to'],
  },
  {
    group: 'proof',
    name: 'download',
    method: 'GET',
    path: '/api/v2/media/{uid}/proof/from/{from}/to/{to}/regiontime/{zone}',
    answer: 'bytes',
  },
  { group: 'proof', name: 'listProofKeys', method: 'GET', path: '/api/v2/proof/key', takesNothing: true },
  {
    group: 'proof',
    name: 'markProofKey',
    method: 'POST',
    path: '/api/v2/proof/key/compromised',
    body: 'json',
    isKeyed: true,
  },
  { group: 'proof', name: 'readProofKeys', method: 'GET', path: '/api/v2/proof/key/{client}' },
  {
    group: 'proof',
    name: 'renewProofKey',
    method: 'POST',
    path: '/api/v2/proof/key',
    isKeyed: true,
    takesNothing: true,
  },
  {
    group: 'reports',
    name: 'statetx',
    method: 'GET',
    path: '/report/statetx/{mode}/{uid}/from/{from}/to/{to}/regiontime/{zone}',
    query: ['format', 'lang', 'separator'],
    answer: 'bytes',
  },
  {
    group: 'reports',
    name: 'statetxPreview',
    method: 'GET',
    path: '/api/v2/report/statetx/{mode}/{uid}/from/{from}/to/{to}/regiontime/{zone}/preview',
  },
  {
    group: 'reports',
    name: 'r1ext',
    method: 'GET',
    path: '/report/r1ext/{track}/{playpoint}/{playlist}/from/{from}/to/{to}/regiontime/{zone}',
    query: ['format', 'lang', 'separator'],
    answer: 'bytes',
  },
  {
    group: 'reports',
    name: 'r1extPreview',
    method: 'GET',
    path: '/api/v2/report/r1ext/{track}/{playpoint}/{playlist}/from/{from}/to/{to}/regiontime/{zone}/preview',
  },
  {
    group: 'reports',
    name: 'r2',
    method: 'GET',
    path: '/report/r2/from/{from}/to/{to}/regiontime/{zone}',
    query: ['format', 'lang', 'separator'],
    answer: 'bytes',
  },
  {
    group: 'reports',
    name: 'r2Preview',
    method: 'GET',
    path: '/api/v2/report/r2/from/{from}/to/{to}/regiontime/{zone}/preview',
  },
  {
    group: 'reports',
    name: 'r2Recent',
    method: 'GET',
    path: '/report/r2',
    query: ['format', 'lang', 'separator'],
    answer: 'bytes',
  },
  {
    group: 'reports',
    name: 'r3',
    method: 'GET',
    path: '/report/r3/from/{from}/to/{to}/regiontime/{zone}',
    query: ['format', 'lang', 'separator'],
    answer: 'bytes',
  },
  {
    group: 'reports',
    name: 'r3Preview',
    method: 'GET',
    path: '/api/v2/report/r3/from/{from}/to/{to}/regiontime/{zone}/preview',
  },
  {
    group: 'reports',
    name: 'r3Recent',
    method: 'GET',
    path: '/report/r3',
    query: ['format', 'lang', 'separator'],
    answer: 'bytes',
  },
  {
    group: 'reports',
    name: 's1ext',
    method: 'GET',
    path: '/report/s1ext/from/{from}/to/{to}/regiontime/{zone}',
    query: ['format', 'lang', 'separator'],
    answer: 'bytes',
  },
  {
    group: 'reports',
    name: 's1extPreview',
    method: 'GET',
    path: '/api/v2/report/s1ext/from/{from}/to/{to}/regiontime/{zone}/preview',
  },
  {
    group: 'reports',
    name: 's2ext',
    method: 'GET',
    path: '/report/s2ext/from/{from}/to/{to}/regiontime/{zone}',
    query: ['format', 'lang', 'separator'],
    answer: 'bytes',
  },
  {
    group: 'reports',
    name: 's2extPreview',
    method: 'GET',
    path: '/api/v2/report/s2ext/from/{from}/to/{to}/regiontime/{zone}/preview',
  },
  {
    group: 'reports',
    name: 'alert1',
    method: 'GET',
    path: '/report/alert1/from/{from}/to/{to}/regiontime/{zone}',
    query: ['format', 'lang', 'separator'],
    answer: 'bytes',
  },
  {
    group: 'reports',
    name: 'alert1Preview',
    method: 'GET',
    path: '/api/v2/report/alert1/from/{from}/to/{to}/regiontime/{zone}/preview',
  },
  {
    group: 'reports',
    name: 'alert2',
    method: 'GET',
    path: '/report/alert2/from/{from}/to/{to}/regiontime/{zone}',
    query: ['format', 'lang', 'separator'],
    answer: 'bytes',
  },
  {
    group: 'reports',
    name: 'alert2Preview',
    method: 'GET',
    path: '/api/v2/report/alert2/from/{from}/to/{to}/regiontime/{zone}/preview',
  },
  {
    group: 'reports',
    name: 'alert3',
    method: 'GET',
    path: '/report/alert3/from/{from}/to/{to}/regiontime/{zone}',
    query: ['format', 'lang', 'separator'],
    answer: 'bytes',
  },
  {
    group: 'reports',
    name: 'alert3Preview',
    method: 'GET',
    path: '/api/v2/report/alert3/from/{from}/to/{to}/regiontime/{zone}/preview',
  },
  {
    group: 'reports',
    name: 'tags',
    method: 'GET',
    path: '/report/playpoints/tags/from/{from}/to/{to}/regiontime/{zone}',
    query: ['format', 'lang', 'separator'],
    answer: 'bytes',
  },
  {
    group: 'reports',
    name: 'tagsPreview',
    method: 'GET',
    path: '/api/v2/report/playpoints/tags/from/{from}/to/{to}/regiontime/{zone}/preview',
  },
  {
    group: 'reports',
    name: 'tagsRecent',
    method: 'GET',
    path: '/report/playpoints/tags',
    query: ['format', 'lang', 'separator'],
    answer: 'bytes',
  },
  {
    group: 'reports',
    name: 'rights',
    method: 'GET',
    path: '/report/rights/from/{from}/to/{to}/regiontime/{zone}',
    query: ['format', 'lang', 'separator'],
    answer: 'bytes',
  },
  {
    group: 'reports',
    name: 'rightsPreview',
    method: 'GET',
    path: '/api/v2/report/rights/from/{from}/to/{to}/regiontime/{zone}/preview',
  },
  {
    group: 'reports',
    name: 'proof',
    method: 'GET',
    path: '/report/proof/{track}/from/{from}/to/{to}/regiontime/{zone}',
    query: ['format', 'lang', 'separator'],
    answer: 'bytes',
  },
  {
    group: 'reports',
    name: 'proofPreview',
    method: 'GET',
    path: '/api/v2/report/proof/{track}/from/{from}/to/{to}/regiontime/{zone}/preview',
  },
  {
    group: 'playlists',
    name: 'addTracks',
    method: 'POST',
    path: '/action/addtracks/toplaylist/{playlist}',
    body: 'json',
    isKeyed: true,
  },
  {
    group: 'playlists',
    name: 'add',
    method: 'POST',
    path: '/playlist/add/{contentType}',
    body: 'json',
    isKeyed: true,
  },
  {
    group: 'playlists',
    name: 'addTrack',
    method: 'GET',
    path: '/action/addtrack/{track}/toplaylist/{playlist}',
    isKeyed: true,
  },
  {
    group: 'playlists',
    name: 'changePlaylistState',
    method: 'GET',
    path: '/action/playlist/{id}/changestate',
    query: ['from'],
    isKeyed: true,
  },
  {
    group: 'playlists',
    name: 'clone',
    method: 'GET',
    path: '/playlist/clone/{id}',
    query: ['purpose', 'name'],
    isKeyed: true,
  },
  {
    group: 'playlists',
    name: 'deleteMany',
    method: 'POST',
    path: '/playlist/massdelete',
    body: 'json',
    isKeyed: true,
  },
  {
    group: 'playlists',
    name: 'delete',
    method: 'POST',
    path: '/playlist/delete',
    body: 'json',
    isKeyed: true,
  },
  {
    group: 'playlists',
    name: 'deleteUnused',
    method: 'GET',
    path: '/playlist/deleteunused',
    isKeyed: true,
    takesNothing: true,
  },
  { group: 'playlists', name: 'edit', method: 'POST', path: '/playlist/edit', body: 'json', isKeyed: true },
  {
    group: 'playlists',
    name: 'list',
    method: 'GET',
    path: '/playlist/qlist/{kind=all}',
    query: ['page', 'size', 'search', 'sort', 'dir', 'state', 'form'],
    answer: 'list',
  },
  {
    group: 'playlists',
    name: 'moveTrack',
    method: 'GET',
    path: '/action/movetrack/{track}/inplaylist/{playlist}/by/{position}/direction/{mode}',
    isKeyed: true,
  },
  { group: 'playlists', name: 'read', method: 'GET', path: '/playlist/qcard/{id}/quick' },
  { group: 'playlists', name: 'readPlaylistSource', method: 'GET', path: '/playlist/source/{id}' },
  {
    group: 'playlists',
    name: 'readPlaylistWithTracks',
    method: 'GET',
    path: '/playlist/qcard/{id}/withtracks',
    query: ['page', 'size', 'block'],
  },
  {
    group: 'playlists',
    name: 'removeTrack',
    method: 'GET',
    path: '/action/removetrack/{track}/fromplaylist/{playlist}/by/{position}',
    isKeyed: true,
  },
  {
    group: 'playlists',
    name: 'uploadM3u',
    method: 'POST',
    path: '/playlist/upload/m3u/',
    body: 'form',
    isKeyed: true,
  },
  {
    group: 'playlists',
    name: 'importSmartPlaylist',
    method: 'POST',
    path: '/playlist/import',
    body: 'json',
    isKeyed: true,
  },
  {
    group: 'publications',
    name: 'add',
    method: 'POST',
    path: '/deploy/add/{contentType}',
    body: 'json',
    isKeyed: true,
  },
  {
    group: 'publications',
    name: 'changePublicationState',
    method: 'GET',
    path: '/action/deploy/{id}/changestate',
    query: ['from'],
    isKeyed: true,
  },
  {
    group: 'publications',
    name: 'delay',
    method: 'GET',
    path: '/action/deploy/{uid}/delaystart/{startdatetime}',
    isKeyed: true,
  },
  {
    group: 'publications',
    name: 'deleteMany',
    method: 'POST',
    path: '/deploy/massdelete',
    body: 'json',
    isKeyed: true,
  },
  {
    group: 'publications',
    name: 'delete',
    method: 'POST',
    path: '/deploy/delete',
    body: 'json',
    isKeyed: true,
  },
  {
    group: 'publications',
    name: 'deleteUnused',
    method: 'GET',
    path: '/deploy/deleteunused',
    isKeyed: true,
    takesNothing: true,
  },
  { group: 'publications', name: 'edit', method: 'POST', path: '/deploy/edit', body: 'json', isKeyed: true },
  {
    group: 'publications',
    name: 'listPublicationDevices',
    method: 'GET',
    path: '/api/v2/deploy/{id}/devices',
    query: ['page', 'size', 'search', 'sort', 'dir', 'state'],
    answer: 'list',
  },
  {
    group: 'publications',
    name: 'list',
    method: 'GET',
    path: '/deploy/qlist/{kind=all}',
    query: ['page', 'size', 'search', 'sort', 'dir', 'state', 'playlistUid'],
    answer: 'list',
  },
  { group: 'publications', name: 'read', method: 'GET', path: '/deploy/qcard/{id}' },
  {
    group: 'publications',
    name: 'replacePublicationPlaylist',
    method: 'POST',
    path: '/api/v2/deploy/{uid}/replace',
    query: ['from'],
    body: 'json',
    isKeyed: true,
  },
  {
    group: 'publications',
    name: 'returnPublicationPlaylist',
    method: 'POST',
    path: '/api/v2/deploy/{uid}/return',
    query: ['from'],
    isKeyed: true,
  },
  { group: 'publications', name: 'selectGroups', method: 'GET', path: '/selectlist/devicegroup/{kind=all}' },
  { group: 'publications', name: 'selectPlaylists', method: 'GET', path: '/selectlist/playlist/{kind=all}' },
  {
    group: 'bulkDevices',
    name: 'preview',
    method: 'POST',
    path: '/api/v2/bulk/devices/preview',
    body: 'json',
  },
  {
    group: 'bulkDevices',
    name: 'change',
    method: 'POST',
    path: '/api/v2/bulk/devices',
    body: 'json',
    isKeyed: true,
  },
  {
    group: 'bulkPublications',
    name: 'preview',
    method: 'POST',
    path: '/api/v2/bulk/publications/preview',
    body: 'json',
  },
  {
    group: 'bulkPublications',
    name: 'change',
    method: 'POST',
    path: '/api/v2/bulk/publications',
    body: 'json',
    isKeyed: true,
  },
  { group: 'bulkGroups', name: 'preview', method: 'POST', path: '/api/v2/bulk/groups/preview', body: 'json' },
  {
    group: 'bulkGroups',
    name: 'change',
    method: 'POST',
    path: '/api/v2/bulk/groups',
    body: 'json',
    isKeyed: true,
  },
  {
    group: 'bulkPlaylists',
    name: 'preview',
    method: 'POST',
    path: '/api/v2/bulk/playlists/preview',
    body: 'json',
  },
  {
    group: 'bulkPlaylists',
    name: 'change',
    method: 'POST',
    path: '/api/v2/bulk/playlists',
    body: 'json',
    isKeyed: true,
  },
  {
    group: 'bulkMedia',
    name: 'preview',
    method: 'POST',
    path: '/api/v2/bulk/media/{contentType}/preview',
    body: 'json',
  },
  {
    group: 'bulkRecycle',
    name: 'preview',
    method: 'POST',
    path: '/api/v2/bulk/recycle/{bin}/preview',
    body: 'json',
  },
  {
    group: 'bulkRecycle',
    name: 'restore',
    method: 'POST',
    path: '/api/v2/bulk/recycle/{bin}/restore',
    body: 'json',
    isKeyed: true,
  },
  {
    group: 'bulkRecycle',
    name: 'purge',
    method: 'POST',
    path: '/api/v2/bulk/recycle/{bin}/purge',
    body: 'json',
    isKeyed: true,
  },
  {
    group: 'publications',
    name: 'previewPublish',
    method: 'POST',
    path: '/api/v2/deploy/publish/preview',
    body: 'json',
  },
  {
    group: 'publications',
    name: 'publish',
    method: 'POST',
    path: '/api/v2/deploy/publish',
    body: 'json',
    isKeyed: true,
  },
  {
    group: 'recycle',
    name: 'listBin',
    method: 'GET',
    path: '/recycle/{bin}',
    query: ['page', 'size', 'search', 'sort', 'dir', 'mediaType', 'kind'],
    answer: 'list',
  },
  { group: 'recycle', name: 'listDependents', method: 'GET', path: '/api/v2/dependents/{bin}/{uid}' },
  {
    group: 'recycle',
    name: 'purge',
    method: 'POST',
    path: '/api/v2/recycle/{bin}/{uid}/purge',
    isKeyed: true,
  },
  {
    group: 'recycle',
    name: 'restore',
    method: 'GET',
    path: '/recycle/{contentType}/{uid}/restore',
    isKeyed: true,
  },
  {
    group: 'savedViews',
    name: 'add',
    method: 'POST',
    path: '/api/v2/views/add',
    body: 'json',
    isKeyed: true,
  },
  {
    group: 'savedViews',
    name: 'delete',
    method: 'POST',
    path: '/api/v2/views/delete',
    body: 'json',
    isKeyed: true,
  },
  {
    group: 'savedViews',
    name: 'edit',
    method: 'POST',
    path: '/api/v2/views/edit',
    body: 'json',
    isKeyed: true,
  },
  { group: 'savedViews', name: 'list', method: 'GET', path: '/api/v2/views/{list}' },
  {
    group: 'savedViews',
    name: 'share',
    method: 'POST',
    path: '/api/v2/views/share',
    body: 'json',
    isKeyed: true,
  },
  {
    group: 'audit',
    name: 'read',
    method: 'GET',
    path: '/audit/{id}',
    query: ['page', 'size', 'search', 'sort', 'dir', 'type', 'user', 'from', 'to'],
    answer: 'list',
  },
  {
    group: 'tags',
    name: 'add',
    method: 'POST',
    path: '/tag/{contentType}/{uid}/add',
    body: 'json',
    isKeyed: true,
  },
  {
    group: 'tags',
    name: 'delete',
    method: 'POST',
    path: '/tag/{contentType}/{uid}/delete',
    body: 'json',
    isKeyed: true,
  },
  {
    group: 'tags',
    name: 'edit',
    method: 'POST',
    path: '/tag/{contentType}/{uid}/edit',
    body: 'json',
    isKeyed: true,
  },
  { group: 'tags', name: 'import', method: 'POST', path: '/tagext/import', body: 'json', isKeyed: true },
  { group: 'tags', name: 'list', method: 'GET', path: '/tag/{contentType}/{uid}' },
  { group: 'tags', name: 'readEffectiveTags', method: 'GET', path: '/api/v2/device/{uid}/tags' },
  { group: 'tags', name: 'setTagPolicy', method: 'GET', path: '/policy/{uid}/{resultpolicy}', isKeyed: true },
  {
    group: 'profiles',
    name: 'changeProfileState',
    method: 'GET',
    path: '/configuration/profile/{id}/changestate',
    query: ['from'],
    isKeyed: true,
  },
  {
    group: 'profiles',
    name: 'delete',
    method: 'POST',
    path: '/api/v2/configuration/profile/delete',
    body: 'json',
    isKeyed: true,
  },
  {
    group: 'profiles',
    name: 'edit',
    method: 'POST',
    path: '/configuration/profile/edit',
    body: 'json',
    isKeyed: true,
  },
  {
    group: 'profiles',
    name: 'listProfileStates',
    method: 'GET',
    path: '/configuration/profilestate',
    takesNothing: true,
  },
  {
    group: 'profiles',
    name: 'listProfileTypes',
    method: 'GET',
    path: '/configuration/profiletype',
    takesNothing: true,
  },
  {
    group: 'profiles',
    name: 'list',
    method: 'GET',
    path: '/configuration/profile',
    query: ['page', 'size', 'search', 'sort', 'dir', 'type', 'state'],
    answer: 'list',
  },
  { group: 'profiles', name: 'readProfileCard', method: 'GET', path: '/configuration/profile/{id}' },
  {
    group: 'alerts',
    name: 'begin',
    method: 'GET',
    path: '/device/alert/{uid}/sendbegin/{alerttype}',
    query: ['drill'],
    isKeyed: true,
  },
  {
    group: 'alerts',
    name: 'end',
    method: 'GET',
    path: '/device/alert/{uid}/sendend/{alerttype}',
    query: ['alert'],
    isKeyed: true,
  },
  {
    group: 'alerts',
    name: 'list',
    method: 'GET',
    path: '/api/v2/alerts',
    query: ['page', 'size', 'search', 'sort', 'dir', 'kind', 'purpose', 'state'],
    answer: 'list',
  },
  { group: 'alerts', name: 'listOpenAlerts', method: 'GET', path: '/api/v2/alerts/open', takesNothing: true },
  { group: 'alerts', name: 'readAlertReach', method: 'GET', path: '/api/v2/alerts/reach/{uid}' },
  {
    group: 'alerts',
    name: 'listAlertDevices',
    method: 'GET',
    path: '/api/v2/alerts/{uid}/devices',
    query: ['page', 'size', 'search', 'sort', 'dir', 'state'],
    answer: 'list',
  },
  { group: 'alerts', name: 'read', method: 'GET', path: '/api/v2/alerts/{uid}' },
  {
    group: 'users',
    name: 'acceptLink',
    method: 'POST',
    path: '/api/v2/users/accept',
    body: 'json',
    isOnce: true,
  },
  {
    group: 'users',
    name: 'changePassword',
    method: 'POST',
    path: '/api/v2/users/password',
    body: 'json',
    isKeyed: true,
  },
  { group: 'users', name: 'edit', method: 'POST', path: '/api/v2/users/edit', body: 'json', isKeyed: true },
  {
    group: 'users',
    name: 'invite',
    method: 'POST',
    path: '/api/v2/users/invite',
    body: 'json',
    isKeyed: true,
  },
  {
    group: 'users',
    name: 'list',
    method: 'GET',
    path: '/api/v2/users',
    query: ['page', 'size', 'search', 'sort', 'dir'],
    answer: 'list',
  },
  {
    group: 'users',
    name: 'remove',
    method: 'POST',
    path: '/api/v2/users/delete',
    body: 'json',
    isKeyed: true,
  },
  {
    group: 'users',
    name: 'reset',
    method: 'POST',
    path: '/api/v2/users/{uid}/reset',
    body: 'json',
    isKeyed: true,
  },
  { group: 'plans', name: 'list', method: 'GET', path: '/api/v2/plans', takesNothing: true },
  {
    group: 'plans',
    name: 'request',
    method: 'POST',
    path: '/api/v2/plan/request',
    body: 'json',
    isKeyed: true,
  },
  {
    group: 'plans',
    name: 'withdrawPlanRequest',
    method: 'POST',
    path: '/api/v2/plan/withdraw',
    isKeyed: true,
    takesNothing: true,
  },
  {
    group: 'updates',
    name: 'listUpdateDevices',
    method: 'GET',
    path: '/update/devices',
    query: ['page', 'size', 'search', 'sort', 'dir', 'group', 'step', 'package'],
    answer: 'list',
  },
  { group: 'updates', name: 'readUpdateKey', method: 'GET', path: '/api/v2/update/key', takesNothing: true },
  {
    group: 'updates',
    name: 'setUpdateKey',
    method: 'POST',
    path: '/api/v2/update/key',
    body: 'json',
    isKeyed: true,
  },
  {
    group: 'updateFiles',
    name: 'add',
    method: 'POST',
    path: '/api/v2/update/files/add',
    body: 'json',
    isKeyed: true,
  },
  {
    group: 'updateFiles',
    name: 'delete',
    method: 'POST',
    path: '/api/v2/update/files/delete',
    body: 'json',
    isKeyed: true,
  },
  {
    group: 'updateFiles',
    name: 'edit',
    method: 'POST',
    path: '/api/v2/update/files/edit',
    body: 'json',
    isKeyed: true,
  },
  {
    group: 'updateFiles',
    name: 'list',
    method: 'GET',
    path: '/update/files',
    query: ['page', 'size', 'search', 'sort', 'dir'],
    answer: 'list',
  },
  {
    group: 'updatePackages',
    name: 'addPackage',
    method: 'POST',
    path: '/api/v2/update/package/add',
    body: 'json',
    isKeyed: true,
  },
  {
    group: 'updatePackages',
    name: 'deletePackage',
    method: 'POST',
    path: '/api/v2/update/package/delete',
    body: 'json',
    isKeyed: true,
  },
  {
    group: 'updatePackages',
    name: 'editPackage',
    method: 'POST',
    path: '/api/v2/update/package/edit',
    body: 'json',
    isKeyed: true,
  },
  {
    group: 'updatePackages',
    name: 'excludeFile',
    method: 'GET',
    path: '/update/package/{uid}/excludefile/{fileuid}/link/{linkid}',
    isKeyed: true,
  },
  {
    group: 'updatePackages',
    name: 'listPackageFiles',
    method: 'GET',
    path: '/update/package/{id}/files',
    query: ['page', 'size', 'search', 'sort', 'dir'],
    answer: 'list',
  },
  {
    group: 'updatePackages',
    name: 'listPackages',
    method: 'GET',
    path: '/update/package',
    query: ['page', 'size', 'search', 'sort', 'dir', 'state', 'category'],
    answer: 'list',
  },
  { group: 'updatePackages', name: 'readPackage', method: 'GET', path: '/update/package/{id}' },
  {
    group: 'updatePackages',
    name: 'rotatePackage',
    method: 'GET',
    path: '/update/package/{id}/staterotate',
    query: ['from'],
    isKeyed: true,
  },
  {
    group: 'updatePackages',
    name: 'uploadUpdateFile',
    method: 'POST',
    path: '/update/upload/{uid}',
    body: 'form',
    isKeyed: true,
  },
  {
    group: 'updateChannels',
    name: 'addChannel',
    method: 'POST',
    path: '/api/v2/update/channel/add',
    body: 'json',
    isKeyed: true,
  },
  {
    group: 'updateChannels',
    name: 'deleteChannel',
    method: 'POST',
    path: '/api/v2/update/channel/delete',
    body: 'json',
    isKeyed: true,
  },
  {
    group: 'updateChannels',
    name: 'editChannel',
    method: 'POST',
    path: '/api/v2/update/channel/edit',
    body: 'json',
    isKeyed: true,
  },
  {
    group: 'updateChannels',
    name: 'listChannels',
    method: 'GET',
    path: '/update/channel',
    query: ['page', 'size', 'search', 'sort', 'dir', 'state'],
    answer: 'list',
  },
  {
    group: 'updateChannels',
    name: 'rotateChannel',
    method: 'GET',
    path: '/update/channel/{id}/staterotate',
    query: ['from'],
    isKeyed: true,
  },
  {
    group: 'deployPackages',
    name: 'add',
    method: 'POST',
    path: '/api/v2/update/deploypackage/add',
    body: 'json',
    isKeyed: true,
  },
  {
    group: 'deployPackages',
    name: 'delete',
    method: 'POST',
    path: '/api/v2/update/deploypackage/delete',
    body: 'json',
    isKeyed: true,
  },
  {
    group: 'deployPackages',
    name: 'edit',
    method: 'POST',
    path: '/api/v2/update/deploypackage/edit',
    body: 'json',
    isKeyed: true,
  },
  {
    group: 'deployPackages',
    name: 'list',
    method: 'GET',
    path: '/update/deploypackage',
    query: ['page', 'size', 'search', 'sort', 'dir', 'state', 'channel', 'package'],
    answer: 'list',
  },
  {
    group: 'deployPackages',
    name: 'rotate',
    method: 'GET',
    path: '/update/deploypackage/{id}/staterotate',
    query: ['from'],
    isKeyed: true,
  },
  { group: 'dashboard', name: 'readLimits', method: 'GET', path: '/metricks/limits', takesNothing: true },
  {
    group: 'dashboard',
    name: 'readQuickMetrics',
    method: 'GET',
    path: '/metricks/quick/cached',
    takesNothing: true,
  },
  {
    group: 'charts',
    name: 'readActiveDevicesChart',
    method: 'GET',
    path: '/chart/active-devices/cached',
    query: ['range', 'device', 'group'],
  },
  {
    group: 'charts',
    name: 'readAvailabilityChart',
    method: 'GET',
    path: '/chart/availability/cached',
    query: ['range', 'device', 'group'],
  },
  {
    group: 'charts',
    name: 'readDeviceMap',
    method: 'GET',
    path: '/chart/device-map/cached',
    query: ['zoom', 'group'],
  },
  {
    group: 'charts',
    name: 'readFreeSpaceChart',
    method: 'GET',
    path: '/chart/free-space/cached',
    query: ['range'],
  },
  { group: 'charts', name: 'readLoadChart1', method: 'GET', path: '/chart/la-1min/cached', query: ['range'] },
  {
    group: 'charts',
    name: 'readLoadChart15',
    method: 'GET',
    path: '/chart/la-15min/cached',
    query: ['range'],
  },
  { group: 'charts', name: 'readLoadChart5', method: 'GET', path: '/chart/la-5min/cached', query: ['range'] },
  {
    group: 'charts',
    name: 'readPlaysByHour',
    method: 'GET',
    path: '/chart/plays-by-hour/cached',
    query: ['range', 'zone'],
  },
  {
    group: 'charts',
    name: 'readPlaysChart',
    method: 'GET',
    path: '/chart/playtrack-detailed/cached',
    query: ['range', 'device', 'group'],
  },
  {
    group: 'clientEvents',
    name: 'list',
    method: 'GET',
    path: '/api/v2/events',
    query: ['after', 'kind', 'size'],
  },
  { group: 'clientEvents', name: 'read', method: 'GET', path: '/api/v2/events/{position}' },
  {
    group: 'webhooks',
    name: 'add',
    method: 'POST',
    path: '/api/v2/webhooks/add',
    body: 'json',
    isKeyed: true,
  },
  {
    group: 'webhooks',
    name: 'delete',
    method: 'POST',
    path: '/api/v2/webhooks/delete',
    body: 'json',
    isKeyed: true,
  },
  {
    group: 'webhooks',
    name: 'edit',
    method: 'POST',
    path: '/api/v2/webhooks/edit',
    body: 'json',
    isKeyed: true,
  },
  {
    group: 'webhooks',
    name: 'listWebhookDeliveries',
    method: 'GET',
    path: '/api/v2/webhooks/{uid}/deliveries',
    query: ['page', 'size', 'state'],
    answer: 'list',
  },
  { group: 'webhooks', name: 'list', method: 'GET', path: '/api/v2/webhooks', takesNothing: true },
  {
    group: 'webhooks',
    name: 'resendWebhookDelivery',
    method: 'POST',
    path: '/api/v2/webhooks/{uid}/deliveries/{position}/resend',
    isKeyed: true,
  },
  { group: 'webhooks', name: 'rotate', method: 'POST', path: '/api/v2/webhooks/{uid}/rotate', isKeyed: true },
  { group: 'listening', name: 'read', method: 'GET', path: '/api/v2/listening/{uid}', query: ['held'] },
  {
    group: 'listening',
    name: 'readListeningMedia',
    method: 'GET',
    path: '/api/v2/listening/{uid}/media/{mediaUid}/{sha256}',
    answer: 'bytes',
  },
  {
    group: 'devices',
    name: 'readDeviceDay',
    method: 'GET',
    path: '/api/v2/device/{uid}/day',
    query: ['day'],
  },
  {
    group: 'installation',
    name: 'readInstallationState',
    method: 'GET',
    path: '/api/v2/installation/state',
    takesNothing: true,
  },
]
