import {
  authenticate,
  Credentials,
  register,
  Registration,
  type SessionUser,
} from '@floorcast/contract/auth.ts'
import { acceptLink } from '@floorcast/contract/users.ts'
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
} as const
export type AuthFormName = keyof typeof schemas

/**
 * Signs in, or unlocks with the stored email. A toast shows a failure too (docs/specification.md#8-error-catalogue).
 */
export async function signIn(email: string, password: string): Promise<SessionUser> {
  const signedIn = await call(authenticate, { body: { email, password } }).catch(tell)
  saveSession(signedIn)
  return signedIn
}

/** Creates a client on the Trial plan and signs in as its admin. */
export async function registerClient(values: unknown): Promise<SessionUser> {
  const signedIn = await call(register, { body: Registration.parse(values) }).catch(tell)
  saveSession(signedIn)
  return signedIn
}

/** Sets the password by a one-time link, and signs in with it. */
export async function acceptInvite(token: string, password: string): Promise<SessionUser> {
  const signedIn = await call(acceptLink, { body: { token, password } }).catch(tell)
  saveSession(signedIn)
  return signedIn
}

function tell(error: unknown): never {
  toastFailure(error)
  throw error
}
