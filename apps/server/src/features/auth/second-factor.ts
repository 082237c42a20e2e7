import type { AuditAction } from '@floorcast/contract/audit.ts'
import type { Reference } from '@floorcast/contract/fields.ts'
import type { Context } from '../../context.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import type { SecretBox } from '../../platform/auth/secret-box.ts'
import { hashToken } from '../../platform/auth/token.ts'
import {
  describeTotp,
  findTotpStep,
  isTotpCode,
  makeRecoveryCode,
  makeTotpSecret,
  plainCode,
} from '../../platform/auth/totp.ts'
import type { AuthUser } from '../../platform/database/auth-queries.ts'
import type { Writes } from '../../platform/database/client-scope.ts'
import { orNotFound, OutcomeError, ProblemError, wrongField } from '../../platform/lib/errors.ts'
import { recordChange, recordOwnChanges } from '../audit/audit.ts'
import { addEvent } from '../client-events/client-events.ts'
import { type Asked, beginSession } from './auth.ts'
import { lockUser, revokeSessions } from './auth-queries.ts'
import { checkPassword } from './own-password.ts'
import * as queries from './second-factor-queries.ts'
import { hasFactor, useLinkOfStep } from './sign-in-step.ts'

const RECOVERY_CODES = 10

/** What the rules of the second factor need beside the context. */
export interface FactorContext {
  context: Context
  secrets: () => Promise<SecretBox>
}

/** A user, signed in or in the second step of a sign-in. */
interface Owner {
  clientId: string
  userUid: string
}

const wrongCode = () => wrongField('code', 'wrong-code')

/** Replaces the user's recovery codes. @returns them in clear, for the only time */
async function issueRecoveryCodes(writes: Writes, box: SecretBox, owner: Owner & { now: Date }) {
  const codes = Array.from({ length: RECOVERY_CODES }, makeRecoveryCode)
  const { clientId, userUid, now } = owner
  const hashes = codes.map(code => box.hash(plainCode(code), userUid))
  await queries.replaceCodes(writes, { clientId, userUid, createdAt: now }, hashes)
  return codes
}

/** Recovery codes with the first factor of a user; none if the user has some. */
export async function issueFirstCodes(writes: Writes, box: SecretBox, owner: Owner & { now: Date }) {
  const { recoveryCodesLeft } = await queries.readFactor(writes, owner.userUid)
  return recoveryCodesLeft > 0 ? [] : issueRecoveryCodes(writes, box, owner)
}

/** Saves a new secret, which counts once a code confirms it. */
async function beginSecret(writes: Writes, box: SecretBox, user: Owner & { email: string; now: Date }) {
  const { clientId, userUid, email, now } = user
  const secret = makeTotpSecret()
  const pendingSecret = box.seal(secret, userUid)
  await queries.savePendingSecret(writes, { clientId, userUid, pendingSecret, createdAt: now })
  return describeTotp(secret, email)
}

const stepExpired = () => new ProblemError('step-expired')

/**
 * The ticket of a user with a factor takes that factor alone: the set-up would be a way around it.
 * @throws ProblemError 400 `step-expired`
 */
async function refuseSecondSetUp(writes: Writes, userUid: string): Promise<void> {
  await lockUser(writes, userUid)
  if (hasFactor(await queries.readFactor(writes, userUid))) throw stepExpired()
}

/** Confirms the user's new secret by a code of it; the user's sessions end, but the one that asks. @throws ProblemError 422 at `code` */
async function confirmSecret(
  writes: Writes,
  box: SecretBox,
  { code, sessionUid, ...owner }: Owner & { code: string; now: Date; sessionUid: string | null },
): Promise<string[]> {
  const { userUid, now } = owner
  await lockUser(writes, userUid)
  const secret = await queries.lockSecret(writes, userUid)
  const sealedSecret = secret?.pendingSecret
  if (!sealedSecret) throw stepExpired()
  const lastStep = findTotpStep(box.open(sealedSecret, userUid), plainCode(code), now)
  if (lastStep === null) throw wrongCode()
  await queries.confirmPendingSecret(writes, userUid, { sealedSecret, lastStep, confirmedAt: now })
  await revokeSessions(writes, { userUid, exceptUid: sessionUid, at: now })
  return issueRecoveryCodes(writes, box, owner)
}

type Used = 'totp' | 'recovery-code'

