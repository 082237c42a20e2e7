import type { RequestContext } from './request-context.ts'
import type { Session } from './session.ts'

/** True for full rights and a subscription that has not expired. Every change needs both. */
export const mayChange = (session: Session, now: Date): boolean =>
  session.rights === 'full' && Date.parse(session.subscriptionExpiresAt) > now.getTime()

/** The actions that role and rights allow on an item. Refusals by the item's state (active, in use) are outcomes. */
export function permissionsOf(ctx: RequestContext) {
  const may = mayChange(ctx.session, ctx.now)
  return { mayEdit: may, mayDelete: may }
}
