import type * as calls from '@floorcast/contract/mailed-links.ts'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { makeKeyOfNewClient } from '../proof-keys/proof-keys.ts'
import { checkNewPassword } from '../../platform/auth/password-rules.ts'
import { hashPassword } from '../../platform/auth/password.ts'
import { hashToken } from '../../platform/auth/token.ts'
import { orNotFound, ProblemError } from '../../platform/lib/errors.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { checkQueued, MAIL_LIMITS } from '../mail/mail.ts'
import { type Asked, beginSession, emailTaken, splitName, trialEnd } from './auth.ts'

function checkMailServer({ settings }: Context): void {
  if (settings.mail === null) throw new ProblemError('no-mail-server')
}

/**
 * Queues the mail with the link of a new account. No statement of this call looks at users: its answer and its time say nothing
 * about them. A user who has the email gets another mail.
 * @throws ProblemError 403 `registration-closed`, `no-mail-server`; 429 `mail-limit`; 503 `busy`
 */
export async function requestAccount(
  context: Context,
  { fullName, email }: z.output<typeof calls.requestAccount.body>,
  { language, askedFrom, now }: { language: string; askedFrom: string; now: Date },
): Promise<void> {
  if (context.settings.registration === 'closed') throw new ProblemError('registration-closed')
  checkMailServer(context)
  const name = { clientName: fullName, ...splitName(fullName) }
  const request = { uid: uuidV7(), mailUid: uuidV7(), email, ...name, language, askedFrom, at: now }
  checkQueued(await context.database.mails.requestRegistration(request, MAIL_LIMITS))
}

const linkExpired = () => new ProblemError('link-expired')

/** The email whose password a link sets. @throws ProblemError 400 `link-expired` */
export async function readLink({ database }: Context, token: string, now: Date): Promise<string> {
  const tokenHash = hashToken(token)
  const email =
    (await database.auth.linkEmail(tokenHash, now)) ??
    (await database.mails.registrationEmail(tokenHash, now))
  if (email === null) throw linkExpired()
  return email
}

/**
 * Makes the client of a mailed link with its first user, an admin, and signs it in. The owner of the email chooses the
 * password here: a stranger who asked for the account in the owner's name would know one chosen before.
 * @throws ProblemError 400 `link-expired`; 422 `email-taken` or for a password that others guess
 */
export async function confirmAccount(
  context: Context,
  { token, password }: { token: string; password: string },
  asked: Asked,
) {
  const { mails, auth } = context.database
  const tokenHash = hashToken(token)
  const holder = await mails.registrationEmail(tokenHash, asked.now)
  if (holder === null) throw linkExpired()
  await checkNewPassword(password, holder)
  const clientUid = uuidV7()
  const email = await mails.confirmRegistration({
    tokenHash,
    clientUid,
    userUid: uuidV7(),
    planKey: 'trial',
    subscriptionExpiresAt: trialEnd(asked.now),
    passwordHash: await hashPassword(password),
    at: asked.now,
  })
  if (email === null) throw linkExpired()
  if (email === '') throw emailTaken()
  await makeKeyOfNewClient(context, clientUid, asked.now)
  return beginSession(context, orNotFound(await auth.userByEmail(email)), asked)
}

/**
 * Queues the mail with a link for a new password. Whether a user has the email is looked up when the mail is sent; nobody else
 * gets one. @throws ProblemError 403 `no-mail-server`; 429 `mail-limit`; 503 `busy`
 */
export async function requestReset(
  context: Context,
  email: string,
  { language, askedFrom, now }: { language: string; askedFrom: string; now: Date },
): Promise<void> {
  checkMailServer(context)
  const request = { mailUid: uuidV7(), email, language, askedFrom, at: now }
  checkQueued(await context.database.mails.requestReset(request, MAIL_LIMITS))
}
