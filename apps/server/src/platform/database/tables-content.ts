import type { ColumnType, Generated } from 'kysely'
import type {
  Moment,
  OptionalMoment,
  Json,
  Optional,
  OptionalJson,
  Kind,
  EditState,
  MediaType,
  Binned,
  Recorded,
} from './table-columns.ts'

export interface MediaItemsTable extends Recorded, Binned {
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
  /** Of the newest file, kept by triggers: what lists are sorted by. */
  uploadedAt: ColumnType<string | null, never, never>
  sizeBytes: ColumnType<number | null, never, never>
  durationSeconds: ColumnType<number | null, never, never>
}

export interface MediaFilesTable {
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

export interface StorageReservationsTable {
  uid: string
  clientId: string
  userUid: Optional<string>
  sizeBytes: number
  createdAt: Moment
  expiresAt: Moment
}

export interface UploadsTable {
  uid: string
  clientId: string
  userUid: string
  contentType: MediaType
  originalName: string
  sizeBytes: number
  metadata: Json<Record<string, string | null>>
  outcome: OptionalJson<Record<string, unknown>>
  createdAt: Moment
  expiresAt: Moment
}

export interface PlaylistsTable extends Recorded, Binned {
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
  windowStart: Optional<string>
  windowEnd: Optional<string>
  plannedPlays: Optional<number>
  plannedSeconds: Optional<number>
  version: Generated<number>
  editOfUid: Optional<string>
}

export interface PlaylistItemsTable {
  uid: string
  clientId: string
  playlistUid: string
  mediaUid: string
  pinnedFileVersion: Optional<number>
  position: number
  repeatCount: Optional<number>
  replaySeconds: Optional<number>
  startTime: Optional<string>
  weight: Optional<number>
  plannedPlays: Optional<number>
  plannedSeconds: Optional<number>
}

export interface PlaylistBlocksTable {
  clientId: string
  playlistUid: string
  position: number
  kind: 'melody' | 'ad'
  startSeconds: number
  durationSeconds: number
  tracks: number[]
  starts: number[]
}

export interface PublicationsTable extends Recorded, Binned {
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

export interface PublicationHoldingsTable {
  publicationUid: string
  deviceUid: string
  clientId: string
  revision: number
  missing: number
  reportedAt: Moment
}
