import type { ColumnType, GeneratedAlways, Generated, JSONColumnType } from 'kysely'

/*
 * The tables as queries see them (Kysely turns camelCase into the columns' snake_case). Values come out in the contract's
 * forms: moments as ISO 8601 strings with Z, days YYYY-MM-DD, times of day HH:MM. `Generated` columns have defaults.
 * What each column means is written in database/migrations.
 */

/** A moment: read as an ISO string with Z, written as such or as a Date. */
type Moment = ColumnType<string, string | Date, string | Date>
type OptionalMoment = ColumnType<string | null, string | Date | null | undefined, string | Date | null>
type Optional<T> = ColumnType<T | null, T | null | undefined, T | null>
type Json<T> = ColumnType<T, string, string>
type OptionalJson<T> = ColumnType<T | null, string | null | undefined, string | null>
type Bytes = Buffer<ArrayBufferLike>

type Kind = 'audio' | 'video'
type EditState = 'active' | 'paused'
type MediaType = 'videos' | 'videosAds' | 'ads' | 'melodies'
type Connectivity = 'online' | 'linkdown' | 'linklost' | 'neverup'

/** Rows that can lie in the recycle bin. */
interface Binned {
  deletedAt: OptionalMoment
  deletedBy: Optional<string>
}
interface Recorded {
  createdAt: Moment
  changedAt: Moment
}

interface PlansTable {
  key: string
  position: number
  mediaGigabytes: number
  statisticsGigabytes: number
  deviceLimit: number
  priceUsdPerMonth: number
  hasSupport: boolean
  hasExtendedSupport: boolean
}

interface ClientsTable extends Recorded {
  uid: string
  clientId: GeneratedAlways<string>
  name: string
  planKey: string
  subscriptionExpiresAt: Moment
  tagPolicy: Generated<'device' | 'group' | 'client'>
}

interface UsersTable extends Recorded {
  uid: string
  clientId: string
  email: string
  passwordHash: string
  role: 'admin' | 'manager' | 'streamer'
  rights: Generated<'full' | 'view'>
  firstName: Generated<string>
  lastName: Generated<string>
  linkedDeviceUid: Optional<string>
}

interface SessionsTable {
  uid: string
  clientId: string
  userUid: string
  tokenHash: Bytes
  createdAt: Moment
  lastUsedAt: Moment
  idleExpiresAt: Moment
  expiresAt: Moment
  revokedAt: OptionalMoment
}

interface PersonalizationsTable {
  userUid: string
  clientId: string
  color: string
  mode: string
  menuType: string
  changedAt: Moment
}

interface AuditEntriesTable {
  uid: string
  clientId: string
  at: Moment
  userUid: Optional<string>
  userName: string
  action: string
  thing: string
  thingUid: Optional<string>
  thingName: Optional<string>
  changes: JSONColumnType<Record<string, [unknown, unknown]>, string | undefined, never>
  requestId: Optional<string>
}

interface GroupsTable extends Recorded, Binned {
  uid: string
  clientId: string
  kind: Kind
  name: string
  description: Generated<string>
  state: Generated<EditState>
  version: Generated<number>
}

interface DevicesTable extends Recorded, Binned {
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
  version: Generated<number>
}