/** Uses up a code of the app or a recovery code; null if it is wrong, or was used before. */
async function redeemCode(
  writes: Writes,
  box: SecretBox,
  { userUid, code, now }: { userUid: string; code: string; now: Date },
): Promise<Used | null> {
  const plain = plainCode(code)
  if (!isTotpCode(code)) {
    const codeHash = box.hash(plain, userUid)
    return (await queries.redeemRecoveryCode(writes, { userUid, codeHash, at: now })) ? 'recovery-code' : null
  }
  const secret = await queries.lockSecret(writes, userUid)
  if (!secret?.sealedSecret) return null
  const step = findTotpStep(box.open(secret.sealedSecret, userUid), plain, now)
  if (step === null || step <= (secret.lastStep ?? 0)) return null
  await queries.recordStep(writes, userUid, step)
  return 'totp'
}

const signInEntry = (user: AuthUser, action: AuditAction) => [
  { action, entity: 'user' as const, uid: user.uid, name: user.email },
]

/**
 * Completes a sign-in whose password was right.
 * @throws ProblemError 422 at `code`, 400 `step-expired` if another call completed it
 */
export async function completeSignIn(
  { context, secrets }: FactorContext,
  user: AuthUser,
  { ticket, code, asked }: { ticket: string; code: string; asked: Asked },
) {
  const box = await secrets()
  const { uid: userUid, clientId } = user
  const at = { clientId, at: asked.now }
  const scope = context.database.forClient(clientId)
  const { used, step } = await scope.write(async writes => {
    const by = await redeemCode(writes, box, { userUid, code, now: asked.now })
    if (by === null) await recordOwnChanges(writes, at, signInEntry(user, 'second-factor-failed'))
    const deleted = by && (await queries.deleteStep(writes, { ticketHash: hashToken(ticket), userUid }))
    if (by !== null && !deleted) throw stepExpired()
    if (by === 'recovery-code') await recordOwnChanges(writes, at, signInEntry(user, 'recovery-code-used'))
    return { used: by, step: deleted }
  })
  if (used === null || !step) throw wrongCode()
  return beginSession(context, await useLinkOfStep(context, user, { ...step, now: asked.now }), asked)
}

/** Begins the enrollment that the client requires of a user who signs in. @throws ProblemError 400 `step-expired` */
export async function beginRequiredEnrollment(
  { context, secrets }: FactorContext,
  user: AuthUser,
  now: Date,
) {
  const scope = context.database.forClient(user.clientId)
  const owner = { clientId: user.clientId, userUid: user.uid, email: user.email, now }
  const box = await secrets()
  return scope.write(async writes => {
    await refuseSecondSetUp(writes, user.uid)
    return beginSecret(writes, box, owner)
  })
}

/** Ends that enrollment and signs the user in. @throws ProblemError 422 at `code`, 400 `step-expired` */
export async function confirmRequiredEnrollment(
  { context, secrets }: FactorContext,
  user: AuthUser,
  { ticket, code, asked }: { ticket: string; code: string; asked: Asked },
) {
  const box = await secrets()
  const { clientId } = user
  const recoveryCodes = await context.database.forClient(clientId).write(async writes => {
    const owner = { clientId, userUid: user.uid, sessionUid: null, now: asked.now }
    await refuseSecondSetUp(writes, user.uid)
    const codes = await confirmSecret(writes, box, { ...owner, code })
    const step = { ticketHash: hashToken(ticket), userUid: user.uid }
    if (!(await queries.deleteStep(writes, step))) throw stepExpired()
    const entries = signInEntry(user, 'add-second-factor')
    await recordOwnChanges(writes, { clientId, at: asked.now }, entries)
    return codes
  })
  return { ...(await beginSession(context, user, asked)), recoveryCodes }
}

export const readOwnFactor = (ctx: RequestContext) => queries.readFactor(ctx.scope.reads, ctx.session.userUid)

const ownerOf = (ctx: RequestContext) => ({
  clientId: ctx.scope.clientId,
  userUid: ctx.session.userUid,
  email: ctx.session.email,
  now: ctx.now,
})

const recordOwn = (writes: Writes, ctx: RequestContext, action: AuditAction) =>
  recordChange(writes, ctx, { action, entity: 'user', uid: ctx.session.userUid, name: ctx.session.email })

/** A new app, beside which the former one works until a code confirms it. @throws ProblemError 422 at `password` */
export async function beginEnrollment({ secrets }: FactorContext, ctx: RequestContext, password: string) {
  await checkPassword(ctx, password)
  const box = await secrets()
  return ctx.scope.write(writes => beginSecret(writes, box, ownerOf(ctx)))
}

