import { z } from 'zod'
import { type Access, endpoint, readers } from './endpoint.ts'
import { Instant, Uid } from './fields.ts'
import { AlertKind } from './manifest.ts'
import { Outcome } from './outcomes.ts'

/** Alerts are allowed after the end of the subscription: they save lives. */
const alarmists: Access = {
  by: 'user',
  roles: ['admin', 'manager'],
  changes: true,
  refusal: 'forbidden',
  evenExpired: true,
}

/** The uid of a device or a group, or `all`. */
const params = z.object({ uid: z.union([Uid, z.literal('all')]), alerttype: AlertKind })

export const OpenAlert = z.object({
  uid: Uid,
  kind: AlertKind,
  isDrill: z.boolean(),
  beganAt: Instant,
  /** The devices that it is for. */
  target: z.object({
    kind: z.enum(['all', 'group', 'device']),
    uid: Uid.nullable(),
    name: z.string().nullable(),
  }),
})
export type OpenAlert = z.infer<typeof OpenAlert>

export const beginAlert = endpoint({
  path: '/device/alert/{uid}/sendbegin/{alerttype}',
  summary:
    'Begin an alert for a device, a group or `all`; it lasts until it is ended. If it is open already, the answer is that alert. `drill=1` marks a drill; a real alert of the same kind and target ends an open drill.',
  access: alarmists,
  priority: 'alert',
  params,
  query: z.object({ drill: z.enum(['0', '1']).default('0') }),
  answer: Outcome,
  outcomes: ['done'],
})

export const endAlert = endpoint({
  path: '/device/alert/{uid}/sendend/{alerttype}',
  summary:
    "End the alert of this kind for the same device, group or `all`, even if the target is in the recycle bin. 400 'no-open-alert'.",
  access: alarmists,
  priority: 'alert',
  params,
  answer: Outcome,
  outcomes: ['done', 'notDone'],
})

export const listOpenAlerts = endpoint({
  path: '/api/v2/alerts/open',
  summary: 'The open alerts, newest first.',
  access: readers,
  answer: z.array(OpenAlert),
})
