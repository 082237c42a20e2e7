import type { BodyOf } from '@floorcast/contract/endpoint.ts'
import type {
  Credentials,
  Personalization,
  Registration,
  saveProfile as saveProfileCall,
  SessionUser,
} from '@floorcast/contract/auth.ts'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import type { AuthUser } from '../../platform/database/auth-queries.ts'
import type { Writes } from '../../platform/database/client-scope.ts'
import { isUniqueViolation } from '../../platform/database/database-errors.ts'
import { toAddressKey } from '../../platform/http/admit/access.ts'
import { orNotFound, notFound, ProblemError } from '../../platform/lib/errors.ts'
import { omitUndefined } from '../../platform/lib/omit-undefined.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import { SESSION_IDLE_SECONDS, SESSION_SECONDS } from '../../platform/auth/authenticator.ts'
import { checkNewPassword } from '../../platform/auth/password-rules.ts'
import { hashPassword, isPassword } from '../../platform/auth/password.ts'
import type { Session } from '../../platform/auth/session.ts'
import { hashToken, makeToken } from '../../platform/auth/token.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { changesBetween, recordChange } from '../audit/audit.ts'
import { addEvent } from '../client-events/client-events.ts'
import { mailLanguage } from '../mail/mail.ts'
import { makeKeyOfNewClient } from '../proof-keys/proof-keys.ts'
import type { FailedSignIns } from './failed-sign-ins.ts'
import {
  findLanguage,
  findPersonalization,
  hasMedia,
  insertSession,
  insertTicket,
  learnLanguage,
  learnNetwork,
  noteSignIn,
  lockUser,
  revokeSession,
  savePersonalization,
  updateOwnUser,
} from './auth-queries.ts'
import { lockRequirement, readFactor } from './second-factor-queries.ts'
import { needsSecondStep, requireSecondStep } from './sign-in-step.ts'

export { revokeSessions } from './auth-queries.ts'
export { checkPassword } from './own-password.ts'
export { passwordChanges } from './own-password-routes.ts'
export { limitCodes, limitPasswords, limitSteps } from './sign-in-limits-routes.ts'
export { SIGN_IN_STEP } from './sign-in-step.ts'

/** The time of a call, the id for its log line and audit rows, and where it comes from. */
export interface Asked {
  now: Date
  requestId: string
  address: string
  userAgent: string | null
  /** The header, for the language of a user who has none. */
  acceptLanguage: string | undefined
}

const TRIAL_DAYS = 30
const MAX_USER_AGENT_LENGTH = 300
const TICKET_SECONDS = 600
const DEFAULT_LOOK: Personalization = { color: 'info', mode: 'auto', menuType: 'full' }

const after = (now: Date, seconds: number) => new Date(now.getTime() + seconds * 1000)

/** The end of the trial of a client that registers now. */
export const trialEnd = (now: Date) => after(now, TRIAL_DAYS * 86_400)

/** The parts of a whole name as it is written: the first one is the given name, in Chinese characters the family name. */
export function splitName(fullName: string): { firstName: string; lastName: string } {
  const [first = '', ...others] = fullName.split(/\s+/u)
  const isFamilyFirst = others.length > 0 && /^[\p{Script=Han}\s]+$/u.test(fullName)
  return isFamilyFirst
    ? { firstName: others.join(''), lastName: first }
    : { firstName: first, lastName: others.join(' ') }
}

export const userOf = (session: Omit<Session, 'sessionUid' | 'clientId' | 'expiresAt'>): SessionUser => ({
  uid: session.userUid,
  username: session.email,
  role: session.role,
  rights: session.rights,
  linkedDeviceUid: session.linkedDeviceUid,
  firstName: session.firstName,
  lastName: session.lastName,
  email: session.email,
  subscriptionExpiresAt: session.subscriptionExpiresAt,
})

/** Begins the session of a complete sign-in. @returns its token, of which the database stores only the hash */
export const beginSession = (context: Context, user: AuthUser, asked: Asked) =>
  openSession(context, user, { ...asked, isByPasswordAlone: false })

/** @throws ProblemError 403 `second-factor` with a ticket if the password alone is not enough */
async function enterByPassword(context: Context, user: AuthUser, asked: Asked) {
  await requireSecondStep(context, user, asked)
  return openSession(context, user, { ...asked, isByPasswordAlone: true })
}

