import { listDeviceLog, readDevice, type DeviceLogKind } from '@floorcast/contract/devices.ts'
import type { QueryOf } from '@floorcast/contract/endpoint.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/client.ts'
import { readLogsBase } from '../../platform/console-settings.ts'

export type LogQuery = QueryOf<typeof listDeviceLog>

/**
 * A device's log of one kind. Plays come by the live stream's `play`, the others with whatever else it says of the
 * device.
 */
export const deviceLogQuery = ({ uid, kind }: { uid: string; kind: DeviceLogKind }, query: LogQuery) =>
  queryOptions({
    queryKey: [kind === 'playtrack' ? 'play' : 'device', 'log', uid, kind, query],
    queryFn: async ({ signal }) =>
      call(listDeviceLog, { params: { id: uid, kind }, query, signal }, await readLogsBase()),
    placeholderData: keepPreviousData,
  })

/** The device whose log is read: its name. */
export const loggedDeviceQuery = (uid: string) =>
  queryOptions({
    queryKey: ['device', 'logged', uid],
    queryFn: ({ signal }) => call(readDevice, { params: { id: uid }, signal }),
  })
