import {
  type CommandKind,
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
import type { BodyOf, QueryOf } from '@floorcast/contract/endpoint.ts'
import type { Kind } from '@floorcast/contract/fields.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call, change } from '../../platform/client.ts'
import { nextChangeMs } from '../../platform/device-changes.ts'
import { downloadRead, readBytes } from '../../platform/download.ts'
import { queryKeys } from '../../platform/query-keys.ts'
import { useChange } from '../../platform/use-change.ts'
import type { Selection } from '../../ui/data-table/list-column.ts'

/** The device card shows the last 6 plays (docs/specification.md#9-business-constants-and-limits). */
const lastPlaysShown = 6

/** The least times between two questions for what time alone changes. */
const listIntervalMs = 5_000
const cardIntervalMs = 1_000

export const devicesQuery = (query: QueryOf<typeof listDevices>) =>
  queryOptions({
    queryKey: queryKeys.devices.list(query),
    queryFn: ({ signal }) => call(listDevices, { query, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => nextChangeMs(state.data?.items, listIntervalMs),
  })

/** Devices whose names have these words in this order; those of the same name are among the first. */
export const sameNameQuery = (name: string) => {
  const query = { search: `"${name.replaceAll('"', '')}"`, size: 50, sort: 'name' } as const
  return queryOptions({
    queryKey: queryKeys.devices.list(query),
    queryFn: ({ signal }) => call(listDevices, { query, signal }),
  })
}

export const deviceQuery = (uid: string) =>
  queryOptions({
    queryKey: queryKeys.devices.card(uid),
    queryFn: ({ signal }) => call(readDevice, { params: { id: uid }, signal }),
    refetchInterval: ({ state }) => nextChangeMs(state.data && [state.data], cardIntervalMs),
  })

/** A day changes with each play; a question costs as much as a page of a list. */
const dayIntervalMs = 60_000

/** A day of a device, by its own zone; without one, its today. */
export const deviceDayQuery = (uid: string, day: string | undefined) =>
  queryOptions({
    queryKey: queryKeys.deviceDay(uid, day),
    queryFn: ({ signal }) =>
      call(readDeviceDay, { params: { uid }, query: day === undefined ? {} : { day }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: dayIntervalMs,
  })

export const lastPlaysQuery = (uid: string) =>
  queryOptions({
    queryKey: queryKeys.devices.lastPlays(uid),
    queryFn: ({ signal }) => call(listLastPlays, { params: { id: uid, count: lastPlaysShown }, signal }),
  })

/** The devices of a selection as a bulk call names them. A list selects a few pages of rows by hand, or all that match. */
export function bulkSelectionOf(selection: Selection, query: QueryOf<typeof listDevices>) {
  if (selection.kind === 'some') return { uids: [...selection.uids] }
  const { page: _page, size: _size, sort: _sort, dir: _dir, ...filter } = query
  return { filter, except: [...selection.except], all: true as const }
}

export const useAddDevice = () =>
  useChange('device', ({ kind, ...body }: BodyOf<typeof addDevice> & { kind: Kind }) =>
    change(addDevice, { params: { contentType: kind }, body }),
  )

export const useEditDevice = () =>
  useChange('device', (body: BodyOf<typeof editDevice>) => change(editDevice, { body }))

export const useResetHeartbeat = () =>
  useChange('device', (uid: string) => change(resetHeartbeat, { params: { id: uid } }))

export const useResetLicense = () =>
  useChange('device', (uid: string) => change(resetLicense, { params: { uid } }))

export const deviceCommandsQuery = (uid: string) =>
  queryOptions({
    queryKey: queryKeys.devices.commands(uid),
    queryFn: ({ signal }) => call(listDeviceCommands, { params: { uid }, signal }),
  })

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

interface CommandDraft {
  uid: string
  command: CommandKind
  value?: number | null
}

export const useSendCommand = () =>
  useChange('device', ({ uid, command, value }: CommandDraft) =>
    change(sendCommand, { params: { uid }, body: value === undefined ? { command } : { command, value } }),
  )
