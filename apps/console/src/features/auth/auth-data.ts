import {
  authenticate,
  Credentials,
  register,
  Registration,
  type SessionUser,
  type SignedIn,
} from '@floorcast/contract/auth.ts'
import { CallError } from '@floorcast/contract/client.ts'
import * as passkeys from '@floorcast/contract/passkeys.ts'
import type { SecondStep } from '@floorcast/contract/problem.ts'
import {
  beginRequiredEnrollment,
  completeSignIn,
  confirmRequiredEnrollment,
  type TotpDraft,
} from '@floorcast/contract/second-factor.ts'
import { confirmAccount, forgotPassword, readLink, requestAccount } from '@floorcast/contract/mailed-links.ts'
import { acceptLink } from '@floorcast/contract/users.ts'
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser'
import { z } from 'zod'
import { call } from '../../platform/client.ts'
import { toastFailure } from '../../platform/outcomes.ts'
import { saveSession } from '../../platform/session.ts'

/*
 * The schemas and calls of the sign-in forms. They bring zod and the contract, so the page loads them when the user
 * begins to type: the first view of /login stays small.
 */
export { checkBy, explainFailure } from '../../ui/side-form/field-rules.ts'

/** The contract's rules, by form. */
export const schemas = {
  signIn: Credentials,
  register: Registration,
  unlock: z.object({ password: Credentials.shape.password }),
  accept: acceptLink.body.pick({ password: true }),
  code: completeSignIn.body.pick({ code: true }),
  begin: z.object({}),
  request: requestAccount.body,
  forgot: forgotPassword.body,
} as const
export type AuthFormName = keyof typeof schemas

type SignedInUser = z.output<typeof SignedIn>

/** A sign-in is complete, or waits for the second step. */
export type SignInProgress = { user: SessionUser; step?: never } | { user?: never; step: SecondStep }

/** Stores the session of a complete sign-in. A toast shows a failure too (docs/specification.md#8-error-catalogue). */
async function progressOf(signingIn: Promise<SignedInUser>): Promise<SignInProgress> {
  try {
    const user = await signingIn
    saveSession(user)
    return { user }
  } catch (error) {
    const step = error instanceof CallError ? error.problem?.secondStep : undefined
    return step ? { step } : tell(error)
  }
}

/** The browser has not answered with a passkey: the user gave up, or has none here. */
export class PasskeyRefused extends Error {
  override readonly name = 'PasskeyRefused'
}

/** Signs in with a passkey of this browser, or completes a step with it. @throws PasskeyRefused */
export async function signInByPasskey(ticket?: string): Promise<SessionUser> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const { options } = await call(passkeys.beginPasskeySignIn, {})
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON
  const answer = await startAuthentication({ optionsJSON }).catch((cause: unknown) => {
    throw new PasskeyRefused('The browser has not signed in with a passkey', { cause })
  })
  const credential = passkeys.CredentialAnswer.parse(answer)
  const signedIn = await call(passkeys.signInByPasskey, { body: { credential, ticket } })
  saveSession(signedIn)
  return signedIn
}

/** Signs in, or unlocks with the stored email. */
export const signIn = (email: string, password: string): Promise<SignInProgress> =>
  progressOf(call(authenticate, { body: { email, password } }))

/** Completes a sign-in with a code. */
export async function completeStep(ticket: string, code: string): Promise<SessionUser> {
  const signedIn = await call(completeSignIn, { body: { ticket, code } }).catch(tell)
  saveSession(signedIn)
  return signedIn
}

/** Begins to set up the second factor that the client requires. */
export const beginEnrollment = (ticket: string): Promise<TotpDraft> =>
  call(beginRequiredEnrollment, { body: { ticket } }).catch(tell)

/** A sign-in whose recovery codes have not been read yet. */
export interface Enrolled {
  signedIn: SignedInUser
  recoveryCodes: readonly string[]
}

/** Completes a sign-in by setting up the second factor. It stores no session: the user reads the recovery codes first. */
export async function confirmEnrollment(ticket: string, code: string): Promise<Enrolled> {
  const { recoveryCodes, ...signedIn } = await call(confirmRequiredEnrollment, {
    body: { ticket, code },
  }).catch(tell)
  return { signedIn, recoveryCodes }
}

/** Creates a client on the Trial plan and signs in as its admin. */
export async function registerClient(values: unknown): Promise<SessionUser> {
  const signedIn = await call(register, { body: Registration.parse(values) }).catch(tell)
  saveSession(signedIn)
  return signedIn
}

/** Sets the password by a one-time link, and signs in with it. */
export const acceptInvite = (token: string, password: string): Promise<SignInProgress> =>
  progressOf(call(acceptLink, { body: { token, password } }))

/** The email whose password a link sets. @throws CallError */
export const readLinkEmail = async (token: string): Promise<string> =>
  (await call(readLink, { body: { token } })).email

/** Asks for an account. A link goes to the email. */
export async function askForAccount(values: unknown): Promise<void> {
  await call(requestAccount, { body: requestAccount.body.parse(values) }).catch(tell)
}

/** Creates the client of a mailed link, and signs in as its admin. */
export async function confirmRegistration(token: string, password: string): Promise<SessionUser> {
  const signedIn = await call(confirmAccount, { body: { token, password } }).catch(tell)
  saveSession(signedIn)
  return signedIn
}

/** Asks for a link to set a new password. It goes to the email if that has an account. */
export async function askForReset(values: unknown): Promise<void> {
  await call(forgotPassword, { body: forgotPassword.body.parse(values) }).catch(tell)
}

function tell(error: unknown): never {
  toastFailure(error)
  throw error
}
