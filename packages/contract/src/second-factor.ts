import { z } from 'zod'
import { SignedIn } from './auth.ts'
import { type Access, adminEditors, anyUser, endpoint, openToAll } from './endpoint.ts'
import { Instant, OwnPassword, Uid } from './fields.ts'
import { Outcome } from './outcomes.ts'
import { SignInTicket } from './sign-in-ticket.ts'

/** Six digits of the authenticator app, or a recovery code. Spaces and hyphens do not count. */
export const TotpCode = z.string().trim().min(1, 'empty').max(40, 'too-long')

/** What an authenticator app needs: the secret in base32, and the same as an `otpauth:` address for a QR code. */
export const TotpDraft = z.object({
  /** In base32, to be typed. */
  secret: z.string(),
  /** The `otpauth:` address, to be shown as a QR code. */
  uri: z.string(),
})
export type TotpDraft = z.infer<typeof TotpDraft>

/** The end of a subscription leaves the accounts to be protected. */
const adminSecurity: Access = { ...adminEditors, evenExpired: true }

/** New recovery codes, which the server shows once. Each signs in once in place of the authenticator app. */
export const RecoveryCodes = z.array(z.string())

export const completeSignIn = endpoint({
  path: '/api/v2/session/second-step',
  summary:
    "Complete a sign-in that was answered with HTTP 403 'second-factor': the ticket of its `secondStep`, and a code of the authenticator app or a recovery code. HTTP 400 'step-expired' after 5 minutes or 5 wrong codes; 422 at `code`.",
  access: openToAll,
  body: z.object({
    /** The `ticket` of the `secondStep`. */
    ticket: SignInTicket,
    code: TotpCode,
  }),
  answer: SignedIn,
})

export const beginRequiredEnrollment = endpoint({
  path: '/api/v2/session/enroll',
  summary:
    "Begin to set up the second factor that the client requires, in a sign-in that was answered with `mustEnroll`. HTTP 400 'step-expired'.",
  access: openToAll,
  body: z.object({
    /** The `ticket` of the `secondStep`. */
    ticket: SignInTicket,
  }),
  answer: TotpDraft,
})

export const confirmRequiredEnrollment = endpoint({
  path: '/api/v2/session/enroll/confirm',
  summary:
    'Confirm the second factor by a code of the authenticator app, and sign in. The recovery codes are shown once.',
  access: openToAll,
  body: z.object({
    /** The `ticket` of the `secondStep`. */
    ticket: SignInTicket,
    code: TotpCode,
  }),
  answer: SignedIn.extend({ recoveryCodes: RecoveryCodes }),
})

export const Passkey = z.object({
  uid: Uid,
  /** As the user has named it. */
  name: z.string(),
  createdAt: Instant,
  /** Null: never. */
  lastUsedAt: Instant.nullable(),
})
export type Passkey = z.infer<typeof Passkey>

export const SecondFactor = z.object({
  /** Since when the user has an authenticator app; null: none. Without passkeys too, the password alone signs in. */
  enrolledAt: Instant.nullable(),
  /** The user's own. */
  passkeys: z.array(Passkey),
  /** How many are not used. */
  recoveryCodesLeft: z.int(),
  /** The client requires it of every user. */
  isRequired: z.boolean(),
})
export type SecondFactor = z.infer<typeof SecondFactor>

export const readSecondFactor = endpoint({
  path: '/api/v2/second-factor',
  summary: "The user's own second factor.",
  access: anyUser,
  answer: SecondFactor,
})

export const beginEnrollment = endpoint({
  path: '/api/v2/second-factor/begin',
  summary:
    "Begin to set up an authenticator app of the user's own, or another in place of the present one, which works until a code confirms the new one. HTTP 422 at `password` if that is wrong.",
  access: anyUser,
  body: z.object({ password: OwnPassword }),
  answer: Outcome.extend(TotpDraft.partial().shape),
  outcomes: ['done'],
})

export const confirmEnrollment = endpoint({
  path: '/api/v2/second-factor/confirm',
  summary:
    'Confirm the second factor by a code of the authenticator app (HTTP 422 at `code`). The recovery codes are shown once; the other sessions of the user end.',
  access: anyUser,
  body: z.object({ code: TotpCode }),
  answer: Outcome.extend({ recoveryCodes: RecoveryCodes.optional() }),
  outcomes: ['done'],
})

export const renewRecoveryCodes = endpoint({
  path: '/api/v2/second-factor/recovery-codes',
  summary:
    "Replace the user's recovery codes. HTTP 422 at `password` if that is wrong; 400 'no-second-factor'.",
  access: anyUser,
  body: z.object({ password: OwnPassword }),
  answer: Outcome.extend({ recoveryCodes: RecoveryCodes.optional() }),
  outcomes: ['done', 'notDone'],
})

export const removeSecondFactor = endpoint({
  path: '/api/v2/second-factor/remove',
  summary:
    "Remove the user's own second factor. HTTP 422 at `password` if that is wrong; 400 'second-factor-required' if the client requires one.",
  access: anyUser,
  worksOnFullDisk: true,
  body: z.object({ password: OwnPassword }),
  answer: Outcome,
  outcomes: ['done', 'notDone'],
})

export const requireSecondFactor = endpoint({
  path: '/api/v2/users/second-factor',
  summary:
    "Require a second factor of every user of the client, or no longer. The sessions of users without one end, but for streamers; they set it up at their next sign-in. 400 'no-second-factor' for an admin without one.",
  access: adminSecurity,
  body: z.object({
    /** True: every user but streamers needs one. */
    isRequired: z.boolean(),
  }),
  answer: Outcome,
  outcomes: ['done', 'notDone'],
})

export const removeUserSecondFactor = endpoint({
  path: '/api/v2/users/{uid}/second-factor/remove',
  summary:
    "Remove the second factor of another user who has lost it; its sessions end. The password is the admin's own: HTTP 422 at `password` if that is wrong. 400 'own-second-factor' for one's own.",
  access: adminSecurity,
  worksOnFullDisk: true,
  params: z.object({ uid: Uid }),
  body: z.object({ password: OwnPassword }),
  answer: Outcome,
  outcomes: ['done', 'notDone'],
})
