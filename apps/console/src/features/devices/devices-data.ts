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
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call, change } from '../../platform/client.ts'

/** The device card shows the last 6 plays (docs/specification.md#9-business-constants-and-limits). */
const lastPlaysShown = 6

export const devicesQuery = (query: QueryOf<typeof listDevices>) =>
  queryOptions({
    queryKey: ['device', 'list', query],
    queryFn: ({ signal }) => call(listDevices, { query, signal }),
    placeholderData: keepPreviousData,
  })

export const deviceQuery = (uid: string) =>
  queryOptions({
    queryKey: ['device', 'card', uid],
    queryFn: ({ signal }) => call(readDevice, { params: { id: uid }, signal }),
  })

export const lastPlaysQuery = (uid: string) =>
  queryOptions({
    queryKey: ['play', 'last', uid],
    queryFn: ({ signal }) => call(listLastPlays, { params: { id: uid, count: lastPlaysShown }, signal }),
  })

/** A change of devices; every list and card that shows one is read again. */
function useDeviceChange<Input, Answer>(run: (input: Input) => Promise<Answer>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: run,
    onSuccess: () =>
      queries.invalidateQueries({
        predicate: ({ queryKey }) => ['device', 'group', 'dashboard'].includes(String(queryKey[0])),
      }),
  })
}

export const useAddDevice = () =>
  useDeviceChange(({ kind, ...body }: BodyOf<typeof addDevice> & { kind: Kind }) =>
    change(addDevice, { params: { contentType: kind }, body }),
  )

export const useEditDevice = () =>
  useDeviceChange((body: BodyOf<typeof editDevice>) => change(editDevice, { body }))

export const useResetHeartbeat = () =>
  useDeviceChange((uid: string) => change(resetHeartbeat, { params: { id: uid } }))

export const useResetLicense = () =>
  useDeviceChange((uid: string) => change(resetLicense, { params: { uid } }))
