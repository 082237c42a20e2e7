import type { AuthQueries, AuthSession } from '../database/auth-queries.ts'
import type { DeviceCaller, Session } from './session.ts'
import { hashToken } from './token.ts'

/** Identifies a caller by the token in its header or, where a browser cannot send headers, by a ticket for one path. */
export interface Authenticator {
  userByToken(token: string, address: string): Promise<Session | null>
  userByTicket(ticket: string, path: string): Promise<Session | null>
  deviceByToken(token: string): Promise<DeviceCaller | null>
}

/** A session ends after 12 hours without a call, and at the latest 30 days after it began. */
export const SESSION_IDLE_SECONDS = 12 * 3600
export const SESSION_SECONDS = 30 * 86_400

const sessionOf = ({ uid, ...rest }: AuthSession): Session => ({ ...rest, userUid: uid })

/** Finds callers by the hash of their token or ticket. */
export function createAuthenticator(auth: AuthQueries, now: () => Date): Authenticator {
  return {
    userByToken: async (token, address) => {
      const use = { at: now(), idleSeconds: SESSION_IDLE_SECONDS, address }
      const session = await auth.sessionByToken(hashToken(token), use)
      return session && sessionOf(session)
    },
    userByTicket: async (ticket, path) => {
      const session = await auth.redeemTicket(hashToken(ticket), path, now())
      return session && sessionOf(session)
    },
    deviceByToken: async token => {
      const device = await auth.deviceByToken(hashToken(token))
      if (!device) return null
      const { uid, ...rest } = device
      return { ...rest, deviceUid: uid }
    },
  }
}
