import { listFreeDevices, readDevice } from '@floorcast/contract/devices.ts'
import type { BodyOf } from '@floorcast/contract/endpoint.ts'
import type { KindFilter } from '@floorcast/contract/fields.ts'
import { previewPublish, publish } from '@floorcast/contract/publish.ts'
import { callQuery, listQuery } from '../../platform/call-query.ts'
import { queryKeys } from '../../platform/query-keys.ts'
import { changeHook } from '../../platform/use-change.ts'

export type PublishBody = BodyOf<typeof publish>

/** The plan of publishing; not asked while the draft is incomplete. */
export const publishPlanQuery = (draft: PublishBody | null) =>
  listQuery(queryKeys.publications.plan(draft), previewPublish, {
    body: draft as PublishBody,
    enabled: draft !== null,
    retry: false,
  })

/** The device from whose page the sheet was opened. */
export const startDeviceQuery = (uid: string) =>
  callQuery(queryKeys.devices.card(uid), readDevice, { params: { id: uid } })

/** Devices without a group, to choose for a new one. */
export const freeDevicesQuery = (x: KindFilter, search: string) =>
  listQuery(queryKeys.devices.free(x, search), listFreeDevices, {
    params: { x },
    query: { search, size: 50 },
  })

/** @throws Refusal with the codes of docs/specification.md#4-states-and-transitions; CallError 400 in the past */
export const usePublish = changeHook('publication', publish)
