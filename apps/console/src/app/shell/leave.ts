import { endSession } from '@floorcast/contract/session.ts'
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

/** SPEC section 4: lock revokes and clears the token, the user record stays. */
export async function lockScreen(): Promise<void> {
  await revoke()
  dropToken()
}

/** SPEC section 4: logout removes the user and the token. */
export async function logOut(): Promise<void> {
  await revoke()
  dropSession()
}
