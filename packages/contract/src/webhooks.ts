import { z } from 'zod'
import { ClientEvent, clientEventKinds } from './client-events.ts'
import { adminEditors, adminReaders, endpoint } from './endpoint.ts'
import { Instant, ListQuery, listOf, Name, Uid } from './fields.ts'
import { deletesOne } from './item-calls.ts'
import { Outcome } from './outcomes.ts'

/* Addresses of other systems that are told what happens (Standard Webhooks). docs/decisions/0368. */

export const MAX_WEBHOOKS = 20
/** A rotated secret signs beside the new one for so long. */
export const FORMER_SECRET_HOURS = 24

const WebhookUrl = z
  .url({ protocol: /^https?$/, error: ({ input }) => (input === undefined ? 'empty' : 'wrong') })
  .max(2000, 'too-long')
  .refine(text => {
    const url = URL.parse(text)
    return url?.username === '' && url.password === '' && url.hash === ''
  }, 'wrong')

const Kinds = z.array(z.enum(clientEventKinds)).min(1).max(clientEventKinds.length).nullable()

export const Webhook = z.object({
  uid: Uid,
  name: z.string(),
  /** Where events are posted. */
  url: z.string(),
  /** Only events of these kinds; null: all of them. */
  kinds: Kinds,
  /** `disabled`: by an admin, or after three days without a success. */
  state: z.enum(['active', 'disabled']),
  /** Since when no event has arrived; null: the newest did, or there was none. */
  failingSince: Instant.nullable(),
  /** Events that wait. */
  waiting: z.int().nonnegative(),
  changedAt: Instant,
  /** The record's, which `edit` sends back. */
  version: z.int(),
})
export type Webhook = z.infer<typeof Webhook>

/** What is known of one event on its way to a webhook. */
export const WebhookDelivery = z.object({
  /** The event's. */
  position: z.int(),
  /** The event's. */
  kind: z.string(),
  /** `failed`: given up after a day, or because the webhook was disabled. */
  state: z.enum(['waiting', 'delivered', 'failed']),
  /** How often it was sent. */
  attempts: z.int().nonnegative(),
  /** When it happened. */
  at: Instant,
  /** When it was sent last; null: not yet. */
  triedAt: Instant.nullable(),
  /** When it is sent next; null: it waits for nothing. */
  dueAt: Instant.nullable(),
  /** The status of the last answer; null: there was none. */
  status: z.int().nullable(),
  /** Why the last attempt had no answer, or not the right one; null: it had. */
  failure: z.string().nullable(),
})
export type WebhookDelivery = z.infer<typeof WebhookDelivery>

/** What is posted. */
export const WebhookPost = z.object({
  /** The kind of the event. */
  type: z.enum(clientEventKinds),
  /** When it happened. */
  timestamp: Instant,
  data: ClientEvent,
})
export type WebhookPost = z.infer<typeof WebhookPost>

const MadeWebhook = Outcome.extend({
  /** Signs the events, as Standard Webhooks has it: `whsec_…`. It is shown now alone. */
  secret: z.string(),
})

export const listWebhooks = endpoint({
  path: '/api/v2/webhooks',
  summary: 'The webhooks of the client, by name.',
  access: adminReaders,
  answer: z.array(Webhook),
})

export const addWebhook = endpoint({
  method: 'POST',
  path: '/api/v2/webhooks/add',
  summary:
    'Post what happens to an address from now on, signed as Standard Webhooks has it. An address is public and speaks https. 400 above 20 webhooks.',
  access: adminEditors,
  body: z.object({
    name: Name,
    url: WebhookUrl,
    kinds: Kinds.default(null),
  }),
  answer: MadeWebhook,
  outcomes: ['done', 'notDone'],
})

export const editWebhook = endpoint({
  method: 'POST',
  path: '/api/v2/webhooks/edit',
  summary: 'Change a webhook. One that is made active again gets the events from then on.',
  access: adminEditors,
  body: z.object({
    uid: Uid,
    /** The record's that the user saw; HTTP 409 if it is stale. */
    version: z.int().optional(),
    name: Name.optional(),
    url: WebhookUrl.optional(),
    kinds: Kinds.optional(),
    state: z.enum(['active', 'disabled']).optional(),
  }),
  answer: Outcome,
  outcomes: ['done'],
})

export const rotateWebhook = endpoint({
  method: 'POST',
  path: '/api/v2/webhooks/{uid}/rotate',
  summary: 'A new secret. The former one signs too for 24 hours.',
  access: adminEditors,
  params: z.object({ uid: Uid }),
  answer: MadeWebhook,
  outcomes: ['done'],
})

export const deleteWebhook = deletesOne({
  path: '/api/v2/webhooks/delete',
  summary: 'Delete a webhook; events that wait are not sent.',
  access: adminEditors,
  outcomes: ['done'],
})

export const listWebhookDeliveries = endpoint({
  path: '/api/v2/webhooks/{uid}/deliveries',
  summary: 'The events of a webhook, newest first, for 30 days.',
  access: adminReaders,
  params: z.object({ uid: Uid }),
  query: ListQuery.pick({ page: true, size: true }).extend({
    /** Only those in this state. */
    state: z.enum(['waiting', 'delivered', 'failed']).optional(),
  }),
  answer: listOf(WebhookDelivery),
})

export const resendWebhookDelivery = endpoint({
  method: 'POST',
  path: '/api/v2/webhooks/{uid}/deliveries/{position}/resend',
  summary: 'Send an event again, with the same id. 400 while the webhook is disabled.',
  access: adminEditors,
  params: z.object({
    uid: Uid,
    /** The event's. */
    position: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER),
  }),
  answer: Outcome,
  outcomes: ['done', 'notDone'],
})
