import {
  listDeviceCommands,
  readScreenshot,
  readSentLog,
  sendCommand,
} from '@floorcast/contract/device-commands.ts'
import { readDeviceDay } from '@floorcast/contract/device-day.ts'
import {
  addDevice,
  editDevice,
  listDevices,
  listLastPlays,
  readDevice,
  resetHeartbeat,
  resetLicense,
} from '@floorcast/contract/devices.ts'
import type { QueryOf } from '@floorcast/contract/endpoint.ts'
import { queryOptions } from '@tanstack/react-query'
import { callQuery, listQuery } from '../../platform/call-query.ts'
import { nextChangeMs } from '../../platform/device-changes.ts'
import { downloadRead, readBytes } from '../../platform/download.ts'
import { queryKeys } from '../../platform/query-keys.ts'
import { changeHook } from '../../platform/use-change.ts'
import type { Selection } from '../../ui/data-table/list-column.ts'

/** The device card shows the last 6 plays (docs/specification.md#9-business-constants-and-limits). */
const lastPlaysShown = 6

/** The least times between two questions for what time alone changes. */
const listIntervalMs = 5_000
const cardIntervalMs = 1_000

export const devicesQuery = (query: QueryOf<typeof listDevices>) =>
  listQuery(queryKeys.devices.list(query), listDevices, {
    query,
    refetchInterval: ({ state }) => nextChangeMs(state.data?.items, listIntervalMs),
  })

/** Devices whose names have these words in this order; those of the same name are among the first. */
export const sameNameQuery = (name: string) => {
  const query = { search: `"${name.replaceAll('"', '')}"`, size: 50, sort: 'name' } as const
  return callQuery(queryKeys.devices.list(query), listDevices, { query })
}

export const deviceQuery = (uid: string) =>
  callQuery(queryKeys.devices.card(uid), readDevice, {
    params: { id: uid },
    refetchInterval: ({ state }) => nextChangeMs(state.data && [state.data], cardIntervalMs),
  })

/** A day changes with each play; a question costs as much as a page of a list. */
const dayIntervalMs = 60_000

/** A day of a device, by its own zone; without one, its today. */
export const deviceDayQuery = (uid: string, day: string | undefined) =>
  listQuery(queryKeys.deviceDay(uid, day), readDeviceDay, {
    params: { uid },
    query: day === undefined ? {} : { day },
    refetchInterval: dayIntervalMs,
  })

export const lastPlaysQuery = (uid: string) =>
  callQuery(queryKeys.devices.lastPlays(uid), listLastPlays, { params: { id: uid, count: lastPlaysShown } })

/** The devices of a selection as a bulk call names them. A list selects a few pages of rows by hand, or all that match. */
export function bulkSelectionOf(selection: Selection, query: QueryOf<typeof listDevices>) {
  if (selection.kind === 'some') return { uids: [...selection.uids] }
  const { page: _page, size: _size, sort: _sort, dir: _dir, ...filter } = query
  return { filter, except: [...selection.except], all: true as const }
}

export const useAddDevice = changeHook('device', addDevice)
export const useEditDevice = changeHook('device', editDevice)
export const useResetHeartbeat = changeHook('device', resetHeartbeat)
export const useResetLicense = changeHook('device', resetLicense)
export const useSendCommand = changeHook('device', sendCommand)

export const deviceCommandsQuery = (uid: string) =>
  callQuery(queryKeys.devices.commands(uid), listDeviceCommands, { params: { uid } })

const toDataUrl = (bytes: Blob) =>
  new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(reader.result as string))
    reader.addEventListener('error', () => reject(reader.error ?? new Error('the picture was not read')))
    reader.readAsDataURL(bytes)
  })

/** The address of the picture itself, which never changes once it is made. */
export const screenshotQuery = (uid: string, madeAt: string) =>
  queryOptions({
    queryKey: queryKeys.deviceScreenshot(uid, madeAt),
    queryFn: async ({ signal }) => toDataUrl(await readBytes(readScreenshot, { params: { uid }, signal })),
    staleTime: Infinity,
  })

export const downloadLog = (uid: string, fileName: string): Promise<void> =>
  downloadRead(readSentLog, { params: { uid }, query: {} }, fileName)
