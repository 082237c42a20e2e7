import { z } from 'zod'
import { adminReaders, endpoint } from './endpoint.ts'
import { Instant, ListQuery, listOf, Uid } from './fields.ts'
import { LogEntry } from './logs.ts'

/** A log entry (`type` is the kind of the item, `class` the action, `request` the id of the call) with user and changes. */
export const AuditEntry = LogEntry.extend({
  /** Null for changes by the installation. */
  userUid: Uid.nullable(),
  /** The user's email at the time. */
  userName: z.string(),
  thingUid: Uid.nullable(),
  thingName: z.string().nullable(),
  /** The changed fields, each before and after. */
  changes: z.record(z.string(), z.tuple([z.unknown(), z.unknown()])),
})
export type AuditEntry = z.infer<typeof AuditEntry>

export const readAudit = endpoint({
  path: '/audit/{id}',
  summary:
    'Who changed what and when, newest first; `id` is `all` or the uid of an item or user (404 for an unknown one).',
  access: adminReaders,
  params: z.object({ id: z.union([z.literal('all'), Uid]) }),
  query: ListQuery.extend({ from: Instant.optional(), to: Instant.optional() }),
  answer: listOf(AuditEntry),
})
