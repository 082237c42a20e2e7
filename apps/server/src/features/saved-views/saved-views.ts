import type { AuditAction } from '@floorcast/contract/audit.ts'
import type { BodyOf } from '@floorcast/contract/endpoint.ts'
import {
  MAX_VIEWS,
  type SavedView,
  type SavedViewDraft,
  type ViewedList,
} from '@floorcast/contract/saved-views.ts'
import type * as calls from '@floorcast/contract/saved-views.ts'
import type { z } from 'zod'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import { mayChange } from '../../platform/auth/rights.ts'
import type { Writes } from '../../platform/database/client-scope.ts'
import { orNotFound, OutcomeError, ProblemError, stale } from '../../platform/lib/errors.ts'
import { omitUndefined } from '../../platform/lib/omit-undefined.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { type Changes, changesBetween, changesOfEdit, recordChange } from '../audit/audit.ts'
import {
  deleteView,
  insertView,
  listViews,
  lockView,
  lockViewCount,
  type StoredView,
  updateView,
} from './saved-views-queries.ts'

/*
 * A view is a user's own, or belongs to the client: then its `user_uid` is null, every user sees it, and every user with full
 * rights changes it. Own views are personal settings, which the audit does not record.
 */

export const listSavedViews = (ctx: RequestContext, list: ViewedList): Promise<SavedView[]> =>
  listViews(ctx.scope.reads, { list, userUid: ctx.session.userUid })

/** @throws ProblemError 403 if the view is shared and the user may change nothing */
function refuseByRights(ctx: RequestContext, isShared: boolean): void {
  if (isShared && !mayChange(ctx.session, ctx.now)) throw new ProblemError('rights')
}

/** @throws OutcomeError notDone `too-many-views` */
async function refuseTooMany(writes: Writes, ctx: RequestContext, owner: string | null): Promise<void> {
  if ((await lockViewCount(writes, ctx.scope.clientId, owner)) >= MAX_VIEWS)
    throw new OutcomeError('notDone', { reason: 'too-many-views', limit: MAX_VIEWS })
}

const record = (
  writes: Writes,
  ctx: RequestContext,
  change: Pick<StoredView, 'uid' | 'name'> & { action: AuditAction; changes: Changes },
) => recordChange(writes, ctx, { ...change, entity: 'saved-view' })

/** @throws ProblemError 403; OutcomeError notDone `too-many-views` */
export async function addSavedView(
  ctx: RequestContext,
  { isShared, ...draft }: z.output<typeof SavedViewDraft>,
): Promise<string> {
  refuseByRights(ctx, isShared)
  const uid = uuidV7()
  const userUid = isShared ? null : ctx.session.userUid
  await ctx.scope.write(async writes => {
    await refuseTooMany(writes, ctx, userUid)
    const view = { ...draft, uid, clientId: ctx.scope.clientId, userUid, at: ctx.now }
    await insertView(writes, { ...view, filters: JSON.stringify(draft.filters) })
    if (isShared)
      await record(writes, ctx, { uid, name: draft.name, action: 'add', changes: changesBetween({}, draft) })
  })
  return uid
}

/** @throws ProblemError 403, 404, 409 for a stale version */
export async function editSavedView(
  ctx: RequestContext,
  { uid, version, ...given }: BodyOf<typeof calls.editSavedView>,
): Promise<void> {
  const { filters, ...fields } = omitUndefined(given)
  await ctx.scope.write(async writes => {
    const before = orNotFound(await lockView(writes, { uid, userUid: ctx.session.userUid }))
    refuseByRights(ctx, before.userUid === null)
    if (version !== undefined && version !== before.version) throw stale()
    const change = { ...fields, ...(filters ? { filters: JSON.stringify(filters) } : {}) }
    const after = await updateView(writes, uid, { ...change, at: ctx.now })
    if (before.userUid === null)
      await record(writes, ctx, {
        uid,
        name: after.name,
        action: 'edit',
        changes: changesOfEdit({ before, after }, change),
      })
  })
}

/** Shares an own view, or makes a shared one the caller's own. @throws ProblemError 404; OutcomeError notDone `too-many-views` */
export async function shareSavedView(
  ctx: RequestContext,
  { uid, isShared }: { uid: string; isShared: boolean },
): Promise<void> {
  await ctx.scope.write(async writes => {
    const view = orNotFound(await lockView(writes, { uid, userUid: ctx.session.userUid }))
    const wasShared = view.userUid === null
    if (wasShared === isShared) return
    const userUid = isShared ? null : ctx.session.userUid
    await refuseTooMany(writes, ctx, userUid)
    await updateView(writes, uid, { userUid, at: ctx.now })
    const changes = changesBetween({ isShared: wasShared }, { isShared })
    const action = isShared ? 'share' : 'unshare'
    await record(writes, ctx, { uid, name: view.name, action, changes })
  })
}

/** @throws ProblemError 403, 404 */
export async function deleteSavedView(ctx: RequestContext, uid: string): Promise<void> {
  await ctx.scope.write(async writes => {
    const view = orNotFound(await lockView(writes, { uid, userUid: ctx.session.userUid }))
    refuseByRights(ctx, view.userUid === null)
    await deleteView(writes, uid)
    if (view.userUid === null)
      await record(writes, ctx, { uid, name: view.name, action: 'delete', changes: {} })
  })
}
