import type { Pool } from 'pg'
import { callFunction } from './auth-queries.ts'

export const mailKinds = [
  'registration',
  'forgotten-password',
  'invitation',
  'reset',
  'plan-request',
] as const
/** `dropped`: there was nobody to write to; `refused`: by the mail server; `expired`: it could not be sent for a day. */
export const mailOutcomes = ['sent', 'dropped', 'refused', 'expired'] as const

/** Counts in the order that the database functions take. */
export interface MailLimits {
  /** Mails of one kind to one recipient; what strangers ask for counts by their network. */
  anHour: number
  aDay: number
  /** Mails on behalf of one client that wait. */
  waitingAClient: number
  /** Mails on behalf of strangers that wait. */
  waitingStrangers: number
}

/** `recipient`: the recipient has had enough of them; `full`: too many wait. */
export type QueueResult = 'queued' | 'recipient' | 'full'

export const toLimitList = ({ anHour, aDay, waitingAClient, waitingStrangers }: MailLimits): number[] => [
  anHour,
  aDay,
  waitingAClient,
  waitingStrangers,
]

export interface RegistrationRequest {
  uid: string
  mailUid: string
  email: string
  clientName: string
  firstName: string
  lastName: string
  language: string
  /** The network of the caller. */
  askedFrom: string
  at: Date
}

export interface RegistrationConfirmation {
  tokenHash: Buffer
  clientUid: string
  userUid: string
  planKey: string
  subscriptionExpiresAt: Date
  passwordHash: string
  at: Date
}

/** A mail that this server sends now, while others leave it alone. */
export interface ClaimedMail {
  uid: string
  kind: (typeof mailKinds)[number]
  recipient: string
  language: string
  createdAt: string
  attempts: number
}

/** The text of a mail. `taken`: somebody asked for an account with the email of a user. */
export type MailVariant = 'registration' | 'taken' | 'invitation' | 'forgotten' | 'reset'

export interface PreparedMail {
  variant: MailVariant
  /** The email of the admin who sends the link; null for mails that strangers cause. */
  inviter: string | null
}

/** The content of the mail about a client's open request: who asks, and for which plan. */
export interface PlanRequestMail {
  email: string
  planKey: string
}

/** When the links of mails end, by what they are for. */
export interface LinkEnds {
  registration: Date
  forgotten: Date
  others: Date
}

/** `sent`, `refused` and `expired` end a mail; null sends it again. */
export interface MailEnd {
  uid: string
  outcome: (typeof mailOutcomes)[number] | null
  againAt: Date | null
  /** For the client's audit: what the mail server said, without the recipient. */
  reason: string | null
  entryUid: string
  at: Date
}

/** Links by mail for users who cannot sign in, and the queue of mails, over all clients. Tokens are passed as SHA-256 hashes. */
export interface MailQueries {
  requestRegistration(request: RegistrationRequest, limits: MailLimits): Promise<QueueResult>
  /** Queues a mail for a forgotten password; whether a user has the email is looked up when it is sent. */
  requestReset(
    request: { mailUid: string; email: string; language: string; askedFrom: string; at: Date },
    limits: MailLimits,
  ): Promise<QueueResult>
  /** The email of a registration whose link can be used; null for any other. */
  registrationEmail(tokenHash: Buffer, at: Date): Promise<string | null>
  /** Makes the client and its user. @returns the email; null if the link is unknown or expired, '' if the email is taken */
  confirmRegistration(confirmation: RegistrationConfirmation): Promise<string | null>
  /** Takes due mails, those of clients and kinds in turns. Other servers leave them alone until the lease ends. */
  claim(lease: { at: Date; endsAt: Date; max: number }): Promise<ClaimedMail[]>
  /** When the next mail is due; null: none waits. */
  nextAt(): Promise<Date | null>
  /**
   * Stores the hash of the mail's link. @returns null if there is nobody to write to, or strangers have caused
   * `maxOfStrangers` mails for a forgotten password in a day: the mail has ended
   */
  prepare(mail: {
    uid: string
    tokenHash: Buffer
    entryUid: string
    at: Date
    ends: LinkEnds
    maxOfStrangers: number
  }): Promise<PreparedMail | null>
  /** @returns null if the request is no longer open: the mail has ended */
  preparePlanRequest(uid: string): Promise<PlanRequestMail | null>
  /** The language of the user who reads a mail; null if the recipient is not a user, or has none yet. */
  languageOf(uid: string): Promise<string | null>
  end(end: MailEnd): Promise<void>
}

/** The queries of two roles: `auth` for callers without a session, `jobs` for the queue. */
export function openMailQueries({ auth, jobs }: { auth: Pool; jobs: Pool }): MailQueries {
  const one = async <Row>(pool: Pool, name: string, ...values: unknown[]) =>
    (await callFunction<Row>(pool, name, values))[0] ?? null
  return {
    requestRegistration: async (r, limits) => {
      const names = [r.clientName, r.firstName, r.lastName]
      const values = [r.uid, r.mailUid, r.email, ...names, r.language, r.askedFrom, r.at, toLimitList(limits)]
      const row = await one<{ authRequestRegistration: QueueResult }>(
        auth,
        'auth_request_registration',
        ...values,
      )
      return row?.authRequestRegistration ?? 'full'
    },
    requestReset: async ({ mailUid, email, language, askedFrom, at }, limits) => {
      const values = [mailUid, email, language, askedFrom, at, toLimitList(limits)]
      const row = await one<{ authRequestReset: QueueResult }>(auth, 'auth_request_reset', ...values)
      return row?.authRequestReset ?? 'full'
    },
    registrationEmail: async (tokenHash, at) => {
      const name = 'auth_registration_email'
      const row = await one<{ authRegistrationEmail: string | null }>(auth, name, tokenHash, at)
      return row?.authRegistrationEmail ?? null
    },
    confirmRegistration: async c => {
      const client = [c.clientUid, c.userUid, c.planKey, c.subscriptionExpiresAt]
      const values = [c.tokenHash, ...client, c.passwordHash, c.at]
      const name = 'auth_confirm_registration'
      const row = await one<{ authConfirmRegistration: string | null }>(auth, name, ...values)
      return row?.authConfirmRegistration ?? null
    },
    claim: ({ at, endsAt, max }) => callFunction<ClaimedMail>(jobs, 'jobs_claim_mails', [at, endsAt, max]),
    nextAt: async () => {
      const row = await one<{ jobsNextMailAt: string | null }>(jobs, 'jobs_next_mail_at')
      return row?.jobsNextMailAt ? new Date(row.jobsNextMailAt) : null
    },
    prepare: ({ uid, tokenHash, entryUid, at, ends, maxOfStrangers }) => {
      const values = [at, ends.registration, ends.forgotten, ends.others, maxOfStrangers]
      return one<PreparedMail>(jobs, 'jobs_prepare_mail', uid, tokenHash, entryUid, ...values)
    },
    preparePlanRequest: uid => one<PlanRequestMail>(jobs, 'jobs_prepare_plan_request', uid),
    languageOf: async uid =>
      (await one<{ jobsMailLanguage: string | null }>(jobs, 'jobs_mail_language', uid))?.jobsMailLanguage ??
      null,
    end: async ({ uid, outcome, againAt, reason, entryUid, at }) => {
      await callFunction(jobs, 'jobs_end_mail', [uid, outcome, againAt, reason, entryUid, at])
    },
  }
}
