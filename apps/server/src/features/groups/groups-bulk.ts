import type { BulkPlan, EditAction } from '@floorcast/contract/bulk-calls.ts'
import type { Outcome } from '@floorcast/contract/outcomes.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import { forEachItem } from '../../platform/lib/bulk.ts'
import { countGroupAction, type GroupSelection } from './groups-queries.ts'
import { deleteGroup, resolveGroups, turnGroup } from './groups.ts'

interface BulkCall {
  items: GroupSelection
  action: EditAction
}

export const previewManyGroups = (ctx: RequestContext, call: BulkCall): Promise<BulkPlan> =>
  countGroupAction(ctx.scope.reads, { ...call, now: ctx.now })

/** Activates, pauses or deletes many groups. A failure stops no other one. */
export async function changeManyGroups(ctx: RequestContext, { items, action }: BulkCall): Promise<Outcome> {
  const state = action === 'activate' ? 'active' : 'paused'
  return forEachItem(await resolveGroups(ctx, items), ctx, uid =>
    action === 'delete' ? deleteGroup(ctx, uid) : turnGroup(ctx, uid, state),
  )
}
