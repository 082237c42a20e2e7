import type { RequestContext } from './request-context.ts'
import type { Session } from './session.ts'

/** Full rights and a subscription that has not expired: what every change needs. */
export const mayChange = (session: Session, now: Date): boolean =>
  session.rights === 'full' && Date.parse(session.subscriptionExpiresAt) > now.getTime()

/** What the user may do with a thing by its rights. What its state refuses (active, in use) is told by the outcome. */
export function permissionsOf(ctx: RequestContext) {
  const may = mayChange(ctx.session, ctx.now)
  return { mayEdit: may, mayDelete: may }
}