/** The password or the factor may have changed, and the user's sessions ended, since the sign-in began. */
async function checkAgain(writes: Writes, user: AuthUser, isByPasswordAlone: boolean): Promise<void> {
  const { passwordHash } = await lockUser(writes, user.uid)
  if (passwordHash !== user.passwordHash) throw new ProblemError('wrong-login')
  if (!isByPasswordAlone) return
  await lockRequirement(writes)
  if (needsSecondStep(await readFactor(writes, user.uid))) throw new ProblemError('step-expired')
}

async function openSession(context: Context, user: AuthUser, asked: Asked & { isByPasswordAlone: boolean }) {
  const { now, requestId, address } = asked
  const token = makeToken()
  const scope = context.database.forClient(user.clientId)
  const { uid: userUid, passwordHash: _, ...rest } = user
  const expiresAt = after(now, SESSION_SECONDS)
  const session = { ...rest, userUid, sessionUid: uuidV7(), expiresAt: expiresAt.toISOString() }
  await scope.write(async writes => {
    await checkAgain(writes, user, asked.isByPasswordAlone)
    await learnLanguage(writes, userUid, mailLanguage(asked.acceptLanguage))
    if (await learnNetwork(writes, userUid, toAddressKey(address))) {
      const event = { kind: 'user.new-network', user: { uid: userUid, name: user.email } } as const
      addEvent(writes, { clientId: user.clientId, at: now }, event)
    }
    await noteSignIn(writes, userUid, now)
    await insertSession(writes, {
      uid: session.sessionUid,
      clientId: user.clientId,
      userUid,
      tokenHash: hashToken(token),
      createdAt: now,
      idleExpiresAt: after(now, SESSION_IDLE_SECONDS),
      expiresAt,
      address,
      userAgent: asked.userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null,
    })
    const entry = {
      action: 'sign-in' as const,
      entity: 'session' as const,
      uid: session.sessionUid,
      name: user.email,
    }
    await recordChange(writes, { scope, session, now, requestId }, entry)
  })
  return { ...userOf(session), token }
}

/**
 * Signs a user in. The audit of the user's client records a wrong password.
 * @throws ProblemError 400 for a wrong email or password, which does not say which; 403 `second-factor` with a ticket
 */
export async function signIn(
  context: Context & { failures: FailedSignIns },
  credentials: z.output<typeof Credentials>,
  asked: Asked,
) {
  const user = await context.database.auth.userByEmail(credentials.email)
  const fits = await isPassword(credentials.password, user?.passwordHash ?? null)
  if (user && !fits) context.failures.record(user, asked)
  if (!user || !fits) throw new ProblemError('wrong-login')
  return enterByPassword(context, user, asked)
}

export const emailTaken = () =>
  new ProblemError('email-taken', { errors: [{ path: 'email', message: 'email-taken' }] })

/**
 * Sets the password by a one-time link and signs its user in. The link of a user with a second factor is used with the factor.
 * @throws ProblemError 400 `link-expired`; 403 `second-factor` with a ticket; 422 for a password that others guess, or
 * `email-taken` if the invited user has joined another client since
 */
export async function signInByLink(
  context: Context,
  { token, password }: { token: string; password: string },
  asked: Asked,
) {
  const { auth } = context.database
  const tokenHash = hashToken(token)
  const holder = await auth.linkEmail(tokenHash, asked.now)
  if (holder === null) throw new ProblemError('link-expired')
  await checkNewPassword(password, holder)
  const passwordHash = await hashPassword(password)
  const known = await auth.userByEmail(holder)
  const link = { linkHash: tokenHash, newPasswordHash: passwordHash }
  // An invited user has no factor yet, and another client may have a user of this email.
  if (known && (await auth.linkUser(tokenHash, asked.now)) === known.uid)
    await requireSecondStep(context, known, { now: asked.now, link })
  const email = await auth.useLink(tokenHash, passwordHash, asked.now).catch((error: unknown) => {
    throw isUniqueViolation(error, 'users_email') ? emailTaken() : error
  })
  const user = email === null ? null : await auth.userByEmail(email)
  if (!user) throw new ProblemError('link-expired')
  return enterByPassword(context, user, asked)
}

/**
 * Makes a client on the Trial plan with its first user, an admin, and signs it in.
 * @throws ProblemError 403 `registration-closed`, or `registration-by-mail` where emails are confirmed; 422 `email-taken` or for a password that others guess
 */
