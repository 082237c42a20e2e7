import { z } from 'zod'
import { anyUser, endpoint } from './endpoint.ts'
import { Instant, Uid } from './fields.ts'

/** `warning` stands out more. */
export const NoticeLevel = z.enum(['info', 'warning'])
export type NoticeLevel = z.infer<typeof NoticeLevel>

/** What operators tell all users. */
export const InstallationNotice = z.object({
  /** Of each notice another one: a user who has dismissed one sees the next. */
  uid: Uid,
  /** A few lines of plain text. */
  text: z.string(),
  level: NoticeLevel,
  /** When it goes by itself. */
  until: Instant,
})
export type InstallationNotice = z.infer<typeof InstallationNotice>

/** The installation is maintained: changes of users are refused. `until` is null while nobody knows its end. */
export const ReadOnly = z.object({
  since: Instant,
  /** Null: until an operator ends it. */
  until: Instant.nullable(),
})
export type ReadOnly = z.infer<typeof ReadOnly>

export const InstallationState = z.object({
  /** Null: there is none. */
  notice: InstallationNotice.nullable(),
  /** While it is set, changes end with HTTP 503 'read-only'. Devices, sign-ins and alerts go on. */
  readOnly: ReadOnly.nullable(),
})
export type InstallationState = z.infer<typeof InstallationState>

export const readInstallationState = endpoint({
  path: '/api/v2/installation/state',
  summary:
    "What holds for all users at once: the operator's notice, and whether changes are refused while the installation is maintained. The change feed tells of changes (`installation`).",
  access: anyUser,
  answer: InstallationState,
})
