import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely'
import type {
  Moment,
  OptionalMoment,
  Optional,
  Json,
  OptionalJson,
  Bytes,
  Kind,
  EditState,
  MediaType,
  Connectivity,
  Binned,
  Recorded,
} from './table-columns.ts'

export interface GroupsTable extends Recorded, Binned {
  uid: string
  clientId: string
  kind: Kind
  name: string
  description: Generated<string>
  state: Generated<EditState>
  version: Generated<number>
  /** While it is in the bin: the devices that left it then. */
  formerMembers: Generated<string[]>
}

export interface DevicesTable extends Recorded, Binned {
  uid: string
  clientId: string
  kind: Kind
  name: string
  description: Generated<string>
  groupUid: Optional<string>
  licenseKey: string
  licenseBoundAt: OptionalMoment
  boxUid: Optional<string>
  tokenHash: Optional<Bytes>
  model: Optional<string>
  expiresAt: OptionalMoment
  tagPolicy: Optional<'device' | 'group' | 'client'>
  version: Generated<number>
}

export interface DeviceStatesTable {
  deviceUid: string
  clientId: string
  lastContactAt: OptionalMoment
  deviceClockAt: OptionalMoment
  bootUid: Optional<string>
  programVersion: Optional<string>
  temperatureCelsius: Optional<number>
  memorySizeBytes: Optional<number>
  freeMemoryBytes: Optional<number>
  ipAddress: Optional<string>
  macAddress: Optional<string>
  volume: Optional<number>
  nowPlaying: OptionalJson<{
    name: string
    mediaUid: string | null
    contentType: MediaType | null
    startedAt: string
    durationSeconds: number | null
  }>
  lastPlayedName: Optional<string>
  lastPlayedAt: OptionalMoment
  manifestEtag: Optional<string>
  quarantined: JSONColumnType<{ name: string; sha256: string }[], string | undefined, string>
  reporterUid: Optional<string>
}

export interface DeviceTransitionsTable {
  deviceUid: string
  at: Moment
  clientId: string
  state: Connectivity
}

export interface DeviceBootsTable {
  deviceUid: string
  bootUid: string
  clientId: string
  /** An int8multirange in PostgreSQL's own text form. */
  received: Generated<string>
  firstSeenAt: Moment
  lastSeenAt: Moment
}

export interface DeviceOutboxTable {
  uid: string
  clientId: string
  deviceUid: string
  position: GeneratedAlways<number>
  type: 'manifest' | 'alert' | 'command'
  body: Json<Record<string, unknown>>
  createdAt: Moment
  acknowledgedAt: OptionalMoment
}

export interface DeviceManifestsTable {
  deviceUid: string
  clientId: string
  generation: Generated<number>
  etag: Generated<string>
  body: Generated<string>
  madeAt: ColumnType<string, string | Date | undefined, string | Date>
  isStale: Generated<boolean>
  unsettledBelow: Optional<number>
}

export interface TagsTable extends Recorded {
  uid: string
  clientId: string
  deviceUid: Optional<string>
  groupUid: Optional<string>
  key: string
  value: string
  description: Generated<string>
}

export interface ProfilesTable extends Recorded {
  uid: string
  clientId: string
  type: 'audio' | 'network' | 'display' | 'logging' | 'alert'
  name: string
  description: Generated<string>
  state: Generated<EditState>
  settings: JSONColumnType<Record<string, unknown>, string | undefined, string>
  activeSettings: OptionalJson<Record<string, unknown>>
  version: Generated<number>
}

export interface ProfileGroupsTable {
  profileUid: string
  groupUid: string
  clientId: string
}

/** Which media a profile's settings name, drafted or in force; written by a trigger. */
export interface ProfileMediaTable {
  profileUid: string
  mediaUid: string
  clientId: string
}

export interface AlertsTable {
  uid: string
  clientId: string
  kind: 'air' | 'chemical' | 'nuclear'
  deviceUid: Optional<string>
  groupUid: Optional<string>
  isDrill: Generated<boolean>
  beganAt: Moment
  beganBy: Optional<string>
  endedAt: OptionalMoment
  endedBy: Optional<string>
}

export interface AlertReceiptsTable {
  alertUid: string
  deviceUid: string
  clientId: string
  receivedAt: OptionalMoment
  startedAt: OptionalMoment
  endedAt: OptionalMoment
}
