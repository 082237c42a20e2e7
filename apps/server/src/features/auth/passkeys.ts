import type { BodyOf } from '@floorcast/contract/endpoint.ts'
import type { addPasskey, CredentialAnswer } from '@floorcast/contract/passkeys.ts'
import type { z } from 'zod'
import {
  askForPasskey,
  type AuthenticationResponseJSON,
  checkPasskey,
  offerPasskey,
  type PasskeySite,
  readNewPasskey,
  type RegistrationResponseJSON,
} from '../../platform/auth/passkey.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import { hashToken } from '../../platform/auth/token.ts'
import { isUniqueViolation } from '../../platform/database/database-errors.ts'
import { notFound, OutcomeError, ProblemError } from '../../platform/lib/errors.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { recordChange } from '../audit/audit.ts'
import { addEvent } from '../client-events/client-events.ts'
import { type Asked, beginSession } from './auth.ts'
import { lockUser, revokeSessions } from './auth-queries.ts'
import * as queries from './passkey-queries.ts'
import { checkPassword } from './own-password.ts'
import { type FactorContext, issueFirstCodes } from './second-factor.ts'
import { deleteFactor, deleteStep, lockRequirement, readFactor } from './second-factor-queries.ts'
import { hasFactor, useLinkOfStep } from './sign-in-step.ts'

/** The passkey is stored already, or another answered the challenge. */
const USED = ['passkeys_credential_id_key', 'passkeys_challenge']

/** As `offerPasskey` names the user to the authenticator, in base64url. */
const handleOf = (userUid: string) => Buffer.from(userUid).toString('base64url')

const wrongPasskey = () => new ProblemError('wrong-passkey')

const siteOf = async ({ context, secrets }: FactorContext, now: Date): Promise<PasskeySite> => ({
  box: await secrets(),
  publicUrl: context.settings.publicUrl,
  now,
})

export async function beginPasskeySignIn(factor: FactorContext, now: Date) {
  const options = await askForPasskey(await siteOf(factor, now))
  return { options: { ...options } }
}

/**
 * Signs the passkey's user in. With the ticket of a step it completes the step: a link that waits for the factor is used.
 * @throws ProblemError 400 `wrong-passkey`; `step-expired` and `link-expired` with a ticket
 */
export async function signInByPasskey(
  factor: FactorContext,
  { credential, ticket }: { credential: z.output<typeof CredentialAnswer>; ticket?: string | undefined },
  asked: Asked,
) {
  const { database } = factor.context
  const known = await database.auth.passkey(credential.id)
  if (!known) throw wrongPasskey()
  const { passkeyUid, publicKey, counter, ...user } = known
  // WebAuthn Level 3, 7.2, step 6: the authenticator says whose passkey it is.
  const { userHandle } = credential.response
  if (userHandle !== undefined && userHandle !== handleOf(user.uid)) throw wrongPasskey()
  const passkey = { credentialId: credential.id, publicKey, counter: Number(counter) }
  const answer = credential as AuthenticationResponseJSON
  const use = await checkPasskey(await siteOf(factor, asked.now), passkey, answer)
  if (!use) throw wrongPasskey()
  const scope = database.forClient(user.clientId)
  const isFirst = await scope.write(writes =>
    queries.recordPasskeyUse(writes, passkeyUid, { ...use, at: asked.now }),
  )
  if (!isFirst) throw wrongPasskey()
  if (ticket === undefined) return beginSession(factor.context, user, asked)
  const ticketHash = hashToken(ticket)
  const step = await scope.write(writes => deleteStep(writes, { ticketHash, userUid: user.uid }))
  if (!step) throw new ProblemError('step-expired')
  const changed = await useLinkOfStep(factor.context, user, { ...step, now: asked.now })
  return beginSession(factor.context, changed, asked)
}

/** @throws ProblemError 422 at `password` */
export async function beginPasskey(factor: FactorContext, ctx: RequestContext, password: string) {
  await checkPassword(ctx, password)
  const { userUid, email } = ctx.session
  const known = await queries.listPasskeys(ctx.scope.reads, userUid)
  const owner = { userUid, email }
  const site = await siteOf(factor, ctx.now)
  const options = await offerPasskey(
    site,
    owner,
    known.map(({ credentialId }) => credentialId),
  )
  return { options: { ...options } }
}

/**
 * Adds a passkey; the user's other sessions end.
 * @returns recovery codes with the first factor
 * @throws ProblemError 400 `wrong-passkey`, also for a challenge that made a passkey before
 */
export async function addOwnPasskey(
  factor: FactorContext,
  ctx: RequestContext,
  { name, credential }: BodyOf<typeof addPasskey>,
) {
  const { userUid, sessionUid, email } = ctx.session
  const { clientId } = ctx.scope
  const site = await siteOf(factor, ctx.now)
  const made = await readNewPasskey(site, userUid, credential as RegistrationResponseJSON)
  if (!made) throw wrongPasskey()
  const { challengeAt, credentialId, counter } = made
  const key = { credentialId, publicKey: Buffer.from(made.publicKey), counter, challengeAt }
  const row = { uid: uuidV7(), clientId, userUid, ...key, name, createdAt: ctx.now }
  return ctx.scope
    .write(async writes => {
      await lockUser(writes, userUid)
      await queries.insertPasskey(writes, row)
      const codes = await issueFirstCodes(writes, site.box, { clientId, userUid, now: ctx.now })
      await revokeSessions(writes, { userUid, exceptUid: sessionUid, at: ctx.now })
      const changes = { passkey: [null, name] as [unknown, unknown] }
      await recordChange(writes, ctx, {
        action: 'add-passkey',
        entity: 'user',
        uid: userUid,
        name: email,
        changes,
      })
      return codes
    })
    .catch((error: unknown) => {
      const isUsed = USED.some(constraint => isUniqueViolation(error, constraint))
      throw isUsed ? wrongPasskey() : error
    })
}

/**
 * Removes a passkey; the user's other sessions end.
 * @throws OutcomeError notDone `second-factor-required`; ProblemError 422 at `password`, 404
 */
export async function removeOwnPasskey(ctx: RequestContext, uid: string, password: string): Promise<void> {
  await checkPassword(ctx, password)
  const { userUid, sessionUid, email } = ctx.session
  await ctx.scope.write(async writes => {
    await lockUser(writes, userUid)
    const name = await queries.deletePasskey(writes, { uid, userUid })
    if (name === undefined) throw notFound()
    const isLast = !hasFactor(await readFactor(writes, userUid))
    if (isLast && (await lockRequirement(writes)))
      throw new OutcomeError('notDone', { reason: 'second-factor-required' })
    // Recovery codes stand for a factor.
    if (isLast) await deleteFactor(writes, userUid)
    await revokeSessions(writes, { userUid, exceptUid: sessionUid, at: ctx.now })
    const changes = { passkey: [name, null] as [unknown, unknown] }
    await recordChange(writes, ctx, {
      action: 'remove-passkey',
      entity: 'user',
      uid: userUid,
      name: email,
      changes,
    })
    const event = {
      kind: 'user.factor-removed',
      user: { uid: userUid, name: email },
      factor: 'passkey',
    } as const
    addEvent(writes, { clientId: ctx.scope.clientId, at: ctx.now }, event)
  })
}
