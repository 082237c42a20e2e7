import type { Operator, OperatorStep } from '@floorcast/contract/operator-sign-in.ts'
import type { Context } from '../../context.ts'
import { OPERATOR_IDLE_SECONDS, OPERATOR_SESSION_SECONDS } from '../../platform/auth/authenticator.ts'
import { checkNewPassword } from '../../platform/auth/password-rules.ts'
import { hashPassword, isPassword } from '../../platform/auth/password.ts'
import type { SecretBox } from '../../platform/auth/secret-box.ts'
import { hashToken, makeToken } from '../../platform/auth/token.ts'
import { describeTotp, findTotpStep, makeTotpSecret, plainCode } from '../../platform/auth/totp.ts'
import type {
  KnownOperator,
  OperatorAct,
  OperatorInStep,
  OperatorQueries,
} from '../../platform/database/operator-queries.ts'
import { toAddressKey } from '../../platform/http/admit/access.ts'
import { ProblemError, wrongField } from '../../platform/lib/errors.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { SIGN_IN_STEP } from '../auth/auth.ts'

/*
 * Operators sign in as users do (features/auth), with two differences: the second factor is always required, and there are no
 * recovery codes: who loses the app asks for a new link, which `npm run admin` prints.
 */

/** Failures of one operator that the audit has of an hour: an attacker must not fill it. */
const MAX_FAILURES_AN_HOUR = 5
/** Networks of sign-ins of this time are known. */
const KNOWN_MS = 90 * 86_400_000

export interface SignInParts {
  database: { operators: OperatorQueries }
  log: Context['log']
  secrets: () => Promise<SecretBox>
}

/** When and from where a call comes. */
export interface Asked {
  now: Date
  requestId: string
  address: string
}

const after = (now: Date, seconds: number) => new Date(now.getTime() + seconds * 1000)
const stepExpired = () => new ProblemError('step-expired')

export const actOf = (
  { now, requestId, address }: Asked,
  act: Pick<OperatorAct, 'email' | 'action' | 'subject'>,
): OperatorAct => ({ uid: uuidV7(), at: now, requestId, address, ...act })

/** Recorded in the background: an answer that waited for it would come later for an email that exists. */
function noteFailure({ database, log }: SignInParts, act: OperatorAct): void {
  database.operators
    .noteFailure(act, MAX_FAILURES_AN_HOUR)
    .catch((error: unknown) => log.warn({ err: error }, 'a failed sign-in was not recorded'))
}

async function beginStep(
  { database }: SignInParts,
  operator: KnownOperator,
  now: Date,
): Promise<OperatorStep> {
  const ticket = makeToken()
  const expiresAt = after(now, SIGN_IN_STEP.seconds)
  const step = { ticketHash: hashToken(ticket), operator, at: now, expiresAt }
  if (!(await database.operators.beginStep(step))) throw new ProblemError('wrong-login')
  return { ticket, expiresAt: expiresAt.toISOString(), mustEnroll: !operator.isEnrolled }
}

/** The first step. @throws ProblemError 400 for a wrong email or password, which does not say which */
export async function beginSignIn(
  parts: SignInParts,
  { email, password }: { email: string; password: string },
  asked: Asked,
): Promise<OperatorStep> {
  const operator = await parts.database.operators.byEmail(email)
  const fits = await isPassword(password, operator?.passwordHash ?? null)
  if (operator && !fits) noteFailure(parts, actOf(asked, { email: operator.email, action: 'sign-in-failed' }))
  if (!operator || !fits) throw new ProblemError('wrong-login')
  return beginStep(parts, operator, asked.now)
}

/** Sets the password by a link, and begins a sign-in. @throws ProblemError 400 `link-expired`; 422 for a password that others guess */
export async function acceptLink(
  parts: SignInParts,
  { token, password }: { token: string; password: string },
  asked: Asked,
): Promise<OperatorStep> {
  const { operators } = parts.database
  const tokenHash = hashToken(token)
  const holder = await operators.linkEmail(tokenHash, asked.now)
  if (holder === null) throw new ProblemError('link-expired')
  await checkNewPassword(password, holder)
  const act = actOf(asked, { email: holder, action: 'set-password' })
  const email = await operators.useLink(tokenHash, await hashPassword(password), act)
  const operator = email === null ? null : await operators.byEmail(email)
  if (!operator) throw new ProblemError('link-expired')
  return beginStep(parts, operator, asked.now)
}

/** Counts a try of the ticket. @throws ProblemError 400 `step-expired` */
export async function openStep(
  { database }: SignInParts,
  ticket: string,
  now: Date,
): Promise<OperatorInStep> {
  const operator = await database.operators.step(hashToken(ticket), now, SIGN_IN_STEP.maxTries)
  if (!operator) throw stepExpired()
  return operator
}

/** Whether the operator has signed in from this network (`toAddressKey`) in the last ninety days. */
export async function hasSignedInFrom(
  { database }: SignInParts,
  { email }: OperatorInStep,
  { network, now }: { network: string; now: Date },
): Promise<boolean> {
  const addresses = await database.operators.signInAddresses(email, new Date(now.getTime() - KNOWN_MS))
  return addresses.some(address => toAddressKey(address) === network)
}

/** @throws ProblemError 400 `step-expired` for an operator who has an app: the set-up would be a way around it */
export async function beginEnrollment(parts: SignInParts, operator: OperatorInStep) {
  const secret = makeTotpSecret()
  const sealed = (await parts.secrets()).seal(secret, operator.uid)
  if (!(await parts.database.operators.keepSecret(operator.uid, sealed))) throw stepExpired()
  return describeTotp(secret, operator.email)
}

/**
 * Ends a sign-in by a code: of the operator's app, or of the app that is being set up.
 * @throws ProblemError 422 at `code`, 400 `step-expired`
 */
export async function completeSignIn(
  parts: SignInParts,
  operator: OperatorInStep,
  { ticket, code, isEnrolling, asked }: { ticket: string; code: string; isEnrolling: boolean; asked: Asked },
): Promise<Operator & { token: string }> {
  const { uid, email } = operator
  const { now } = asked
  const sealed = isEnrolling ? operator.pendingSecret : operator.sealedSecret
  if (!sealed || (isEnrolling && operator.sealedSecret)) throw stepExpired()
  const step = findTotpStep((await parts.secrets()).open(sealed, uid), plainCode(code), now)
  const token = makeToken()
  const expiresAt = after(now, OPERATOR_SESSION_SECONDS)
  const isDone =
    step !== null &&
    (await parts.database.operators.signIn(
      {
        ticketHash: hashToken(ticket),
        operatorUid: uid,
        step,
        confirmedSecret: isEnrolling ? sealed : null,
        sessionUid: uuidV7(),
        tokenHash: hashToken(token),
        idleExpiresAt: after(now, OPERATOR_IDLE_SECONDS),
        expiresAt,
      },
      actOf(asked, { email, action: 'sign-in' }),
    ))
  if (!isDone) {
    noteFailure(parts, actOf(asked, { email, action: 'second-factor-failed' }))
    throw wrongField('code', 'wrong-code')
  }
  return { uid, email, token, expiresAt: expiresAt.toISOString() }
}
