import type { BodyOf } from '@floorcast/contract/endpoint.ts'
import type { Language } from '@floorcast/contract/fields.ts'
import { LINK_HOURS, type inviteUser as inviteUserCall } from '@floorcast/contract/users.ts'
import type * as calls from '@floorcast/contract/users.ts'
import type { z } from 'zod'
import { checkNewPassword } from '../../platform/auth/password-rules.ts'
import { hashPassword, isPassword, NO_PASSWORD } from '../../platform/auth/password.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import { hashToken, makeToken } from '../../platform/auth/token.ts'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import { isUniqueViolation } from '../../platform/database/database-errors.ts'
import type { ListRequest } from '../../platform/database/list.ts'
import { orNotFound, OutcomeError, ProblemError } from '../../platform/lib/errors.ts'
import { omitUndefined } from '../../platform/lib/omit-undefined.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { changesBetween, changesOfEdit, recordChange } from '../audit/audit.ts'
import { checkPassword, revokeSessions } from '../auth/auth.ts'
import { mailLink } from '../mail/mail.ts'
import * as queries from './users-queries.ts'

export const listUsers = (ctx: RequestContext, list: ListRequest) =>
  queries.listUserRows(ctx.scope.reads, list)

const wrongField = (path: string, message: string) =>
  new ProblemError('wrong-fields', { errors: [{ path, message }] })

/** Only streamers have a linked device. @throws ProblemError 422 at linkedDeviceUid */
async function linkFor(
  reads: Reads,
  { role, linkedDeviceUid }: Pick<queries.StoredUser, 'role' | 'linkedDeviceUid'>,
): Promise<string | null> {
  if (role !== 'streamer') return null
  if (linkedDeviceUid === null) throw wrongField('linkedDeviceUid', 'empty')
  if (!(await queries.isDevice(reads, linkedDeviceUid))) throw wrongField('linkedDeviceUid', 'unknown')
  return linkedDeviceUid
}

/** A user, and the caller's own password. */
interface ByPassword {
  uid: string
  password: string
}

/** A stolen session must not make an admin that outlives it, nor take an admin's rights. @throws ProblemError 422 at `password` */
function requirePassword(password: string | undefined): void {
  if (password === undefined) throw wrongField('password', 'empty')
}

/** Makes a one-time link, of which only the hash may be stored. The token is after the #, so that no server logs it. */
export function newLink(publicUrl: string, now: Date) {
  const token = makeToken()
  const expiresAt = new Date(now.getTime() + LINK_HOURS * 3_600_000)
  return { link: `${publicUrl}/login#invite=${token}`, tokenHash: hashToken(token), expiresAt }
}

/** How a user gets a link: in the answer, or, where there is a mail server, by mail. */
export interface LinkDelivery {
  publicUrl: string
  isByMail: boolean
  /** The caller's. The mail is in the reader's, if that is known. */
  language: Language
}

async function deliverLink(
  writes: Writes,
  ctx: RequestContext,
  { userUid, isByMail, language, publicUrl }: LinkDelivery & { userUid: string },
) {
  if (isByMail) return { sentTo: await mailLink(writes, ctx, { userUid, language }) }
  return makeLink(writes, ctx, { userUid, publicUrl })
}

async function makeLink(writes: Writes, ctx: RequestContext, to: { userUid: string; publicUrl: string }) {
  const { link, tokenHash, expiresAt } = newLink(to.publicUrl, ctx.now)
  const { clientId } = ctx.scope
  const kept = { clientId, userUid: to.userUid, tokenHash, createdAt: ctx.now, expiresAt }
  await queries.replaceLink(writes, kept)
  return { link, expiresAt: expiresAt.toISOString() }
}

/**
 * Adds a user, who can sign in after using the link. The invitation does not hold the email outside of this client, and its
 * answer says nothing of users of other clients.
 * @throws ProblemError 422 `email-taken` for an email of this client, at `password` for an admin; 429 `mail-limit`; 503 `busy`
 */
