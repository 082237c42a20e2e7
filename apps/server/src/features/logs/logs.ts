import type { DeviceLogKind } from '@floorcast/contract/devices.ts'
import type { LogEntry } from '@floorcast/contract/logs.ts'
import type { Reads } from '../../platform/database/client-scope.ts'
import type { PlayReads } from '../archive/archive.ts'
import type { ListPage } from '../../platform/database/list.ts'
import {
  findLatestPlays,
  type LatestPlays,
  listDeviceLogs,
  listHeartbeats,
  listPlays,
  type LogList,
  type PlayEntry,
} from './logs-queries.ts'

/** A device's log of one kind. */
export function listDeviceLog(
  reads: PlayReads,
  kind: DeviceLogKind,
  list: LogList,
): Promise<ListPage<LogEntry>> {
  if (kind === 'playtrack') return listPlays(reads, list)
  if (kind === 'heartbeat') return listHeartbeats(reads, list)
  return listDeviceLogs(reads, kind, list)
}

/** The newest plays of one device, or of all. */
export const listLastPlays = (reads: Reads, wanted: LatestPlays): Promise<PlayEntry[]> =>
  findLatestPlays(reads, wanted)
