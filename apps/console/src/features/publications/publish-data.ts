import { listFreeDevices, readDevice } from '@floorcast/contract/devices.ts'
import type { AnswerOf, BodyOf } from '@floorcast/contract/endpoint.ts'
import type { KindFilter } from '@floorcast/contract/fields.ts'
import { previewPublish, publish } from '@floorcast/contract/publish.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call, change } from '../../platform/client.ts'
import { queryKeys } from '../../platform/query-keys.ts'
import { useChange } from '../../platform/use-change.ts'

export type PublishBody = BodyOf<typeof publish>

/** The plan of publishing; not asked while the draft is incomplete. */
export const publishPlanQuery = (draft: PublishBody | null) =>
  queryOptions({
    queryKey: queryKeys.publications.plan(draft),
    queryFn: ({ signal }) => call(previewPublish, { body: draft as PublishBody, signal }),
    enabled: draft !== null,
    placeholderData: keepPreviousData,
    retry: false,
  })

/** The device from whose page the sheet was opened. */
export const startDeviceQuery = (uid: string) =>
  queryOptions({
    queryKey: queryKeys.devices.card(uid),
    queryFn: ({ signal }) => call(readDevice, { params: { id: uid }, signal }),
  })

/** Devices without a group, to choose for a new one. */
export const freeDevicesQuery = (x: KindFilter, search: string) =>
  queryOptions({
    queryKey: queryKeys.devices.free(x, search),
    queryFn: ({ signal }) => call(listFreeDevices, { params: { x }, query: { search, size: 50 }, signal }),
    placeholderData: keepPreviousData,
  })

/** Publishes. `onSuccess` comes before the pages are read again. @throws Refusal with the codes of docs/specification.md#4-states-and-transitions; CallError 400 in the past */
export const usePublish = (onSuccess: (answer: AnswerOf<typeof publish>) => void) =>
  useChange('publication', (body: PublishBody) => change(publish, { body }), { onSuccess })
