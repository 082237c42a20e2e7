import type { Session } from '../../platform/session/session.ts'

/** What the user may do with any media item; which changes a used item refuses is the rule's to say. */
export function mediaPermissions(session: Session, now: Date): { mayEdit: boolean; mayDelete: boolean } {
  const mayChange = session.rights === 'full' && Date.parse(session.subscriptionExpiresAt) > now.getTime()
  return { mayEdit: mayChange, mayDelete: mayChange }
}
