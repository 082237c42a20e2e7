import { z } from 'zod'
import { adminEditors, adminReaders, anyUser, endpoint, openToAll, Rights, Role } from './endpoint.ts'
import {
  Email,
  Instant,
  Language,
  ListQuery,
  listOf,
  NewPassword,
  OwnPassword,
  Reference,
  Uid,
} from './fields.ts'
import { Outcome } from './outcomes.ts'
import { PersonName, SignedIn } from './auth.ts'

/** Hours for which a one-time link of an invitation or reset is valid. */
export const LINK_HOURS = 72

export const UserRow = z.object({
  uid: Uid,
  /** What the user signs in with. */
  email: z.string(),
  /** Empty if it is not known. */
  firstName: z.string(),
  /** Empty if it is not known. */
  lastName: z.string(),
  role: Role,
  rights: Rights,
  /** The device of a streamer. */
  linkedDevice: Reference.nullable(),
  /** The language of mails to the user; null until the first sign-in of a user who was added without one. */
  language: Language.nullable(),
  /** True until the user accepts the invitation. */
  isInvited: z.boolean(),
  /** An authenticator app or a passkey. */
  hasSecondFactor: z.boolean(),
  /** The last use of a session that is kept; null: none. */
  lastSeenAt: Instant.nullable(),
  createdAt: Instant,
})
export type UserRow = z.infer<typeof UserRow>

const ShortName = PersonName.max(50, 'too-long')
/** The caller's own, for what makes or unmakes an admin: HTTP 422 at `password` without it. */
const ForAdmins = OwnPassword.optional()
const byOwnPassword = "The password is the admin's own: HTTP 422 at `password` if that is wrong."
export const LinkOutcome = Outcome.extend({
  /** Opens the page that sets the password; shown once, never stored. */
  link: z.string().optional(),
  expiresAt: Instant.optional(),
  /** Where there is a mail server: the address to which the link goes. The answer then has no link. */
  sentTo: z.string().optional(),
})

export const PasswordByLink = z.object({
  /** The secret of the one-time link. */
  token: z.string().min(1, 'empty').max(200, 'too-long'),
  password: NewPassword,
})

export const listUsers = endpoint({
  path: '/api/v2/users',
  summary: "The client's users.",
  access: adminReaders,
  query: ListQuery,
  answer: listOf(UserRow),
})

export const inviteUser = endpoint({
  path: '/api/v2/users/invite',
  summary: `Add a user; the answer has the one-time link (${LINK_HOURS} h) for the user, or, where there is a mail server, the address to which it is mailed. A streamer needs a device. Mails to the user are in the language; without one, in the caller's own. An admin is invited by the caller's own \`password\`: HTTP 422 at \`password\` without it. HTTP 422 'email-taken' for an email of this client; at most 100 an hour.`,
  access: adminEditors,
  body: z.object({
    /** What the user is to sign in with. */
    email: Email,
    role: Role,
    rights: Rights.default('full'),
    /** Empty: not known. */
    firstName: ShortName.default(''),
    /** Empty: not known. */
    lastName: ShortName.default(''),
    /** The device of a streamer; null for other roles. */
    linkedDeviceUid: Uid.nullable().default(null),
    /** The language of mails to the user; null: the caller's. */
    language: Language.nullable().default(null),
    password: ForAdmins,
  }),
  answer: LinkOutcome,
  outcomes: ['done', 'notDone'],
})

export const editUser = endpoint({
  path: '/api/v2/users/edit',
  summary:
    "Change a user's role, rights, names, linked device or language of mails. Role or rights of an admin, and what makes an admin, need the caller's own `password`: HTTP 422 at `password` without it. 400 'last-admin' for the last admin with full rights.",
  access: adminEditors,
  body: z.object({
    uid: Uid,
    role: Role.optional(),
    rights: Rights.optional(),
    /** Empty: not known. */
    firstName: ShortName.optional(),
    /** Empty: not known. */
    lastName: ShortName.optional(),
    /** The device of a streamer; null for other roles. */
    linkedDeviceUid: Uid.nullable().optional(),
    language: Language.optional(),
    password: ForAdmins,
  }),
  answer: Outcome,
  outcomes: ['done', 'notDone'],
})

export const removeUser = endpoint({
  path: '/api/v2/users/delete',
  summary: `Remove a user; its sessions end. ${byOwnPassword} 400 'last-admin' for the last admin with full rights.`,
  access: adminEditors,
  worksOnFullDisk: true,
  body: z.object({ uid: Uid, password: OwnPassword }),
  answer: Outcome,
  outcomes: ['done', 'notDone'],
})

export const resetUser = endpoint({
  path: '/api/v2/users/{uid}/reset',
  summary: `Create a one-time link (${LINK_HOURS} h) to set a new password; the old one works until then. Where there is a mail server, the link goes to the user's email. ${byOwnPassword}`,
  access: adminEditors,
  params: z.object({ uid: Uid }),
  body: z.object({ password: OwnPassword }),
  answer: LinkOutcome,
  outcomes: ['done'],
})

export const changePassword = endpoint({
  path: '/api/v2/users/password',
  summary:
    "Change the user's own password; the user's other sessions end. HTTP 422 at `current` if that is wrong.",
  access: anyUser,
  worksOnFullDisk: true,
  body: z.object({
    /** The password until now. */
    current: z.string().min(1, 'empty').max(200, 'too-long'),
    password: NewPassword,
  }),
  answer: Outcome,
  outcomes: ['done'],
})

export const acceptLink = endpoint({
  path: '/api/v2/users/accept',
  summary:
    "Set the password with the link of an invitation or reset, and sign in. HTTP 400 'link-expired'; 422 'email-taken' if the user has joined another client since.",
  access: openToAll,
  body: PasswordByLink,
  answer: SignedIn,
})