export async function inviteUser(
  ctx: RequestContext,
  { password, ...draft }: z.output<typeof inviteUserCall.body>,
  delivery: LinkDelivery,
) {
  if (draft.role === 'admin') requirePassword(password)
  if (password !== undefined) await checkPassword(ctx, password)
  const uid = uuidV7()
  return ctx.scope
    .write(async writes => {
      const linkedDeviceUid = await linkFor(writes, draft)
      const inviter = await queries.findUser(writes, ctx.session.userUid)
      const language = draft.language ?? inviter?.language ?? delivery.language
      const user = { ...draft, linkedDeviceUid, language, uid, clientId: ctx.scope.clientId }
      await queries.insertUser(writes, { ...user, passwordHash: NO_PASSWORD }, ctx.now)
      const { email, role, rights } = draft
      const changes = changesBetween({}, { email, role, rights, linkedDeviceUid, language })
      await recordChange(writes, ctx, { action: 'invite', entity: 'user', uid, name: email, changes })
      return { uid, ...(await deliverLink(writes, ctx, { userUid: uid, ...delivery })) }
    })
    .catch((error: unknown) => {
      throw isUniqueViolation(error, 'users_client_email') ? wrongField('email', 'email-taken') : error
    })
}

async function refuseLastAdmin(writes: Writes, user: queries.StoredUser): Promise<void> {
  if (user.role !== 'admin' || user.rights !== 'full') return
  if ((await queries.countOtherAdmins(writes, user.uid)) === 0)
    throw new OutcomeError('notDone', { reason: 'last-admin' })
}

/** @throws OutcomeError notDone `last-admin`; ProblemError 404, 422 */
export async function editUser(ctx: RequestContext, change: BodyOf<typeof calls.editUser>): Promise<void> {
  const { uid, password, ...given } = change
  if (password !== undefined) await checkPassword(ctx, password)
  await ctx.scope.write(async writes => {
    await queries.lockUsers(writes, ctx.scope.clientId)
    const user = orNotFound(await queries.findUser(writes, uid))
    const next = { ...user, ...omitUndefined(given) }
    const isOther = next.role !== user.role || next.rights !== user.rights
    if (isOther && (user.role === 'admin' || next.role === 'admin')) requirePassword(password)
    if (next.role !== 'admin' || next.rights !== 'full') await refuseLastAdmin(writes, user)
    const fields = { ...omitUndefined(given), linkedDeviceUid: await linkFor(writes, next) }
    const after = await queries.updateUser(writes, uid, { ...fields, at: ctx.now })
    const changes = changesOfEdit({ before: user, after }, fields)
    await recordChange(writes, ctx, { action: 'edit', entity: 'user', uid, name: user.email, changes })
  })
}

/** Removes a user with its sessions. @throws OutcomeError notDone `last-admin`; ProblemError 404; 422 at `password` */
export async function removeUser(ctx: RequestContext, { uid, password }: ByPassword): Promise<void> {
  await checkPassword(ctx, password)
  await ctx.scope.write(async writes => {
    await queries.lockUsers(writes, ctx.scope.clientId)
    const user = orNotFound(await queries.findUser(writes, uid))
    await refuseLastAdmin(writes, user)
    await queries.deleteUser(writes, uid)
    await recordChange(writes, ctx, { action: 'delete', entity: 'user', uid, name: user.email })
  })
}

/**
 * Makes or mails a link with which a user sets a new password.
 * @throws ProblemError 404; 422 at `password`; 429 `mail-limit`; 503 `busy`
 */
export async function resetUser(ctx: RequestContext, { uid, password }: ByPassword, delivery: LinkDelivery) {
  await checkPassword(ctx, password)
  return ctx.scope.write(async writes => {
    await queries.lockUsers(writes, ctx.scope.clientId)
    const user = orNotFound(await queries.findUser(writes, uid))
    await recordChange(writes, ctx, { action: 'reset-password', entity: 'user', uid, name: user.email })
    return { uid, ...(await deliverLink(writes, ctx, { userUid: uid, ...delivery })) }
  })
}

/**
 * Changes the caller's password and ends the caller's other sessions.
 * @throws ProblemError 422 at `current` if that is wrong, at `password` for one that others guess
 */
export async function changePassword(
  ctx: RequestContext,
  change: { current: string; password: string },
): Promise<void> {
  const { userUid, sessionUid, email } = ctx.session
  await checkNewPassword(change.password, email)
  const stored = await queries.findPasswordHash(ctx.scope.reads, userUid)
  if (!(await isPassword(change.current, stored))) throw wrongField('current', 'wrong-password')
  const passwordHash = await hashPassword(change.password)
  await ctx.scope.write(async writes => {
    // Another session of the user may have changed it since.
    const user = await queries.lockUser(writes, userUid)
    if (user?.passwordHash !== stored) throw wrongField('current', 'wrong-password')
    await queries.updateUser(writes, userUid, { passwordHash, at: ctx.now })
    await revokeSessions(writes, { userUid, exceptUid: sessionUid, at: ctx.now })
    await recordChange(writes, ctx, { action: 'change-password', entity: 'user', uid: userUid, name: email })
  })
}
