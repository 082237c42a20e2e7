import type { Session } from './session.ts'

/** Full rights and a subscription that has not expired: what every change needs. */
export const mayChange = (session: Session, now: Date): boolean =>
  session.rights === 'full' && Date.parse(session.subscriptionExpiresAt) > now.getTime()