export async function registerClient(
  context: Context,
  registration: z.output<typeof Registration>,
  asked: Asked,
) {
  if (context.settings.registration === 'closed') throw new ProblemError('registration-closed')
  if (context.settings.mail !== null) throw new ProblemError('registration-by-mail')
  const { fullName, email, password } = registration
  await checkNewPassword(password, email)
  if (await context.database.auth.userByEmail(email)) throw emailTaken()
  const clientUid = uuidV7()
  const isNew = await context.database.auth.register({
    clientUid,
    clientName: fullName,
    planKey: 'trial',
    subscriptionExpiresAt: trialEnd(asked.now),
    userUid: uuidV7(),
    email,
    passwordHash: await hashPassword(password),
    ...splitName(fullName),
    at: asked.now,
  })
  if (!isNew) throw emailTaken()
  await makeKeyOfNewClient(context, clientUid, asked.now)
  return beginSession(context, orNotFound(await context.database.auth.userByEmail(email)), asked)
}

/** Revokes the token at lock and logout; its tickets end with it. */
export async function endSession(ctx: RequestContext): Promise<void> {
  await ctx.scope.write(async writes => {
    const { sessionUid, userUid, email } = ctx.session
    if (!(await revokeSession(writes, { uid: sessionUid, userUid, at: ctx.now }))) return
    await recordChange(writes, ctx, { action: 'sign-out', entity: 'session', uid: sessionUid, name: email })
  })
}

/** One's own look of the console; nobody else's. */
export async function readProfile(ctx: RequestContext, userUid: string) {
  if (userUid !== ctx.session.userUid) throw notFound()
  const look = (await findPersonalization(ctx.scope.reads, userUid)) ?? DEFAULT_LOOK
  return { ...look, language: await findLanguage(ctx.scope.reads, userUid) }
}

/** Saves one's own look, names and language; what is not given stays. */
export async function saveProfile(
  ctx: RequestContext,
  change: BodyOf<typeof saveProfileCall>,
): Promise<void> {
  const { userUid, email } = ctx.session
  await ctx.scope.write(async writes => {
    const { firstName, lastName, language } = await lockUser(writes, userUid)
    const look = (await findPersonalization(writes, userUid)) ?? DEFAULT_LOOK
    const before = { ...look, firstName, lastName, language }
    const next = { ...before, ...omitUndefined(change) }
    const { color, mode, menuType } = next
    const { clientId } = ctx.scope
    await savePersonalization(writes, { clientId, userUid, color, mode, menuType, changedAt: ctx.now })
    const own = { firstName: next.firstName, lastName: next.lastName, language: next.language }
    await updateOwnUser(writes, userUid, { ...own, changedAt: ctx.now })
    const changes = changesBetween(before, next)
    await recordChange(writes, ctx, { action: 'edit', entity: 'user', uid: userUid, name: email, changes })
  })
}

/**
 * What a ticket opens must be open to its user: media of the client to those who read media, the channel of the linked device.
 * @throws ProblemError 403 `role`, 404
 */
async function checkTicketPath({ scope, session }: RequestContext, path: string): Promise<void> {
  const [, kind = '', uid = ''] = /^\/api\/v2\/(media|iplay\/channel)\/([^/]+)/.exec(path) ?? []
  if (kind === 'media') {
    if (session.role === 'streamer') throw new ProblemError('role')
    if (!(await hasMedia(scope.reads, uid))) throw notFound()
  } else if (session.linkedDeviceUid !== uid) throw notFound()
}

/** A ticket for one path of this session: used once by a WebSocket, else read-only for 10 minutes. @throws ProblemError 403, 404 */
export async function makeTicket(ctx: RequestContext, path: string) {
  await checkTicketPath(ctx, path)
  const ticket = makeToken()
  const expiresAt = after(ctx.now, TICKET_SECONDS)
  const kept = {
    ticketHash: hashToken(ticket),
    clientId: ctx.scope.clientId,
    sessionUid: ctx.session.sessionUid,
    path,
    isOnce: path.startsWith('/api/v2/iplay/channel/'),
    expiresAt,
  }
  await ctx.scope.write(writes => insertTicket(writes, kept, ctx.now))
  return { ticket, expiresAt: expiresAt.toISOString() }
}
