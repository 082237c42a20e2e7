import { z } from 'zod'
import { AlertRow } from './alerts.ts'
import { Connectivity } from './devices.ts'
import { endpoint, readers } from './endpoint.ts'
import { Instant, ListQuery, listOf, Reference, Uid } from './fields.ts'
import { byUid } from './item-calls.ts'

/**
 * What a device has done with an alert: `failed`: it received it and reported that it does not play; `not-reached`: it has
 * reported nothing; `sounding`: it has begun and not reported the end.
 */
export const AlertDeviceState = z.enum(['failed', 'not-reached', 'received', 'sounding', 'ended'])
export type AlertDeviceState = z.infer<typeof AlertDeviceState>

export const AlertCard = AlertRow.extend({
  /** The devices by what they have done with it. */
  devices: z.record(AlertDeviceState, z.int()),
})
export type AlertCard = z.infer<typeof AlertCard>

export const AlertDevice = z.object({
  uid: Uid,
  /** Null for a device that was deleted for good. */
  name: z.string().nullable(),
  /** The shop's own number; empty if it has none. */
  storeNumber: z.string(),
  /** Its present group; null: none. */
  group: Reference.nullable(),
  state: AlertDeviceState,
  /** When it received the alert; null: it has not reported that. */
  receivedAt: Instant.nullable(),
  /** When its sound began; null: it has not reported that. */
  startedAt: Instant.nullable(),
  /** When its sound ended; null: it has not reported that. */
  endedAt: Instant.nullable(),
  /** The device's words for what went wrong. A device that plays the alert had to use its siren. */
  failure: z.string().nullable(),
  connectivity: Connectivity,
  /** When the server got its last heartbeat; null: never, or reset since. */
  lastContactAt: Instant.nullable(),
})
export type AlertDevice = z.infer<typeof AlertDevice>

export const AlertDeviceFilter = ListQuery.extend({ state: AlertDeviceState.optional() })

export const readAlert = endpoint({
  path: '/api/v2/alerts/{uid}',
  summary: 'One alert, with the number of devices by what they have done with it.',
  access: readers,
  params: byUid,
  answer: AlertCard,
})

export const listAlertDevices = endpoint({
  path: '/api/v2/alerts/{uid}/devices',
  summary:
    'The devices of an alert: those that reported on it, and those that it is for; failed ones first, then those not reached.',
  access: readers,
  params: byUid,
  query: AlertDeviceFilter,
  answer: listOf(AlertDevice),
})
