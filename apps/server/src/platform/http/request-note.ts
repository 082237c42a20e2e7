import type { DeviceIdentity, Session } from '../auth/session.ts'

/** What the request's one log line will say beside path, status and time. */
export interface RequestNote {
  outcome?: string | number
  userUid?: string
  clientId?: string
  deviceUid?: string
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The call reads its body as it comes. */
    takesBytes?: boolean
  }
  interface FastifyRequest {
    note: RequestNote
    session: Session | null
    device: DeviceIdentity | null
  }
}
