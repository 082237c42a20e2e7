import { z } from 'zod'
import { anyUser, endpoint, openToAll, Rights, Role } from './endpoint.ts'
import { Email, Instant, Language, NewPassword, Uid } from './fields.ts'
import { Outcome } from './outcomes.ts'

export const SessionUser = z.object({
  uid: Uid,
  /** The same as `email`. */
  username: z.string(),
  /** A `streamer` only plays what its linked device has to play. */
  role: Role,
  /** `view`: changes of the client's items are refused. */
  rights: Rights,
  /** The device of a streamer; null for other roles. */
  linkedDeviceUid: Uid.nullable(),
  /** The given name; empty if it is not known. */
  firstName: z.string(),
  /** The family name; empty if it is not known. */
  lastName: z.string(),
  /** What the user signs in with. */
  email: z.string(),
  /** The end of the client's subscription. */
  subscriptionExpiresAt: Instant,
})
export type SessionUser = z.infer<typeof SessionUser>

export const SignedIn = SessionUser.extend({
  /** Goes in the header of further calls: `Authorization: Bearer TOKEN`. */
  token: z.string(),
})

export const Credentials = z.object({
  /** Capital letters do not count. */
  email: Email,
  /** As the user typed it. */
  password: z.string().min(1, 'empty').max(200, 'too-long'),
})

/** A person's name: letters and signs of any script, no control characters, no lone surrogates, no < or >. */
export const PersonName = z
  .string()
  .normalize('NFC')
  .trim()
  .regex(/^[^\p{Cc}\p{Cs}<>]*$/u, 'special-characters')

export const Registration = z.object({
  /** The server takes the first name and the last name from it. */
  fullName: PersonName.min(1, 'empty').max(100, 'too-long'),
  /** What the new user signs in with. */
  email: Email,
  password: NewPassword,
  /** The user accepts the terms of use. */
  terms: z.literal(true, 'terms'),
})

/** Menu color, mode and menu type: stored in the browser, and in the account on request. */
export const Personalization = z.object({
  /** The colour of the menu. */
  color: z.enum(['info', 'primary', 'orange', 'citrus', 'green', 'blue']),
  /** `auto`: as the system of the user has it. */
  mode: z.enum(['light', 'dark', 'auto']),
  /** How much of the menu is shown. */
  menuType: z.enum(['full', 'minimized', 'hidden']),
})
export type Personalization = z.infer<typeof Personalization>

export const authenticate = endpoint({
  path: '/users/authenticate',
  summary:
    "Sign in, or unlock with the stored email. 400 for a wrong login or password. HTTP 403 'second-factor' with a `secondStep` for users with a second factor.",
  access: openToAll,
  body: Credentials,
  answer: SignedIn,
})

export const register = endpoint({
  path: '/users/register',
  summary:
    "Create a client on the Trial plan and its first user, an admin, and sign the user in. HTTP 403 'registration-by-mail' where there is a mail server: ask by /users/register/request.",
  access: openToAll,
  worksOnFullDisk: false,
  body: Registration,
  answer: SignedIn,
})

export const endSession = endpoint({
  method: 'POST',
  path: '/api/v2/session/end',
  summary: 'Revoke the token: lock and logout.',
  access: anyUser,
  worksOnFullDisk: true,
  worksReadOnly: true,
  answer: Outcome,
  outcomes: ['done'],
})

export const readSession = endpoint({
  path: '/api/v2/session',
  summary: "The signed-in user's current role, rights and subscription.",
  access: anyUser,
  answer: SessionUser,
})

export const readProfile = endpoint({
  path: '/api/v2/profile/read/{id}',
  summary: "The user's own personalization, and the language of mails to the user: null until it is known.",
  access: anyUser,
  params: z.object({ id: Uid }),
  answer: Personalization.extend({
    /** The language of mails to the user; null until it is known. */
    language: Language.nullable(),
  }),
})

export const saveProfile = endpoint({
  path: '/api/v2/profile/save',
  summary: "Save the user's own personalization, names and language of mails.",
  access: anyUser,
  body: Personalization.partial().extend({
    /** Empty: no first name. */
    firstName: PersonName.max(50, 'too-long').optional(),
    /** Empty: no last name. */
    lastName: PersonName.max(50, 'too-long').optional(),
    /** The language of mails to the user. */
    language: Language.optional(),
  }),
  answer: Outcome,
  outcomes: ['done'],
})

/** The calls whose callers cannot send a header: `<audio>`, `<img>` and a browser's WebSocket. A ticket opens no other. */
export const TicketPath = z
  .string()
  .regex(/^\/api\/v2\/(media\/[\da-f-]{36}\/(file|preview)|iplay\/channel\/[\da-f-]{36})$/)

export const makeTicket = endpoint({
  path: '/api/v2/ticket',
  summary:
    'A ticket for a media file, a preview or a device channel, whose callers cannot send a header: 10 minutes, read-only, bound to this path and session. HTTP 403 or 404 for what the user may not open. At most 600 in ten minutes for a session.',
  access: anyUser,
  body: z.object({ path: TicketPath }),
  answer: z.object({
    /** Goes in the query of the call for the path: `?ticket=`. */
    ticket: z.string(),
    expiresAt: Instant,
  }),
})
