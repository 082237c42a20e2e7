import { z } from 'zod'
import { adminReaders, endpoint } from './endpoint.ts'
import { Instant, ListQuery, listOf, Uid } from './fields.ts'
import { LogEntry } from './logs.ts'

/** A log entry (`type` the thing's kind, `class` the action, `request` the call's id) with who, what and how. */
export const AuditEntry = LogEntry.extend({
  /** Null: the installation itself. */
  userUid: Uid.nullable(),
  /** The user's email at the time. */
  userName: z.string(),
  thingUid: Uid.nullable(),
  thingName: z.string().nullable(),
  /** What changed: each field before and after. */
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
