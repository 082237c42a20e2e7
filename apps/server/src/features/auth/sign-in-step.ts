import { createHash } from 'node:crypto'
import type { SecondFactor } from '@floorcast/contract/second-factor.ts'
import type { Context } from '../../context.ts'
import type { AuthUser } from '../../platform/database/auth-queries.ts'
import { hashToken, makeToken } from '../../platform/auth/token.ts'
import { ProblemError } from '../../platform/lib/errors.ts'
import { insertStep, type LinkOfStep, readFactor } from './second-factor-queries.ts'

/** The ticket of a first step: how long it is valid, and the wrong codes that end it. */
export const SIGN_IN_STEP = { seconds: 300, maxTries: 5 }

/** Recovery codes replace a factor, but do not count as one. */
export const hasFactor = ({ enrolledAt, passkeys }: SecondFactor) =>
  enrolledAt !== null || passkeys.length > 0

/** The password alone is not enough. */
export const needsSecondStep = (factor: SecondFactor) => factor.isRequired || hasFactor(factor)

/** A one-time link and the hash of the password that it sets. */
export interface UsedLink {
  linkHash: Buffer
  newPasswordHash: string
}

/**
 * Lets the sign-in go on if the password, or the link, alone is enough for this user. A link waits for a factor that the user has, so
 * that who reads the mails of the user changes nothing without it.
 * @throws ProblemError 403 `second-factor` with a ticket for the second step, bound to the present password
 */
export async function requireSecondStep(
  context: Context,
  user: AuthUser,
  { now, link }: { now: Date; link?: UsedLink },
): Promise<void> {
  const scope = context.database.forClient(user.clientId)
  const factor = await readFactor(scope.reads, user.uid)
  if (!(link ? hasFactor(factor) : needsSecondStep(factor))) return
  const ticket = makeToken()
  const expiresAt = new Date(now.getTime() + SIGN_IN_STEP.seconds * 1000)
  await scope.write(writes =>
    insertStep(writes, {
      ticketHash: hashToken(ticket),
      clientId: user.clientId,
      userUid: user.uid,
      passwordMark: createHash('sha256').update(user.passwordHash).digest(),
      createdAt: now,
      expiresAt,
      ...(link ?? { linkHash: null, newPasswordHash: null }),
    }),
  )
  const secondStep = {
    ticket,
    expiresAt: expiresAt.toISOString(),
    mustEnroll: !hasFactor(factor),
    hasPasskey: factor.passkeys.length > 0,
  }
  throw new ProblemError('second-factor', { secondStep })
}

/** Uses the link of a completed step. @returns the user as it is then @throws ProblemError 400 `link-expired` */
export async function useLinkOfStep(
  { database }: Context,
  user: AuthUser,
  { linkHash, newPasswordHash, now }: LinkOfStep & { now: Date },
): Promise<AuthUser> {
  if (linkHash === null || newPasswordHash === null) return user
  const email = await database.auth.useLink(linkHash, newPasswordHash, now)
  const changed = email === null ? null : await database.auth.userByEmail(email)
  if (!changed) throw new ProblemError('link-expired')
  return changed
}

/** Counts a try of the ticket. @returns its user @throws ProblemError 400 `step-expired` */
export async function openStep(context: Context, ticket: string, now: Date): Promise<AuthUser> {
  const user = await context.database.auth.signInStep(hashToken(ticket), now, SIGN_IN_STEP.maxTries)
  if (!user) throw new ProblemError('step-expired')
  return user
}
