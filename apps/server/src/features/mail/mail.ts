import type { Context } from '../../context.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import type { Writes } from '../../platform/database/client-scope.ts'
import type { MailLimits, QueueResult } from '../../platform/database/mail-queries.ts'
import { orNotFound, ProblemError } from '../../platform/lib/errors.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { openMailTransport } from '../../platform/mail/mail-transport.ts'
import { queueMailToUser, queuePlanRequestMail } from './mail-queries.ts'
import { MailQueue } from './mail-queue.ts'

export { mailLanguage } from './mail-texts.ts'

/** Hours and days of strangers count by network: a stranger who asks in a user's name does not use up what the user may ask for. */
export const MAIL_LIMITS: MailLimits = { anHour: 3, aDay: 10, waitingAClient: 500, waitingStrangers: 2000 }

/** @throws ProblemError 429 `mail-limit`, 503 `busy` */
export function checkQueued(result: QueueResult): void {
  if (result === 'recipient') throw new ProblemError('mail-limit', { retryAfterSeconds: 3600 })
  if (result === 'full') throw new ProblemError('busy', { retryAfterSeconds: 60 })
}

/**
 * Queues the mail with a user's link: an invitation, or a new password. It leaves when the transaction has committed.
 * @returns the address to which it goes @throws ProblemError 404; 429 `mail-limit`; 503 `busy`
 */
export async function mailLink(
  writes: Writes,
  ctx: RequestContext,
  to: { userUid: string; language: string },
): Promise<string> {
  const mail = { uid: uuidV7(), ...to, inviter: ctx.session.email, at: ctx.now }
  const { result, recipient } = orNotFound(await queueMailToUser(writes, mail, MAIL_LIMITS))
  checkQueued(result)
  return recipient
}

/** Queues the mail that tells the operator which plan the client wants, unless the client has caused too many of them. */
export async function mailPlanRequest(
  writes: Writes,
  ctx: RequestContext,
  letter: { recipient: string; language: string },
): Promise<void> {
  const { userUid, email } = ctx.session
  await queuePlanRequestMail(writes, { uid: uuidV7(), userUid, email, ...letter, at: ctx.now }, MAIL_LIMITS)
}

/** Starts sending the mails that wait. Null where there is no mail server. */
export function openMailQueue({ settings, bus, database, log, metrics, now }: Context): MailQueue | null {
  if (settings.mail === null) return null
  const transport = openMailTransport(settings.mail)
  return new MailQueue({ bus, database, log, metrics, now, publicUrl: settings.publicUrl, transport })
}
