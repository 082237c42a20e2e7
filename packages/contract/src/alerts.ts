import { z } from 'zod'
import { AlertKind } from './alert-kind.ts'
import { type Access, endpoint, readers } from './endpoint.ts'
import { Instant, ListQuery, listOf, Uid } from './fields.ts'
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
const TargetUid = z.union([Uid, z.literal('all')])
export const AlertParams = z.object({
  /** The uid of a device or a group, or `all`. */
  uid: TargetUid,
  alerttype: AlertKind,
})

/** The devices that an alert is for. `name` is null for all devices. */
export const AlertTarget = z.object({
  /** All devices, those of a group, or one device. */
  kind: z.enum(['all', 'group', 'device']),
  /** Null for all devices. */
  uid: Uid.nullable(),
  /** The group's or the device's name; null for all devices. */
  name: z.string().nullable(),
})
export type AlertTarget = z.infer<typeof AlertTarget>

export const OpenAlert = z.object({
  uid: Uid,
  /** What the alert warns of. Each kind has its own sound. */
  kind: AlertKind,
  /** True: for practice. */
  isDrill: z.boolean(),
  beganAt: Instant,
  target: AlertTarget,
})
export type OpenAlert = z.infer<typeof OpenAlert>

export const AlertRow = OpenAlert.extend({
  /** The email of the user who began it. */
  beganBy: z.string().nullable(),
  /** Null while it is open. */
  endedAt: Instant.nullable(),
  /** The email of the user who ended it; null while it is open. */
  endedBy: z.string().nullable(),
  /** The devices that it was for when it began; null for alerts of a former release. */
  deviceCount: z.int().nullable(),
  /** The devices that have begun to play it. */
  soundedCount: z.int(),
})
export type AlertRow = z.infer<typeof AlertRow>

export const AlertFilter = ListQuery.extend({
  /** Alerts of this kind. */
  kind: AlertKind.optional(),
  /** Real alerts, or drills. */
  purpose: z.enum(['alert', 'drill']).optional(),
  /** Alerts that go on, or that have ended. */
  state: z.enum(['open', 'ended']).optional(),
})

/** What beginning an alert would reach. */
export const AlertReach = z.object({
  target: AlertTarget,
  /** The devices that the alert would be for. */
  deviceCount: z.int(),
  /** The devices that are online and whose reports are not overdue. The others play it when they connect, if it lasts until then. */
  reachableCount: z.int(),
})
export type AlertReach = z.infer<typeof AlertReach>

export const beginAlert = endpoint({
  path: '/device/alert/{uid}/sendbegin/{alerttype}',
  summary:
    'Begin an alert for a device, a group or `all`; it lasts until it is ended. If it is open already, the answer is that alert. `drill=1` marks a drill; a real alert of the same kind and target ends an open drill.',
  access: alarmists,
  worksOnFullDisk: true,
  priority: 'alert',
  params: AlertParams,
  query: z.object({
    /** `1`: for practice, and marked so in receipts and reports. */
    drill: z.enum(['0', '1']).default('0'),
  }),
  answer: Outcome.extend({
    /** True if it was open already: somebody else began it, or the call came twice. */
    wasOpen: z.boolean().optional(),
  }),
  outcomes: ['done'],
})

export const endAlert = endpoint({
  path: '/device/alert/{uid}/sendend/{alerttype}',
  summary:
    "End the alert of this kind for the same device, group or `all`, even if the target is in the recycle bin; with `alert`, only that one. 400 'no-open-alert'.",
  access: alarmists,
  worksOnFullDisk: true,
  priority: 'alert-end',
  params: AlertParams,
  query: z.object({
    /** The uid of the only alert that is to end. */
    alert: Uid.optional(),
  }),
  answer: Outcome,
  outcomes: ['done', 'notDone'],
})

export const listOpenAlerts = endpoint({
  path: '/api/v2/alerts/open',
  summary: 'The open alerts, newest first.',
  access: readers,
  answer: z.array(AlertRow),
})

export const listAlerts = endpoint({
  path: '/api/v2/alerts',
  summary: "The client's alerts, open and ended, newest first.",
  access: readers,
  query: AlertFilter,
  answer: listOf(AlertRow),
})

export const readAlertReach = endpoint({
  path: '/api/v2/alerts/reach/{uid}',
  summary: 'How many devices an alert for a device, a group or `all` would reach.',
  access: readers,
  params: z.object({ uid: TargetUid }),
  answer: AlertReach,
})
