import { z } from 'zod'
import { adminEditors, adminReaders, anyUser, endpoint } from './endpoint.ts'
import { Instant, OwnPassword, Uid } from './fields.ts'
import { byUid } from './item-calls.ts'
import { Outcome } from './outcomes.ts'

/** A session of a user that has neither ended nor expired. */
export const UserSession = z.object({
  uid: Uid,
  createdAt: Instant,
  /** To the minute. */
  lastUsedAt: Instant,
  /** The network address of the last use. Null for a session of an earlier release. */
  address: z.string().nullable(),
  /** The browser's or program's name for itself (User-Agent). Null if it has none. */
  userAgent: z.string().nullable(),
  /** True for the session of this call. */
  isCurrent: z.boolean(),
})
export type UserSession = z.infer<typeof UserSession>

const newest = 'the last used first, at most 100'

export const listOwnSessions = endpoint({
  path: '/api/v2/sessions',
  summary: `The user's own sessions, ${newest}.`,
  access: anyUser,
  answer: z.array(UserSession),
})

export const endOwnSession = endpoint({
  method: 'POST',
  path: '/api/v2/sessions/{uid}/end',
  summary:
    "End one of the user's own sessions, with its streams, channels and tickets. HTTP 404 if it has ended.",
  access: anyUser,
  worksOnFullDisk: true,
  worksReadOnly: true,
  params: byUid,
  answer: Outcome,
  outcomes: ['done'],
})

export const endOtherSessions = endpoint({
  method: 'POST',
  path: '/api/v2/sessions/endothers',
  summary: "End all of the user's own sessions except the one of this call.",
  access: anyUser,
  worksOnFullDisk: true,
  worksReadOnly: true,
  answer: Outcome,
  outcomes: ['done'],
})

export const listUserSessions = endpoint({
  path: '/api/v2/users/{uid}/sessions',
  summary: `The sessions of a user of the client, ${newest}.`,
  access: adminReaders,
  params: byUid,
  answer: z.array(UserSession),
})

export const endUserSessions = endpoint({
  path: '/api/v2/users/{uid}/endsessions',
  summary:
    "End all sessions of a user of the client; the admin's own go on, if it is this user, in the session of this call. The password is the admin's own: HTTP 422 at `password` if that is wrong. Works also after the subscription has expired.",
  access: { ...adminEditors, evenExpired: true },
  worksOnFullDisk: true,
  worksReadOnly: true,
  params: byUid,
  body: z.object({ password: OwnPassword }),
  answer: Outcome,
  outcomes: ['done'],
})
