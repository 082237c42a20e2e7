import type { RequestContext } from './request-context.ts'
import type { Session } from './session.ts'

/** True for full rights and a subscription that has not expired. Every change needs both. */
export const mayChange = (session: Session, now: Date): boolean =>
  session.rights === 'full' && Date.parse(session.subscriptionExpiresAt) > now.getTime()

/** What the user may do with an item by role and rights. Refusals by the item's state (active, in use) are outcomes. */
export function permissionsOf(ctx: RequestContext) {
  const may = mayChange(ctx.session, ctx.now)
  return { mayEdit: may, mayDelete: may }
}
