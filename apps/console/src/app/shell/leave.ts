import { endSession } from '@floorcast/contract/auth.ts'
import { call } from '../../platform/client.ts'
import { dropSession, dropToken } from '../../platform/session.ts'

/** Tells the server that the token is done with; if it cannot be told, the token still leaves this browser. */
async function revoke(): Promise<void> {
  try {
    await call(endSession, {})
  } catch {
    // Without an answer the token ends by itself after 12 idle hours.
  }
}

/** Lock revokes and clears the token; the user record stays (docs/specification.md#4-states-and-transitions). */
export async function lockScreen(): Promise<void> {
  await revoke()
  dropToken()
}

/** Logout removes the user and the token (docs/specification.md#4-states-and-transitions). */
export async function logOut(): Promise<void> {
  await revoke()
  dropSession()
}
