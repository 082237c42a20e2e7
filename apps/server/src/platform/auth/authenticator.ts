import { z } from 'zod'
import type { AuthDevice, AuthQueries, AuthSession } from '../database/auth-queries.ts'
import type { OperatorQueries, OperatorSession } from '../database/operator-queries.ts'
import type { DeviceCaller, Session } from './session.ts'
import { SharedReads } from '../lib/shared-reads.ts'
import { hashToken } from './token.ts'

/** Identifies a caller by the token in its header or, where a browser cannot send headers, by a ticket for one path. */
export interface Authenticator {
  userByToken(token: string, address: string): Promise<Session | null>
  userByTicket(ticket: string, path: string): Promise<Session | null>
  /** The device of its own token, or of a streamer's page that has the device's active session. */
  deviceByToken(token: string, address: string): Promise<DeviceCaller | null>
}

/** The token of a streamer's page: the user's token and the session of its device, which reports. */
interface StreamingToken {
  userToken: string
  reporterUid: string
}

export const formatStreamingToken = ({ userToken, reporterUid }: StreamingToken): string =>
  `${userToken}.${reporterUid}`

/** Null for a token of a user or a device, which has no dot. */
function parseStreamingToken(token: string): StreamingToken | null {
  const [userToken = '', uid, ...more] = token.split('.')
  const reporterUid = z.uuid().safeParse(uid).data
  return reporterUid !== undefined && more.length === 0 ? { userToken, reporterUid } : null
}

/** A session ends after 12 hours without a call, and at the latest 30 days after it began. */
export const SESSION_IDLE_SECONDS = 12 * 3600
export const SESSION_SECONDS = 30 * 86_400

const sessionOf = ({ uid, ...rest }: AuthSession): Session => ({ ...rest, userUid: uid })

/** Finds callers by the hash of their token or ticket. */
export function createAuthenticator(auth: AuthQueries, now: () => Date): Authenticator {
  const useFrom = (address: string) => ({ at: now(), idleSeconds: SESSION_IDLE_SECONDS, address })
  // One caller that sends thousands of calls at once has one read at a time. Tokens of devices are read together already.
  const sessions = new SharedReads<AuthSession | null>()
  const streamers = new SharedReads<AuthDevice | null>()
  return {
    userByToken: async (token, address) => {
      const read = () => auth.sessionByToken(hashToken(token), useFrom(address))
      const session = await sessions.read(`${token} ${address}`, read)
      return session && sessionOf(session)
    },
    userByTicket: async (ticket, path) => {
      const session = await auth.redeemTicket(hashToken(ticket), path, now())
      return session && sessionOf(session)
    },
    deviceByToken: async (token, address) => {
      const streaming = parseStreamingToken(token)
      const device = await (streaming
        ? streamers.read(`${token} ${address}`, () => {
            const { userToken, reporterUid } = streaming
            return auth.deviceByStreamer(hashToken(userToken), reporterUid, useFrom(address))
          })
        : auth.deviceByToken(hashToken(token)))
      if (!device) return null
      const { uid, ...rest } = device
      return { ...rest, deviceUid: uid }
    },
  }
}

/** Finds operators by the hash of their token. */
export interface OperatorAuthenticator {
  byToken(token: string): Promise<OperatorSession | null>
}

/** An operator reaches every client: the session ends after an hour without a call, and at the latest 12 hours after it began. */
export const OPERATOR_IDLE_SECONDS = 3600
export const OPERATOR_SESSION_SECONDS = 12 * 3600

export const createOperatorAuthenticator = (
  operators: Pick<OperatorQueries, 'sessionByToken'>,
  now: () => Date,
): OperatorAuthenticator => ({
  byToken: token => operators.sessionByToken(hashToken(token), now(), OPERATOR_IDLE_SECONDS),
})