interface DeviceStatesTable {
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

interface DeviceTransitionsTable {
  deviceUid: string
  at: Moment
  clientId: string
  state: Connectivity
}

interface DeviceBootsTable {
  deviceUid: string
  bootUid: string
  clientId: string
  /** An int8multirange in PostgreSQL's own text form. */
  received: Generated<string>
  firstSeenAt: Moment
  lastSeenAt: Moment
}

interface DeviceOutboxTable {
  uid: string
  clientId: string
  deviceUid: string
  position: GeneratedAlways<number>
  type: 'manifest' | 'alert' | 'command'
  body: Json<Record<string, unknown>>
  createdAt: Moment
  acknowledgedAt: OptionalMoment
}

interface DeviceManifestsTable {
  deviceUid: string
  clientId: string
  generation: number
  etag: string
  body: string
  madeAt: Moment
}

interface MediaItemsTable extends Recorded, Binned {
  uid: string
  clientId: string
  contentType: MediaType
  name: string
  description: Generated<string>
  originalName: string
  fileVersion: Generated<number>
  previewSha256: Optional<string>
  previewMimeType: Optional<string>
  previewSizeBytes: Generated<number>
  version: Generated<number>
}

interface MediaFilesTable {
  mediaUid: string
  fileVersion: number
  clientId: string
  sha256: string
  mimeType: string
  sizeBytes: number
  durationSeconds: number
  bitRate: Optional<number>
  sampleRate: Optional<number>
  channels: Optional<number>
  width: Optional<number>
  height: Optional<number>
  isGapless: Generated<boolean>
  loudnessState: Generated<'pending' | 'measured' | 'not-measured'>
  integratedLufs: Optional<number>
  truePeakDbtp: Optional<number>
  uploadedAt: Moment
  uploadedBy: Optional<string>
}

interface StorageReservationsTable {
  uid: string
  clientId: string
  userUid: Optional<string>
  sizeBytes: number
  createdAt: Moment
  expiresAt: Moment
}

interface PlaylistsTable extends Recorded, Binned {
  uid: string
  clientId: string
  kind: Kind
  form: Generated<'simple' | 'smart'>
  name: string
  description: Generated<string>
  state: Generated<EditState>
  crossfadeSeconds: Generated<number>
  startDate: Optional<string>
  endDate: Optional<string>
  draft: OptionalJson<Record<string, unknown>>
  plan: OptionalJson<Record<string, unknown>>
  version: Generated<number>
}

interface PlaylistItemsTable {
  uid: string
  clientId: string
  playlistUid: string
  mediaUid: string
  pinnedFileVersion: Optional<number>
  position: number
  repeatCount: Optional<number>
  replaySeconds: Optional<number>
  startTime: Optional<string>
}

interface PublicationsTable extends Recorded, Binned {
  uid: string
  clientId: string
  kind: Kind
  name: string
  description: Generated<string>
  groupUid: string
  playlistUid: string
  formerPlaylistUid: Optional<string>
  state: Generated<'active' | 'delayed' | 'disabled'>
  activatedAt: OptionalMoment
  startsAt: OptionalMoment
  /** A wall time without zone: YYYY-MM-DDTHH:MM:SS. */
  startsAtWall: Optional<string>
  revision: Generated<number>
  version: Generated<number>
}

interface PublicationHoldingsTable {
  publicationUid: string
  deviceUid: string
  clientId: string
  revision: number
  missing: number
  reportedAt: Moment
}

interface TagsTable extends Recorded {
  uid: string
  clientId: string
  deviceUid: Optional<string>
  groupUid: Optional<string>
  key: string
  value: string
  description: Generated<string>
}

interface ProfilesTable extends Recorded {
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

interface ProfileGroupsTable {
  profileUid: string
  groupUid: string
  clientId: string
}

interface AlertsTable {
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

interface AlertReceiptsTable {
  alertUid: string
  deviceUid: string
  clientId: string
  receivedAt: OptionalMoment
  startedAt: OptionalMoment
  endedAt: OptionalMoment
}

interface TicketsTable {
  ticketHash: Bytes
  clientId: string
  sessionUid: string
  path: string
  isOnce: boolean
  expiresAt: Moment
  usedAt: OptionalMoment
}

interface EventColumns {
  day: string
  deviceUid: string
  bootUid: string
  sequence: number
  clientId: string
  eventUid: string
  receivedAt: Moment
  isClockDoubted: Generated<boolean>
  deviceName: string
}

interface PlaysTable extends EventColumns {
  groupUid: Optional<string>
  groupName: Optional<string>
  publicationUid: Optional<string>
  playlistUid: Optional<string>
  playlistName: Optional<string>
  itemUid: Optional<string>
  mediaUid: string
  sha256: string
  trackName: string
  contentType: MediaType
  scheduledAt: Moment
  startedAt: Moment
  endedAt: Moment
  secondsPlayed: number
  durationSeconds: number
  result: 'complete' | 'joined' | 'cut' | 'failed'
  why: Optional<string>
}

interface DeviceLogsTable extends EventColumns {
  kind: 'playlist' | 'debug' | 'update' | 'alert'
  at: Moment
  details: Json<Record<string, unknown>>
}

interface HeartbeatsTable {
  day: string
  deviceUid: string
  receivedAt: Moment
  clientId: string
  uid: string
  bootUid: string
  deviceClockAt: Moment
  programVersion: string
  temperatureCelsius: Optional<number>
  memorySizeBytes: Optional<number>
  freeMemoryBytes: Optional<number>
  ipAddress: Optional<string>
  macAddress: Optional<string>
  volume: number
  nowPlayingName: Optional<string>
}

interface HistoryCountsTable {
  clientId: string
  kind: 'plays' | 'device_logs' | 'heartbeats'
  day: string
  rowCount: number
}

export interface Tables {
  plans: PlansTable
  clients: ClientsTable
  users: UsersTable
  sessions: SessionsTable
  personalizations: PersonalizationsTable
  auditEntries: AuditEntriesTable
  groups: GroupsTable
  devices: DevicesTable
  deviceStates: DeviceStatesTable
  deviceTransitions: DeviceTransitionsTable
  deviceBoots: DeviceBootsTable
  deviceOutbox: DeviceOutboxTable
  deviceManifests: DeviceManifestsTable
  mediaItems: MediaItemsTable
  mediaFiles: MediaFilesTable
  storageReservations: StorageReservationsTable
  playlists: PlaylistsTable
  playlistItems: PlaylistItemsTable
  publications: PublicationsTable
  publicationHoldings: PublicationHoldingsTable
  tags: TagsTable
  profiles: ProfilesTable
  profileGroups: ProfileGroupsTable
  alerts: AlertsTable
  alertReceipts: AlertReceiptsTable
  tickets: TicketsTable
  plays: PlaysTable
  deviceLogs: DeviceLogsTable
  heartbeats: HeartbeatsTable
  historyCounts: HistoryCountsTable
}

/** The tables that the role `floorcast_ingest` may write. */
export type IngestTables = Pick<
  Tables,
  | 'deviceStates'
  | 'deviceTransitions'
  | 'deviceBoots'
  | 'publicationHoldings'
  | 'alertReceipts'
  | 'plays'
  | 'deviceLogs'
  | 'heartbeats'
  | 'historyCounts'
>
