import type { BulkPlan, PublicationAction } from '@floorcast/contract/bulk-calls.ts'
import type { Outcome } from '@floorcast/contract/outcomes.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import { forEachItem } from '../../platform/lib/bulk.ts'
import { turnPublication } from './publication-states.ts'
import { countPublicationAction, type PublicationSelection } from './publications-queries.ts'
import { deletePublication, resolvePublications } from './publications.ts'

interface BulkCall {
  items: PublicationSelection
  action: PublicationAction
}

export const previewManyPublications = (ctx: RequestContext, call: BulkCall): Promise<BulkPlan> =>
  countPublicationAction(ctx.scope.reads, { ...call, now: ctx.now })

/** Turns many publications on or off, or deletes them. A failure stops no other one. */
export async function changeManyPublications(
  ctx: RequestContext,
  { items, action }: BulkCall,
): Promise<Outcome> {
  return forEachItem(await resolvePublications(ctx, items), ctx, uid =>
    action === 'delete' ? deletePublication(ctx, uid) : turnPublication(ctx, uid, action === 'turn-on'),
  )
}