/** Confirms the second factor; the user's other sessions end. @returns the recovery codes */
export async function confirmEnrollment({ secrets }: FactorContext, ctx: RequestContext, code: string) {
  const box = await secrets()
  const { sessionUid } = ctx.session
  return ctx.scope.write(async writes => {
    const recoveryCodes = await confirmSecret(writes, box, { ...ownerOf(ctx), sessionUid, code })
    await recordOwn(writes, ctx, 'add-second-factor')
    return recoveryCodes
  })
}

/** @throws OutcomeError notDone `no-second-factor`; ProblemError 422 at `password` */
export async function renewRecoveryCodes({ secrets }: FactorContext, ctx: RequestContext, password: string) {
  await checkPassword(ctx, password)
  const box = await secrets()
  return ctx.scope.write(async writes => {
    await lockUser(writes, ctx.session.userUid)
    if (!hasFactor(await queries.readFactor(writes, ctx.session.userUid)))
      throw new OutcomeError('notDone', { reason: 'no-second-factor' })
    const codes = await issueRecoveryCodes(writes, box, ownerOf(ctx))
    await recordOwn(writes, ctx, 'renew-recovery-codes')
    return codes
  })
}

const tellRemoved = (writes: Writes, ctx: RequestContext, user: Reference) =>
  addEvent(
    writes,
    { clientId: ctx.scope.clientId, at: ctx.now },
    { kind: 'user.factor-removed', user, factor: 'all' },
  )

/**
 * Removes the user's factors; the user's other sessions end.
 * @throws OutcomeError notDone `second-factor-required`; ProblemError 422 at `password`
 */
export async function removeOwnFactor(ctx: RequestContext, password: string): Promise<void> {
  await checkPassword(ctx, password)
  const { userUid, sessionUid } = ctx.session
  await ctx.scope.write(async writes => {
    await lockUser(writes, userUid)
    if (await queries.lockRequirement(writes))
      throw new OutcomeError('notDone', { reason: 'second-factor-required' })
    if (!(await queries.deleteFactor(writes, userUid))) return
    await revokeSessions(writes, { userUid, exceptUid: sessionUid, at: ctx.now })
    await recordOwn(writes, ctx, 'remove-second-factor')
    tellRemoved(writes, ctx, { uid: userUid, name: ctx.session.email })
  })
}

/**
 * For another user, who has lost it: removes the second factor and ends the sessions. The password is the caller's.
 * @throws OutcomeError notDone `own-second-factor`; ProblemError 404, 422 at `password`
 */
export async function removeFactorOf(ctx: RequestContext, uid: string, password: string): Promise<void> {
  await checkPassword(ctx, password)
  if (uid === ctx.session.userUid) throw new OutcomeError('notDone', { reason: 'own-second-factor' })
  await ctx.scope.write(async writes => {
    const { email } = orNotFound(await queries.findUserAccount(writes, uid))
    await lockUser(writes, uid)
    const hadFactor = await queries.deleteFactor(writes, uid)
    await revokeSessions(writes, { userUid: uid, exceptUid: null, at: ctx.now })
    await recordChange(writes, ctx, { action: 'remove-second-factor', entity: 'user', uid, name: email })
    if (hadFactor) tellRemoved(writes, ctx, { uid, name: email })
  })
}

/**
 * Sets whether every user of the client needs a second factor. The sessions of those without one end, so that they set it up;
 * streamers do so at their next sign-in, because their pages play in shops with nobody there.
 * @throws OutcomeError notDone `no-second-factor` for an admin who requires of others what they have not
 */
export async function requireFactor(ctx: RequestContext, isRequired: boolean): Promise<void> {
  const { userUid } = ctx.session
  await ctx.scope.write(async writes => {
    await lockUser(writes, userUid)
    const before = await queries.setRequired(writes, { isRequired, at: ctx.now })
    if (before.requiresSecondFactor === isRequired) return
    if (isRequired && !hasFactor(await queries.readFactor(writes, userUid)))
      throw new OutcomeError('notDone', { reason: 'no-second-factor' })
    if (isRequired) await queries.revokeSessionsWithoutFactor(writes, ctx.now)
    await recordChange(writes, ctx, {
      action: 'edit',
      entity: 'client',
      uid: ctx.scope.clientId,
      name: before.name,
      changes: { requiresSecondFactor: [before.requiresSecondFactor, isRequired] },
    })
  })
}
