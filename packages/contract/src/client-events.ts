import { z } from 'zod'
import { AlertKind } from './alert-kind.ts'
import { AlertTarget } from './alerts.ts'
import { SilentReason } from './devices.ts'
import { endpoint, readers } from './endpoint.ts'
import { Bytes, Day, Instant, queryInt, Reference, Uid, valuesOf } from './fields.ts'

/* What happened to a client, for people and other systems. docs/decisions/0364. */

/** How long events are kept. */
export const EVENT_DAYS = 30
/** An event names so many of its devices, as it is read alone; in a list it names `LISTED_DEVICES`. */
export const EVENT_DEVICES = 10_000
export const LISTED_DEVICES = 100

const Head = z.object({
  /** Grows with each event of the client, with gaps: the order in which they are read. */
  position: z.int().positive(),
  /** When it happened, or was seen. */
  at: Instant,
})

/** Several devices that did the same at one look are one event. */
const ofDevices = {
  /** How many devices. */
  deviceCount: z.int().positive(),
  /** Some of the devices: 100 in a list, 10,000 where the event is read alone. */
  deviceUids: z.array(Uid),
}
const event = <Kind extends string, Shape extends z.ZodRawShape>(kind: Kind, shape: Shape) =>
  z.object({
    ...Head.shape,
    /** What happened. */
    kind: z.literal(kind),
    ...shape,
  })

const AlertFacts = {
  /** Which alert. */
  alertUid: Uid,
  /** What it warns of. */
  alertKind: AlertKind,
  /** True: for practice. */
  isDrill: z.boolean(),
  target: AlertTarget,
}
/** A share of the plan that is used. */
const Use = {
  /** How much of the limit is used, in percent. */
  percent: z.int().nonnegative(),
  /** Bytes that count. */
  used: Bytes,
  /** Bytes of the plan. */
  limit: Bytes,
}
const Subscription = {
  /** The end of the subscription. */
  expiresAt: Instant,
}

export const ClientEvent = z.discriminatedUnion('kind', [
  event('device.late', ofDevices),
  event('device.down', ofDevices),
  event('device.silent', {
    ...ofDevices,
    /** Why the devices play nothing. */
    reason: SilentReason,
  }),
  event('device.back', {
    ...ofDevices,
    /** What the devices were before. */
    from: z.enum(['late', 'down', 'silent']),
  }),
  event('update.failed', ofDevices),
  event('publication.ready', {
    /** On the air or waiting. */
    publication: Reference,
    /** The devices that have its files: all of its group that ever reported. */
    devices: z.int().nonnegative(),
  }),
  event('publication.missing-files', {
    /** On the air for an hour, or about to begin within two. */
    publication: Reference,
    /** Devices that lack files of it. */
    devices: z.int().nonnegative(),
  }),
  event('publication.ended', {
    /** It is not on the air any more, and does not wait. */
    publication: Reference,
  }),
  event('alert.begun', AlertFacts),
  event('alert.not-sounded', {
    ...AlertFacts,
    /** Devices that reported that they do not play it. */
    failed: z.int().nonnegative(),
    /** Devices that reported nothing of it. */
    notReached: z.int().nonnegative(),
  }),
  event('alert.ended', AlertFacts),
  event('ad.short', {
    /** An ad. */
    media: Reference,
    /** The UTC day, of each device's own zone. */
    day: Day,
    /** Plays that its publications had scheduled. */
    planned: z.int().nonnegative(),
    /** Plays that were heard. */
    delivered: z.int().nonnegative(),
  }),
  event('storage.nearly-full', Use),
  event('statistics.nearly-full', Use),
  event('subscription.ending', Subscription),
  event('subscription.ended', Subscription),
  event('user.new-network', {
    /** Who signed in from a network that is none of the last ten. For admins. */
    user: Reference,
  }),
  event('user.factor-removed', {
    /** Whose second factor was removed. For admins. */
    user: Reference,
    /** One passkey, or all: the app and the passkeys. */
    factor: z.enum(['passkey', 'all']),
  }),
  event('webhook.disabled', {
    /** No event had arrived there for three days. For admins. */
    webhook: Reference,
  }),
])
export type ClientEvent = z.infer<typeof ClientEvent>
export type ClientEventKind = ClientEvent['kind']

export const clientEventKinds = ClientEvent.options.map(
  ({ shape }) => shape.kind.value,
) as readonly ClientEventKind[] as readonly [ClientEventKind, ...ClientEventKind[]]

/** Events about users, which only admins read. */
export const ADMIN_KINDS = [
  'user.new-network',
  'user.factor-removed',
  'webhook.disabled',
] as const satisfies ClientEventKind[]

export const listClientEvents = endpoint({
  path: '/api/v2/events',
  summary:
    'What happened, oldest first, for 30 days: devices that are late, down, silent or back, publications, alerts, ads that fell short, the plan, sign-ins. Ask again with the `next` of the answer. Several devices that do the same at once are one event. HTTP 410 `events-gone` where events after `after` were deleted.',
  access: readers,
  query: z.object({
    /** The `next` of the answer before, which none of these events is before; 0: from the oldest that is kept. */
    after: queryInt(0, Number.MAX_SAFE_INTEGER).default(0),
    /** Only these kinds. */
    kind: valuesOf(clientEventKinds).optional(),
    /** Events of an answer, at most 200. */
    size: queryInt(1, 200).default(50),
  }),
  answer: z.object({
    items: z.array(ClientEvent).describe('Oldest first.'),
    /** For `after` of the next call, also where there are no events. */
    next: z.int().nonnegative(),
    /** Whether there are further ones now. */
    hasMore: z.boolean(),
  }),
})

export const readClientEvent = endpoint({
  path: '/api/v2/events/{position}',
  summary: 'One event, with up to 10,000 of its devices.',
  access: readers,
  params: z.object({
    /** The event's. */
    position: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER),
  }),
  answer: ClientEvent,
})
