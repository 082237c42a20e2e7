import { sql } from 'kysely'
import type { Writes } from '../../platform/database/client-scope.ts'
import { type MailLimits, type QueueResult, toLimitList } from '../../platform/database/mail-queries.ts'

/** A mail with a link to a user of the client. */
export interface MailToUser {
  uid: string
  userUid: string
  /** The email of the admin who sends the link. */
  inviter: string
  language: string
  at: Date
}

/** Queues a mail, sent when the transaction has committed. @returns undefined if the client has no such user */
export async function queueMailToUser(
  writes: Writes,
  { uid, userUid, inviter, language, at }: MailToUser,
  limits: MailLimits,
): Promise<{ result: QueueResult; recipient: string } | undefined> {
  const { rows } = await sql<{ result: QueueResult; recipient: string }>`
    select * from queue_mail_to_user(${uid}, ${userUid}, ${inviter}, ${language}, ${at}, ${toLimitList(limits)}::int[])`.execute(
    writes,
  )
  return rows[0]
}

/** A mail that tells the operator of the request of a user. */
export interface PlanRequestMail {
  uid: string
  recipient: string
  userUid: string
  email: string
  language: string
  at: Date
}

/** Queues a mail about the client's request for a plan, unless the client has caused too many of them. */
export async function queuePlanRequestMail(
  writes: Writes,
  { uid, recipient, userUid, email, language, at }: PlanRequestMail,
  { anHour, aDay }: MailLimits,
): Promise<void> {
  await sql`select queue_plan_request_mail(${uid}, ${recipient}, ${userUid}, ${email}, ${language}, ${at}, ${[anHour, aDay]}::int[])`.execute(
    writes,
  )
}
