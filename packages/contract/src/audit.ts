import { z } from 'zod'
import { adminReaders, endpoint } from './endpoint.ts'
import { Instant, ListQuery, listOf, someOf, Uid, valuesOf } from './fields.ts'
import { LogEntry } from './logs.ts'

/** The kinds of items whose changes are recorded. */
export const AuditedKind = z.enum([
  'user',
  'client',
  'session',
  'device',
  'group',
  'media',
  'playlist',
  'publication',
  'tag',
  'profile',
  'saved-view',
  'alert',
  'update-file',
  'update-package',
  'update-channel',
  'deploy-package',
])
export type AuditedKind = z.infer<typeof AuditedKind>

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

export const AuditFilter = ListQuery.extend({
  type: valuesOf(AuditedKind.options).optional(),
  /** The users who made the changes. */
  user: someOf(Uid).optional(),
  from: Instant.optional(),
  to: Instant.optional(),
})

export const readAudit = endpoint({
  path: '/audit/{id}',
  summary:
    'Who changed what and when, newest first; `id` is `all` or the uid of an item or user (404 for an unknown one).',
  access: adminReaders,
  params: z.object({ id: z.union([z.literal('all'), Uid]) }),
  query: AuditFilter,
  answer: listOf(AuditEntry),
})
