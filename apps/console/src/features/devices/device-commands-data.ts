import {
  type CommandKind,
  listDeviceCommands,
  readScreenshot,
  readSentLog,
  sendCommand,
} from '@floorcast/contract/device-commands.ts'
import { queryOptions } from '@tanstack/react-query'
import { call, change } from '../../platform/client.ts'
import { downloadRead, readBytes } from '../../platform/download.ts'
import { queryKeys } from '../../platform/query-keys.ts'
import { useChange } from '../../platform/use-change.ts'

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

export interface CommandDraft {
  uid: string
  command: CommandKind
  value?: number | null
}

export const useSendCommand = () =>
  useChange('device', ({ uid, command, value }: CommandDraft) =>
    change(sendCommand, { params: { uid }, body: value === undefined ? { command } : { command, value } }),
  )
