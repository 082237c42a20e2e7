import type { RequestContext } from '../../platform/auth/request-context.ts'
import type { Writes } from '../../platform/database/client-scope.ts'
import { ProblemError } from '../../platform/lib/errors.ts'
import { recordChange } from '../audit/audit.ts'
import { mailPlanRequest } from '../mail/mail.ts'
import { deletePlanRequest, isPlan, lockPlanRequest, savePlanRequest } from './plans-queries.ts'

const record = (
  writes: Writes,
  ctx: RequestContext,
  change: { action: 'request-plan' | 'withdraw-plan-request'; from: string | null; to: string | null },
) =>
  recordChange(writes, ctx, {
    action: change.action,
    entity: 'client',
    uid: ctx.scope.clientId,
    name: change.to ?? change.from ?? '',
    changes: { planKey: [change.from, change.to] },
  })

/**
 * Records that the client wants a plan, and mails it to the operator. A client has one open request: one for another plan
 * replaces it. Too many mails of a client are left out; the operator's list has the request.
 * @returns since when it is requested @throws ProblemError 422 for a plan that there is not
 */
export async function requestPlan(
  ctx: RequestContext,
  planKey: string,
  letter: { recipient: string; language: string } | null,
): Promise<string> {
  const { clientId } = ctx.scope
  return ctx.scope.write(async writes => {
    if (!(await isPlan(writes, planKey)))
      throw new ProblemError('wrong-fields', { errors: [{ path: 'planKey', message: 'unknown' }] })
    const former = await lockPlanRequest(writes, clientId)
    if (former?.planKey === planKey) return former.requestedAt
    await savePlanRequest(writes, { clientId, planKey, userUid: ctx.session.userUid, requestedAt: ctx.now })
    await record(writes, ctx, { action: 'request-plan', from: former?.planKey ?? null, to: planKey })
    if (letter) await mailPlanRequest(writes, ctx, letter)
    return ctx.now.toISOString()
  })
}

/** Withdraws the open request of the client, if there is one. */
export async function withdrawPlanRequest(ctx: RequestContext): Promise<void> {
  await ctx.scope.write(async writes => {
    const former = await lockPlanRequest(writes, ctx.scope.clientId)
    if (!former) return
    await deletePlanRequest(writes)
    await record(writes, ctx, { action: 'withdraw-plan-request', from: former.planKey, to: null })
  })
}
