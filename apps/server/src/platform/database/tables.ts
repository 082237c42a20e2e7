import type {
  PlansTable,
  ClientsTable,
  UsersTable,
  UserLinksTable,
  SessionsTable,
  PersonalizationsTable,
  AuditEntriesTable,
  TicketsTable,
} from './tables-clients.ts'
import type {
  GroupsTable,
  DevicesTable,
  DeviceStatesTable,
  DeviceTransitionsTable,
  DeviceBootsTable,
  DeviceOutboxTable,
  DeviceManifestsTable,
  TagsTable,
  ProfilesTable,
  ProfileGroupsTable,
  ProfileMediaTable,
  AlertsTable,
  AlertReceiptsTable,
} from './tables-devices.ts'
import type {
  MediaItemsTable,
  MediaFilesTable,
  StorageReservationsTable,
  UploadsTable,
  PlaylistsTable,
  PlaylistItemsTable,
  PlaylistBlocksTable,
  PublicationsTable,
  PublicationHoldingsTable,
} from './tables-content.ts'
import type {
  UpdateFilesTable,
  UpdatePackagesTable,
  UpdatePackageFilesTable,
  UpdateChannelsTable,
  UpdateChannelGroupsTable,
  DeployPackagesTable,
  DeviceUpdateStatesTable,
} from './tables-updates.ts'
import type {
  PlaysTable,
  DeviceLogsTable,
  HeartbeatsTable,
  HistoryCountsTable,
  ListCountsTable,
} from './tables-history.ts'

/*
 * The tables as queries see them (Kysely turns camelCase into the columns' snake_case). Values come out in the contract's
 * forms: moments as ISO 8601 strings with Z, days YYYY-MM-DD, times of day HH:MM. `Generated` columns have defaults.
 * What each column means is written in database/migrations.
 */

export interface Tables {
  plans: PlansTable
  clients: ClientsTable
  users: UsersTable
  userLinks: UserLinksTable
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
  uploads: UploadsTable
  playlists: PlaylistsTable
  playlistItems: PlaylistItemsTable
  playlistBlocks: PlaylistBlocksTable
  publications: PublicationsTable
  publicationHoldings: PublicationHoldingsTable
  tags: TagsTable
  profiles: ProfilesTable
  profileGroups: ProfileGroupsTable
  profileMedia: ProfileMediaTable
  alerts: AlertsTable
  alertReceipts: AlertReceiptsTable
  updateFiles: UpdateFilesTable
  updatePackages: UpdatePackagesTable
  updatePackageFiles: UpdatePackageFilesTable
  updateChannels: UpdateChannelsTable
  updateChannelGroups: UpdateChannelGroupsTable
  deployPackages: DeployPackagesTable
  deviceUpdateStates: DeviceUpdateStatesTable
  tickets: TicketsTable
  plays: PlaysTable
  deviceLogs: DeviceLogsTable
  heartbeats: HeartbeatsTable
  historyCounts: HistoryCountsTable
  listCounts: ListCountsTable
}

/** The tables that the role `floorcast_ingest` may write. */
export type IngestTables = Pick<
  Tables,
  | 'deviceStates'
  | 'deviceTransitions'
  | 'deviceBoots'
  | 'publicationHoldings'
  | 'deviceUpdateStates'
  | 'alertReceipts'
  | 'plays'
  | 'deviceLogs'
  | 'heartbeats'
  | 'historyCounts'
>
