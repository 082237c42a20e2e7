import type { Generated } from 'kysely'
import type { Moment, Optional, Json, MediaType } from './table-columns.ts'

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

export interface PlaysTable extends EventColumns {
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

export interface DeviceLogsTable extends EventColumns {
  kind: 'playlist' | 'debug' | 'update' | 'alert'
  at: Moment
  details: Json<Record<string, unknown>>
}

export interface HeartbeatsTable {
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

export interface HistoryCountsTable {
  clientId: string
  kind: 'plays' | 'device_logs' | 'heartbeats'
  day: string
  rowCount: number
}

/** How many more living things a client had after a change; the sum is how many it has. */
export interface ListCountsTable {
  clientId: string
  list: 'devices' | 'media' | 'playlists'
  kind: string
  change: number
}
